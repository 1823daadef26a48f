/* SPDX-License-Identifier: Apache-2.0 */
/* A device as its own files see it. */
#ifndef KVP_DEVICE_STATE_H
#define KVP_DEVICE_STATE_H

#include <kvpool/device.h>

#include "src/device/backend.h"
#include "src/device/batch.h"

/* The pool's state as last downloaded. Arrays are [max_blocks], made when first wanted. */
struct kvp_snapshot {
  int has_numbers, has_blocks, has_tokens, has_order; /* 1: not stale */
  uint32_t number[NUMBER_SIZE];
  uint32_t *state, *ref_count, *has_hash, *length, *slot, *stamp, *unit_first, *unit_left;
  uint64_t *hash, *unit_owner;
  uint32_t *tokens;      /* [max_blocks][block_size] */
  uint32_t *log;         /* [log_size]: the cached block that was released there, or KVP_NONE */
  uint32_t *next_cached; /* where the block is cached */
  uint32_t first_cached;
};

struct kvp_device {
  struct kvp_device_shape shape;
  const struct kvp_backend *backend;
  void *self; /* the backend's */
  uint32_t block_words, slots, log_size;
  uint32_t parallel_min;
  int dead;
  char message[512];
  struct kvp_batch batch;
  struct kvp_snapshot snapshot;
  uint8_t *filled; /* [max_blocks]: all 0 between calls; made when first wanted */
};

/* KVP_DEVICE for a device that failed before, else KVP_OK. */
static inline enum kvp_status kvp_device_alive(const struct kvp_device *device)
{
  return device->dead ? KVP_DEVICE : KVP_OK;
}

/* A status of the backend: any error but KVP_MEMORY is the device's end, with its words. */
enum kvp_status kvp_device_check(struct kvp_device *device, enum kvp_status status);
/* KVP_MEMORY of the host. */
enum kvp_status kvp_device_no_memory(struct kvp_device *device, const char *what);

void kvp_snapshot_close(struct kvp_snapshot *snapshot);
void kvp_snapshot_forget(struct kvp_snapshot *snapshot);

#endif
