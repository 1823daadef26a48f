/* SPDX-License-Identifier: Apache-2.0 */
/* A device as its own files see it. */
#ifndef KVP_DEVICE_STATE_H
#define KVP_DEVICE_STATE_H

#include <kvpool/device.h>

#include "src/device/address.h"
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
  void *self;               /* the backend's */
  struct kvp_layout layout; /* of the payload */
  uint32_t slots, log_size;
  uint32_t longest_run;           /* as in struct kvp_plan_limits */
  uint32_t log_bound, slot_bound; /* no more of the log, and of the slots, is in use */
  uint32_t parallel_min;
  int fill_on_publish;
  int dead;
  char message[512];
  struct kvp_batch batch;
  struct kvp_snapshot snapshot;
  uint8_t *filled; /* [max_blocks]: all 0 between calls; made when first wanted */
};

void kvp_snapshot_close(struct kvp_snapshot *snapshot);
void kvp_snapshot_forget(struct kvp_snapshot *snapshot);

#endif
