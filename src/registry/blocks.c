/* SPDX-License-Identifier: Apache-2.0 */
/* Steps that several operations of the registry share. */
#include "src/registry/blocks.h"

#include "src/registry/events.h"
#include "src/registry/handles.h"
#include "src/registry/store.h"

#define WORN (UINT64_C(1) << 63)

int kvp_registry_is_worn(const struct kvp_registry *registry)
{
  return registry->tick > WORN || registry->events.last > WORN
         || registry->handles.ready.clock > WORN || registry->store.empty.clock > WORN
         || registry->store.index.chains.clock > WORN || registry->store.calm.clock > WORN
         || registry->store.blocking.clock > WORN || registry->store.orphans.clock > WORN;
}

int kvp_lacks_slots(const struct kvp_registry *registry, uint32_t n,
                    struct kvp_shortage *shortage)
{
  /*@ ghost
      /@ loop invariant range: 0 <= i <= registry->handles.num_slots;
         loop invariant few: MappedCount(registry->handles.ready, i) <= i;
         loop assigns i;
         loop variant registry->handles.num_slots - i; @/
      for (uint32_t i = 0; i < registry->handles.num_slots; i++)
        ;
  */
  if (n <= registry->handles.num_ready)
    return 0;
  shortage->requested = n;
  shortage->available = registry->handles.num_ready;
  return 1;
}

uint32_t kvp_block_of(const struct kvp_registry *registry, uint64_t handle)
{
  uint32_t slot = kvp_handles_find(&registry->handles, handle);
  return slot == KVP_NONE ? KVP_NONE : registry->handles.block[slot];
}

enum kvp_block_state kvp_state_of(const struct kvp_registry *registry, uint32_t b)
{
  switch (registry->store.classes.state[b]) {
  case KVP_PLACE_HELD: return (enum kvp_block_state)registry->content.stage[b];
  case KVP_PLACE_ACTIVE: return KVP_BLOCK_ACTIVE;
  case KVP_PLACE_READY:
  case KVP_PLACE_BLOCKED: return KVP_BLOCK_CACHED;
  default: return KVP_BLOCK_EMPTY;
  }
}

void kvp_write_grant(const struct kvp_registry *registry, uint32_t slot, enum kvp_grant_kind kind,
                     struct kvp_grant *grant)
{
  grant->handle = kvp_handles_of(&registry->handles, slot);
  grant->block = registry->handles.block[slot];
  grant->kind = kind;
}

void kvp_report(struct kvp_registry *registry, enum kvp_event_kind kind, uint32_t b)
{
  kvp_events_push(&registry->events, kind, registry->store.lineage.position[b],
                  registry->content.block_hash[b], registry->store.index.hash[b],
                  registry->store.lineage.parent[b]);
}

void kvp_hand_out(struct kvp_registry *registry, uint32_t b, enum kvp_grant_kind kind,
                  struct kvp_grant *grant)
{
  uint32_t slot = kvp_handles_grant(&registry->handles, b);
  //@ assert handles: Handles(registry->handles);
  kvp_write_grant(registry, slot, kind, grant);
}

void kvp_make_active(struct kvp_registry *registry, uint32_t b)
{
  if (registry->store.classes.state[b] != KVP_PLACE_ACTIVE)
    kvp_store_activate(&registry->store, b);
}

void kvp_share_block(struct kvp_registry *registry, uint32_t b, enum kvp_grant_kind kind,
                     struct kvp_grant *grant)
{
  kvp_make_active(registry, b);
  kvp_hand_out(registry, b, kind, grant);
}

/* A held block becomes empty, given back at this tick. */
/*@ requires valid: \valid(store);
    requires store: Store(*store);
    requires block: b < store->num_blocks && store->classes.state[b] == KVP_PLACE_HELD;
    requires clock: store->empty.clock < UINT64_MAX;
    terminates \true;
    exits \false;
    assigns store->classes, store->empty, store->keys.returned[b], store->keys.priority[b];
    ensures store: Store(*store);
    ensures empty: store->classes.state[b] == KVP_PLACE_EMPTY;
    ensures returned: store->keys.returned[b] == tick;
    ensures rest: ClassesRest(\old(store->classes), store->classes, b);
    ensures clock: store->empty.clock == \old(store->empty.clock) + 1;
*/
static void empty(struct kvp_store *store, uint32_t b, uint64_t tick)
{
  store->keys.returned[b] = tick;
  kvp_store_vacate(store, b);
}

void kvp_give_back(struct kvp_registry *registry, uint32_t b)
{
  registry->tick++;
  if (registry->store.classes.state[b] == KVP_PLACE_ACTIVE)
    kvp_store_cache(&registry->store, b, registry->tick);
  else
    empty(&registry->store, b, registry->tick);
}
