/* SPDX-License-Identifier: Apache-2.0 */
/* The OpenCL backend: the first device of the first platform, one queue in order, the kernel
   source carried in the binary. */
#ifdef KVP_WITH_OPENCL

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

#include "src/device/backend.h"

#define LOCAL_SIZE_OPENCL 64
#ifdef KVP_PLANT_DEVICE_BUG
#define BUILD_OPTIONS "-cl-std=CL1.2 -DKVP_PLANT_DEVICE_BUG"
#else
#define BUILD_OPTIONS "-cl-std=CL1.2"
#endif

static const char source[] = {
#include "build/gen/kernels.inc"
  0};

static const char *const kernel_names[] = {
#define X(name) "kvp_" #name,
  KVP_KERNELS(X)
#undef X
};

/* Made at the first open and kept, for a build takes long. */
static struct {
  once_flag once;
  enum kvp_status status;
  char message[2048]; /* why not, if status says so */
  cl_device_id device;
  cl_context context;
  cl_program program;
} process = {.once = ONCE_FLAG_INIT};

struct opencl {
  cl_command_queue queue;
  cl_kernel kernels[NUM_KERNELS];
  cl_mem arrays[NUM_ARRAYS];
  char message[256];
};

static enum kvp_status refuse(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(process.message, sizeof process.message, format, arguments);
  va_end(arguments);
  return KVP_DEVICE;
}

static enum kvp_status build_program(void)
{
  const char *text = source;
  char log[1536] = "";
  cl_int error;

  process.program = clCreateProgramWithSource(process.context, 1, &text, NULL, &error);
  if (error != CL_SUCCESS)
    return refuse("clCreateProgramWithSource: error %d", error);
  error = clBuildProgram(process.program, 1, &process.device, BUILD_OPTIONS, NULL, NULL);
  if (error == CL_SUCCESS)
    return KVP_OK;
  /* A log that is longer than the room is not given at all. */
  if (clGetProgramBuildInfo(process.program, process.device, CL_PROGRAM_BUILD_LOG, sizeof log - 1,
                            log, NULL)
      != CL_SUCCESS)
    snprintf(log, sizeof log, "the log is long");
  return refuse("clBuildProgram: error %d: %s", error, log);
}

static enum kvp_status find_device(void)
{
  cl_platform_id platform;
  size_t most = 0;
  cl_int error = clGetPlatformIDs(1, &platform, NULL);

  if (error != CL_SUCCESS)
    return refuse("no OpenCL platform: clGetPlatformIDs: error %d", error);
  error = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &process.device, NULL);
  if (error != CL_SUCCESS)
    return refuse("no OpenCL device: clGetDeviceIDs: error %d", error);
  error = clGetDeviceInfo(process.device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL);
  if (error != CL_SUCCESS || most < LOCAL_SIZE_OPENCL)
    return refuse("the OpenCL device has groups of %zu work-items, %d are needed", most,
                  LOCAL_SIZE_OPENCL);
  process.context = clCreateContext(NULL, 1, &process.device, NULL, NULL, &error);
  if (error != CL_SUCCESS)
    return refuse("clCreateContext: error %d", error);
  return build_program();
}

static void prepare_process(void)
{
  process.status = find_device();
  if (process.status == KVP_OK)
    return;
  if (process.program != NULL)
    clReleaseProgram(process.program);
  if (process.context != NULL)
    clReleaseContext(process.context);
}

static enum kvp_status fail(struct opencl *opencl, const char *what, cl_int error)
{
  snprintf(opencl->message, sizeof opencl->message, "%s: error %d", what, error);
  return KVP_DEVICE;
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
  cl_int error;

  opencl->queue = clCreateCommandQueue(process.context, process.device, 0, &error);
  if (error != CL_SUCCESS)
    return fail(opencl, "clCreateCommandQueue", error);
  for (int i = 0; i < NUM_KERNELS; i++) {
    opencl->kernels[i] = clCreateKernel(process.program, kernel_names[i], &error);
    if (error != CL_SUCCESS)
      return fail(opencl, kernel_names[i], error);
  }
  return KVP_OK;
}

static size_t opencl_list(struct kvp_device_info *infos, size_t room)
{
  call_once(&process.once, prepare_process);
  if (room != 0)
    infos[0] = (struct kvp_device_info){.present = process.status == KVP_OK, .name = "opencl"};
  return 1;
}

static enum kvp_status opencl_open(const struct kvp_backend_request *request, void **self,
                                   char *message, size_t size)
{
  struct opencl *opencl;
  enum kvp_status status;

  (void)request;
  *self = NULL;
  call_once(&process.once, prepare_process);
  if (process.status != KVP_OK) {
    snprintf(message, size, "%s", process.message);
    return process.status;
  }
  opencl = calloc(1, sizeof *opencl);
  if (opencl == NULL) {
    snprintf(message, size, "host memory was refused");
    return KVP_MEMORY;
  }
  status = open_queue(opencl);
  if (status != KVP_OK) {
    snprintf(message, size, "%s", opencl->message);
    opencl_close(opencl);
    return status;
  }
  *self = opencl;
  return KVP_OK;
}

static int is_memory_error(cl_int error)
{
  return error == CL_MEM_OBJECT_ALLOCATION_FAILURE || error == CL_OUT_OF_HOST_MEMORY
         || error == CL_OUT_OF_RESOURCES || error == CL_INVALID_BUFFER_SIZE;
}

static enum kvp_status opencl_alloc(void *self, enum kvp_array array, size_t bytes)
{
  struct opencl *opencl = self;
  cl_int error;
  cl_mem memory =
    clCreateBuffer(process.context, CL_MEM_READ_WRITE, bytes > 8 ? bytes : 8, NULL, &error);

  if (error != CL_SUCCESS) {
    snprintf(opencl->message, sizeof opencl->message, "clCreateBuffer of %zu bytes: error %d",
             bytes, error);
    return is_memory_error(error) ? KVP_MEMORY : KVP_DEVICE;
  }
  for (int i = 0; i < NUM_KERNELS; i++) {
    error = clSetKernelArg(opencl->kernels[i], (cl_uint)array, sizeof memory, &memory);
    if (error != CL_SUCCESS) {
      clReleaseMemObject(memory);
      return fail(opencl, "clSetKernelArg", error);
    }
  }
  if (opencl->arrays[array] != NULL)
    clReleaseMemObject(opencl->arrays[array]);
  opencl->arrays[array] = memory;
  return KVP_OK;
}

static enum kvp_status opencl_upload(void *self, enum kvp_array array, size_t at, size_t bytes,
                                     const void *from)
{
  struct opencl *opencl = self;
  cl_int error = clEnqueueWriteBuffer(opencl->queue, opencl->arrays[array], CL_FALSE, at, bytes,
                                      from, 0, NULL, NULL);
  return error == CL_SUCCESS ? KVP_OK : fail(opencl, "clEnqueueWriteBuffer", error);
}

static enum kvp_status opencl_download(void *self, enum kvp_array array, size_t at, size_t bytes,
                                       void *to)
{
  struct opencl *opencl = self;
  cl_int error = clEnqueueReadBuffer(opencl->queue, opencl->arrays[array], CL_TRUE, at, bytes, to,
                                     0, NULL, NULL);
  return error == CL_SUCCESS ? KVP_OK : fail(opencl, "clEnqueueReadBuffer", error);
}

static enum kvp_status opencl_wait(void *self)
{
  struct opencl *opencl = self;
  cl_int error = clFinish(opencl->queue);
  return error == CL_SUCCESS ? KVP_OK : fail(opencl, "clFinish", error);
}

static enum kvp_status opencl_copy(void *self, enum kvp_array array, size_t to, size_t from,
                                   size_t bytes)
{
  struct opencl *opencl = self;
  cl_int error = clEnqueueCopyBuffer(opencl->queue, opencl->arrays[array], opencl->arrays[array],
                                     from, to, bytes, 0, NULL, NULL);
  return error == CL_SUCCESS ? KVP_OK : fail(opencl, "clEnqueueCopyBuffer", error);
}

static enum kvp_status opencl_launch(void *self, enum kvp_kernel kernel, uint32_t groups,
                                     uint32_t first, uint32_t n)
{
  struct opencl *opencl = self;
  size_t local = LOCAL_SIZE_OPENCL, global = (size_t)groups * local;
  cl_int error = clSetKernelArg(opencl->kernels[kernel], NUM_ARRAYS, sizeof first, &first);

  if (error == CL_SUCCESS)
    error = clSetKernelArg(opencl->kernels[kernel], NUM_ARRAYS + 1, sizeof n, &n);
  if (error == CL_SUCCESS)
    error = clEnqueueNDRangeKernel(opencl->queue, opencl->kernels[kernel], 1, NULL, &global, &local,
                                   0, NULL, NULL);
  return error == CL_SUCCESS ? KVP_OK : fail(opencl, kernel_names[kernel], error);
}

static const char *opencl_error(const void *self)
{
  const struct opencl *opencl = self;
  return opencl->message;
}

const struct kvp_backend kvp_backend_opencl = {.name = "opencl",
                                               .local_size = LOCAL_SIZE_OPENCL,
                                               .list = opencl_list,
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
