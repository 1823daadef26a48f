/* SPDX-License-Identifier: Apache-2.0 */
/* OpenCL calls that fail, one at a time, and OpenCL that is not there. Linked with --wrap, so that
   the backend's calls come by here; objects are counted as they are made and released. */
#include <stdio.h>

#ifndef KVP_WITH_OPENCL
int main(void)
{
  printf("SKIPPED OpenCL faults: this build has no OpenCL\n");
  return 0;
}
#else

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/device/faults.h"

#define COMPILER_WORDS "planted: expected ';'"

static struct {
  uint32_t calls, failing;
  int arguments;     /* 1: calls of clSetKernelArg are counted, else the others */
  cl_int code;       /* that the call answers */
  const char *words; /* NULL until it has failed */
} plant;

/* Made and not released. */
static struct {
  int contexts, programs, queues, kernels, buffers;
} live;

static int prepared; /* devices before this one */

static int fails(const char *call)
{
  if (plant.arguments != (strcmp(call, "clSetKernelArg") == 0) || ++plant.calls != plant.failing)
    return 0;
  plant.words = strcmp(call, "clBuildProgram") == 0 ? COMPILER_WORDS : call;
  return 1;
}

/* A call that answers its code. */
#define WRAP(name, parameters, ...)                                                                \
  cl_int __real_##name parameters;                                                                 \
  cl_int __wrap_##name parameters;                                                                 \
  cl_int __wrap_##name parameters { return fails(#name) ? plant.code : __real_##name(__VA_ARGS__); }

/* One that makes an object. */
#define WRAP_MAKE(type, name, count, parameters, ...)                                              \
  type __real_##name parameters;                                                                   \
  type __wrap_##name parameters;                                                                   \
  type __wrap_##name parameters                                                                    \
  {                                                                                                \
    type made;                                                                                     \
    if (fails(#name)) {                                                                            \
      *code = plant.code;                                                                          \
      return NULL;                                                                                 \
    }                                                                                              \
    made = __real_##name(__VA_ARGS__);                                                             \
    live.count += made != NULL;                                                                    \
    return made;                                                                                   \
  }

/* One that releases it. */
#define WRAP_RELEASE(type, name, count)                                                            \
  cl_int __real_##name(type object);                                                               \
  cl_int __wrap_##name(type object);                                                               \
  cl_int __wrap_##name(type object)                                                                \
  {                                                                                                \
    live.count--;                                                                                  \
    return __real_##name(object);                                                                  \
  }

/* clang-format off */
WRAP(clGetPlatformIDs, (cl_uint room, cl_platform_id *platforms, cl_uint *n), room, platforms, n)
WRAP(clGetDeviceIDs,
     (cl_platform_id platform, cl_device_type type, cl_uint room, cl_device_id *devices,
      cl_uint *n),
     platform, type, room, devices, n)
WRAP(clBuildProgram,
     (cl_program program, cl_uint n, const cl_device_id *devices, const char *options,
      void (CL_CALLBACK *notify)(cl_program, void *), void *data),
     program, n, devices, options, notify, data)
WRAP(clSetKernelArg, (cl_kernel kernel, cl_uint index, size_t size, const void *value), kernel,
     index, size, value)
WRAP(clEnqueueNDRangeKernel,
     (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
      const size_t *global, const size_t *local, cl_uint n, const cl_event *events,
      cl_event *event),
     queue, kernel, dimensions, offset, global, local, n, events, event)
WRAP(clEnqueueReadBuffer,
     (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t at, size_t bytes, void *to,
      cl_uint n, const cl_event *events, cl_event *event),
     queue, buffer, blocking, at, bytes, to, n, events, event)
WRAP(clEnqueueWriteBuffer,
     (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t at, size_t bytes,
      const void *from, cl_uint n, const cl_event *events, cl_event *event),
     queue, buffer, blocking, at, bytes, from, n, events, event)

WRAP_MAKE(cl_context, clCreateContext, contexts,
          (const cl_context_properties *properties, cl_uint n, const cl_device_id *devices,
           void (CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data,
           cl_int *code),
          properties, n, devices, notify, data, code)
WRAP_MAKE(cl_program, clCreateProgramWithSource, programs,
          (cl_context context, cl_uint n, const char **texts, const size_t *lengths, cl_int *code),
          context, n, texts, lengths, code)
WRAP_MAKE(cl_command_queue, clCreateCommandQueue, queues,
          (cl_context context, cl_device_id device, cl_command_queue_properties properties,
           cl_int *code),
          context, device, properties, code)
WRAP_MAKE(cl_kernel, clCreateKernel, kernels, (cl_program program, const char *name, cl_int *code),
          program, name, code)
WRAP_MAKE(cl_mem, clCreateBuffer, buffers,
          (cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *code), context,
          flags, bytes, host, code)

WRAP_RELEASE(cl_context, clReleaseContext, contexts)
WRAP_RELEASE(cl_program, clReleaseProgram, programs)
WRAP_RELEASE(cl_command_queue, clReleaseCommandQueue, queues)
WRAP_RELEASE(cl_kernel, clReleaseKernel, kernels)
WRAP_RELEASE(cl_mem, clReleaseMemObject, buffers)
/* clang-format on */

/* Waits even when it fails: the buffers of what is on its way are the caller's again. */
cl_int __real_clFinish(cl_command_queue queue);
cl_int __wrap_clFinish(cl_command_queue queue);
cl_int __wrap_clFinish(cl_command_queue queue)
{
  cl_int code = __real_clFinish(queue);
  return fails("clFinish") ? plant.code : code;
}

/* The log of a build that failed here. */
cl_int __real_clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                    cl_program_build_info what, size_t room, void *value,
                                    size_t *size);
cl_int __wrap_clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                    cl_program_build_info what, size_t room, void *value,
                                    size_t *size);
cl_int __wrap_clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                    cl_program_build_info what, size_t room, void *value,
                                    size_t *size)
{
  if (what != CL_PROGRAM_BUILD_LOG || plant.words == NULL)
    return __real_clGetProgramBuildInfo(program, device, what, room, value, size);
  if (size != NULL)
    *size = sizeof COMPILER_WORDS;
  if (value != NULL && room < sizeof COMPILER_WORDS)
    return CL_INVALID_VALUE;
  if (value != NULL)
    memcpy(value, COMPILER_WORDS, sizeof COMPILER_WORDS);
  return CL_SUCCESS;
}

static void arm(uint32_t call)
{
  plant.calls = 0;
  plant.failing = call;
  plant.words = NULL;
}

static const char *has_failed(void) { return plant.words; }

/* Context and program of a device are kept for the next pool on it, once they are complete. */
static void assert_nothing_left(void)
{
  assert_int_equal(live.queues, 0);
  assert_int_equal(live.kernels, 0);
  assert_int_equal(live.buffers, 0);
  assert_int_equal(live.contexts, live.programs);
  assert_true(live.contexts == prepared || live.contexts == prepared + 1);
}

static const struct plant every_call = {kvp_device_open, arm, has_failed, assert_nothing_left};

static void choose(int arguments, cl_int code)
{
  memset(&plant, 0, sizeof plant);
  plant.arguments = arguments;
  plant.code = code;
}

/* First of all tests: what was prepared is kept, and is not prepared again. */
static void each_call_until_the_device_is_prepared(void **state)
{
  (void)state;
  uint32_t call = 1;
  choose(0, CL_OUT_OF_HOST_MEMORY);
  prepared = live.contexts;
  for (; live.contexts == prepared; call++)
    assert_true(run_script(&every_call, call));
  printf("%u calls failed until the device was prepared\n", call - 2);
  assert_true(call > 4);
}

static void each_call_refused_for_memory(void **state)
{
  (void)state;
  choose(0, CL_OUT_OF_HOST_MEMORY);
  fail_calls(&every_call, 1);
  assert_true(survivals != 0);
}

static void each_call_that_fails(void **state)
{
  (void)state;
  choose(0, CL_INVALID_CONTEXT);
  fail_calls(&every_call, 1);
  assert_int_equal(survivals, 0);
}

/* There are thousands of these. */
static void many_arguments_that_are_refused(void **state)
{
  (void)state;
  choose(1, CL_INVALID_ARG_VALUE);
  fail_calls(&every_call, 61);
}

/* In a process that finds no platform. */
static int look_for_devices(void)
{
  const struct kvp_device_shape shape = {.block_size = 1};
  const struct kvp_device_options options = {.backend = "opencl"};
  static struct kvp_device_info infos[16];
  struct kvp_device *device;
  char message[256] = "";
  size_t found = kvp_device_list(infos, 16), named = 0;
  enum kvp_status status = kvp_device_open(&shape, &options, &device, message, sizeof message);

  for (size_t i = 0; i < found; i++)
    named += strcmp(infos[i].name, "opencl") == 0 && !infos[i].present
             && strstr(infos[i].description, "no OpenCL platform") != NULL;
  fprintf(stderr, "%s: %s\n", kvp_strerror(status), message);
  return status == KVP_DEVICE && device == NULL && named == 1
             && strstr(message, "no OpenCL platform") != NULL
           ? 0
           : 1;
}

static void a_platform_that_is_missing(void **state)
{
  (void)state;
  int status = 0;
  pid_t child = fork();

  if (child == 0) {
    setenv("OCL_ICD_VENDORS", "/nowhere", 1);
    execl("/proc/self/exe", "opencl_faults", "--without-platforms", (char *)NULL);
    _exit(2);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_call_until_the_device_is_prepared),
    cmocka_unit_test(each_call_refused_for_memory),
    cmocka_unit_test(each_call_that_fails),
    cmocka_unit_test(many_arguments_that_are_refused),
    cmocka_unit_test(a_platform_that_is_missing),
  };
  if (argc > 1 && strcmp(argv[1], "--without-platforms") == 0)
    return look_for_devices();
  chosen = argc > 1 ? argv[1] : "opencl";
  if (strncmp(chosen, "opencl", 6) != 0) {
    printf("SKIPPED OpenCL faults: %s is not OpenCL\n", chosen);
    return 0;
  }
  return run_on_backends("OpenCL faults", tests, sizeof tests / sizeof *tests);
}
#endif
