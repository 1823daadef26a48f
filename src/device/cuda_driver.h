/* SPDX-License-Identifier: Apache-2.0 */
/* NVIDIA's driver API as far as it is used: declared here, so that no header of NVIDIA's is needed
   to build, and looked up at run time. `make device-lint` holds it against cuda.h where that is. */
#ifndef KVP_DEVICE_CUDA_DRIVER_H
#define KVP_DEVICE_CUDA_DRIVER_H

#include <stddef.h>

#ifndef CUDA_VERSION /* cuda.h defines it, and these */
typedef int CUresult, CUdevice, CUdevice_attribute, CUjit_option;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
#endif

/* Numbers that the driver promises to keep, by their names there without CU and CUDA_. */
#define KVP_CUDA_NUMBERS(X)                                                                        \
  X(KVP_CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_OUT_OF_MEMORY, 2)                                     \
  X(KVP_CUDA_CAPABILITY_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 75)                   \
  X(KVP_CUDA_CAPABILITY_MINOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 76)                   \
  X(KVP_CUDA_JIT_ERROR_LOG, CU_JIT_ERROR_LOG_BUFFER, 5)                                            \
  X(KVP_CUDA_JIT_ERROR_LOG_SIZE, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, 6)                            \
  X(KVP_CUDA_STREAM_NON_BLOCKING, CU_STREAM_NON_BLOCKING, 1)

enum {
#define X(name, theirs, value) name = value,
  KVP_CUDA_NUMBERS(X)
#undef X
};

/* X(name, parameters) for each function; its answer is a CUresult, 0 if all went well. */
#define KVP_CUDA_FUNCTIONS(X)                                                                      \
  X(cuInit, (unsigned flags))                                                                      \
  X(cuDriverGetVersion, (int *version))                                                            \
  X(cuGetErrorName, (CUresult code, const char **name))                                            \
  X(cuGetErrorString, (CUresult code, const char **text))                                          \
  X(cuDeviceGetCount, (int *n))                                                                    \
  X(cuDeviceGet, (CUdevice * device, int ordinal))                                                 \
  X(cuDeviceGetName, (char *name, int size, CUdevice device))                                      \
  X(cuDeviceGetAttribute, (int *value, CUdevice_attribute which, CUdevice device))                 \
  X(cuDeviceTotalMem_v2, (size_t * bytes, CUdevice device))                                        \
  X(cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device))                              \
  X(cuDevicePrimaryCtxRelease_v2, (CUdevice device))                                               \
  X(cuCtxPushCurrent_v2, (CUcontext context))                                                      \
  X(cuCtxPopCurrent_v2, (CUcontext * context))                                                     \
  X(cuModuleLoadDataEx, (CUmodule * module, const void *image, unsigned num_options,               \
                         CUjit_option *options, void **values))                                    \
  X(cuModuleUnload, (CUmodule module))                                                             \
  X(cuModuleGetFunction, (CUfunction * function, CUmodule module, const char *name))               \
  X(cuStreamCreate, (CUstream * stream, unsigned flags))                                           \
  X(cuStreamDestroy_v2, (CUstream stream))                                                         \
  X(cuStreamSynchronize, (CUstream stream))                                                        \
  X(cuMemAlloc_v2, (CUdeviceptr * memory, size_t bytes))                                           \
  X(cuMemFree_v2, (CUdeviceptr memory))                                                            \
  X(cuMemcpyHtoDAsync_v2, (CUdeviceptr to, const void *from, size_t bytes, CUstream stream))       \
  X(cuMemcpyDtoHAsync_v2, (void *to, CUdeviceptr from, size_t bytes, CUstream stream))             \
  X(cuMemcpyDtoDAsync_v2, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream))       \
  X(cuLaunchKernel, (CUfunction function, unsigned groups_x, unsigned groups_y, unsigned groups_z, \
                     unsigned x, unsigned y, unsigned z, unsigned shared_bytes, CUstream stream,   \
                     void **parameters, void **extra))

#endif
