/* SPDX-License-Identifier: Apache-2.0 */
/* A batch's way: pack, upload, launch run after run, wait once, download, and only when all that
   went well write what the caller sees. */
#include "src/device/apply.h"

#include <string.h>

#include "src/device/run.h"
#include "src/device/transfer.h"

/* Bytes of an array of a batch. Victims are as many as operations or as units. */
static size_t batch_bytes(enum kvp_array array, const struct kvp_batch_size *room)
{
  switch (array) {
  case ARRAY_victims: return (size_t)(room->ops > room->units ? room->ops : room->units) * 4;
  case ARRAY_ops: return room->ops * sizeof(struct kvp_packed_op);
  case ARRAY_results: return room->ops * sizeof(struct kvp_result);
  case ARRAY_batch_hashes: return (size_t)room->hashes * 8;
  case ARRAY_batch_tokens: return (size_t)room->tokens * 4;
  case ARRAY_batch_units: return room->units * sizeof(struct kvp_unit);
  default: return (size_t)room->ops * 4;
  }
}

static enum kvp_status alloc_batch(struct kvp_device *device, const struct kvp_batch_size *room)
{
  enum kvp_status status = KVP_OK;

  for (int i = ARRAY_victims; i < NUM_ARRAYS && status == KVP_OK; i++) {
    enum kvp_array array = (enum kvp_array)i;
    if (batch_bytes(array, room) != batch_bytes(array, &device->batch.room))
      status = kvp_device_alloc(device, array, batch_bytes(array, room));
  }
  return status;
}

static uint32_t grown(uint32_t room, uint32_t wanted)
{
  return wanted <= room ? room : wanted > UINT32_MAX / 2 ? wanted : 2 * wanted;
}

/* Before any operation of a batch runs, so that KVP_MEMORY leaves the pool as it was. */
enum kvp_status kvp_batch_room(struct kvp_device *device, const struct kvp_batch_size *wanted)
{
  const struct kvp_batch_size *had = &device->batch.room;
  struct kvp_batch_size room = {.ops = grown(had->ops, wanted->ops),
                                .hashes = grown(had->hashes, wanted->hashes),
                                .tokens = grown(had->tokens, wanted->tokens),
                                .units = grown(had->units, wanted->units)};
  enum kvp_status status;

  if (memcmp(&room, had, sizeof room) == 0)
    return KVP_OK;
  status = alloc_batch(device, &room);
  if (status != KVP_OK)
    return status;
  if (!kvp_batch_grow(&device->batch, &room))
    return kvp_device_no_memory(device, "a batch");
  return KVP_OK;
}

static enum kvp_status upload_batch(struct kvp_device *device)
{
  const struct kvp_batch *batch = &device->batch;
  const struct kvp_batch_size *used = &batch->used;
  enum kvp_status status =
    kvp_device_upload(device, ARRAY_ops, 0, used->ops * sizeof *batch->ops, batch->ops);

  if (status == KVP_OK)
    status = kvp_device_upload(device, ARRAY_batch_hashes, 0, used->hashes * sizeof *batch->hashes,
                               batch->hashes);
  if (status == KVP_OK)
    status = kvp_device_upload(device, ARRAY_batch_tokens, 0, used->tokens * sizeof *batch->tokens,
                               batch->tokens);
  if (status == KVP_OK)
    status = kvp_device_upload(device, ARRAY_batch_units, 0, used->units * sizeof *batch->units,
                               batch->units);
  return status;
}

static enum kvp_status launch_batch(struct kvp_device *device, const struct kvp_op *ops, uint32_t n)
{
  const struct kvp_plan_limits limits = {.parallel_min = device->parallel_min,
                                         .longest = device->longest_run};
  enum kvp_status status = KVP_OK;

  for (uint32_t at = 0; at < n && status == KVP_OK;) {
    struct kvp_run run = kvp_plan_run(ops, n, at, &limits);
    status = kvp_device_check(device, kvp_launch_run(device, &run));
    at += run.n;
  }
  return status;
}

/* Results and units, to buffers of ours. */
static enum kvp_status download_batch(struct kvp_device *device, uint32_t n)
{
  const struct kvp_batch *batch = &device->batch;
  enum kvp_status status =
    kvp_device_download(device, ARRAY_results, 0, n * sizeof *batch->results, batch->results);

  if (status == KVP_OK && batch->reserves)
    status = kvp_device_download(device, ARRAY_batch_units, 0,
                                 batch->used.units * sizeof *batch->units, batch->units);
  return status;
}

static void hand_out(const struct kvp_batch *batch, const struct kvp_op *ops, uint32_t n,
                     struct kvp_result *results)
{
  memcpy(results, batch->results, n * sizeof *results);
  for (uint32_t i = 0; i < n && batch->reserves; i++)
    if (ops[i].kind == KVP_RESERVE && results[i].status == KVP_OK && ops[i].count != 0)
      memcpy(ops[i].units, batch->units + batch->ops[i].units, ops[i].count * sizeof *ops[i].units);
}

enum kvp_status kvp_device_apply(struct kvp_device *device, const struct kvp_op *ops, size_t n,
                                 struct kvp_result *results)
{
  const struct kvp_batch_limits limits = {.max_blocks = device->shape.max_blocks,
                                          .block_size = device->shape.block_size};
  struct kvp_batch_size wanted;
  enum kvp_status status = kvp_device_alive(device);

  if (status != KVP_OK || n == 0)
    return status;
  if (ops == NULL || results == NULL)
    return KVP_ARGUMENT;
  if (!kvp_batch_measure(ops, n, &limits, &wanted))
    return kvp_device_no_memory(device, "a batch of more than 2^31 elements");
  status = kvp_batch_room(device, &wanted);
  if (status != KVP_OK)
    return status;
  kvp_snapshot_forget(&device->snapshot);
  kvp_batch_pack(&device->batch, ops, (uint32_t)n, &limits);
  status = upload_batch(device);
  if (status == KVP_OK)
    status = launch_batch(device, ops, (uint32_t)n);
  if (status == KVP_OK)
    status = download_batch(device, (uint32_t)n);
  if (status == KVP_OK)
    hand_out(&device->batch, ops, (uint32_t)n, results);
  return status;
}
