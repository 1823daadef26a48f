/* SPDX-License-Identifier: Apache-2.0 */
/* The OpenCL backend: for each pool a queue in order, with kernels that all its arrays are bound
   to. */
#ifdef KVP_WITH_OPENCL

#include <stdio.h>
#include <stdlib.h>

#include "src/device/opencl_machine.h"

#define SMALLEST_BUFFER 16

static const char *const kernel_names[] = {
#define X(name) "kvp_" #name,
  KVP_KERNELS(X)
#undef X
};

struct opencl {
  const struct kvp_opencl_machine *machine;
  cl_command_queue queue;
  cl_kernel kernels[NUM_KERNELS];
  cl_mem arrays[NUM_ARRAYS];
  size_t sizes[NUM_ARRAYS], used; /* bytes */
  char message[256];
};

static enum kvp_status answer(struct opencl *opencl, const char *call, cl_int code)
{
  if (code == CL_SUCCESS)
    return KVP_OK;
  return kvp_opencl_refuse(opencl->message, sizeof opencl->message, call, code);
}

static enum kvp_status answer_kernel(struct opencl *opencl, const char *call, int kernel,
                                     cl_int code)
{
  char words[96];

  if (code == CL_SUCCESS)
    return KVP_OK;
  snprintf(words, sizeof words, "%s %s", call, kernel_names[kernel]);
  return answer(opencl, words, code);
}

static void opencl_close(void *self)
{
  struct opencl *opencl = self;

  if (opencl->queue != NULL)
    clFinish(opencl->queue);
  for (int i = 0; i < NUM_KERNELS; i++)
    if (opencl->kernels[i] != NULL)
      clReleaseKernel(opencl->kernels[i]);
  for (int i = 0; i < NUM_ARRAYS; i++)
    if (opencl->arrays[i] != NULL)
      clReleaseMemObject(opencl->arrays[i]);
  if (opencl->queue != NULL)
    clReleaseCommandQueue(opencl->queue);
  free(opencl);
}

static enum kvp_status open_queue(struct opencl *opencl)
{
  const struct kvp_opencl_machine *machine = opencl->machine;
  cl_int code;

  opencl->queue = clCreateCommandQueue(machine->context, machine->device, 0, &code);
  if (code != CL_SUCCESS)
    return answer(opencl, "clCreateCommandQueue", code);
  for (int i = 0; i < NUM_KERNELS; i++) {
    opencl->kernels[i] = clCreateKernel(machine->program, kernel_names[i], &code);
    if (code != CL_SUCCESS)
      return answer_kernel(opencl, "clCreateKernel", i, code);
  }
  return KVP_OK;
}

static enum kvp_status opencl_open(const struct kvp_backend_request *request, void **self,
                                   char *message, size_t size)
{
  const struct kvp_opencl_machine *machine;
  struct opencl *opencl;
  enum kvp_status status = kvp_opencl_machine(request->select, &machine, message, size);

  *self = NULL;
  if (status != KVP_OK)
    return status;
  opencl = calloc(1, sizeof *opencl);
  if (opencl == NULL) {
    snprintf(message, size, "host memory was refused");
    return KVP_MEMORY;
  }
  opencl->machine = machine;
  status = open_queue(opencl);
  if (status != KVP_OK) {
    snprintf(message, size, "%s", opencl->message);
    opencl_close(opencl);
    return status;
  }
  *self = opencl;
  return KVP_OK;
}

/* Drivers may promise memory that they do not have: what the device says it has is not exceeded. */
static enum kvp_status new_buffer(struct opencl *opencl, size_t bytes, cl_mem *memory)
{
  const struct kvp_opencl_machine *machine = opencl->machine;
  cl_int code;

  *memory = NULL;
  if (bytes > machine->most_at_once || bytes > machine->most
      || opencl->used > machine->most - bytes) {
    snprintf(opencl->message, sizeof opencl->message,
             "%zu bytes beside %zu: the device has %llu, and gives at most %llu at once", bytes,
             opencl->used, (unsigned long long)machine->most,
             (unsigned long long)machine->most_at_once);
    return KVP_MEMORY;
  }
  *memory = clCreateBuffer(machine->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
  if (code == CL_SUCCESS)
    return KVP_OK;
  *memory = NULL;
  answer(opencl, "clCreateBuffer", code);
  return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY
             || code == CL_OUT_OF_RESOURCES || code == CL_INVALID_BUFFER_SIZE
           ? KVP_MEMORY
           : KVP_DEVICE;
}

static enum kvp_status opencl_alloc(void *self, enum kvp_array array, size_t bytes)
{
  struct opencl *opencl = self;
  cl_mem memory;
  enum kvp_status status;

  bytes = bytes > SMALLEST_BUFFER ? bytes : SMALLEST_BUFFER;
  status = new_buffer(opencl, bytes, &memory);
  for (int i = 0; i < NUM_KERNELS && status == KVP_OK; i++)
    status =
      answer_kernel(opencl, "clSetKernelArg", i,
                    clSetKernelArg(opencl->kernels[i], (cl_uint)array, sizeof memory, &memory));
  if (status != KVP_OK) {
    if (memory != NULL)
      clReleaseMemObject(memory);
    return status;
  }
  if (opencl->arrays[array] != NULL)
    clReleaseMemObject(opencl->arrays[array]);
  opencl->used += bytes - opencl->sizes[array];
  opencl->sizes[array] = bytes;
  opencl->arrays[array] = memory;
  return KVP_OK;
}

static enum kvp_status opencl_upload(void *self, enum kvp_array array, size_t at, size_t bytes,
                                     const void *from)
{
  struct opencl *opencl = self;
  return answer(opencl, "clEnqueueWriteBuffer",
                clEnqueueWriteBuffer(opencl->queue, opencl->arrays[array], CL_FALSE, at, bytes,
                                     from, 0, NULL, NULL));
}

static enum kvp_status opencl_download(void *self, enum kvp_array array, size_t at, size_t bytes,
                                       void *to)
{
  struct opencl *opencl = self;
  return answer(opencl, "clEnqueueReadBuffer",
                clEnqueueReadBuffer(opencl->queue, opencl->arrays[array], CL_TRUE, at, bytes, to, 0,
                                    NULL, NULL));
}

static enum kvp_status opencl_wait(void *self)
{
  struct opencl *opencl = self;
  return answer(opencl, "clFinish", clFinish(opencl->queue));
}

static enum kvp_status opencl_copy(void *self, enum kvp_array array, size_t to, size_t from,
                                   size_t bytes)
{
  struct opencl *opencl = self;
  return answer(opencl, "clEnqueueCopyBuffer",
                clEnqueueCopyBuffer(opencl->queue, opencl->arrays[array], opencl->arrays[array],
                                    from, to, bytes, 0, NULL, NULL));
}

static enum kvp_status opencl_launch(void *self, enum kvp_kernel kernel, uint32_t groups,
                                     uint32_t first, uint32_t n)
{
  struct opencl *opencl = self;
  size_t local = KVP_OPENCL_LOCAL_SIZE, global = (size_t)groups * local;
  cl_int code = clSetKernelArg(opencl->kernels[kernel], NUM_ARRAYS, sizeof first, &first);

  if (code == CL_SUCCESS)
    code = clSetKernelArg(opencl->kernels[kernel], NUM_ARRAYS + 1, sizeof n, &n);
  if (code != CL_SUCCESS)
    return answer_kernel(opencl, "clSetKernelArg", (int)kernel, code);
  code = clEnqueueNDRangeKernel(opencl->queue, opencl->kernels[kernel], 1, NULL, &global, &local, 0,
                                NULL, NULL);
  return answer_kernel(opencl, "clEnqueueNDRangeKernel", (int)kernel, code);
}

static const char *opencl_error(const void *self)
{
  const struct opencl *opencl = self;
  return opencl->message;
}

const struct kvp_backend kvp_backend_opencl = {.name = "opencl",
                                               .local_size = KVP_OPENCL_LOCAL_SIZE,
                                               .list = kvp_opencl_list,
                                               .open = opencl_open,
                                               .close = opencl_close,
                                               .alloc = opencl_alloc,
                                               .upload = opencl_upload,
                                               .download = opencl_download,
                                               .wait = opencl_wait,
                                               .copy = opencl_copy,
                                               .launch = opencl_launch,
                                               .error = opencl_error};

#else
typedef int kvp_no_opencl; /* C wants a declaration in a file */
#endif
