/* SPDX-License-Identifier: Apache-2.0 */
/* Where blocks come from and go to: add_blocks, allocate, release, reset. */
#include <kvpool/registry.h>

#include "src/registry/blocks.h"
#include "src/registry/events.h"
#include "src/registry/handles.h"
#include "src/registry/store.h"

enum kvp_status kvp_registry_add_blocks(struct kvp_registry *registry, uint32_t count,
                                        uint32_t *taken)
{
  uint32_t room = registry->store.max_blocks - registry->store.num_blocks;
  uint32_t n = count < room ? count : room;
  if (kvp_registry_is_worn(registry))
    return KVP_OVERFLOW;
  for (uint32_t i = 0; i < n; i++)
    kvp_store_grow(&registry->store);
  *taken = n;
  return KVP_OK;
}

/* The block that is allocated next: the first empty one, or one that is evicted for it. */
static uint32_t next(struct kvp_registry *registry)
{
  uint32_t b = kvp_store_next_empty(&registry->store, KVP_NONE);
  if (b != KVP_NONE)
    return b;
  b = kvp_store_victim(&registry->store);
  kvp_report(registry, KVP_EVENT_REMOVED, b);
  kvp_store_evict(&registry->store, b);
  return b;
}

static void allocate_one(struct kvp_registry *registry, struct kvp_grant *grant)
{
  uint32_t b = next(registry);
  kvp_store_take(&registry->store, b);
  registry->tick++;
  registry->content.acquired[b] = registry->tick;
  registry->content.stage[b] = KVP_BLOCK_RESET;
  registry->content.length[b] = 0;
  kvp_write_grant(registry, kvp_handles_grant(&registry->handles, b), KVP_GRANT_NEW, grant);
}

uint32_t kvp_registry_available(const struct kvp_registry *registry)
{
  uint32_t blocks =
    registry->store.classes.count[KVP_PLACE_EMPTY] + registry->store.classes.count[KVP_PLACE_READY];
  return blocks < registry->handles.num_ready ? blocks : registry->handles.num_ready;
}

enum kvp_status kvp_registry_allocate(struct kvp_registry *registry, uint32_t count,
                                      struct kvp_grant *grants, struct kvp_shortage *shortage)
{
  if (grants == NULL && count != 0)
    return KVP_ARGUMENT;
  if (kvp_registry_is_worn(registry))
    return KVP_OVERFLOW;
  uint32_t available = kvp_registry_available(registry);
  if (count > available) {
    shortage->requested = count;
    shortage->available = available;
    return KVP_FULL;
  }
  for (uint32_t k = 0; k < count; k++)
    allocate_one(registry, &grants[k]);
  return KVP_OK;
}

/* A handle that is out is given up, and its block if it was the last. */
static void release_one(struct kvp_registry *registry, uint64_t handle)
{
  uint32_t slot = kvp_handles_find(&registry->handles, handle);
  uint32_t b = registry->handles.block[slot];
  kvp_handles_give_up(&registry->handles, slot);
  if (registry->handles.shares[b] == 0)
    kvp_give_back(registry, b);
}

enum kvp_status kvp_registry_release(struct kvp_registry *registry, const uint64_t *handles,
                                     uint32_t count)
{
  if (handles == NULL && count != 0)
    return KVP_ARGUMENT;
  if (!kvp_handles_all_out(&registry->handles, &registry->seen, handles, count))
    return KVP_RANGE;
  if (kvp_registry_is_worn(registry))
    return KVP_OVERFLOW;
  for (uint32_t i = count; i > 0; i--)
    release_one(registry, handles[i - 1]);
  return KVP_OK;
}

static int is_pinned(const struct kvp_registry *registry)
{
  for (uint32_t b = 0; b < registry->store.num_blocks; b++)
    if (registry->store.pins.count[b] != 0)
      return 1;
  return 0;
}

enum kvp_status kvp_registry_reset(struct kvp_registry *registry)
{
  if (kvp_registry_is_worn(registry))
    return KVP_OVERFLOW;
  if (registry->handles.num_out != 0 || is_pinned(registry))
    return KVP_BUSY;
  uint32_t b = kvp_store_victim(&registry->store);
  while (b != KVP_NONE) {
    kvp_store_evict(&registry->store, b);
    b = kvp_store_victim(&registry->store);
  }
  kvp_events_push(&registry->events, KVP_EVENT_CLEARED, 0, 0, 0, 0);
  return KVP_OK;
}
