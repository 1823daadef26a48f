/* SPDX-License-Identifier: Apache-2.0 */
/* The CUDA backend: for each pool a stream of its own. The context of whoever calls stays as it
   was. */
#ifdef KVP_WITH_CUDA

#include <stdio.h>
#include <stdlib.h>

#include "src/device/cuda_machine.h"

#define LOCAL_SIZE_CUDA 128
#define SMALLEST_ARRAY 16 /* bytes; the driver refuses to allocate none */

static const char *const kernel_names[] = {
#define X(name) "cuLaunchKernel kvp_" #name,
  KVP_KERNELS(X)
#undef X
};

struct cuda {
  const struct kvp_cuda_machine *machine;
  CUstream stream;
  CUdeviceptr arrays[NUM_ARRAYS];
  char message[256];
};

static enum kvp_status answer(struct cuda *cuda, const char *call, CUresult code)
{
  return code == 0 ? KVP_OK : kvp_cuda_refuse(cuda->message, sizeof cuda->message, call, code);
}

static enum kvp_status enter(struct cuda *cuda)
{
  return answer(cuda, "cuCtxPushCurrent", kvp_cuda.cuCtxPushCurrent_v2(cuda->machine->context));
}

static void cuda_close(void *self)
{
  struct cuda *cuda = self;

  if (enter(cuda) == KVP_OK) {
    if (cuda->stream != NULL) {
      kvp_cuda.cuStreamSynchronize(cuda->stream);
      kvp_cuda.cuStreamDestroy_v2(cuda->stream);
    }
    for (int i = 0; i < NUM_ARRAYS; i++)
      if (cuda->arrays[i] != 0)
        kvp_cuda.cuMemFree_v2(cuda->arrays[i]);
    kvp_cuda_leave();
  }
  free(cuda);
}

static enum kvp_status cuda_open(const struct kvp_backend_request *request, void **self,
                                 char *message, size_t size)
{
  const struct kvp_cuda_machine *machine;
  struct cuda *cuda;
  enum kvp_status status = kvp_cuda_machine(request->select, &machine, message, size);

  *self = NULL;
  if (status != KVP_OK)
    return status;
  cuda = calloc(1, sizeof *cuda);
  if (cuda == NULL) {
    snprintf(message, size, "host memory was refused");
    return KVP_MEMORY;
  }
  cuda->machine = machine;
  status = enter(cuda);
  if (status == KVP_OK) {
    status = answer(cuda, "cuStreamCreate",
                    kvp_cuda.cuStreamCreate(&cuda->stream, KVP_CUDA_STREAM_NON_BLOCKING));
    kvp_cuda_leave();
  }
  if (status != KVP_OK) {
    snprintf(message, size, "%s", cuda->message);
    free(cuda);
    return status;
  }
  *self = cuda;
  return KVP_OK;
}

static enum kvp_status cuda_alloc(void *self, enum kvp_array array, size_t bytes)
{
  struct cuda *cuda = self;
  enum kvp_status status = enter(cuda);
  CUdeviceptr memory = 0;

  if (status != KVP_OK)
    return status;
  status = answer(cuda, "cuMemAlloc",
                  kvp_cuda.cuMemAlloc_v2(&memory, bytes > SMALLEST_ARRAY ? bytes : SMALLEST_ARRAY));
  if (status == KVP_OK) {
    if (cuda->arrays[array] != 0) /* waits for launches that use it */
      status = answer(cuda, "cuMemFree", kvp_cuda.cuMemFree_v2(cuda->arrays[array]));
    cuda->arrays[array] = memory;
  }
  kvp_cuda_leave();
  return status;
}

static enum kvp_status cuda_upload(void *self, enum kvp_array array, size_t at, size_t bytes,
                                   const void *from)
{
  struct cuda *cuda = self;
  enum kvp_status status = enter(cuda);

  if (status != KVP_OK)
    return status;
  status =
    answer(cuda, "cuMemcpyHtoDAsync",
           kvp_cuda.cuMemcpyHtoDAsync_v2(cuda->arrays[array] + at, from, bytes, cuda->stream));
  kvp_cuda_leave();
  return status;
}

static enum kvp_status synchronize(struct cuda *cuda)
{
  return answer(cuda, "cuStreamSynchronize", kvp_cuda.cuStreamSynchronize(cuda->stream));
}

static enum kvp_status cuda_download(void *self, enum kvp_array array, size_t at, size_t bytes,
                                     void *to)
{
  struct cuda *cuda = self;
  enum kvp_status status = enter(cuda);

  if (status != KVP_OK)
    return status;
  status = answer(cuda, "cuMemcpyDtoHAsync",
                  kvp_cuda.cuMemcpyDtoHAsync_v2(to, cuda->arrays[array] + at, bytes, cuda->stream));
  if (status == KVP_OK)
    status = synchronize(cuda);
  kvp_cuda_leave();
  return status;
}

static enum kvp_status cuda_wait(void *self)
{
  struct cuda *cuda = self;
  enum kvp_status status = enter(cuda);

  if (status != KVP_OK)
    return status;
  status = synchronize(cuda);
  kvp_cuda_leave();
  return status;
}

static enum kvp_status cuda_copy(void *self, enum kvp_array array, size_t to, size_t from,
                                 size_t bytes)
{
  struct cuda *cuda = self;
  CUdeviceptr begin = cuda->arrays[array];
  enum kvp_status status = enter(cuda);

  if (status != KVP_OK)
    return status;
  status = answer(cuda, "cuMemcpyDtoDAsync",
                  kvp_cuda.cuMemcpyDtoDAsync_v2(begin + to, begin + from, bytes, cuda->stream));
  kvp_cuda_leave();
  return status;
}

static enum kvp_status cuda_launch(void *self, enum kvp_kernel kernel, uint32_t groups,
                                   uint32_t first, uint32_t n)
{
  struct cuda *cuda = self;
  void *parameters[NUM_ARRAYS + 2];
  enum kvp_status status = enter(cuda);

  if (status != KVP_OK)
    return status;
  for (int i = 0; i < NUM_ARRAYS; i++)
    parameters[i] = &cuda->arrays[i];
  parameters[NUM_ARRAYS] = &first;
  parameters[NUM_ARRAYS + 1] = &n;
  status =
    answer(cuda, kernel_names[kernel],
           kvp_cuda.cuLaunchKernel(cuda->machine->kernels[kernel], groups, 1, 1, LOCAL_SIZE_CUDA, 1,
                                   1, 0, cuda->stream, parameters, NULL));
  kvp_cuda_leave();
  return status;
}

static const char *cuda_error(const void *self)
{
  const struct cuda *cuda = self;
  return cuda->message;
}

const struct kvp_backend kvp_backend_cuda = {.name = "cuda",
                                             .local_size = LOCAL_SIZE_CUDA,
                                             .list = kvp_cuda_list,
                                             .open = cuda_open,
                                             .close = cuda_close,
                                             .alloc = cuda_alloc,
                                             .upload = cuda_upload,
                                             .download = cuda_download,
                                             .wait = cuda_wait,
                                             .copy = cuda_copy,
                                             .launch = cuda_launch,
                                             .error = cuda_error};

#else
typedef int kvp_no_cuda; /* C wants a declaration in a file */
#endif
