/* SPDX-License-Identifier: Apache-2.0 */
/* What a machine that runs kernels must do: memory, copies and launches, in the order given. */
#ifndef KVP_DEVICE_BACKEND_H
#define KVP_DEVICE_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#include <kvpool/device.h>

#include "src/device/arrays.h"

/* What a backend is opened for. */
struct kvp_backend_request {
  const char *select;  /* which device: what follows the colon in its name, or NULL: the first */
  uint64_t order_seed; /* host only */
  size_t bytes;        /* about what the arrays will need in all */
};

struct kvp_backend {
  const char *name;
  uint32_t local_size; /* work-items of a group: a power of two, at most MAX_LOCAL_SIZE */

  /* As kvp_device_list, for this backend: its devices, or one entry that says why it has none. */
  size_t (*list)(struct kvp_device_info *infos, size_t room);

  /* *self is what the other functions take. On an error *self is NULL and message[0 .. size)
     holds the reason. */
  enum kvp_status (*open)(const struct kvp_backend_request *request, void **self, char *message,
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

  /* Copies bytes of an array to another place in it; the two do not overlap. What a copy costs
     that the backend itself makes: the measure of move_payload. */
  enum kvp_status (*copy)(void *self, enum kvp_array array, size_t to, size_t from, size_t bytes);

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
#ifdef KVP_WITH_CUDA
extern const struct kvp_backend kvp_backend_cuda;
#endif

/* A device on this backend, which need not be one that kvp_device_open knows by name. */
enum kvp_status kvp_device_open_on(const struct kvp_backend *backend, const char *select,
                                   const struct kvp_device_shape *shape,
                                   const struct kvp_device_options *options,
                                   struct kvp_device **device, char *message, size_t size);

#endif
