/* SPDX-License-Identifier: Apache-2.0 */
/* Batches written a line an operation, and the pools that they are tried on. */
#ifndef KVP_TEST_DEVICE_BATCH_H
#define KVP_TEST_DEVICE_BATCH_H

#include "tests/device/harness.h"

#define MOST 1100     /* operations of a batch here */
#define BLOCK_SIZE 4  /* tokens */
#define SERIAL 100000 /* as parallel_min: every run but retire_top goes one by one */

/* A batch that is being written; after it ran, what it answered. */
struct batch {
  uint32_t n;
  struct kvp_op ops[MOST];
  struct kvp_result results[MOST];
};

/* Contents that differ in any of their first four tokens. */
static const uint32_t tokens[] = {1, 2, 3, 4, 4, 4, 2, 1, 1, 2, 3, 5, 0, 0, 0, 0};
#define NUM_CONTENTS 13

static inline void add(struct batch *batch, const struct kvp_op *op)
{
  assert_true(batch->n < MOST);
  batch->ops[batch->n++] = *op;
}

static inline void add_kind(struct batch *batch, enum kvp_kind kind, uint32_t block)
{
  add(batch, &(struct kvp_op){.kind = kind, .block = block});
}

static inline void add_pair(struct batch *batch, uint32_t block)
{
  add_kind(batch, KVP_POP, 0);
  add_kind(batch, KVP_ALLOCATE, block);
}

static inline void add_count(struct batch *batch, enum kvp_kind kind, uint32_t count)
{
  add(batch, &(struct kvp_op){.kind = kind, .count = count});
}

static inline void add_content(struct batch *batch, enum kvp_kind kind, uint32_t block,
                               uint64_t hash, uint32_t content)
{
  add(batch, &(struct kvp_op){.kind = kind,
                              .block = block,
                              .hash = hash,
                              .tokens = tokens + content % NUM_CONTENTS,
                              .length = content % (BLOCK_SIZE + 1)});
}

/* What every block of a pool here is published with at first. */
static inline uint64_t hash_of(uint32_t block) { return 100 + block; }

static inline void add_publish(struct batch *batch, uint32_t block)
{
  add_content(batch, KVP_PUBLISH, block, hash_of(block), block);
}

static inline void add_units(struct batch *batch, enum kvp_kind kind, uint64_t owner,
                             uint32_t count, struct kvp_unit *units)
{
  add(batch, &(struct kvp_op){.kind = kind, .owner = owner, .count = count, .units = units});
}

static inline void run(struct harness *harness, struct batch *batch)
{
  apply_batch(harness, batch->ops, batch->n, batch->results);
  batch->n = 0;
}

/* A pool in which every block is vacant, of two planes, that fills what is published. */
static inline void open_vacant(struct harness *harness, uint32_t blocks, uint32_t max_blocks,
                               uint64_t seed)
{
  const struct kvp_device_shape shape = {.num_blocks = blocks,
                                         .max_blocks = max_blocks,
                                         .block_size = BLOCK_SIZE,
                                         .num_planes = 2,
                                         .block_bytes = 80,
                                         .table_entries = 2 * blocks};
  const struct kvp_device_options options = {.backend = backend,
                                             .order_seed = seed,
                                             .parallel_min = seed == 0 ? SERIAL : 1,
                                             .fill_on_publish = 1};
  open_harness_with(harness, &shape, &options);
}

/* The table names each block twice. */
static inline void name_all(struct harness *harness, uint32_t blocks)
{
  uint32_t *entries = malloc(2 * blocks * sizeof *entries + 1);

  assert_non_null(entries);
  for (uint32_t block = 0; block < blocks; block++)
    entries[block] = entries[2 * blocks - 1 - block] = block;
  name_entries(harness, 0, 2 * blocks, entries);
  free(entries);
}

/* A pool of that many blocks, all used, published and filled, and 8 more ids. Seed 0 goes one by
   one, so that what the parallel runs do is also seen to be what the serial ones do. */
static inline void open_full(struct harness *harness, uint32_t blocks, uint64_t seed)
{
  struct batch *batch = calloc(1, sizeof *batch);

  assert_non_null(batch);
  open_vacant(harness, blocks, blocks + 8, seed);
  for (uint32_t block = 0; block < blocks; block++)
    add_pair(batch, block);
  run(harness, batch);
  for (uint32_t block = 0; block < blocks; block++)
    add_publish(batch, block);
  run(harness, batch);
  free(batch);
  name_all(harness, blocks);
}

#endif
