/* SPDX-License-Identifier: Apache-2.0 */
/* The dialect that kernels are written in: OpenCL C, CUDA and HIP, and C on the host, where the
   work-items of a group are run one after the other. spec/device.md has its rules. */
#ifndef KVP_DEVICE_DIALECT_H
#define KVP_DEVICE_DIALECT_H

/* The place that LOAD and STORE take is evaluated twice on the host: no side effects there. */

/* Work-items of a group: a power of two, at most this. */
#define MAX_LOCAL_SIZE 256

#if defined(__OPENCL_C_VERSION__)

typedef uint uint32_t;
typedef ulong uint64_t;
#define UINT32_MAX 0xffffffffu
#define GLOBAL __global
#define FUNCTION static
#define KERNEL_NAMED(name) __kernel void kvp_##name
#define GROUP_MEMORY __local
#define GROUP_ARRAY(type, name, n) __local type name[n]
#define OWN_VALUE(type, name) type name
#define OWN(name) name
#define PHASE do
#define PHASE_END while (0)
#define SYNC barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define LOCAL_ID ((uint32_t)get_local_id(0))
#define LOCAL_SIZE ((uint32_t)get_local_size(0))
#define GROUP ((uint32_t)get_group_id(0))
#define GROUPS ((uint32_t)get_num_groups(0))
#define LOAD(p) (*(p))
#define STORE(p, v) (*(p) = (v))
#define ATOMIC_ADD(p, v) atomic_add((volatile __global uint *)(p), (v))
#define ATOMIC_SUB(p, v) atomic_sub((volatile __global uint *)(p), (v))
#define ATOMIC_MIN(p, v) atomic_min((volatile __global uint *)(p), (v))
#define ATOMIC_MAX(p, v) atomic_max((volatile __global uint *)(p), (v))
#define ATOMIC_LOAD(p) atomic_or((volatile __global uint *)(p), 0u)
#define ATOMIC_SWAP_IF(p, old, v) atomic_cmpxchg((volatile __global uint *)(p), (old), (v))
#define ATOMIC_OR(p, v) atomic_or((volatile __global uint *)(p), (v))
#define ATOMIC_AND(p, v) atomic_and((volatile __global uint *)(p), (v))
#define ATOMIC_EXCHANGE(p, v) atomic_xchg((volatile __global uint *)(p), (v))
#define ONES(x) popcount((uint)(x))
#define WIDE uint4
#define RESTRICT restrict

#elif defined(__CUDACC__) || defined(__HIP__)

#if defined(__HIP__)
#include <hip/hip_runtime.h>
#endif
#include <cstdint>
#define GLOBAL
#define FUNCTION static __device__
#define KERNEL_NAMED(name) extern "C" __global__ void __launch_bounds__(MAX_LOCAL_SIZE) kvp_##name
#define GROUP_MEMORY
#define GROUP_ARRAY(type, name, n) __shared__ type name[n]
#define OWN_VALUE(type, name) type name
#define OWN(name) name
#define PHASE do
#define PHASE_END while (0)
#define SYNC __syncthreads()
#define LOCAL_ID ((uint32_t)threadIdx.x)
#define LOCAL_SIZE ((uint32_t)blockDim.x)
#define GROUP ((uint32_t)blockIdx.x)
#define GROUPS ((uint32_t)gridDim.x)
#define LOAD(p) (*(p))
#define STORE(p, v) (*(p) = (v))
#define ATOMIC_ADD(p, v) atomicAdd((unsigned *)(p), (v))
#define ATOMIC_SUB(p, v) atomicSub((unsigned *)(p), (v))
#define ATOMIC_MIN(p, v) atomicMin((unsigned *)(p), (v))
#define ATOMIC_MAX(p, v) atomicMax((unsigned *)(p), (v))
#define ATOMIC_LOAD(p) (*(const volatile unsigned *)(p))
#define ATOMIC_SWAP_IF(p, old, v) atomicCAS((unsigned *)(p), (old), (v))
#define ATOMIC_OR(p, v) atomicOr((unsigned *)(p), (v))
#define ATOMIC_AND(p, v) atomicAnd((unsigned *)(p), (v))
#define ATOMIC_EXCHANGE(p, v) atomicExch((unsigned *)(p), (v))
#define ONES(x) ((uint32_t)__popc(x))
#define WIDE uint4
#define RESTRICT __restrict__

#elif defined(__FRAMAC__)

/* For the proof: what moves.h needs, as plain as on a device. */
#define GLOBAL
#define FUNCTION static inline
#define LOAD(p) (*(p))
#define STORE(p, v) (*(p) = (v))

#else

#include "src/device/lane.h"
#define GLOBAL
#define FUNCTION static inline
#define KERNEL_NAMED(name) static void name
#define GROUP_MEMORY
#define GROUP_ARRAY(type, name, n) type *const name = kvp_lane_group_array(sizeof(type) * (n))
#define OWN_VALUE(type, name) type name##_of[MAX_LOCAL_SIZE]
#define OWN(name) name##_of[kvp_lane.item]
#define PHASE for (kvp_lane_begin_phase(); kvp_lane_next_item();)
#define PHASE_END
#define SYNC (void)kvp_lane.phase++
#define LOCAL_ID kvp_lane.item
#define LOCAL_SIZE kvp_lane.local_size
#define GROUP kvp_lane.group
#define GROUPS kvp_lane.groups
#define LOAD(p) (kvp_lane_saw((p), sizeof *(p), KVP_READ), *(p))
#define STORE(p, v) (kvp_lane_saw((p), sizeof *(p), KVP_WRITE), *(p) = (v))
#define ATOMIC_ADD(p, v) kvp_lane_add((p), (v))
#define ATOMIC_SUB(p, v) kvp_lane_add((p), 0u - (v))
#define ATOMIC_MIN(p, v) kvp_lane_min((p), (v))
#define ATOMIC_MAX(p, v) kvp_lane_max((p), (v))
#define ATOMIC_LOAD(p) kvp_lane_or((p), 0u)
#define ATOMIC_SWAP_IF(p, old, v) kvp_lane_swap_if((p), (old), (v))
#define ATOMIC_OR(p, v) kvp_lane_or((p), (v))
#define ATOMIC_AND(p, v) kvp_lane_and((p), (v))
#define ATOMIC_EXCHANGE(p, v) kvp_lane_exchange((p), (v))
#define ONES(x) ((uint32_t)__builtin_popcount(x))
#define WIDE struct kvp_wide
#define RESTRICT restrict

#endif

/* WIDE has four words of 32 bits, x y z w, which a GPU loads and stores as one. */

/* An item's share of the elements SHARE * LOCAL_SIZE that a group takes at a time: it begins at
   SHARE_BEGIN, ends before SHARE_END and goes by SHARE_STEP. A GPU wants neighbouring items on
   neighbouring elements; a CPU, for which one item after the other is compiled, wants each item
   to go through memory in a row. */
#if defined(KVP_DEVICE_IS_CPU)
#define SHARE 32u
#define SHARE_BEGIN (LOCAL_ID * SHARE)
#define SHARE_END (LOCAL_ID * SHARE + SHARE)
#define SHARE_STEP 1u
#else
#define SHARE 8u
#define SHARE_BEGIN LOCAL_ID
#define SHARE_END (LOCAL_SIZE * SHARE)
#define SHARE_STEP LOCAL_SIZE
#endif

#define GLOBAL_ID (GROUP * LOCAL_SIZE + LOCAL_ID)
#define GLOBAL_SIZE (GROUPS * LOCAL_SIZE)
#define KVP_PARAMETER(type, name) GLOBAL type *name##_array,
#define KVP_MEMBER(type, name) GLOBAL type *name;
#define KVP_VALUE(type, name) name##_array,

/* Every kernel takes all arrays and two numbers: most work on operations first .. first + n - 1. */
#define KERNEL(name) KERNEL_NAMED(name)(KVP_ARRAYS(KVP_PARAMETER) uint32_t first, uint32_t n)

/* The first line of a kernel: its arrays as `p`. */
#define POOL                                                                                       \
  const struct pool arrays = {KVP_ARRAYS(KVP_VALUE)};                                              \
  const struct pool *const p = &arrays;                                                            \
  (void)first, (void)n

#endif
