/* SPDX-License-Identifier: Apache-2.0 */
/* Launches, and on how many groups: as few as the pool's size can keep busy. */
#include "src/device/run.h"

#define MOST_GROUPS 1024       /* for kernels whose items stride */
#define PLACES_PER_ITEM 8      /* of bitmap and log, in the search for victims */
#define PAYLOAD_PER_GROUP 1024 /* words; as STRIP of retire.k */

static uint32_t at_least_one(uint64_t groups, uint32_t most)
{
  if (groups > most)
    return most;
  return groups == 0 ? 1 : (uint32_t)groups;
}

/* Groups for one item an element. */
static uint32_t groups_of(const struct kvp_device *device, uint64_t items)
{
  uint32_t size = device->backend->local_size;
  return at_least_one((items + size - 1) / size, UINT32_MAX);
}

static enum kvp_status launch(struct kvp_device *device, enum kvp_kernel kernel, uint32_t groups,
                              uint32_t first, uint32_t n)
{
  return device->backend->launch(device->self, kernel, groups, first, n);
}

static uint32_t payload_groups(const struct kvp_device *device, uint32_t blocks)
{
  uint64_t strips = ((uint64_t)device->block_words + PAYLOAD_PER_GROUP - 1) / PAYLOAD_PER_GROUP;
  return at_least_one(strips * blocks, MOST_GROUPS);
}

enum kvp_status kvp_launch_init(struct kvp_device *device)
{
  uint64_t words = (uint64_t)device->shape.max_blocks * device->block_words;
  uint64_t items = words / 16 + device->slots + device->shape.table_entries;
  uint32_t groups = at_least_one(items / device->backend->local_size / 4, MOST_GROUPS);
  return launch(device, KERNEL_init_pool, groups, 0, 0);
}

/* victims[0 .. n) are named in their order. */
static enum kvp_status launch_victims(struct kvp_device *device, uint32_t first, uint32_t n)
{
  uint64_t places = device->shape.max_blocks / 32 + (uint64_t)device->log_size;
  uint32_t groups =
    at_least_one(places / device->backend->local_size / PLACES_PER_ITEM, MAX_GROUPS);
  enum kvp_status status = launch(device, KERNEL_count_victims, groups, first, n);
  return status == KVP_OK ? launch(device, KERNEL_select_victims, groups, first, n) : status;
}

static enum kvp_status launch_pops(struct kvp_device *device, uint32_t first, uint32_t n)
{
  enum kvp_status status = launch_victims(device, first, n);
  return status == KVP_OK ? launch(device, KERNEL_pop_run, groups_of(device, n), first, n) : status;
}

static enum kvp_status launch_pairs(struct kvp_device *device, uint32_t first, uint32_t pairs)
{
  uint32_t groups = groups_of(device, pairs);
  enum kvp_status status = launch_victims(device, first, pairs);

  if (status == KVP_OK)
    status = launch(device, KERNEL_check_pairs, groups, first, pairs);
  if (status == KVP_OK)
    status = launch(device, KERNEL_allocate_run, groups, first, pairs);
  if (status == KVP_OK)
    status = launch(device, KERNEL_finish_pairs, 1, first, pairs);
  return status;
}

static enum kvp_status launch_frees(struct kvp_device *device, uint32_t first, uint32_t n)
{
  uint32_t groups = groups_of(device, n);
  enum kvp_status status = launch(device, KERNEL_link_frees, groups, first, n);

  if (status == KVP_OK)
    status = launch(device, KERNEL_judge_frees, groups, first, n);
  if (status == KVP_OK)
    status = launch(device, KERNEL_apply_frees, groups, first, n);
  return status;
}

/* Books, bytes and tables: all three or the device is dead. */
static enum kvp_status launch_retires(struct kvp_device *device, uint32_t first, uint32_t n)
{
  uint32_t entries = device->shape.table_entries;
  uint32_t table_groups = at_least_one(groups_of(device, entries), MOST_GROUPS);
  enum kvp_status status = launch(device, KERNEL_retire_run, 1, first, n);

  if (status == KVP_OK && device->block_words != 0)
    status = launch(device, KERNEL_move_payload, payload_groups(device, n), first, n);
  if (status == KVP_OK && entries != 0)
    status = launch(device, KERNEL_rewrite_tables, table_groups, first, n);
  return status;
}

enum kvp_status kvp_launch_run(struct kvp_device *device, const struct kvp_run *run)
{
  switch (run->kind) {
  case KVP_RUN_POPS: return launch_pops(device, run->first, run->n);
  case KVP_RUN_PAIRS: return launch_pairs(device, run->first, run->n / 2);
  case KVP_RUN_FREES: return launch_frees(device, run->first, run->n);
  case KVP_RUN_RETIRES: return launch_retires(device, run->first, run->n);
  case KVP_RUN_SERIAL: break;
  }
  return launch(device, KERNEL_serial_run, 1, run->first, run->n);
}

enum kvp_status kvp_launch_fill(struct kvp_device *device, uint32_t n)
{
  return launch(device, KERNEL_fill_payload, at_least_one(n, MOST_GROUPS), 0, n);
}
