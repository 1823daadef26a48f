/* SPDX-License-Identifier: Apache-2.0 */
/* The pool's state seen from the host, downloaded once for all questions until the next batch. */
#include <stdlib.h>

#include "src/device/transfer.h"

void kvp_snapshot_close(struct kvp_snapshot *snapshot)
{
  free(snapshot->hash); /* the first of all [max_blocks] arrays of the state */
  free(snapshot->tokens);
  free(snapshot->log);
  free(snapshot->next_cached);
}

void kvp_snapshot_forget(struct kvp_snapshot *snapshot)
{
  snapshot->has_numbers = snapshot->has_blocks = 0;
  snapshot->has_tokens = snapshot->has_order = 0;
}

static enum kvp_status see_numbers(struct kvp_device *device)
{
  struct kvp_snapshot *snapshot = &device->snapshot;
  enum kvp_status status = kvp_device_alive(device);

  if (status != KVP_OK || snapshot->has_numbers)
    return status;
  status = kvp_device_download(device, ARRAY_number, 0, sizeof snapshot->number, snapshot->number);
  snapshot->has_numbers = status == KVP_OK;
  return status;
}

/* One piece of memory for the arrays of the state. */
static enum kvp_status make_blocks(struct kvp_device *device)
{
  struct kvp_snapshot *snapshot = &device->snapshot;
  size_t blocks = device->shape.max_blocks;
  uint32_t **const words[] = {&snapshot->state,      &snapshot->ref_count, &snapshot->has_hash,
                              &snapshot->length,     &snapshot->slot,      &snapshot->stamp,
                              &snapshot->unit_first, &snapshot->unit_left};
  size_t num_words = sizeof words / sizeof *words;
  uint32_t *next;

  if (snapshot->hash != NULL)
    return KVP_OK;
  snapshot->hash = malloc(blocks * (2 * sizeof(uint64_t) + num_words * sizeof(uint32_t)) + 1);
  if (snapshot->hash == NULL)
    return kvp_device_no_memory(device, "the state's copy");
  snapshot->unit_owner = snapshot->hash + blocks;
  next = (uint32_t *)(snapshot->unit_owner + blocks);
  for (size_t i = 0; i < num_words; i++, next += blocks)
    *words[i] = next;
  return KVP_OK;
}

static enum kvp_status see_blocks(struct kvp_device *device)
{
  struct kvp_snapshot *snapshot = &device->snapshot;
  size_t blocks = device->shape.max_blocks;
  enum kvp_status status = kvp_device_alive(device);

  if (status != KVP_OK || snapshot->has_blocks)
    return status;
  status = make_blocks(device);
#define SEE(name)                                                                                  \
  if (status == KVP_OK)                                                                            \
  status =                                                                                         \
    kvp_device_download(device, ARRAY_##name, 0, blocks * sizeof *snapshot->name, snapshot->name)
  SEE(state);
  SEE(ref_count);
  SEE(has_hash);
  SEE(hash);
  SEE(length);
  SEE(slot);
  SEE(stamp);
  SEE(unit_owner);
  SEE(unit_first);
  SEE(unit_left);
#undef SEE
  snapshot->has_blocks = status == KVP_OK;
  return status;
}

static enum kvp_status see_tokens(struct kvp_device *device)
{
  struct kvp_snapshot *snapshot = &device->snapshot;
  size_t bytes = (size_t)device->shape.max_blocks * device->shape.block_size * sizeof(uint32_t);
  enum kvp_status status;

  if (snapshot->has_tokens)
    return KVP_OK;
  if (snapshot->tokens == NULL)
    snapshot->tokens = malloc(bytes + 1);
  if (snapshot->tokens == NULL)
    return kvp_device_no_memory(device, "the tokens' copy");
  status = kvp_device_download(device, ARRAY_plane, 0, bytes, snapshot->tokens);
  snapshot->has_tokens = status == KVP_OK;
  return status;
}

/* Cached blocks by their stamp, which is a place in the log, and so each one's successor. */
static enum kvp_status see_order(struct kvp_device *device)
{
  struct kvp_snapshot *snapshot = &device->snapshot;
  enum kvp_status status = see_blocks(device);
  uint32_t newer = KVP_NONE;

  if (status != KVP_OK || snapshot->has_order)
    return status;
  if (snapshot->log == NULL)
    snapshot->log = malloc(device->log_size * sizeof *snapshot->log);
  if (snapshot->next_cached == NULL)
    snapshot->next_cached = malloc(((size_t)device->shape.max_blocks + 1) * sizeof(uint32_t));
  if (snapshot->log == NULL || snapshot->next_cached == NULL)
    return kvp_device_no_memory(device, "the order of release");
  for (uint32_t i = 0; i < device->log_size; i++)
    snapshot->log[i] = KVP_NONE;
  for (uint32_t block = 0; block < device->shape.max_blocks; block++)
    if (snapshot->state[block] == KVP_CACHED && snapshot->stamp[block] < device->log_size)
      snapshot->log[snapshot->stamp[block]] = block;
  for (uint32_t i = device->log_size; i-- > 0;) {
    uint32_t block = snapshot->log[i];
    if (block == KVP_NONE)
      continue;
    snapshot->next_cached[block] = newer;
    newer = block;
  }
  snapshot->first_cached = newer;
  snapshot->has_order = 1;
  return KVP_OK;
}

enum kvp_status kvp_device_counts(struct kvp_device *device, struct kvp_counts *counts)
{
  const uint32_t *number = device->snapshot.number;
  enum kvp_status status = see_numbers(device);

  if (status != KVP_OK)
    return status;
  *counts = (struct kvp_counts){
    .num_blocks = number[NUMBER_NUM_BLOCKS],
    .num_free = number[NUMBER_CLASS + KVP_VACANT] + number[NUMBER_CLASS + KVP_CACHED],
    .num_used = number[NUMBER_CLASS + KVP_USED] + number[NUMBER_CLASS + KVP_UNIT],
    .num_reserved = number[NUMBER_CLASS + KVP_RESERVED],
    .num_indexed = number[NUMBER_INDEXED]};
  return KVP_OK;
}

enum kvp_status kvp_device_view(struct kvp_device *device, uint32_t block, struct kvp_view *view)
{
  const struct kvp_snapshot *snapshot = &device->snapshot;
  enum kvp_status status = see_blocks(device);

  if (status != KVP_OK)
    return status;
  if (block >= device->shape.max_blocks)
    return KVP_RANGE;
  if (snapshot->length[block] != 0 && (status = see_tokens(device)) != KVP_OK)
    return status;
  *view =
    (struct kvp_view){.state = (enum kvp_class)snapshot->state[block],
                      .ref_count = snapshot->ref_count[block],
                      .has_hash = snapshot->has_hash[block],
                      .indexed = snapshot->slot[block] != KVP_NONE,
                      .hash = snapshot->hash[block],
                      .length = snapshot->length[block],
                      .tokens = snapshot->length[block] == 0
                                  ? NULL
                                  : snapshot->tokens + (size_t)block * device->shape.block_size,
                      .owner = snapshot->unit_owner[block],
                      .first = snapshot->unit_first[block],
                      .left = snapshot->unit_left[block]};
  return KVP_OK;
}

enum kvp_status kvp_device_next_cached(struct kvp_device *device, uint32_t block, uint32_t *next)
{
  const struct kvp_snapshot *snapshot = &device->snapshot;
  enum kvp_status status = see_order(device);

  if (status != KVP_OK)
    return status;
  if (block == KVP_NONE)
    *next = snapshot->first_cached;
  else if (block < device->shape.max_blocks && snapshot->state[block] == KVP_CACHED)
    *next = snapshot->next_cached[block];
  else
    *next = KVP_NONE;
  return KVP_OK;
}
