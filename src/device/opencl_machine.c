/* SPDX-License-Identifier: Apache-2.0 */
/* OpenCL's devices: any of any platform, with the kernels compiled for it from the source that the
   binary carries. */
#ifdef KVP_WITH_OPENCL

#include "src/device/opencl_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

#include "src/device/opencl_codes.h"
#include "src/device/select.h"

#define MOST_PLACES 64
#define TEXT_SIZE 50

/* Device j of platform i. */
struct place {
  cl_uint i, j;
  cl_platform_id platform;
  cl_device_id device;
};

static const char source[] = {
#include "build/gen/kernels.inc"
  0};

/* With the bugs that a build plants for its checks to find. */
static const char build_options[] = "-cl-std=CL1.2"
#ifdef KVP_PLANT_DEVICE_BUG
                                    " -DKVP_PLANT_DEVICE_BUG"
#endif
#ifdef KVP_PLANT_RACE
                                    " -DKVP_PLANT_RACE"
#endif
#ifdef KVP_PLANT_LOST_UPDATE
                                    " -DKVP_PLANT_LOST_UPDATE"
#endif
#ifdef KVP_PLANT_UNINITIALISED
                                    " -DKVP_PLANT_UNINITIALISED"
#endif
  ;

static struct {
  once_flag once;
  int has_lock;
  mtx_t lock; /* of `first` */
  struct kvp_opencl_machine *first;
} process = {.once = ONCE_FLAG_INIT};

enum kvp_status kvp_opencl_refuse(char *message, size_t size, const char *call, cl_int code)
{
  snprintf(message, size, "%s: %s (%d)", call, kvp_opencl_code_name(code), code);
  return KVP_DEVICE;
}

/* The devices of all platforms, in the order in which the drivers give them. If there are none,
   message[0 .. size) says why. */
static cl_uint find_devices(struct place places[MOST_PLACES], char *message, size_t size)
{
  cl_platform_id platforms[MOST_PLACES];
  cl_device_id devices[MOST_PLACES];
  cl_uint num_platforms = 0, found = 0;
  cl_int code = clGetPlatformIDs(MOST_PLACES, platforms, &num_platforms);

  if (code != CL_SUCCESS || num_platforms == 0) {
    kvp_opencl_refuse(message, size, "no OpenCL platform: clGetPlatformIDs",
                      code != CL_SUCCESS ? code : CL_PLATFORM_NOT_FOUND_KHR);
    return 0;
  }
  for (cl_uint i = 0; i < num_platforms && i < MOST_PLACES; i++) {
    cl_uint n = 0;
    code = clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, MOST_PLACES, devices, &n);
    if (code != CL_SUCCESS)
      kvp_opencl_refuse(message, size, "no OpenCL device: clGetDeviceIDs", code);
    for (cl_uint j = 0; code == CL_SUCCESS && j < n && j < MOST_PLACES && found < MOST_PLACES; j++)
      places[found++] = (struct place){i, j, platforms[i], devices[j]};
  }
  return found;
}

/* What keeps a device from being used, in words; NULL if nothing does. */
static const char *unfit(cl_device_id device)
{
  cl_bool available = CL_FALSE, compiler = CL_FALSE, little = CL_FALSE;
  size_t most = 0;

  clGetDeviceInfo(device, CL_DEVICE_AVAILABLE, sizeof available, &available, NULL);
  clGetDeviceInfo(device, CL_DEVICE_COMPILER_AVAILABLE, sizeof compiler, &compiler, NULL);
  clGetDeviceInfo(device, CL_DEVICE_ENDIAN_LITTLE, sizeof little, &little, NULL);
  clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL);
  if (!available)
    return "it is not available";
  if (!compiler)
    return "it has no compiler";
  if (!little)
    return "it is not little-endian";
  return most < KVP_OPENCL_LOCAL_SIZE ? "its work-groups are too small" : NULL;
}

/* As much of a text about a device as there is room for. */
static const char *device_text(cl_device_id device, cl_device_info what, char text[TEXT_SIZE])
{
  char whole[1024] = "";

  clGetDeviceInfo(device, what, sizeof whole - 1, whole, NULL);
  snprintf(text, TEXT_SIZE, "%.*s", TEXT_SIZE - 1, whole[0] != '\0' ? whole : "?");
  return text;
}

static void describe(const struct place *place, struct kvp_device_info *info)
{
  char maker[TEXT_SIZE] = "?", name[TEXT_SIZE], version[TEXT_SIZE], driver[TEXT_SIZE];
  const char *why_not = unfit(place->device);

  clGetPlatformInfo(place->platform, CL_PLATFORM_NAME, sizeof maker - 1, maker, NULL);
  *info = (struct kvp_device_info){.present = why_not == NULL};
  snprintf(info->name, sizeof info->name, "opencl:%u/%u", place->i, place->j);
  snprintf(info->description, sizeof info->description, "%s%s%s, %s, %s, driver %s",
           why_not != NULL ? why_not : "", why_not != NULL ? ": " : "",
           device_text(place->device, CL_DEVICE_NAME, name), maker,
           device_text(place->device, CL_DEVICE_VERSION, version),
           device_text(place->device, CL_DRIVER_VERSION, driver));
}

size_t kvp_opencl_list(struct kvp_device_info *infos, size_t room)
{
  struct place places[MOST_PLACES];
  char message[sizeof infos->description] = "";
  cl_uint n = find_devices(places, message, sizeof message);

  for (cl_uint i = 0; i < n && i < room; i++)
    describe(&places[i], &infos[i]);
  if (n == 0 && room != 0) {
    infos[0] = (struct kvp_device_info){.name = "opencl"};
    memcpy(infos[0].description, message, sizeof message);
  }
  return n != 0 ? n : 1;
}

/* The device that is selected, or the first. */
static enum kvp_status pick_device(const char *select, cl_device_id *device, char *message,
                                   size_t size)
{
  struct place places[MOST_PLACES];
  uint32_t at[2] = {0, 0};
  cl_uint n, i = 0;

  if (select != NULL && !kvp_select(select, at, 2)) {
    snprintf(message, size, "opencl:%s: expected opencl:PLATFORM/DEVICE, two numbers", select);
    return KVP_ARGUMENT;
  }
  n = find_devices(places, message, size);
  if (n == 0)
    return KVP_DEVICE;
  while (select != NULL && i < n && (places[i].i != at[0] || places[i].j != at[1]))
    i++;
  if (i == n) {
    snprintf(message, size, "opencl:%s: there is no such device", select);
    return KVP_ARGUMENT;
  }
  if (unfit(places[i].device) != NULL) {
    snprintf(message, size, "the OpenCL device cannot be used: %s", unfit(places[i].device));
    return KVP_DEVICE;
  }
  *device = places[i].device;
  return KVP_OK;
}

/* The compiler's own words, as far as there is room. */
static enum kvp_status refuse_build(const struct kvp_opencl_machine *machine, cl_int code,
                                    char *message, size_t size)
{
  size_t length = 0;
  char *log = NULL;

  kvp_opencl_refuse(message, size, "clBuildProgram", code);
  if (clGetProgramBuildInfo(machine->program, machine->device, CL_PROGRAM_BUILD_LOG, 0, NULL,
                            &length)
        == CL_SUCCESS
      && length != 0)
    log = calloc(1, length + 1);
  if (log != NULL
      && clGetProgramBuildInfo(machine->program, machine->device, CL_PROGRAM_BUILD_LOG, length, log,
                               NULL)
           == CL_SUCCESS) {
    size_t used = strlen(message);
    snprintf(message + used, size - used, ": %s", log);
  }
  free(log);
  return KVP_DEVICE;
}

static cl_int build(const struct kvp_opencl_machine *machine)
{
  char options[160];
  cl_device_type type = 0;

  /* How items share memory is another matter on a CPU: SHARE in dialect.h. */
  clGetDeviceInfo(machine->device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
  snprintf(options, sizeof options, "%s%s", build_options,
           (type & CL_DEVICE_TYPE_CPU) != 0 ? " -DKVP_DEVICE_IS_CPU" : "");
  return clBuildProgram(machine->program, 1, &machine->device, options, NULL, NULL);
}

/* What was made of the machine when something failed is in it all the same. */
static enum kvp_status prepare(struct kvp_opencl_machine *machine, char *message, size_t size)
{
  const char *text = source;
  cl_int code;

  clGetDeviceInfo(machine->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof machine->most_at_once,
                  &machine->most_at_once, NULL);
  clGetDeviceInfo(machine->device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof machine->most, &machine->most,
                  NULL);
  machine->context = clCreateContext(NULL, 1, &machine->device, NULL, NULL, &code);
  if (code != CL_SUCCESS)
    return kvp_opencl_refuse(message, size, "clCreateContext", code);
  machine->program = clCreateProgramWithSource(machine->context, 1, &text, NULL, &code);
  if (code != CL_SUCCESS)
    return kvp_opencl_refuse(message, size, "clCreateProgramWithSource", code);
  code = build(machine);
  return code == CL_SUCCESS ? KVP_OK : refuse_build(machine, code, message, size);
}

/* The machine of a device, from `process` or made now. */
static enum kvp_status find_machine(cl_device_id device, const struct kvp_opencl_machine **found,
                                    char *message, size_t size)
{
  struct kvp_opencl_machine *machine = process.first;
  enum kvp_status status;

  while (machine != NULL && machine->device != device)
    machine = machine->next;
  *found = machine;
  if (machine != NULL)
    return KVP_OK;
  machine = calloc(1, sizeof *machine);
  if (machine == NULL) {
    snprintf(message, size, "host memory was refused");
    return KVP_MEMORY;
  }
  machine->device = device;
  status = prepare(machine, message, size);
  if (status == KVP_OK) {
    machine->next = process.first;
    *found = process.first = machine;
    return KVP_OK;
  }
  if (machine->program != NULL)
    clReleaseProgram(machine->program);
  if (machine->context != NULL)
    clReleaseContext(machine->context);
  free(machine);
  return status;
}

static void make_lock(void)
{
  process.has_lock = mtx_init(&process.lock, mtx_plain) == thrd_success;
}

enum kvp_status kvp_opencl_machine(const char *select, const struct kvp_opencl_machine **machine,
                                   char *message, size_t size)
{
  cl_device_id device;
  enum kvp_status status = pick_device(select, &device, message, size);

  *machine = NULL;
  if (status != KVP_OK)
    return status;
  call_once(&process.once, make_lock);
  if (!process.has_lock || mtx_lock(&process.lock) != thrd_success) {
    snprintf(message, size, "the host's lock was refused");
    return KVP_DEVICE;
  }
  status = find_machine(device, machine, message, size);
  mtx_unlock(&process.lock);
  return status;
}

#else
typedef int kvp_no_opencl_machine; /* C wants a declaration in a file */
#endif
