/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks by their hash: register, match, touch, share; priority and pins. */
#include <kvpool/registry.h>

#include "src/registry/blocks.h"
#include "src/registry/handles.h"
#include "src/registry/store.h"

/* Whether every handle's block is complete. */
static int all_complete(const struct kvp_registry *registry, const uint64_t *handles,
                        uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    if (kvp_state_of(registry, kvp_block_of(registry, handles[i])) != KVP_BLOCK_COMPLETE)
      return 0;
  return 1;
}

/* Whether the hash of the block of handles[i] is that of a registered block, or of one before it
   in the list. */
static int is_duplicate(const struct kvp_registry *registry, const uint64_t *handles, uint32_t i)
{
  uint64_t hash = registry->store.index.hash[kvp_block_of(registry, handles[i])];
  if (kvp_store_find(&registry->store, hash) != KVP_NONE)
    return 1;
  for (uint32_t k = 0; k < i; k++)
    if (registry->store.index.hash[kvp_block_of(registry, handles[k])] == hash)
      return 1;
  return 0;
}

static uint32_t count_duplicates(const struct kvp_registry *registry, const uint64_t *handles,
                                 uint32_t count)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < count; i++)
    if (is_duplicate(registry, handles, i))
      n++;
  return n;
}

static void register_one(struct kvp_registry *registry, uint64_t handle, struct kvp_grant *grant)
{
  uint32_t slot = kvp_handles_find(&registry->handles, handle);
  uint32_t b = registry->handles.block[slot];
  uint64_t hash = registry->store.index.hash[b];
  uint32_t primary = kvp_store_find(&registry->store, hash);
  if (primary == KVP_NONE) {
    kvp_store_enter(&registry->store, b, hash);
    kvp_report(registry, KVP_EVENT_STORED, b);
    kvp_handles_regrant(&registry->handles, slot, b);
    kvp_write_grant(registry, slot, KVP_GRANT_NEW, grant);
  } else if (registry->keep_duplicates) {
    kvp_share_block(registry, primary, KVP_GRANT_DUPLICATE, grant);
  } else {
    if (registry->store.classes.state[primary] != KVP_PLACE_ACTIVE)
      kvp_store_activate(&registry->store, primary);
    kvp_handles_regrant(&registry->handles, slot, primary);
    kvp_give_back(registry, b);
    kvp_write_grant(registry, slot, KVP_GRANT_MERGED, grant);
  }
}

enum kvp_status kvp_registry_register(struct kvp_registry *registry, const uint64_t *handles,
                                      uint32_t count, struct kvp_grant *grants,
                                      struct kvp_shortage *shortage)
{
  if ((handles == NULL || grants == NULL) && count != 0)
    return KVP_ARGUMENT;
  if (!kvp_handles_all_out(&registry->handles, &registry->seen, handles, count))
    return KVP_RANGE;
  if (kvp_registry_is_worn(registry))
    return KVP_OVERFLOW;
  if (!all_complete(registry, handles, count))
    return KVP_STATE;
  if (registry->keep_duplicates && count > registry->handles.num_ready) {
    uint32_t duplicates = count_duplicates(registry, handles, count);
    if (duplicates > registry->handles.num_ready) {
      shortage->requested = duplicates;
      shortage->available = registry->handles.num_ready;
      return KVP_FULL;
    }
  }
  for (uint32_t i = 0; i < count; i++)
    register_one(registry, handles[i], &grants[i]);
  return KVP_OK;
}

static uint32_t count_matches(const struct kvp_registry *registry, const uint64_t *hashes,
                              uint32_t count)
{
  uint32_t n = 0;
  while (n < count && kvp_store_find(&registry->store, hashes[n]) != KVP_NONE)
    n++;
  return n;
}

enum kvp_status kvp_registry_match(struct kvp_registry *registry, const uint64_t *hashes,
                                   uint32_t count, struct kvp_grant *grants, uint32_t *matched,
                                   struct kvp_shortage *shortage)
{
  if ((hashes == NULL || grants == NULL) && count != 0)
    return KVP_ARGUMENT;
  if (kvp_registry_is_worn(registry))
    return KVP_OVERFLOW;
  uint32_t n = count_matches(registry, hashes, count);
  if (n > registry->handles.num_ready) {
    shortage->requested = n;
    shortage->available = registry->handles.num_ready;
    return KVP_FULL;
  }
  for (uint32_t i = 0; i < n; i++)
    kvp_share_block(registry, kvp_store_find(&registry->store, hashes[i]), KVP_GRANT_NEW,
                    &grants[i]);
  *matched = n;
  return KVP_OK;
}

enum kvp_status kvp_registry_touch(struct kvp_registry *registry, const uint64_t *hashes,
                                   uint32_t count, uint32_t *matched)
{
  if (hashes == NULL && count != 0)
    return KVP_ARGUMENT;
  if (kvp_registry_is_worn(registry))
    return KVP_OVERFLOW;
  uint32_t n = count_matches(registry, hashes, count);
  for (uint32_t i = n; i > 0; i--) {
    uint32_t b = kvp_store_find(&registry->store, hashes[i - 1]);
    if (registry->store.classes.state[b] != KVP_PLACE_ACTIVE) {
      registry->tick++;
      kvp_store_rekey(&registry->store, b, registry->store.keys.priority[b], registry->tick);
    }
  }
  *matched = n;
  return KVP_OK;
}

enum kvp_status kvp_registry_share(struct kvp_registry *registry, uint64_t handle,
                                   struct kvp_grant *grant, struct kvp_shortage *shortage)
{
  if (grant == NULL)
    return KVP_ARGUMENT;
  uint32_t b = kvp_block_of(registry, handle);
  if (b == KVP_NONE)
    return KVP_RANGE;
  if (registry->store.classes.state[b] != KVP_PLACE_ACTIVE)
    return KVP_STATE;
  if (registry->handles.num_ready == 0) {
    shortage->requested = 1;
    shortage->available = 0;
    return KVP_FULL;
  }
  kvp_share_block(registry, b, KVP_GRANT_NEW, grant);
  return KVP_OK;
}

enum kvp_status kvp_registry_set_priority(struct kvp_registry *registry, uint64_t handle,
                                          uint64_t hash, uint32_t priority)
{
  uint32_t b =
    handle != 0 ? kvp_block_of(registry, handle) : kvp_store_find(&registry->store, hash);
  if (b == KVP_NONE)
    return handle != 0 ? KVP_RANGE : KVP_EMPTY;
  kvp_store_rekey(&registry->store, b, priority, registry->store.keys.returned[b]);
  return KVP_OK;
}

enum kvp_status kvp_registry_pin(struct kvp_registry *registry, uint64_t hash)
{
  uint32_t b = kvp_store_find(&registry->store, hash);
  if (b == KVP_NONE)
    return KVP_EMPTY;
  if (kvp_registry_is_worn(registry) || registry->store.pins.count[b] == UINT32_MAX)
    return KVP_OVERFLOW;
  kvp_store_pin(&registry->store, b, registry->store.pins.count[b] + 1);
  return KVP_OK;
}

enum kvp_status kvp_registry_unpin(struct kvp_registry *registry, uint64_t hash)
{
  uint32_t b = kvp_store_find(&registry->store, hash);
  if (b == KVP_NONE)
    return KVP_EMPTY;
  if (kvp_registry_is_worn(registry))
    return KVP_OVERFLOW;
  if (registry->store.pins.count[b] == 0)
    return KVP_STATE;
  kvp_store_pin(&registry->store, b, registry->store.pins.count[b] - 1);
  return KVP_OK;
}
