/* SPDX-License-Identifier: Apache-2.0 */
/* What a device's payload and block tables must hold, kept in host memory. */
#include "src/oracle/mirror.h"

#include <string.h>

void kvp_mirror_reset(struct kvp_mirror *mirror, const struct kvp_fuzz_shape *shape)
{
  mirror->shape = (struct kvp_device_shape){.max_blocks = shape->max_blocks,
                                            .num_planes = shape->num_planes,
                                            .block_bytes = shape->block_words * 4};
  mirror->fill_on_publish = shape->fill_on_publish;
  memset(mirror->filled, 0, sizeof mirror->filled);
  for (size_t i = 0; i < KVP_FUZZ_TABLE_ENTRIES; i++)
    mirror->table[i] = KVP_NONE;
}

static void fill(struct kvp_mirror *mirror, uint32_t block, uint64_t seed, enum kvp_filled how)
{
  mirror->payload[block] = kvp_pattern_of(seed, kvp_payload_words(&mirror->shape));
  mirror->filled[block] = how;
}

static void move(struct kvp_mirror *mirror, uint32_t from, uint32_t to)
{
  mirror->payload[to] = mirror->payload[from];
  mirror->filled[to] = mirror->filled[from];
  for (size_t i = 0; i < KVP_FUZZ_TABLE_ENTRIES; i++)
    if (mirror->table[i] == from)
      mirror->table[i] = to;
}

static void follow(struct kvp_mirror *mirror, const struct kvp_op *op,
                   const struct kvp_result *result)
{
  if (result->status != KVP_OK)
    return;
  switch (op->kind) {
  case KVP_ALLOCATE: mirror->filled[op->block] = KVP_UNFILLED; break;
  case KVP_RESERVE:
    for (uint32_t i = 0; i < op->count; i++)
      mirror->filled[op->units[i].block] = KVP_UNFILLED;
    break;
  case KVP_PUBLISH:
    if (mirror->fill_on_publish)
      fill(mirror, op->block, op->hash, KVP_FILLED_CONTENT);
    break;
  case KVP_RETIRE_TOP:
    if (result->moved_to != KVP_NONE)
      move(mirror, result->block, result->moved_to);
    mirror->filled[result->block] = KVP_UNFILLED;
    break;
  default: break;
  }
}

void kvp_mirror_move(struct kvp_mirror *mirror, const struct kvp_op *ops,
                     const struct kvp_result *results, size_t n)
{
  for (size_t i = 0; i < n; i++)
    follow(mirror, &ops[i], &results[i]);
}

/* Fills of the batch and of the touch, in order: the last of a block stands. */
static size_t list_fills(const struct kvp_mirror *mirror, const struct kvp_batch *batch,
                         const struct kvp_touch *touch, uint32_t blocks[KVP_FUZZ_OPS + 1],
                         uint64_t seeds[KVP_FUZZ_OPS + 1])
{
  size_t n = 0;

  for (size_t i = 0; i < batch->n && !mirror->fill_on_publish; i++) {
    if (batch->ops[i].kind != KVP_PUBLISH || batch->results[i].status != KVP_OK)
      continue;
    blocks[n] = batch->ops[i].block;
    seeds[n++] = batch->ops[i].hash;
  }
  if (touch->filled != KVP_NONE) {
    blocks[n] = touch->filled;
    seeds[n++] = touch->seed;
  }
  return n;
}

enum kvp_status kvp_mirror_fill(struct kvp_mirror *mirror, struct kvp_device *device,
                                const struct kvp_batch *batch, const struct kvp_touch *touch)
{
  uint32_t blocks[KVP_FUZZ_OPS + 1] = {0};
  uint64_t seeds[KVP_FUZZ_OPS + 1] = {0};
  size_t n = list_fills(mirror, batch, touch, blocks, seeds);
  enum kvp_status status = kvp_device_fill(device, blocks, seeds, n);

  for (size_t i = 0; i < n; i++)
    fill(mirror, blocks[i], seeds[i], KVP_FILLED);
  for (uint32_t k = 0; k < touch->num_written; k++)
    mirror->table[touch->entries[k]] = touch->blocks[k];
  /* All of it, for Oclgrind takes what a host's write leaves out for never written. */
  if (status == KVP_OK && touch->num_written != 0)
    status = kvp_device_write_table(device, 0, KVP_FUZZ_TABLE_ENTRIES, mirror->table);
  return status;
}

static int is_defined(const struct kvp_mirror *mirror, struct kvp_device *device, uint32_t block)
{
  struct kvp_view view;

  return mirror->filled[block] == KVP_FILLED
         || (mirror->filled[block] == KVP_FILLED_CONTENT
             && kvp_device_view(device, block, &view) == KVP_OK && view.has_hash);
}

int kvp_mirror_differs(const struct kvp_mirror *mirror, struct kvp_device *device,
                       enum kvp_status *status, struct kvp_difference *difference)
{
  uint32_t table[KVP_FUZZ_TABLE_ENTRIES], blocks = mirror->shape.max_blocks;
  uint64_t digests[KVP_FUZZ_BLOCKS];

  *status = kvp_device_digest(device, 0, blocks, digests);
  if (*status == KVP_OK)
    *status = kvp_device_read_table(device, 0, KVP_FUZZ_TABLE_ENTRIES, table);
  if (*status != KVP_OK)
    return 1;
  for (uint32_t b = 0; b < blocks; b++) {
    if (mirror->payload[b].digest == digests[b] || !is_defined(mirror, device, b))
      continue;
    *status =
      kvp_payload_locate(device, &mirror->shape, b, &mirror->payload[b], digests[b], difference);
    return 1;
  }
  return kvp_tables_differ(mirror->table, table, KVP_FUZZ_TABLE_ENTRIES, difference);
}
