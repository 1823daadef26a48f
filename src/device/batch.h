/* SPDX-License-Identifier: Apache-2.0 */
/* A batch as the host packs it: operations of one size, and their buffers end to end. */
#ifndef KVP_DEVICE_BATCH_H
#define KVP_DEVICE_BATCH_H

#include <stddef.h>

#include "src/device/arrays.h"

/* Numbers of elements, of what a batch uses or of what there is room for. */
struct kvp_batch_size {
  uint32_t ops, hashes, tokens, units;
};

struct kvp_batch {
  struct kvp_batch_size room, used;
  int reserves; /* 1: some operation wants its units back */
  struct kvp_packed_op *ops;
  uint64_t *hashes;
  uint32_t *tokens;
  struct kvp_unit *units;
  struct kvp_result *results; /* [room.ops] */
};

/* Limits of the pool that say which buffers are read at all. */
struct kvp_batch_limits {
  uint32_t max_blocks, block_size;
};

/* 0 if the batch is larger than 32-bit positions can name. */
int kvp_batch_measure(const struct kvp_op *ops, size_t n, const struct kvp_batch_limits *limits,
                      struct kvp_batch_size *size);

/* 0 if memory is short; then the batch is as before. */
int kvp_batch_grow(struct kvp_batch *batch, const struct kvp_batch_size *room);
void kvp_batch_close(struct kvp_batch *batch);

/* Packs operations for which there is room. */
void kvp_batch_pack(struct kvp_batch *batch, const struct kvp_op *ops, uint32_t n,
                    const struct kvp_batch_limits *limits);

#endif
