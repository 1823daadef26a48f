/* SPDX-License-Identifier: Apache-2.0 */
/* A stand-in for NVIDIA's driver, so that the CUDA backend is tested where there is no GPU: host
   memory, and the kernels as C. It is stricter than a driver: copies and launches are put off as
   long as they may be, ranges are checked, and what is not given back by the end ends the process.
   With KVP_STAND_IN_FAIL=k in the environment the k-th call fails. For one thread at a time. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/device/cuda_driver.h"
#include "src/device/dialect.h"
#include "tests/device/stand-in/work.h"

#define MOST_BYTES ((size_t)2 << 30)
#define MOST_DEPTH 8 /* of contexts pushed */

/* The driver's codes that are used here, and their names. */
#define CODES(X)                                                                                   \
  X(OK, CUDA_SUCCESS, 0, "no error")                                                               \
  X(INVALID_VALUE, CUDA_ERROR_INVALID_VALUE, 1, "invalid argument")                                \
  X(OUT_OF_MEMORY, CUDA_ERROR_OUT_OF_MEMORY, 2, "out of memory")                                   \
  X(NOT_INITIALIZED, CUDA_ERROR_NOT_INITIALIZED, 3, "initialization error")                        \
  X(NO_DEVICE, CUDA_ERROR_NO_DEVICE, 100, "no CUDA-capable device is detected")                    \
  X(INVALID_DEVICE, CUDA_ERROR_INVALID_DEVICE, 101, "invalid device ordinal")                      \
  X(INVALID_IMAGE, CUDA_ERROR_INVALID_IMAGE, 200, "device kernel image is invalid")                \
  X(INVALID_CONTEXT, CUDA_ERROR_INVALID_CONTEXT, 201, "invalid device context")                    \
  X(NOT_FOUND, CUDA_ERROR_NOT_FOUND, 500, "named symbol not found")                                \
  X(LAUNCH_RESOURCES, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701,                                     \
    "too many resources requested for launch")                                                     \
  X(LAUNCH_FAILED, CUDA_ERROR_LAUNCH_FAILED, 719, "unspecified launch failure")

enum {
#define X(name, theirs, value, text) name = value,
  CODES(X)
#undef X
};

#define X(name, parameters) __attribute__((visibility("default"))) CUresult name parameters;
KVP_CUDA_FUNCTIONS(X)
#undef X
__attribute__((visibility("default"))) unsigned kvp_stand_in_calls(void);
__attribute__((visibility("default"))) const char *kvp_stand_in_failed(void);

/* The driver's incomplete types need nothing of their own here: all is in `process`, and a function
   is a struct function. */
struct memory {
  size_t bytes;
  struct memory *next;
  _Alignas(64) unsigned char contents[];
};

static struct {
  int started, lost; /* lost: an error came after which a context is of no use */
  int contexts, modules, streams;
  unsigned calls;
  const char *failed; /* the function of the call that was to fail */
  struct memory *memories;
  size_t bytes; /* of memories */
} process;

static _Thread_local int depth; /* of the stack of contexts, which are all the same */

unsigned kvp_stand_in_calls(void) { return process.calls; }

const char *kvp_stand_in_failed(void) { return process.failed; }

/* What a function begins with: `code` if this is the call that must fail. */
static CUresult begin(const char *name, CUresult code)
{
  const char *which = getenv("KVP_STAND_IN_FAIL");

  process.calls++;
  if (process.lost)
    return LAUNCH_FAILED;
  if (which != NULL && strtoul(which, NULL, 10) == process.calls) {
    process.failed = name;
    return code;
  }
  return process.started ? OK : NOT_INITIALIZED;
}

/* The same for a function that needs a context. */
static CUresult begin_inside(const char *name, CUresult code)
{
  CUresult found = begin(name, code);
  return found == OK && depth == 0 ? INVALID_CONTEXT : found;
}

/* An error that is the context's end. */
static CUresult lose(CUresult code)
{
  process.lost = code != OK;
  return code;
}

/* The memory that has at .. at + bytes - 1, or NULL. */
static struct memory *memory_at(CUdeviceptr at, size_t bytes)
{
  for (struct memory *memory = process.memories; memory != NULL; memory = memory->next) {
    size_t offset = (uintptr_t)at - (uintptr_t)memory->contents;
    if (offset < memory->bytes && bytes <= memory->bytes - offset)
      return memory;
  }
  return NULL;
}

/* The context and module that a process keeps are no leak. */
__attribute__((destructor)) static void check_leaks(void)
{
  if (process.lost
      || (process.bytes == 0 && process.streams == 0 && process.modules <= 1
          && process.contexts <= 1))
    return;
  fprintf(stderr, "stand-in: not given back: %zu bytes, %d streams, %d modules, %d contexts%s%s\n",
          process.bytes, process.streams, process.modules, process.contexts,
          process.failed != NULL ? " after a failure of " : "",
          process.failed != NULL ? process.failed : "");
  abort();
}

static CUresult later(const struct work *work) { return put_off(work) ? OK : OUT_OF_MEMORY; }

static void *pointer(CUdeviceptr at) { return (void *)(uintptr_t)at; }

CUresult cuInit(unsigned flags)
{
  process.started = 1;
  return flags == 0 ? begin(__func__, NO_DEVICE) : INVALID_VALUE;
}

CUresult cuGetErrorName(CUresult code, const char **name)
{
  switch (code) {
#define X(ours, theirs, value, text)                                                               \
  case value: *name = #theirs; return OK;
    CODES(X)
#undef X
  }
  return INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult code, const char **string)
{
  switch (code) {
#define X(ours, theirs, value, text)                                                               \
  case value: *string = text; return OK;
    CODES(X)
#undef X
  }
  return INVALID_VALUE;
}

CUresult cuDriverGetVersion(int *version)
{
  *version = 0;
  return begin(__func__, INVALID_VALUE);
}

CUresult cuDeviceGetCount(int *n)
{
  *n = 1;
  return begin(__func__, NO_DEVICE);
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
  *device = 0;
  return ordinal == 0 ? begin(__func__, INVALID_DEVICE) : INVALID_DEVICE;
}

CUresult cuDeviceGetName(char *name, int size, CUdevice device)
{
  (void)device;
  snprintf(name, (size_t)size, "stand-in for tests, no GPU: the kernels as C");
  return begin(__func__, INVALID_VALUE);
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute which, CUdevice device)
{
  (void)which, (void)device;
  *value = 0;
  return begin(__func__, INVALID_VALUE);
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
  (void)device;
  *bytes = MOST_BYTES;
  return begin(__func__, INVALID_VALUE);
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
  CUresult code = begin(__func__, OUT_OF_MEMORY);

  (void)device;
  *context = (CUcontext)&process;
  process.contexts += code == OK;
  return code;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
  (void)device;
  process.contexts--;
  return begin(__func__, INVALID_CONTEXT);
}

CUresult cuCtxPushCurrent_v2(CUcontext context)
{
  CUresult code = lose(begin(__func__, LAUNCH_FAILED));

  if (code != OK)
    return code;
  if (context != (CUcontext)&process || process.contexts == 0 || depth == MOST_DEPTH)
    return INVALID_CONTEXT;
  depth++;
  return OK;
}

CUresult cuCtxPopCurrent_v2(CUcontext *context)
{
  CUresult code = begin_inside(__func__, INVALID_VALUE);

  *context = (CUcontext)&process;
  depth -= depth != 0;
  return code;
}

/* Any image is as good as another. */
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned num_options,
                            CUjit_option *options, void **values)
{
  CUresult code = begin_inside(__func__, INVALID_IMAGE);

  for (unsigned i = 0; code == INVALID_IMAGE && i < num_options; i++)
    if (options[i] == KVP_CUDA_JIT_ERROR_LOG)
      strcpy(values[i], "the stand-in's log");
  if (code != OK)
    return code;
  if (image == NULL)
    return INVALID_VALUE;
  *module = (CUmodule)&process;
  process.modules++;
  return OK;
}

CUresult cuModuleUnload(CUmodule module)
{
  (void)module;
  process.modules--;
  return begin_inside(__func__, INVALID_CONTEXT);
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
  CUresult code = begin_inside(__func__, NOT_FOUND);

  (void)module;
  *function = (CUfunction)function_named(name);
  return code == OK && *function == NULL ? NOT_FOUND : code;
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
  CUresult code = begin_inside(__func__, OUT_OF_MEMORY);

  (void)flags;
  *stream = (CUstream)&process;
  process.streams += code == OK;
  return code;
}

CUresult cuStreamDestroy_v2(CUstream stream)
{
  (void)stream;
  process.streams--;
  return begin_inside(__func__, INVALID_VALUE);
}

CUresult cuStreamSynchronize(CUstream stream)
{
  CUresult code = lose(begin_inside(__func__, LAUNCH_FAILED));

  (void)stream;
  if (code == OK)
    run_work();
  return code;
}

/* What is there at first is noise. */
CUresult cuMemAlloc_v2(CUdeviceptr *at, size_t bytes)
{
  CUresult code = begin_inside(__func__, OUT_OF_MEMORY);
  struct memory *memory;

  if (code != OK)
    return code;
  if (bytes == 0)
    return INVALID_VALUE;
  if (bytes > MOST_BYTES - process.bytes)
    return OUT_OF_MEMORY;
  memory = aligned_alloc(64, (sizeof *memory + bytes + 63) / 64 * 64);
  if (memory == NULL)
    return OUT_OF_MEMORY;
  memset(memory->contents, 0xA5, bytes);
  memory->bytes = bytes;
  memory->next = process.memories;
  process.memories = memory;
  process.bytes += bytes;
  *at = (uintptr_t)memory->contents;
  return OK;
}

CUresult cuMemFree_v2(CUdeviceptr at)
{
  CUresult code = begin_inside(__func__, INVALID_VALUE);
  struct memory **link = &process.memories, *memory = memory_at(at, 1);

  if (memory == NULL || pointer(at) != memory->contents)
    return INVALID_VALUE;
  if (code == OK)
    run_work();
  while (*link != memory)
    link = &(*link)->next;
  *link = memory->next;
  process.bytes -= memory->bytes;
  free(memory);
  return code;
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
  CUresult code = begin_inside(__func__, INVALID_VALUE);

  (void)stream;
  if (code != OK)
    return code;
  if (memory_at(to, bytes) == NULL)
    return INVALID_VALUE;
  return later(&(struct work){.to = pointer(to), .from = from, .bytes = bytes});
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
  CUresult code = begin_inside(__func__, INVALID_VALUE);

  (void)stream;
  if (code != OK)
    return code;
  if (memory_at(from, bytes) == NULL)
    return INVALID_VALUE;
  return later(&(struct work){.to = to, .from = pointer(from), .bytes = bytes});
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
  CUresult code = begin_inside(__func__, INVALID_VALUE);

  (void)stream;
  if (code != OK)
    return code;
  if (memory_at(to, bytes) == NULL || memory_at(from, bytes) == NULL)
    return INVALID_VALUE;
  return later(&(struct work){.to = pointer(to), .from = pointer(from), .bytes = bytes});
}

/* All parameters of a kernel are arrays but the last two. */
CUresult cuLaunchKernel(CUfunction function, unsigned groups_x, unsigned groups_y,
                        unsigned groups_z, unsigned x, unsigned y, unsigned z,
                        unsigned shared_bytes, CUstream stream, void **parameters, void **extra)
{
  CUresult code = begin_inside(__func__, LAUNCH_RESOURCES);
  struct work work = {
    .function = (const struct function *)function, .groups = groups_x, .local_size = x};

  (void)stream;
  if (code != OK)
    return code;
  if (groups_x == 0 || groups_y * groups_z * y * z != 1 || x == 0 || x > MAX_LOCAL_SIZE
      || shared_bytes != 0 || extra != NULL)
    return INVALID_VALUE;
  for (int i = 0; i < NUM_ARRAYS; i++) {
    CUdeviceptr array;
    memcpy(&array, parameters[i], sizeof array);
    if (memory_at(array, 1) == NULL)
      return INVALID_VALUE;
    work.arrays[i] = pointer(array);
  }
  memcpy(&work.first, parameters[NUM_ARRAYS], sizeof work.first);
  memcpy(&work.n, parameters[NUM_ARRAYS + 1], sizeof work.n);
  return later(&work);
}
