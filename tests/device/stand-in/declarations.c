/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles only if what cuda_driver.h says of NVIDIA's driver is what NVIDIA's own header says. */
#include <cuda.h>

#include "src/device/cuda_driver.h"

#define X(name, parameters) CUresult CUDAAPI name parameters;
KVP_CUDA_FUNCTIONS(X)
#undef X

#define X(name, theirs, value) _Static_assert((int)(theirs) == (value), #theirs);
KVP_CUDA_NUMBERS(X)
#undef X
