/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA's devices: the driver looked up at run time, and the kernels that nvcc compiled when this
   was built, which the binary carries. */
#ifdef KVP_WITH_CUDA

#include "src/device/cuda_machine.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

#include "src/device/select.h"

struct kvp_cuda_driver kvp_cuda;

/* Machine code for some devices and PTX for the driver to compile for others; 0 bytes, and the
   one that C wants, if there was no nvcc. */
static const unsigned char image[] __attribute__((aligned(16))) = {
#include "build/gen/kernels.fatbin.inc"
  0};

static const char *const kernel_names[] = {
#define X(name) "kvp_" #name,
  KVP_KERNELS(X)
#undef X
};

static const struct {
  const char *name;
  size_t at; /* in struct kvp_cuda_driver */
} functions[] = {
#define X(name, parameters) {#name, offsetof(struct kvp_cuda_driver, name)},
  KVP_CUDA_FUNCTIONS(X)
#undef X
};

static struct {
  once_flag once;
  int has_lock;
  mtx_t lock;      /* of what follows, and of kvp_cuda until it is ready */
  void *library;   /* NULL: not loaded */
  int num_devices; /* 0: the driver is not ready */
  struct kvp_cuda_machine *first;
} process = {.once = ONCE_FLAG_INIT};

enum kvp_status kvp_cuda_refuse(char *message, size_t size, const char *call, CUresult code)
{
  const char *name = NULL, *text = NULL;

  kvp_cuda.cuGetErrorName(code, &name);
  kvp_cuda.cuGetErrorString(code, &text);
  snprintf(message, size, "%s: %s (%d): %s", call, name != NULL ? name : "error", (int)code,
           text != NULL ? text : "the driver has no words for it");
  return code == KVP_CUDA_ERROR_OUT_OF_MEMORY ? KVP_MEMORY : KVP_DEVICE;
}

void kvp_cuda_leave(void)
{
  CUcontext context;
  kvp_cuda.cuCtxPopCurrent_v2(&context);
}

/* Fills kvp_cuda. */
static enum kvp_status load_driver(char *message, size_t size)
{
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

  if (library == NULL) {
    snprintf(message, size, "no CUDA driver: %s", dlerror());
    return KVP_DEVICE;
  }
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void *function = dlsym(library, functions[i].name);
    if (function == NULL) {
      snprintf(message, size, "the CUDA driver is too old: it has no %s", functions[i].name);
      dlclose(library);
      return KVP_DEVICE;
    }
    memcpy((char *)&kvp_cuda + functions[i].at, &function, sizeof function);
  }
  process.library = library;
  return KVP_OK;
}

/* The driver is ready and has a device. */
static enum kvp_status start_driver(char *message, size_t size)
{
  CUresult code;
  int n = 0;

  if (sizeof image == 1) {
    snprintf(message, size, "built without nvcc: there are no kernels for CUDA in this build");
    return KVP_DEVICE;
  }
  if (process.num_devices != 0)
    return KVP_OK;
  if (process.library == NULL && load_driver(message, size) != KVP_OK)
    return KVP_DEVICE;
  code = kvp_cuda.cuInit(0);
  if (code != 0)
    return kvp_cuda_refuse(message, size, "no CUDA device: cuInit", code);
  code = kvp_cuda.cuDeviceGetCount(&n);
  if (code != 0)
    return kvp_cuda_refuse(message, size, "no CUDA device: cuDeviceGetCount", code);
  if (n <= 0) {
    snprintf(message, size, "no CUDA device: cuDeviceGetCount counts none");
    return KVP_DEVICE;
  }
  process.num_devices = n;
  return KVP_OK;
}

static void make_lock(void)
{
  process.has_lock = mtx_init(&process.lock, mtx_plain) == thrd_success;
}

static enum kvp_status lock(char *message, size_t size)
{
  call_once(&process.once, make_lock);
  if (process.has_lock && mtx_lock(&process.lock) == thrd_success)
    return KVP_OK;
  snprintf(message, size, "the host's lock was refused");
  return KVP_DEVICE;
}

static void unlock(void) { mtx_unlock(&process.lock); }

static void describe(int ordinal, struct kvp_device_info *info)
{
  char name[128] = "?";
  int version = 0, major = 0, minor = 0;
  size_t bytes = 0;
  CUdevice device;
  CUresult code = kvp_cuda.cuDeviceGet(&device, ordinal);

  *info = (struct kvp_device_info){.present = code == 0};
  snprintf(info->name, sizeof info->name, "cuda:%d", ordinal);
  if (code != 0) {
    kvp_cuda_refuse(info->description, sizeof info->description, "cuDeviceGet", code);
    return;
  }
  kvp_cuda.cuDriverGetVersion(&version);
  kvp_cuda.cuDeviceGetName(name, sizeof name, device);
  kvp_cuda.cuDeviceGetAttribute(&major, KVP_CUDA_CAPABILITY_MAJOR, device);
  kvp_cuda.cuDeviceGetAttribute(&minor, KVP_CUDA_CAPABILITY_MINOR, device);
  kvp_cuda.cuDeviceTotalMem_v2(&bytes, device);
  snprintf(info->description, sizeof info->description,
           "%s, compute capability %d.%d, %zu MiB, driver for CUDA %d.%d", name, major, minor,
           bytes >> 20, version / 1000, version % 1000 / 10);
}

size_t kvp_cuda_list(struct kvp_device_info *infos, size_t room)
{
  char message[sizeof infos->description] = "";
  enum kvp_status status = lock(message, sizeof message);
  size_t n = 1;

  if (status == KVP_OK) {
    status = start_driver(message, sizeof message);
    unlock();
  }
  if (status == KVP_OK)
    n = (size_t)process.num_devices;
  for (size_t i = 0; status == KVP_OK && i < n && i < room; i++)
    describe((int)i, &infos[i]);
  if (status != KVP_OK && room != 0) {
    infos[0] = (struct kvp_device_info){.name = "cuda"};
    memcpy(infos[0].description, message, sizeof message);
  }
  return n;
}

/* Loads the kernels into the current context. */
static enum kvp_status load_kernels(struct kvp_cuda_machine *machine, char *message, size_t size)
{
  char log[512] = "", call[64];
  CUjit_option options[] = {KVP_CUDA_JIT_ERROR_LOG, KVP_CUDA_JIT_ERROR_LOG_SIZE};
  void *values[] = {log, (void *)(uintptr_t)(sizeof log - 1)};
  CUresult code = kvp_cuda.cuModuleLoadDataEx(&machine->module, image, 2, options, values);

  if (code != 0) {
    enum kvp_status status = kvp_cuda_refuse(message, size, "cuModuleLoadDataEx", code);
    size_t used = strlen(message);
    snprintf(message + used, size - used, "%s%s", log[0] != '\0' ? ": " : "", log);
    return status;
  }
  for (int i = 0; i < NUM_KERNELS; i++) {
    code = kvp_cuda.cuModuleGetFunction(&machine->kernels[i], machine->module, kernel_names[i]);
    if (code == 0)
      continue;
    snprintf(call, sizeof call, "cuModuleGetFunction %s", kernel_names[i]);
    return kvp_cuda_refuse(message, size, call, code);
  }
  return KVP_OK;
}

static enum kvp_status load_into(struct kvp_cuda_machine *machine, char *message, size_t size)
{
  CUresult code = kvp_cuda.cuCtxPushCurrent_v2(machine->context);
  enum kvp_status status;

  if (code != 0)
    return kvp_cuda_refuse(message, size, "cuCtxPushCurrent", code);
  status = load_kernels(machine, message, size);
  if (status != KVP_OK && machine->module != NULL)
    kvp_cuda.cuModuleUnload(machine->module);
  kvp_cuda_leave();
  return status;
}

/* The machine of a device, from `process` or made now. */
static enum kvp_status find_machine(CUdevice device, const struct kvp_cuda_machine **found,
                                    char *message, size_t size)
{
  struct kvp_cuda_machine *machine = process.first;
  enum kvp_status status;
  CUresult code;

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
  code = kvp_cuda.cuDevicePrimaryCtxRetain(&machine->context, device);
  if (code != 0) {
    status = kvp_cuda_refuse(message, size, "cuDevicePrimaryCtxRetain", code);
  } else {
    status = load_into(machine, message, size);
    if (status != KVP_OK)
      kvp_cuda.cuDevicePrimaryCtxRelease_v2(device);
  }
  if (status != KVP_OK) {
    free(machine);
    return status;
  }
  machine->next = process.first;
  *found = process.first = machine;
  return KVP_OK;
}

static enum kvp_status pick(uint32_t ordinal, const struct kvp_cuda_machine **machine,
                            char *message, size_t size)
{
  enum kvp_status status = start_driver(message, size);
  CUdevice device;
  CUresult code;

  if (status != KVP_OK)
    return status;
  if (ordinal >= (uint32_t)process.num_devices) {
    snprintf(message, size, "cuda:%u: there is no such device", ordinal);
    return KVP_ARGUMENT;
  }
  code = kvp_cuda.cuDeviceGet(&device, (int)ordinal);
  if (code != 0)
    return kvp_cuda_refuse(message, size, "cuDeviceGet", code);
  return find_machine(device, machine, message, size);
}

enum kvp_status kvp_cuda_machine(const char *select, const struct kvp_cuda_machine **machine,
                                 char *message, size_t size)
{
  uint32_t ordinal = 0;
  enum kvp_status status;

  *machine = NULL;
  if (select != NULL && !kvp_select(select, &ordinal, 1)) {
    snprintf(message, size, "cuda:%s: expected cuda:DEVICE, a number", select);
    return KVP_ARGUMENT;
  }
  status = lock(message, size);
  if (status == KVP_OK) {
    status = pick(ordinal, machine, message, size);
    unlock();
  }
  return status;
}

#else
typedef int kvp_no_cuda_machine; /* C wants a declaration in a file */
#endif
