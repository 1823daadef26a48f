/* SPDX-License-Identifier: Apache-2.0 */
/* Packing: which buffers an operation has, whether one is missing, and where they go. */
#include "src/device/batch.h"

#include <stdlib.h>
#include <string.h>

/* How many elements of each buffer an operation names. */
struct needs {
  uint64_t hashes, tokens, units;
};

static struct needs named(const struct kvp_op *op)
{
  switch (op->kind) {
  case KVP_PUBLISH:
  case KVP_MATCH: return (struct needs){.tokens = op->length};
  case KVP_MATCH_PREFIX:
    return (struct needs){.hashes = op->count, .tokens = (uint64_t)op->count * op->length};
  case KVP_RESERVE:
  case KVP_RELEASE: return (struct needs){.units = op->count};
  default: return (struct needs){0};
  }
}

static int is_refused(const struct kvp_op *op)
{
  struct needs needs = named(op);

  if ((unsigned)op->kind >= KVP_NUM_KINDS)
    return 1;
  if ((op->kind == KVP_RESERVE || op->kind == KVP_RELEASE) && op->owner == 0)
    return 1;
  return (needs.hashes != 0 && op->hashes == NULL) || (needs.tokens != 0 && op->tokens == NULL)
         || (needs.units != 0 && op->units == NULL);
}

/* What the device needs of it: an operation that fails by its numbers needs no buffer. */
static struct needs needed(const struct kvp_op *op, const struct kvp_batch_limits *limits)
{
  struct needs needs = named(op);

  if (is_refused(op))
    return (struct needs){0};
  if (needs.units > limits->max_blocks)
    needs.units = 0;
  if (op->length > limits->block_size)
    needs.hashes = needs.tokens = 0;
  return needs;
}

int kvp_batch_measure(const struct kvp_op *ops, size_t n, const struct kvp_batch_limits *limits,
                      struct kvp_batch_size *size)
{
  struct needs sum = {0};

  if (n > UINT32_MAX / 2)
    return 0;
  for (size_t i = 0; i < n; i++) {
    struct needs needs = needed(&ops[i], limits);
    sum.hashes += needs.hashes;
    sum.tokens += needs.tokens;
    sum.units += needs.units;
    if (sum.hashes > UINT32_MAX / 2 || sum.tokens > UINT32_MAX / 2 || sum.units > UINT32_MAX / 2)
      return 0;
  }
  *size = (struct kvp_batch_size){.ops = (uint32_t)n,
                                  .hashes = (uint32_t)sum.hashes,
                                  .tokens = (uint32_t)sum.tokens,
                                  .units = (uint32_t)sum.units};
  return 1;
}

void kvp_batch_close(struct kvp_batch *batch)
{
  free(batch->ops);
  free(batch->hashes);
  free(batch->tokens);
  free(batch->units);
  free(batch->results);
}

int kvp_batch_grow(struct kvp_batch *batch, const struct kvp_batch_size *room)
{
  struct kvp_batch larger = {.room = *room,
                             .ops = calloc((size_t)room->ops + 1, sizeof *larger.ops),
                             .hashes = calloc((size_t)room->hashes + 1, sizeof *larger.hashes),
                             .tokens = calloc((size_t)room->tokens + 1, sizeof *larger.tokens),
                             .units = calloc((size_t)room->units + 1, sizeof *larger.units),
                             .results = calloc((size_t)room->ops + 1, sizeof *larger.results)};

  if (larger.ops == NULL || larger.hashes == NULL || larger.tokens == NULL || larger.units == NULL
      || larger.results == NULL) {
    kvp_batch_close(&larger);
    return 0;
  }
  kvp_batch_close(batch);
  *batch = larger;
  return 1;
}

/* The units' ids, and the highest of them: is it in the pool, all are. */
static uint32_t pack_units(struct kvp_unit *to, const struct kvp_op *op, uint64_t kept)
{
  uint32_t highest = 0;

  for (uint32_t i = 0; i < op->count; i++) {
    uint32_t block = op->units[i].block;
    highest = block > highest ? block : highest;
    if (i < kept)
      to[i] = (struct kvp_unit){.block = block};
  }
  return highest;
}

static void pack(struct kvp_batch *batch, const struct kvp_op *op,
                 const struct kvp_batch_limits *limits)
{
  struct needs needs = needed(op, limits);
  struct kvp_batch_size *used = &batch->used;
  struct kvp_packed_op packed = {.owner = op->owner,
                                 .hash = op->hash,
                                 .kind = (uint32_t)op->kind,
                                 .block = op->block,
                                 .count = op->count,
                                 .length = op->length,
                                 .chain = used->hashes,
                                 .tokens = used->tokens,
                                 .units = used->units,
                                 .refused = (uint32_t)is_refused(op)};

  if (needs.hashes != 0)
    memcpy(batch->hashes + used->hashes, op->hashes, needs.hashes * sizeof *op->hashes);
  if (needs.tokens != 0)
    memcpy(batch->tokens + used->tokens, op->tokens, needs.tokens * sizeof *op->tokens);
  if (op->kind == KVP_RELEASE && !packed.refused)
    packed.block = pack_units(batch->units + used->units, op, needs.units);
  if (op->kind == KVP_RESERVE)
    batch->reserves = 1;
  batch->ops[used->ops] = packed;
  used->ops++;
  used->hashes += (uint32_t)needs.hashes;
  used->tokens += (uint32_t)needs.tokens;
  used->units += (uint32_t)needs.units;
}

void kvp_batch_pack(struct kvp_batch *batch, const struct kvp_op *ops, uint32_t n,
                    const struct kvp_batch_limits *limits)
{
  batch->used = (struct kvp_batch_size){0};
  batch->reserves = 0;
  for (uint32_t i = 0; i < n; i++)
    pack(batch, &ops[i], limits);
}
