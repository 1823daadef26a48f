/* SPDX-License-Identifier: Apache-2.0 */
/* The launches that each kind of run takes, and on how many groups: as few as the work can keep
   busy. Before a run that needs room in the log or the index, the host makes it, by an upper bound
   of what is in use: so no launch is for nothing, and nothing is asked of the device. */
#include "src/device/run.h"

#define MOST_GROUPS 1024  /* for kernels whose items stride */
#define PLACES_PER_ITEM 8 /* of bitmap and log, in the search for victims */
#define UNITS_PER_ITEM 8  /* of payload, at a time: the least SHARE of dialect.h */

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

/* Groups for items that stride. */
static uint32_t groups_for(const struct kvp_device *device, uint64_t items)
{
  return at_least_one(groups_of(device, items), MOST_GROUPS);
}

static enum kvp_status launch(struct kvp_device *device, enum kvp_kernel kernel, uint32_t groups,
                              uint32_t first, uint32_t n)
{
  return device->backend->launch(device->self, kernel, groups, first, n);
}

struct step {
  enum kvp_kernel kernel;
  uint32_t groups;
};

/* One launch after the other on the same operations. */
static enum kvp_status launch_steps(struct kvp_device *device, const struct step *steps, size_t n,
                                    uint32_t first, uint32_t count)
{
  enum kvp_status status = KVP_OK;

  for (size_t i = 0; i < n && status == KVP_OK; i++)
    status = launch(device, steps[i].kernel, steps[i].groups, first, count);
  return status;
}

#define LAUNCH_STEPS(device, steps, first, n)                                                      \
  launch_steps((device), (steps), sizeof(steps) / sizeof *(steps), (first), (n))

/* Groups for the payload of so many blocks. */
static uint32_t groups_of_payload(const struct kvp_device *device, uint32_t blocks)
{
  uint64_t units = kvp_block_units(device->layout);
  uint64_t strip = (uint64_t)device->backend->local_size * UNITS_PER_ITEM;
  return at_least_one((units + strip - 1) / strip * blocks, MOST_GROUPS);
}

enum kvp_status kvp_launch_init(struct kvp_device *device)
{
  uint64_t items = kvp_all_units(device->layout) / 4 + device->slots + device->shape.table_entries;
  uint32_t groups = at_least_one(items / device->backend->local_size / 4, MOST_GROUPS);
  return launch(device, KERNEL_init_pool, groups, 0, 0);
}

/* Room in the log for so many releases. */
static enum kvp_status make_log_room(struct kvp_device *device, uint32_t releases)
{
  enum kvp_status status = KVP_OK;

  if (releases > device->log_size - device->log_bound) {
    status = launch(device, KERNEL_compact_log, 1, 0, 0);
    device->log_bound = device->shape.max_blocks;
  }
  device->log_bound += releases;
  return status;
}

/* Room in the index for so many new hashes, with a quarter of the slots empty at the end. */
static enum kvp_status make_slot_room(struct kvp_device *device, uint32_t hashes)
{
  const struct step steps[] = {{KERNEL_empty_slots, groups_for(device, device->slots)},
                               {KERNEL_enter_slots, groups_for(device, device->shape.max_blocks)}};
  enum kvp_status status = KVP_OK;

  if (hashes > device->slots - device->slots / 4 - device->slot_bound) {
    status = LAUNCH_STEPS(device, steps, 0, 0);
    device->slot_bound = device->shape.max_blocks;
  }
  device->slot_bound += hashes;
  return status;
}

/* victims[0 .. n) are named in their order, as many as there are. */
static enum kvp_status launch_victims(struct kvp_device *device, uint32_t n)
{
  uint64_t places = device->shape.max_blocks / 32 + (uint64_t)device->log_size;
  uint32_t groups =
    at_least_one(places / device->backend->local_size / PLACES_PER_ITEM, MAX_GROUPS);
  const struct step steps[] = {{KERNEL_count_victims, groups}, {KERNEL_select_victims, groups}};
  uint64_t reach = (uint64_t)n * 8;
  enum kvp_status status = LAUNCH_STEPS(device, steps, 0, n);

  for (uint32_t round = 1; reach < device->log_size && n != 0 && status == KVP_OK; round++) {
    status = LAUNCH_STEPS(device, steps, round, n);
    reach *= 64;
  }
  return status;
}

/* What a run published gets its payload, where the device was opened for that. */
static enum kvp_status fill_published(struct kvp_device *device, const struct kvp_run *run)
{
  if (!device->fill_on_publish || device->layout.slot_units == 0)
    return KVP_OK;
  return launch(device, KERNEL_fill_published, run->n, run->first, run->n);
}

static enum kvp_status launch_serial(struct kvp_device *device, const struct kvp_run *run)
{
  enum kvp_status status = make_log_room(device, run->n);

  if (status == KVP_OK)
    status = make_slot_room(device, run->n);
  if (status == KVP_OK)
    status = launch(device, KERNEL_serial_run, 1, run->first, run->n);
  return status == KVP_OK ? fill_published(device, run) : status;
}

static enum kvp_status launch_pops(struct kvp_device *device, const struct kvp_run *run)
{
  enum kvp_status status = launch_victims(device, run->n);
  return status == KVP_OK
           ? launch(device, KERNEL_pop_run, groups_of(device, run->n), run->first, run->n)
           : status;
}

static enum kvp_status launch_pairs(struct kvp_device *device, const struct kvp_run *run)
{
  uint32_t pairs = run->n / 2, groups = groups_of(device, pairs);
  const struct step steps[] = {
    {KERNEL_check_pairs, groups}, {KERNEL_allocate_pairs, groups}, {KERNEL_finish_pairs, 1}};
  enum kvp_status status = launch_victims(device, pairs);
  return status == KVP_OK ? LAUNCH_STEPS(device, steps, run->first, pairs) : status;
}

static enum kvp_status launch_allocates(struct kvp_device *device, const struct kvp_run *run)
{
  uint32_t groups = groups_of(device, run->n);
  const struct step steps[] = {{KERNEL_mark_allocates, groups},
                               {KERNEL_judge_allocates, groups},
                               {KERNEL_apply_allocates, groups}};
  return LAUNCH_STEPS(device, steps, run->first, run->n);
}

static enum kvp_status launch_claims(struct kvp_device *device, const struct kvp_run *run)
{
  uint32_t groups = groups_of(device, run->n);
  const struct step steps[] = {{KERNEL_judge_claims, groups}, {KERNEL_apply_claims, groups}};
  return LAUNCH_STEPS(device, steps, run->first, run->n);
}

static enum kvp_status launch_frees(struct kvp_device *device, const struct kvp_run *run)
{
  uint32_t groups = groups_of(device, run->n);
  const struct step steps[] = {
    {KERNEL_count_frees, groups}, {KERNEL_judge_frees, groups}, {KERNEL_apply_frees, groups}};
  enum kvp_status status = make_log_room(device, run->n);
  return status == KVP_OK ? LAUNCH_STEPS(device, steps, run->first, run->n) : status;
}

static enum kvp_status launch_publishes(struct kvp_device *device, const struct kvp_run *run)
{
  uint32_t groups = groups_of(device, run->n);
  const struct step steps[] = {{KERNEL_enter_publishes, groups},
                               {KERNEL_judge_publishes, groups},
                               {KERNEL_apply_publishes, groups}};
  enum kvp_status status = make_slot_room(device, run->n);

  if (status == KVP_OK)
    status = LAUNCH_STEPS(device, steps, run->first, run->n);
  return status == KVP_OK ? fill_published(device, run) : status;
}

static enum kvp_status launch_extends(struct kvp_device *device, const struct kvp_run *run)
{
  const struct step steps[] = {{KERNEL_extend_run, 1},
                               {KERNEL_join_blocks, groups_for(device, device->shape.max_blocks)}};
  return LAUNCH_STEPS(device, steps, run->first, run->n);
}

/* Books, bytes and tables: all three or the device is dead. */
static enum kvp_status launch_retires(struct kvp_device *device, const struct kvp_run *run)
{
  uint32_t groups = groups_of(device, run->n);
  const struct step plan[] = {{KERNEL_begin_retires, groups}, {KERNEL_plan_retires, 1}};
  const struct step steps[] = {{KERNEL_vacate_retires, groups}, {KERNEL_settle_retires, groups}};
  enum kvp_status status = launch_victims(device, run->n);

  if (status == KVP_OK)
    status = LAUNCH_STEPS(device, plan, run->first, run->n);
  if (status == KVP_OK)
    status = LAUNCH_STEPS(device, steps, run->first, run->n);
  if (status == KVP_OK && device->layout.slot_units != 0)
    status =
      launch(device, KERNEL_move_payload, groups_of_payload(device, run->n), run->first, run->n);
  if (status == KVP_OK && device->shape.table_entries != 0)
    status = launch(device, KERNEL_rewrite_tables, groups_for(device, device->shape.table_entries),
                    run->first, run->n);
  return status;
}

/* Units that the reserves of a run can take at most. */
static uint32_t count_units(const struct kvp_device *device, const struct kvp_run *run)
{
  uint64_t units = 0;

  for (uint32_t i = run->first; i < run->first + run->n; i++) {
    const struct kvp_packed_op *op = &device->batch.ops[i];
    if (!op->refused && op->count <= device->shape.max_blocks)
      units += op->count;
  }
  return units < device->shape.max_blocks ? (uint32_t)units : device->shape.max_blocks;
}

static enum kvp_status launch_reserves(struct kvp_device *device, const struct kvp_run *run)
{
  const struct step steps[] = {{KERNEL_plan_reserves, 1},
                               {KERNEL_apply_reserves, at_least_one(run->n, MOST_GROUPS)}};
  enum kvp_status status = launch_victims(device, count_units(device, run));
  return status == KVP_OK ? LAUNCH_STEPS(device, steps, run->first, run->n) : status;
}

static enum kvp_status launch_releases(struct kvp_device *device, const struct kvp_run *run)
{
  uint32_t groups = at_least_one(run->n, MOST_GROUPS);
  const struct step steps[] = {{KERNEL_judge_releases, groups},
                               {KERNEL_choose_releases, groups_of(device, run->n)},
                               {KERNEL_apply_releases, groups}};
  return LAUNCH_STEPS(device, steps, run->first, run->n);
}

enum kvp_status kvp_launch_run(struct kvp_device *device, const struct kvp_run *run)
{
  uint32_t first = run->first, n = run->n;

  switch (run->kind) {
  case KVP_RUN_SERIAL: return launch_serial(device, run);
  case KVP_RUN_POPS: return launch_pops(device, run);
  case KVP_RUN_PAIRS: return launch_pairs(device, run);
  case KVP_RUN_ALLOCATES: return launch_allocates(device, run);
  case KVP_RUN_CLAIMS: return launch_claims(device, run);
  case KVP_RUN_FREES: return launch_frees(device, run);
  case KVP_RUN_PUBLISHES: return launch_publishes(device, run);
  case KVP_RUN_LOOKUPS: return launch(device, KERNEL_find_run, groups_of(device, n), first, n);
  case KVP_RUN_PREFIXES:
    return launch(device, KERNEL_prefix_run, at_least_one(n, MOST_GROUPS), first, n);
  case KVP_RUN_CLEARS:
    return launch(device, KERNEL_clear_run, groups_for(device, device->slots), first, n);
  case KVP_RUN_EXTENDS: return launch_extends(device, run);
  case KVP_RUN_RETIRES: return launch_retires(device, run);
  case KVP_RUN_RESERVES: return launch_reserves(device, run);
  case KVP_RUN_RELEASES: return launch_releases(device, run);
  }
  return KVP_DEVICE;
}

enum kvp_status kvp_launch_fill(struct kvp_device *device, uint32_t n)
{
  return launch(device, KERNEL_fill_payload, groups_of_payload(device, n), 0, n);
}

enum kvp_status kvp_launch_digest(struct kvp_device *device, uint32_t first, uint32_t n)
{
  uint64_t units = (uint64_t)kvp_block_units(device->layout) * n;
  return launch(device, KERNEL_digest_payload, groups_for(device, units / UNITS_ALONE), first, n);
}
