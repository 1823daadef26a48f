/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that sanitizers watch: gaps that AddressSanitizer guards, and what MemorySanitizer takes
   for never written. Nothing in other builds. */
#ifndef KVP_DEVICE_GUARD_H
#define KVP_DEVICE_GUARD_H

#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define KVP_HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KVP_HAS_ASAN 1
#elif __has_feature(memory_sanitizer)
#define KVP_HAS_MSAN 1
#endif
#endif
#if defined(KVP_HAS_ASAN)
#include <sanitizer/asan_interface.h>
#elif defined(KVP_HAS_MSAN)
#include <sanitizer/msan_interface.h>
#endif

/* Nobody may touch it. */
static inline void kvp_guard(void *start, size_t size)
{
#if defined(KVP_HAS_ASAN)
  ASAN_POISON_MEMORY_REGION(start, size);
#else
  (void)start, (void)size;
#endif
}

/* It may be used, and its contents are undefined. */
static inline void kvp_hand_out(void *start, size_t size)
{
#if defined(KVP_HAS_ASAN)
  ASAN_UNPOISON_MEMORY_REGION(start, size);
#elif defined(KVP_HAS_MSAN)
  __msan_allocated_memory(start, size);
#else
  (void)start, (void)size;
#endif
}

#endif
