/* SPDX-License-Identifier: Apache-2.0 */
/* Every block becomes empty: reset. */
#include <kvpool/registry.h>

#include "src/registry/blocks.h"
#include "src/registry/events.h"
#include "src/registry/store.h"

/* Whether no handle is out. Then no block is held or active. */
/*@ requires valid: \valid_read(registry);
    requires handles: Handles(registry->handles);
    requires shares: RegistryShares(registry->handles, registry->store.classes);
    requires sizes: registry->store.classes.num_ids <= registry->handles.num_blocks;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures out: \result != 0 <==> registry->handles.num_out == 0;
    ensures idle: \result != 0 ==> Idle(registry->store.classes);
*/
static int is_idle(const struct kvp_registry *registry)
{
  /*@ ghost
      /@ loop invariant range: 0 <= i <= registry->handles.num_slots;
         loop invariant most: ShareCount(registry->handles, KVP_NONE, i) <= i;
         loop invariant less: \forall integer s; 0 <= s < i ==> Out(registry->handles, s) ==>
           ShareCount(registry->handles, KVP_NONE, i) < i;
         loop assigns i;
         loop variant registry->handles.num_slots - i; @/
      for (uint32_t i = 0; i < registry->handles.num_slots; i++)
        ;
      /@ loop invariant range: 0 <= k <= registry->handles.num_slots;
         loop invariant none: registry->handles.num_out == 0 ==>
           \forall integer b; 0 <= b < registry->handles.num_blocks ==>
             ShareCount(registry->handles, b, k) == 0;
         loop assigns k;
         loop variant registry->handles.num_slots - k; @/
      for (uint32_t k = 0; k < registry->handles.num_slots; k++)
        ;
  */
  return registry->handles.num_out == 0;
}

/* Whether a block has a pin. */
/*@ requires valid: \valid_read(registry);
    requires store: Store(registry->store);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures pinned: \result == 0 <==> Unpinned(registry->store);
*/
static int is_pinned(const struct kvp_registry *registry)
{
  /*@ loop invariant range: 0 <= b <= registry->store.num_blocks;
      loop invariant none: \forall integer i; 0 <= i < b ==> registry->store.pins.count[i] == 0;
      loop assigns b;
      loop variant registry->store.num_blocks - b; */
  for (uint32_t b = 0; b < registry->store.num_blocks; b++)
    if (registry->store.pins.count[b] != 0)
      return 1;
  return 0;
}

/* Where nothing is active, pinned or ready, nothing is blocked: of blocked blocks the one with the
   highest position would have a blocked child. */
/*@ requires valid: \valid_read(store);
    KVP_STORE(requires);
    requires idle: Idle(store->classes) && Unpinned(*store);
    requires ready: \forall integer i; 0 <= i < store->max_blocks ==>
      store->classes.state[i] != KVP_PLACE_READY;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures none: \forall integer i; 0 <= i < store->num_blocks ==>
      store->classes.state[i] == KVP_PLACE_EMPTY;
*/
static void see_all_empty(const struct kvp_store *store)
{
  (void)store;
  /*@ ghost
      uint32_t high = KVP_NONE;
      /@ loop invariant range: 0 <= i <= store->max_blocks;
         loop invariant high: high == KVP_NONE || (high < store->max_blocks &&
           store->classes.state[high] == KVP_PLACE_BLOCKED);
         loop invariant highest: \forall integer k; 0 <= k < i ==>
           store->classes.state[k] == KVP_PLACE_BLOCKED ==>
           high != KVP_NONE && store->lineage.position[k] <= store->lineage.position[high];
         loop assigns i, high;
         loop variant store->max_blocks - i; @/
      for (uint32_t i = 0; i < store->max_blocks; i++)
        if (store->classes.state[i] == KVP_PLACE_BLOCKED &&
            (high == KVP_NONE || store->lineage.position[i] >= store->lineage.position[high]))
          high = i;
      /@ assert child: high != KVP_NONE ==> store->blocking.head[high] != KVP_NONE &&
           store->blocking.head[high] < store->max_blocks &&
           store->blocking.list[store->blocking.head[high]] == high; @/
      /@ assert below: high != KVP_NONE ==>
           store->classes.state[store->blocking.head[high]] == KVP_PLACE_BLOCKED &&
           store->lineage.position[store->blocking.head[high]] ==
             store->lineage.position[high] + 1; @/
      /@ assert none: high == KVP_NONE; @/
  */
}

/* Evicts all that is cached, without a report. */
/*@ requires valid: \valid(store);
    requires store: Store(*store);
    requires idle: Idle(store->classes) && Unpinned(*store);
    requires clock: store->empty.clock <= KVP_CLOCK_BOUND;
    terminates \true;
    exits \false;
    assigns store->classes, store->empty, store->index.chains, store->index.size, store->order,
            store->calm, store->orphans, store->keys.priority[0 .. KVP_CAPACITY - 1];
    ensures store: Store(*store);
    ensures empty: \forall integer i; 0 <= i < store->num_blocks ==>
      store->classes.state[i] == KVP_PLACE_EMPTY;
*/
static void evict_all(struct kvp_store *store)
{
  uint32_t b = kvp_store_victim(store);
  /*@ loop invariant store: Store(*store);
      loop invariant idle: Idle(store->classes) && Unpinned(*store);
      loop invariant victim: b != KVP_NONE ==> b < store->num_blocks && Member(store->order, b);
      loop invariant some: b != KVP_NONE ==> 0 < store->classes.count[KVP_PLACE_READY];
      loop invariant nothing: b == KVP_NONE ==> \forall integer i; 0 <= i < store->max_blocks ==>
        store->classes.state[i] != KVP_PLACE_READY;
      loop invariant clock: store->empty.clock + store->classes.count[KVP_PLACE_READY] <=
        KVP_CLOCK_BOUND + 4294967296;
      loop assigns b, store->classes, store->empty, store->index.chains, store->index.size,
        store->order, store->calm, store->orphans, store->keys.priority[0 .. KVP_CAPACITY - 1];
      loop variant b == KVP_NONE ? 0 : store->classes.count[KVP_PLACE_READY]; */
  while (b != KVP_NONE) {
    kvp_store_evict(store, b);
    b = kvp_store_victim(store);
  }
  see_all_empty(store);
}

/* A store in which nothing is held, active or pinned is emptied, and that is reported. */
/*@ KVP_REQUIRES_REGISTRY;
    requires idle: Idle(registry->store.classes) && Unpinned(registry->store);
    requires fresh: Fresh(*registry);
    terminates \true;
    exits \false;
    assigns registry->events, registry->store.classes, registry->store.empty,
            registry->store.index.chains, registry->store.index.size, registry->store.order,
            registry->store.calm, registry->store.orphans,
            registry->store.keys.priority[0 .. KVP_CAPACITY - 1];
    KVP_ENSURES_REGISTRY;
    ensures empty: \forall integer i; 0 <= i < registry->store.num_blocks ==>
      registry->store.classes.state[i] == KVP_PLACE_EMPTY;
    ensures cleared: registry->events.last == \old(registry->events.last) + 1;
*/
static void clear_all(struct kvp_registry *registry)
{
  evict_all(&registry->store);
  kvp_events_push(&registry->events, KVP_EVENT_CLEARED, 0, 0, 0, 0);
}

enum kvp_status kvp_registry_reset(struct kvp_registry *registry)
{
  if (kvp_registry_is_worn(registry))
    return KVP_OVERFLOW;
  if (!is_idle(registry))
    return KVP_BUSY;
  if (is_pinned(registry))
    return KVP_BUSY;
  clear_all(registry);
  return KVP_OK;
}
