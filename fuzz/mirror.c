/* SPDX-License-Identifier: Apache-2.0 */
/* What a device's payload and block tables must hold, kept in host memory. */
#include "fuzz/mirror.h"

#include <string.h>

void kvp_mirror_reset(struct kvp_mirror *mirror, const struct kvp_fuzz_shape *shape)
{
  mirror->max_blocks = shape->max_blocks;
  mirror->block_words = shape->block_words;
  memset(mirror->is_filled, 0, sizeof mirror->is_filled);
  for (size_t i = 0; i < KVP_FUZZ_TABLE_ENTRIES; i++)
    mirror->table[i] = KVP_NONE;
}

static uint32_t *payload_of(struct kvp_mirror *mirror, uint32_t block)
{
  return mirror->payload + (size_t)block * mirror->block_words;
}

void kvp_mirror_move(struct kvp_mirror *mirror, const struct kvp_op *ops,
                     const struct kvp_result *results, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    if (ops[i].kind != KVP_RETIRE_TOP || results[i].status != KVP_OK)
      continue;
    uint32_t from = results[i].block, to = results[i].moved_to;
    if (to != KVP_NONE) {
      memcpy(payload_of(mirror, to), payload_of(mirror, from),
             mirror->block_words * sizeof *mirror->payload);
      mirror->is_filled[to] = mirror->is_filled[from];
      for (size_t e = 0; e < KVP_FUZZ_TABLE_ENTRIES; e++)
        if (mirror->table[e] == from)
          mirror->table[e] = to;
    }
    mirror->is_filled[from] = 0;
  }
}

enum kvp_status kvp_mirror_fill(struct kvp_mirror *mirror, struct kvp_device *device,
                                const struct kvp_batch *batch, const struct kvp_touch *touch)
{
  uint64_t seed_of[KVP_FUZZ_BLOCKS], seeds[KVP_FUZZ_BLOCKS];
  uint32_t blocks[KVP_FUZZ_BLOCKS];
  uint8_t wanted[KVP_FUZZ_BLOCKS] = {0};
  size_t n = 0;
  for (size_t i = 0; i < batch->n; i++)
    if (batch->ops[i].kind == KVP_PUBLISH && batch->results[i].status == KVP_OK) {
      wanted[batch->ops[i].block] = 1;
      seed_of[batch->ops[i].block] = batch->ops[i].hash;
    }
  if (touch->filled != KVP_NONE) {
    wanted[touch->filled] = 1;
    seed_of[touch->filled] = touch->seed;
  }
  for (uint32_t b = 0; b < mirror->max_blocks; b++) {
    if (!wanted[b])
      continue;
    blocks[n] = b;
    seeds[n++] = seed_of[b];
    for (uint32_t i = 0; i < mirror->block_words; i++)
      payload_of(mirror, b)[i] = kvp_payload_word(seed_of[b], i);
    mirror->is_filled[b] = 1;
  }
  enum kvp_status status = kvp_device_fill(device, blocks, seeds, n);
  for (uint32_t k = 0; k < touch->num_written && status == KVP_OK; k++) {
    mirror->table[touch->entries[k]] = touch->blocks[k];
    status = kvp_device_write_table(device, touch->entries[k], 1, &touch->blocks[k]);
  }
  return status;
}

int kvp_mirror_differs(const struct kvp_mirror *mirror, struct kvp_device *device,
                       enum kvp_status *status, struct kvp_difference *difference)
{
  uint32_t payload[KVP_FUZZ_BLOCKS * KVP_FUZZ_WORDS], table[KVP_FUZZ_TABLE_ENTRIES];
  *status = kvp_device_read_payload(device, 0, 0, mirror->max_blocks, payload);
  if (*status == KVP_OK)
    *status = kvp_device_read_table(device, 0, KVP_FUZZ_TABLE_ENTRIES, table);
  if (*status != KVP_OK)
    return 1;
  for (uint32_t b = 0; b < mirror->max_blocks; b++) {
    size_t first = (size_t)b * mirror->block_words;
    if (mirror->is_filled[b]
        && kvp_payloads_differ(mirror->payload + first, payload + first, 1, mirror->block_words,
                               difference)) {
      difference->index = b;
      return 1;
    }
  }
  return kvp_tables_differ(mirror->table, table, KVP_FUZZ_TABLE_ENTRIES, difference);
}
