/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions: opening, batches, and payload and tables. Views are in snapshot.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/device/run.h"
#include "src/device/state.h"

#define MOST_BLOCKS 16777216u /* as layout.h's most */
#define DEFAULT_PARALLEL_MIN 8
#define SMALLEST_RUN_LIMIT 64
#define SMALLEST_SLOTS 16

static const struct kvp_batch_size first_room = {
  .ops = 64, .hashes = 64, .tokens = 256, .units = 64};

static const struct kvp_backend *const backends[] = {
  &kvp_backend_host,
#ifdef KVP_WITH_OPENCL
  &kvp_backend_opencl,
#endif
};

enum kvp_status kvp_device_check(struct kvp_device *device, enum kvp_status status)
{
  if (status == KVP_OK)
    return KVP_OK;
  snprintf(device->message, sizeof device->message, "%s: %s", device->backend->name,
           device->backend->error(device->self));
  if (status == KVP_MEMORY)
    return KVP_MEMORY;
  device->dead = 1;
  return KVP_DEVICE;
}

enum kvp_status kvp_device_no_memory(struct kvp_device *device, const char *what)
{
  snprintf(device->message, sizeof device->message, "host memory was refused for %s", what);
  return KVP_MEMORY;
}

static uint32_t longest_frees(const struct kvp_device *device)
{
  uint32_t blocks = device->shape.max_blocks;
  return blocks > SMALLEST_RUN_LIMIT ? blocks : SMALLEST_RUN_LIMIT;
}

/* Bytes of each array that has a size from the start; 0 for those of a batch. */
static void fixed_sizes(const struct kvp_device *device, size_t sizes[NUM_ARRAYS])
{
  static const enum kvp_array words[] = {
    ARRAY_state,      ARRAY_ref_count, ARRAY_has_hash,  ARRAY_length,  ARRAY_stamp,  ARRAY_slot,
    ARRAY_unit_first, ARRAY_unit_left, ARRAY_free_head, ARRAY_forward, ARRAY_arrived};
  size_t blocks = device->shape.max_blocks;

  memset(sizes, 0, NUM_ARRAYS * sizeof *sizes);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    sizes[words[i]] = blocks * 4;
  sizes[ARRAY_shape] = SHAPE_SIZE * 4;
  sizes[ARRAY_number] = NUMBER_SIZE * 4;
  sizes[ARRAY_hash] = sizes[ARRAY_unit_owner] = blocks * 8;
  sizes[ARRAY_plane] = blocks * device->shape.block_size * 4;
  sizes[ARRAY_vacancy] = (blocks + 31) / 32 * 4;
  sizes[ARRAY_release_log] = (size_t)device->log_size * 4;
  sizes[ARRAY_slots] = (size_t)device->slots * 4;
  sizes[ARRAY_table] = (size_t)device->shape.table_entries * 4;
  sizes[ARRAY_payload] = blocks * device->block_words * 4;
  sizes[ARRAY_victim_sums] = MAX_GROUPS * 4;
}

static enum kvp_status alloc(struct kvp_device *device, enum kvp_array array, size_t bytes)
{
  return kvp_device_check(device, device->backend->alloc(device->self, array, bytes));
}

static enum kvp_status alloc_batch(struct kvp_device *device, const struct kvp_batch_size *room)
{
  const struct kvp_batch_size *had = &device->batch.room;
  static const enum kvp_array words[] = {ARRAY_victims, ARRAY_free_next, ARRAY_verdicts};
  enum kvp_status status = KVP_OK;

  for (size_t i = 0; i < 3 && status == KVP_OK && room->ops > had->ops; i++)
    status = alloc(device, words[i], (size_t)room->ops * 4);
  if (status == KVP_OK && room->ops > had->ops)
    status = alloc(device, ARRAY_ops, room->ops * sizeof(struct kvp_packed_op));
  if (status == KVP_OK && room->ops > had->ops)
    status = alloc(device, ARRAY_results, room->ops * sizeof(struct kvp_result));
  if (status == KVP_OK && room->hashes > had->hashes)
    status = alloc(device, ARRAY_batch_hashes, (size_t)room->hashes * 8);
  if (status == KVP_OK && room->tokens > had->tokens)
    status = alloc(device, ARRAY_batch_tokens, (size_t)room->tokens * 4);
  if (status == KVP_OK && room->units > had->units)
    status = alloc(device, ARRAY_batch_units, room->units * sizeof(struct kvp_unit));
  return status;
}

static uint32_t grown(uint32_t room, uint32_t wanted)
{
  return wanted <= room ? room : wanted > UINT32_MAX / 2 ? wanted : 2 * wanted;
}

/* Before any operation of a batch runs, so that KVP_MEMORY leaves the pool as it was. */
static enum kvp_status make_room(struct kvp_device *device, const struct kvp_batch_size *wanted)
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

static enum kvp_status upload(struct kvp_device *device, enum kvp_array array, size_t at,
                              size_t bytes, const void *from)
{
  if (bytes == 0)
    return KVP_OK;
  return kvp_device_check(device, device->backend->upload(device->self, array, at, bytes, from));
}

static enum kvp_status download(struct kvp_device *device, enum kvp_array array, size_t at,
                                size_t bytes, void *to)
{
  if (bytes == 0)
    return KVP_OK;
  return kvp_device_check(device, device->backend->download(device->self, array, at, bytes, to));
}

static enum kvp_status wait(struct kvp_device *device)
{
  return kvp_device_check(device, device->backend->wait(device->self));
}

static enum kvp_status start(struct kvp_device *device, const size_t sizes[NUM_ARRAYS])
{
  const struct kvp_device_shape *shape = &device->shape;
  const uint32_t words[SHAPE_SIZE] = {[SHAPE_NUM_BLOCKS] = shape->num_blocks,
                                      [SHAPE_MAX_BLOCKS] = shape->max_blocks,
                                      [SHAPE_BLOCK_SIZE] = shape->block_size,
                                      [SHAPE_BLOCK_WORDS] = device->block_words,
                                      [SHAPE_TABLE_ENTRIES] = shape->table_entries,
                                      [SHAPE_SLOTS] = device->slots,
                                      [SHAPE_LOG] = device->log_size};
  enum kvp_status status = KVP_OK;

  for (int i = 0; i < ARRAY_victims && status == KVP_OK; i++)
    status = alloc(device, (enum kvp_array)i, sizes[i]);
  if (status == KVP_OK)
    status = make_room(device, &first_room);
  if (status == KVP_OK)
    status = upload(device, ARRAY_shape, 0, sizeof words, words);
  if (status == KVP_OK)
    status = kvp_device_check(device, kvp_launch_init(device));
  return status == KVP_OK ? wait(device) : status;
}

static enum kvp_status check_shape(const struct kvp_device_shape *shape, char *message, size_t size)
{
  if (shape->num_blocks > shape->max_blocks || shape->max_blocks > MOST_BLOCKS) {
    snprintf(message, size, "%u of at most %u blocks: more than %u, or than at most",
             shape->num_blocks, shape->max_blocks, MOST_BLOCKS);
    return KVP_RANGE;
  }
  if (shape->block_bytes % 4 != 0) {
    snprintf(message, size, "%u bytes a block: not a multiple of 4", shape->block_bytes);
    return KVP_RANGE;
  }
  return KVP_OK;
}

static const struct kvp_backend *find_backend(const char *name, char *message, size_t size)
{
  for (size_t i = 0; i < sizeof backends / sizeof *backends; i++)
    if (name != NULL && strcmp(name, backends[i]->name) == 0)
      return backends[i];
  snprintf(message, size, "no backend %s in this build", name != NULL ? name : "was named");
  return NULL;
}

static void set_shape(struct kvp_device *device, const struct kvp_device_shape *shape)
{
  device->shape = *shape;
  device->block_words = shape->block_bytes / 4;
  device->log_size = shape->max_blocks + longest_frees(device);
  device->slots = SMALLEST_SLOTS;
  while (device->slots < 2 * shape->max_blocks)
    device->slots *= 2;
}

enum kvp_status kvp_device_open(const struct kvp_device_shape *shape,
                                const struct kvp_device_options *options,
                                struct kvp_device **result, char *message, size_t size)
{
  char unread[1];
  size_t sizes[NUM_ARRAYS], bytes = 0;
  struct kvp_device *device;
  enum kvp_status status;

  *result = NULL;
  if (message == NULL || size == 0) {
    message = unread;
    size = sizeof unread;
  }
  status = check_shape(shape, message, size);
  if (status != KVP_OK)
    return status;
  const struct kvp_backend *backend = find_backend(options->backend, message, size);
  if (backend == NULL)
    return KVP_ARGUMENT;
  device = calloc(1, sizeof *device);
  if (device == NULL) {
    snprintf(message, size, "host memory was refused");
    return KVP_MEMORY;
  }
  set_shape(device, shape);
  device->backend = backend;
  device->parallel_min = options->parallel_min != 0 ? options->parallel_min : DEFAULT_PARALLEL_MIN;
  fixed_sizes(device, sizes);
  for (int i = 0; i < NUM_ARRAYS; i++)
    bytes += sizes[i];
  status = backend->open(options->order_seed, bytes, &device->self, message, size);
  if (status == KVP_OK) {
    status = start(device, sizes);
    if (status != KVP_OK)
      snprintf(message, size, "%s", device->message);
  }
  if (status != KVP_OK) {
    kvp_device_close(device);
    return status;
  }
  *result = device;
  return KVP_OK;
}

void kvp_device_close(struct kvp_device *device)
{
  if (device == NULL)
    return;
  if (device->self != NULL)
    device->backend->close(device->self);
  kvp_batch_close(&device->batch);
  kvp_snapshot_close(&device->snapshot);
  free(device->filled);
  free(device);
}

const char *kvp_device_error(const struct kvp_device *device) { return device->message; }

static enum kvp_status upload_batch(struct kvp_device *device)
{
  const struct kvp_batch *batch = &device->batch;
  const struct kvp_batch_size *used = &batch->used;
  enum kvp_status status = upload(device, ARRAY_ops, 0, used->ops * sizeof *batch->ops, batch->ops);

  if (status == KVP_OK)
    status =
      upload(device, ARRAY_batch_hashes, 0, used->hashes * sizeof *batch->hashes, batch->hashes);
  if (status == KVP_OK)
    status =
      upload(device, ARRAY_batch_tokens, 0, used->tokens * sizeof *batch->tokens, batch->tokens);
  if (status == KVP_OK)
    status = upload(device, ARRAY_batch_units, 0, used->units * sizeof *batch->units, batch->units);
  return status;
}

static enum kvp_status launch_batch(struct kvp_device *device, const struct kvp_op *ops, uint32_t n)
{
  const struct kvp_plan_limits limits = {.parallel_min = device->parallel_min,
                                         .longest_frees = longest_frees(device)};
  enum kvp_status status = KVP_OK;

  for (uint32_t at = 0; at < n && status == KVP_OK;) {
    struct kvp_run run = kvp_plan_run(ops, n, at, &limits);
    status = kvp_device_check(device, kvp_launch_run(device, &run));
    at += run.n;
  }
  /* The state may have changed in part: a device that refuses a launch is not usable. */
  if (status != KVP_OK)
    device->dead = 1;
  return status != KVP_OK ? KVP_DEVICE : KVP_OK;
}

/* The units that reserve wrote, to their callers. */
static enum kvp_status download_units(struct kvp_device *device, const struct kvp_op *ops,
                                      uint32_t n, const struct kvp_result *results)
{
  const struct kvp_batch *batch = &device->batch;
  enum kvp_status status;

  if (!batch->reserves)
    return KVP_OK;
  status =
    download(device, ARRAY_batch_units, 0, batch->used.units * sizeof *batch->units, batch->units);
  for (uint32_t i = 0; i < n && status == KVP_OK; i++)
    if (ops[i].kind == KVP_RESERVE && results[i].status == KVP_OK && ops[i].count != 0)
      memcpy(ops[i].units, batch->units + batch->ops[i].units, ops[i].count * sizeof *ops[i].units);
  return status;
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
  status = make_room(device, &wanted);
  if (status != KVP_OK)
    return status;
  kvp_snapshot_forget(&device->snapshot);
  kvp_batch_pack(&device->batch, ops, (uint32_t)n, &limits);
  status = upload_batch(device);
  if (status == KVP_OK)
    status = launch_batch(device, ops, (uint32_t)n);
  if (status == KVP_OK)
    status = download(device, ARRAY_results, 0, n * sizeof *results, results);
  if (status == KVP_OK)
    status = download_units(device, ops, (uint32_t)n, results);
  return status;
}
