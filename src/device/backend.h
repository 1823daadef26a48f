/* SPDX-License-Identifier: Apache-2.0 */
/* What a machine that runs kernels must do: memory, copies and launches, in the order given. */
#ifndef KVP_DEVICE_BACKEND_H
#define KVP_DEVICE_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#include <kvpool/status.h>

#include "src/device/arrays.h"

struct kvp_backend {
  const char *name;
  uint32_t local_size; /* work-items of a group: a power of two, at most MAX_LOCAL_SIZE */

  /* *self is what the other functions take. `bytes` is about what the arrays will need in all.
     On an error *self is NULL and message[0 .. size) holds the reason. */
  enum kvp_status (*open)(uint64_t order_seed, size_t bytes, void **self, char *message,
                          size_t size);
  void (*close)(void *self);

  /* Room for an array, in place of what it had; its contents are undefined. On an error, which
     is KVP_MEMORY if memory was refused, the array is as before. */
  enum kvp_status (*alloc)(void *self, enum kvp_array array, size_t bytes);

  /* `from` must stay as it is until the next wait or download. */
  enum kvp_status (*upload)(void *self, enum kvp_array array, size_t at, size_t bytes,
                            const void *from);
  /* Waits for all that was asked before. */
  enum kvp_status (*download)(void *self, enum kvp_array array, size_t at, size_t bytes, void *to);
  enum kvp_status (*wait)(void *self);

  /* Runs a kernel on `groups` groups, at least 1; launches do not overlap. */
  enum kvp_status (*launch)(void *self, enum kvp_kernel kernel, uint32_t groups, uint32_t first,
                            uint32_t n);

  /* What the last error was about. */
  const char *(*error)(const void *self);
};

extern const struct kvp_backend kvp_backend_host;
#ifdef KVP_WITH_OPENCL
extern const struct kvp_backend kvp_backend_opencl;
#endif

#endif
