/* SPDX-License-Identifier: Apache-2.0 */
/* Payload and tables, read, written and filled by the host. */
#include <stdlib.h>

#include "src/device/run.h"
#include "src/device/transfer.h"

/* Whether elements first .. first + n - 1 of `limit` can be copied from or to a buffer. */
static enum kvp_status check_range(const struct kvp_device *device, uint32_t first, uint32_t n,
                                   uint32_t limit, size_t bytes, const void *buffer)
{
  if (device->dead)
    return KVP_DEVICE;
  if (buffer == NULL && bytes != 0)
    return KVP_ARGUMENT;
  return (uint64_t)first + n > limit ? KVP_RANGE : KVP_OK;
}

static enum kvp_status write_array(struct kvp_device *device, enum kvp_array array, size_t at,
                                   size_t bytes, const void *from)
{
  enum kvp_status status = kvp_device_upload(device, array, at, bytes, from);
  return status == KVP_OK ? kvp_device_wait(device) : status;
}

/* Where a block's slot in a plane begins, in bytes; the range was checked. */
static size_t slot_at(const struct kvp_device *device, uint32_t plane, uint32_t block)
{
  return (size_t)kvp_slot_at(device->layout, plane, block) * UNIT_BYTES;
}

/* The same of slots of blocks in one plane, of `size` bytes in all. */
static enum kvp_status check_slots(const struct kvp_device *device, uint32_t plane, uint32_t first,
                                   uint32_t n, size_t size, const void *buffer)
{
  enum kvp_status status = check_range(device, first, n, device->shape.max_blocks, size, buffer);
  return status == KVP_OK && plane >= device->layout.num_planes ? KVP_RANGE : status;
}

enum kvp_status kvp_device_read_payload(struct kvp_device *device, uint32_t plane, uint32_t first,
                                        uint32_t n, void *bytes)
{
  size_t size = (size_t)n * device->shape.block_bytes;
  enum kvp_status status = check_slots(device, plane, first, n, size, bytes);
  return status == KVP_OK
           ? kvp_device_download(device, ARRAY_payload, slot_at(device, plane, first), size, bytes)
           : status;
}

enum kvp_status kvp_device_write_payload(struct kvp_device *device, uint32_t plane, uint32_t first,
                                         uint32_t n, const void *bytes)
{
  size_t size = (size_t)n * device->shape.block_bytes;
  enum kvp_status status = check_slots(device, plane, first, n, size, bytes);
  return status == KVP_OK
           ? write_array(device, ARRAY_payload, slot_at(device, plane, first), size, bytes)
           : status;
}

enum kvp_status kvp_device_digest(struct kvp_device *device, uint32_t first, uint32_t n,
                                  uint64_t *digests)
{
  enum kvp_status status = check_range(device, first, n, device->shape.max_blocks, n, digests);

  if (status == KVP_OK && n != 0)
    status = kvp_device_check(device, kvp_launch_digest(device, first, n));
  return status == KVP_OK ? kvp_device_download(
           device, ARRAY_digests, (size_t)first * sizeof *digests, n * sizeof *digests, digests)
                          : status;
}

enum kvp_status kvp_device_write_table(struct kvp_device *device, uint32_t first, uint32_t n,
                                       const uint32_t *entries)
{
  enum kvp_status status = check_range(device, first, n, device->shape.table_entries, n, entries);

  for (uint32_t i = 0; i < n && status == KVP_OK; i++)
    if (entries[i] != KVP_NONE && entries[i] >= device->shape.max_blocks)
      status = KVP_RANGE;
  return status == KVP_OK
           ? write_array(device, ARRAY_table, (size_t)first * 4, (size_t)n * 4, entries)
           : status;
}

enum kvp_status kvp_device_read_table(struct kvp_device *device, uint32_t first, uint32_t n,
                                      uint32_t *entries)
{
  enum kvp_status status = check_range(device, first, n, device->shape.table_entries, n, entries);
  return status == KVP_OK
           ? kvp_device_download(device, ARRAY_table, (size_t)first * 4, (size_t)n * 4, entries)
           : status;
}

/* The fills before the first block that is named again, at most `most`. */
static uint32_t count_distinct(struct kvp_device *device, const uint32_t *blocks, size_t n,
                               uint32_t most)
{
  uint32_t count = 0;

  while (count < n && count < most && !device->filled[blocks[count]])
    device->filled[blocks[count++]] = 1;
  for (uint32_t i = 0; i < count; i++)
    device->filled[blocks[i]] = 0;
  return count;
}

static enum kvp_status fill(struct kvp_device *device, const uint32_t *blocks,
                            const uint64_t *seeds, uint32_t n)
{
  const struct kvp_backend *backend = device->backend;
  enum kvp_status status =
    backend->upload(device->self, ARRAY_batch_tokens, 0, n * sizeof *blocks, blocks);
  if (status == KVP_OK)
    status = backend->upload(device->self, ARRAY_batch_hashes, 0, n * sizeof *seeds, seeds);
  if (status == KVP_OK)
    status = kvp_launch_fill(device, n);
  if (status == KVP_OK)
    status = backend->wait(device->self);
  return kvp_device_check(device, status);
}

enum kvp_status kvp_device_fill(struct kvp_device *device, const uint32_t *blocks,
                                const uint64_t *seeds, size_t n)
{
  const struct kvp_batch_size *room = &device->batch.room;
  uint32_t most = room->hashes < room->tokens ? room->hashes : room->tokens;
  enum kvp_status status = kvp_device_alive(device);

  if (status != KVP_OK || n == 0)
    return status;
  if (blocks == NULL || seeds == NULL)
    return KVP_ARGUMENT;
  for (size_t i = 0; i < n; i++)
    if (blocks[i] >= device->shape.max_blocks)
      return KVP_RANGE;
  if (device->filled == NULL)
    device->filled = calloc((size_t)device->shape.max_blocks + 1, 1);
  if (device->filled == NULL)
    return kvp_device_no_memory(device, "the fills");
  for (size_t at = 0; at < n && status == KVP_OK && device->layout.slot_units != 0;) {
    uint32_t count = count_distinct(device, blocks + at, n - at, most);
    status = fill(device, blocks + at, seeds + at, count);
    at += count;
  }
  return status;
}
