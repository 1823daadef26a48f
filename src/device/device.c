/* SPDX-License-Identifier: Apache-2.0 */
/* Devices: which there are, opening and closing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/device/apply.h"
#include "src/device/run.h"
#include "src/device/transfer.h"

#define DEFAULT_PARALLEL_MIN                                                                       \
  32                      /* where three launches cost as much as so many operations on PoCL */
#define SMALLEST_RUN 64   /* that is not cut, where the pool is small; */
#define LONGEST_RUN 4096u /* where it is large */

static const struct kvp_batch_size first_room = {
  .ops = 64, .hashes = 64, .tokens = 256, .units = 64};

static const struct kvp_backend *const backends[] = {
  &kvp_backend_host,
#ifdef KVP_WITH_OPENCL
  &kvp_backend_opencl,
#endif
#ifdef KVP_WITH_CUDA
  &kvp_backend_cuda,
#endif
};

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* Bytes of each array that has a size from the start; 0 for those of a batch. */
static void fixed_sizes(const struct kvp_device *device, size_t sizes[NUM_ARRAYS])
{
  static const enum kvp_array words[] = {
    ARRAY_state,      ARRAY_ref_count,  ARRAY_has_hash,  ARRAY_length,     ARRAY_stamp,
    ARRAY_slot,       ARRAY_unit_first, ARRAY_unit_left, ARRAY_block_mark, ARRAY_block_count,
    ARRAY_block_last, ARRAY_forward,    ARRAY_source,    ARRAY_unfilled};
  size_t blocks = device->shape.max_blocks;

  memset(sizes, 0, NUM_ARRAYS * sizeof *sizes);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    sizes[words[i]] = blocks * 4;
  sizes[ARRAY_shape] = SHAPE_SIZE * 4;
  sizes[ARRAY_number] = NUMBER_SIZE * 4;
  sizes[ARRAY_hash] = sizes[ARRAY_unit_owner] = sizes[ARRAY_digests] = blocks * 8;
  sizes[ARRAY_plane] = blocks * device->shape.block_size * 4;
  sizes[ARRAY_vacancy] = (blocks + 31) / 32 * 4;
  sizes[ARRAY_release_log] = (size_t)device->log_size * 4;
  sizes[ARRAY_slots] = sizes[ARRAY_slot_mark] = (size_t)device->slots * 4;
  sizes[ARRAY_table] = (size_t)device->shape.table_entries * 4;
  sizes[ARRAY_payload] = (size_t)kvp_all_units(device->layout) * UNIT_BYTES;
  sizes[ARRAY_victim_sums] = (size_t)MAX_ROUNDS * MAX_GROUPS * 4;
}

static enum kvp_status start(struct kvp_device *device, const size_t sizes[NUM_ARRAYS])
{
  const struct kvp_device_shape *shape = &device->shape;
  const uint32_t words[SHAPE_SIZE] = {[SHAPE_NUM_BLOCKS] = shape->num_blocks,
                                      [SHAPE_MAX_BLOCKS] = shape->max_blocks,
                                      [SHAPE_BLOCK_SIZE] = shape->block_size,
                                      [SHAPE_NUM_PLANES] = device->layout.num_planes,
                                      [SHAPE_SLOT_UNITS] = device->layout.slot_units,
                                      [SHAPE_TABLE_ENTRIES] = shape->table_entries,
                                      [SHAPE_SLOTS] = device->slots,
                                      [SHAPE_LOG] = device->log_size};
  enum kvp_status status = KVP_OK;

  for (int i = 0; i < ARRAY_victims && status == KVP_OK; i++)
    status = kvp_device_alloc(device, (enum kvp_array)i, sizes[i]);
  if (status == KVP_OK)
    status = kvp_batch_room(device, &first_room);
  if (status == KVP_OK)
    status = kvp_device_upload(device, ARRAY_shape, 0, sizeof words, words);
  if (status == KVP_OK)
    status = kvp_device_check(device, kvp_launch_init(device));
  return status == KVP_OK ? kvp_device_wait(device) : status;
}

/* The arrays that can be large have less than 2^60 bytes, so the sum is what it says. */
static struct kvp_layout layout_of(const struct kvp_device_shape *shape)
{
  return (struct kvp_layout){.num_planes = larger(shape->num_planes, 1),
                             .max_blocks = shape->max_blocks,
                             .slot_units = shape->block_bytes / UNIT_BYTES};
}

static enum kvp_status check_sizes(const struct kvp_device_shape *shape, char *message, size_t size)
{
  const struct kvp_layout layout = layout_of(shape);
  uint64_t tokens = (uint64_t)shape->max_blocks * shape->block_size;

  if (layout.slot_units != 0 && layout.num_planes > MOST_UNITS / layout.slot_units) {
    snprintf(message, size, "%u planes of %u bytes: 2^32 words of payload in a block, or more",
             shape->num_planes, shape->block_bytes);
    return KVP_RANGE;
  }
  if (kvp_all_units(layout) * UNIT_BYTES + (tokens + shape->table_entries) * 4 > SIZE_MAX / 2) {
    snprintf(message, size, "payload, tokens and tables: more bytes than can be counted here");
    return KVP_RANGE;
  }
  return KVP_OK;
}

static enum kvp_status check_shape(const struct kvp_device_shape *shape, char *message, size_t size)
{
  if (shape->num_blocks > shape->max_blocks || shape->max_blocks > MOST_BLOCKS) {
    snprintf(message, size, "%u of at most %u blocks: more than %u, or than at most",
             shape->num_blocks, shape->max_blocks, MOST_BLOCKS);
    return KVP_RANGE;
  }
  if (shape->block_bytes % 16 != 0) {
    snprintf(message, size, "%u bytes of payload: not a multiple of 16", shape->block_bytes);
    return KVP_RANGE;
  }
  return check_sizes(shape, message, size);
}

size_t kvp_device_list(struct kvp_device_info *infos, size_t room)
{
  size_t n = 0;

  for (size_t i = 0; i < sizeof backends / sizeof *backends; i++) {
    size_t left = n < room ? room - n : 0;
    n += backends[i]->list(left != 0 ? infos + n : NULL, left);
  }
  return n;
}

/* The backend of a name, and in *select what follows its colon. */
static const struct kvp_backend *find_backend(const char *name, const char **select, char *message,
                                              size_t size)
{
  size_t length = name != NULL ? strcspn(name, ":") : 0;

  for (size_t i = 0; name != NULL && i < sizeof backends / sizeof *backends; i++) {
    if (strlen(backends[i]->name) != length || strncmp(name, backends[i]->name, length) != 0)
      continue;
    *select = name[length] == ':' ? name + length + 1 : NULL;
    return backends[i];
  }
  snprintf(message, size, "no backend %s in this build", name != NULL ? name : "was named");
  return NULL;
}

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* The log has room for max_blocks releases and a run of them between compactions, the index for
   as many publishes with a quarter of its slots empty. */
static void set_shape(struct kvp_device *device, const struct kvp_device_shape *shape)
{
  uint32_t blocks = shape->max_blocks;

  device->shape = *shape;
  device->layout = layout_of(shape);
  device->longest_run = smaller(larger(blocks, SMALLEST_RUN), LONGEST_RUN);
  device->log_size = 2 * blocks + device->longest_run;
  device->slots = 1;
  while (device->slots < 2 * (blocks + device->longest_run))
    device->slots *= 2;
}

enum kvp_status kvp_device_open_on(const struct kvp_backend *backend, const char *select,
                                   const struct kvp_device_shape *shape,
                                   const struct kvp_device_options *options,
                                   struct kvp_device **result, char *message, size_t size)
{
  struct kvp_backend_request request = {.select = select, .order_seed = options->order_seed};
  size_t sizes[NUM_ARRAYS];
  struct kvp_device *device;
  enum kvp_status status = check_shape(shape, message, size);

  *result = NULL;
  if (status != KVP_OK)
    return status;
  device = calloc(1, sizeof *device);
  if (device == NULL) {
    snprintf(message, size, "host memory was refused");
    return KVP_MEMORY;
  }
  set_shape(device, shape);
  device->backend = backend;
  device->parallel_min = options->parallel_min != 0 ? options->parallel_min : DEFAULT_PARALLEL_MIN;
  device->fill_on_publish = options->fill_on_publish;
  fixed_sizes(device, sizes);
  for (int i = 0; i < NUM_ARRAYS; i++)
    request.bytes += sizes[i];
  status = backend->open(&request, &device->self, message, size);
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

enum kvp_status kvp_device_open(const struct kvp_device_shape *shape,
                                const struct kvp_device_options *options,
                                struct kvp_device **result, char *message, size_t size)
{
  char unread[1];
  const char *select = NULL;
  const struct kvp_backend *backend;

  *result = NULL;
  if (message == NULL || size == 0) {
    message = unread;
    size = sizeof unread;
  }
  backend = find_backend(options->backend, &select, message, size);
  if (backend == NULL)
    return KVP_ARGUMENT;
  return kvp_device_open_on(backend, select, shape, options, result, message, size);
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
