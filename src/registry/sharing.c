/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks by their hash: match, touch, share; priority and pins. */
#include <kvpool/registry.h>

#include "src/pool/index.h"
#include "src/registry/blocks.h"
#include "src/registry/handles.h"
#include "src/registry/store.h"

/* How many of the leading hashes are registered. */
/*@ requires valid: \valid_read(registry);
    requires in: count > 0 ==> \valid_read(hashes + (0 .. count - 1));
    requires apart: \separated(registry, hashes + (0 .. count - 1));
    requires index: Index(registry->store.index);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures few: \result <= count;
    ensures leading: Leading(registry->store.index, hashes, \result, count);
*/
static uint32_t count_matches(const struct kvp_registry *registry, const uint64_t *hashes,
                              uint32_t count)
{
  uint32_t n = 0;
  /*@ loop invariant range: 0 <= n <= count;
      loop invariant known: \forall integer k; 0 <= k < n ==>
        !Unregistered(registry->store.index, hashes[k]);
      loop assigns n;
      loop variant count - n; */
  while (n < count && kvp_index_lookup(&registry->store.index, hashes[n]) != KVP_NONE)
    n++;
  return n;
}

/* A new share of the block that is registered under a hash. */
/*@ KVP_REQUIRES_REGISTRY;
    requires out: \valid(grant) && \separated(registry, grant);
    requires known: !Unregistered(registry->store.index, hash);
    requires ready: 0 < registry->handles.num_ready;
    requires clocks: Clocks(*registry, KVP_CLOCK_BOUND);
    terminates \true;
    exits \false;
    assigns registry->store.classes, registry->store.order, registry->store.calm,
            registry->store.blocking, registry->handles, *grant;
    KVP_ENSURES_REGISTRY;
    ensures block: KVP_ACTIVE_UNDER(registry->store, grant->block, hash);
    ensures rest: PlacesRest(\old(registry->store.classes), registry->store.classes,
                             grant->block);
    ensures paced: Paced(\old(*registry), *registry);
    ensures issued: Issued(\old(registry->handles), registry->handles, SlotOf(grant->handle),
                           grant->block);
    ensures grant: GrantIs(registry->handles, grant->handle, grant->block) &&
      grant->kind == KVP_GRANT_NEW;
    ensures counts: HandedOut(\old(registry->handles), registry->handles, 1);
    ensures kept: HandlesKept(\old(registry->handles), registry->handles);
*/
static void match_one(struct kvp_registry *registry, uint64_t hash, struct kvp_grant *grant)
{
  uint32_t b = kvp_index_lookup(&registry->store.index, hash);
  kvp_share_block(registry, b, KVP_GRANT_NEW, grant);
}

/*@ KVP_REQUIRES_REGISTRY;
    requires in: count > 0 ==> \valid_read(hashes + (0 .. count - 1));
    requires out: count > 0 ==> \valid(grants + (0 .. count - 1));
    requires apart: \separated(registry, hashes + (0 .. count - 1), grants + (0 .. count - 1));
    requires known: \forall integer k; 0 <= k < count ==>
      !Unregistered(registry->store.index, hashes[k]);
    requires ready: count <= registry->handles.num_ready && count <= KVP_CAPACITY;
    requires fresh: Fresh(*registry);
    terminates \true;
    exits \false;
    assigns registry->store.classes, registry->store.order, registry->store.calm,
            registry->store.blocking, registry->handles, grants[0 .. count - 1];
    KVP_ENSURES_REGISTRY;
    ensures grants: NewGrants(\old(registry->handles), registry->handles, grants, count);
    ensures counts: HandedOut(\old(registry->handles), registry->handles, count);
    ensures kept: HandlesKept(\old(registry->handles), registry->handles);
    ensures blocks: \forall integer k; 0 <= k < count ==>
      KVP_ACTIVE_UNDER(registry->store, grants[k].block, hashes[k]);
    ensures rest: Activated(\old(registry->store.classes), registry->store.classes);
*/
static void match_all(struct kvp_registry *registry, const uint64_t *hashes, uint32_t count,
                      struct kvp_grant *grants)
{
  /*@ loop invariant range: 0 <= k <= count;
      KVP_REGISTRY(loop invariant);
      loop invariant clocks: Clocks(*registry, 9223372036854775808 + k * KVP_CLOCK_STEP);
      loop invariant counts: HandedOut(\at(registry->handles, Pre), registry->handles, k);
      loop invariant kept: HandlesKept(\at(registry->handles, Pre), registry->handles);
      loop invariant grants: NewGrants(\at(registry->handles, Pre), registry->handles, grants, k);
      loop invariant blocks: \forall integer j; 0 <= j < k ==>
        KVP_ACTIVE_UNDER(registry->store, grants[j].block, hashes[j]);
      loop invariant rest: Activated(\at(registry->store.classes, Pre), registry->store.classes);
      loop invariant hashes: \forall integer j; 0 <= j < count ==>
        hashes[j] == \at(hashes[j], Pre);
      loop assigns k, registry->store.classes, registry->store.order, registry->store.calm,
        registry->store.blocking, registry->handles, grants[0 .. count - 1];
      loop variant count - k; */
  for (uint32_t k = 0; k < count; k++) {
    //@ assert buffers: \separated(&grants[k], hashes + (0 .. count - 1));
    /*@ assert others: \forall integer j; 0 <= j < count ==>
          \separated(&grants[k], &hashes[j]); */
    /*@ assert still: \forall integer j; 0 <= j < count ==> hashes[j] == \at(hashes[j], Pre); */
    match_one(registry, hashes[k], &grants[k]);
    /*@ assert hashes: \forall integer j; 0 <= j < count ==> hashes[j] == \at(hashes[j], Pre); */
    /*@ assert same: \forall integer j; 0 <= j < k ==>
          grants[j].handle == \at(grants[j].handle, LoopCurrent) &&
          grants[j].block == \at(grants[j].block, LoopCurrent) &&
          grants[j].kind == \at(grants[j].kind, LoopCurrent); */
    /*@ assert apart: \forall integer i, j; 0 <= i < j < k ==>
          grants[i].handle != grants[j].handle; */
    /*@ assert before: \forall integer j; 0 <= j < k ==>
          GrantIs(\at(registry->handles, LoopCurrent), grants[j].handle, grants[j].block) &&
          grants[j].kind == KVP_GRANT_NEW &&
          !Out(\at(registry->handles, Pre), SlotOf(grants[j].handle)); */
    /*@ assert after: \forall integer j; 0 <= j < k ==>
          GrantIs(registry->handles, grants[j].handle, grants[j].block) &&
          grants[j].handle != grants[k].handle; */
    //@ assert new: !Out(\at(registry->handles, Pre), SlotOf(grants[k].handle));
    /*@ assert last: \forall integer j; k <= j <= k ==> grants[j].handle == grants[k].handle &&
          grants[j].block == grants[k].block && grants[j].kind == grants[k].kind; */
    /*@ assert pairs: \forall integer i, j; 0 <= i < k ==> k <= j <= k ==>
          grants[i].handle != grants[j].handle; */
    /*@ assert distinct: \forall integer i, j; 0 <= i < j <= k ==>
          grants[i].handle != grants[j].handle; */
    /*@ assert granted: GrantIs(registry->handles, grants[k].handle, grants[k].block) &&
          grants[k].kind == KVP_GRANT_NEW; */
    //@ assert grants: NewGrants(\at(registry->handles, Pre), registry->handles, grants, k + 1);
    //@ assert active: KVP_ACTIVE_UNDER(registry->store, grants[k].block, hashes[k]);
    /*@ assert blocks: \forall integer j; 0 <= j < k ==>
          KVP_ACTIVE_UNDER(registry->store, grants[j].block, hashes[j]); */
  }
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
  if (kvp_lacks_slots(registry, n, shortage))
    return KVP_FULL;
  match_all(registry, hashes, n, grants);
  *matched = n;
  return KVP_OK;
}

/* The block that is registered under a hash is the youngest, if it is cached. */
/*@ KVP_REQUIRES_REGISTRY;
    requires known: !Unregistered(registry->store.index, hash);
    requires tick: registry->tick < UINT64_MAX;
    terminates \true;
    exits \false;
    assigns registry->tick, registry->store.order, registry->store.keys;
    ensures store: Store(registry->store);
    ensures tick: \old(registry->tick) <= registry->tick <= \old(registry->tick) + 1;
    ensures touched: Touched(*registry, hash, \old(registry->tick));
    ensures rest: \forall integer i; 0 <= i < registry->store.max_blocks ==>
      KVP_TOUCH_REST(\old(registry->store), registry->store, i, \old(registry->tick));
*/
static void touch_one(struct kvp_registry *registry, uint64_t hash)
{
  uint32_t b = kvp_index_lookup(&registry->store.index, hash);
  if (registry->store.classes.state[b] != KVP_PLACE_ACTIVE) {
    registry->tick++;
    kvp_store_rekey(&registry->store, b, registry->store.keys.priority[b], registry->tick);
  }
}

/*@ KVP_REQUIRES_REGISTRY;
    requires in: count > 0 ==> \valid_read(hashes + (0 .. count - 1));
    requires apart: \separated(registry, hashes + (0 .. count - 1));
    requires known: \forall integer k; 0 <= k < count ==>
      !Unregistered(registry->store.index, hashes[k]);
    requires fresh: Fresh(*registry);
    terminates \true;
    exits \false;
    assigns registry->tick, registry->store.order, registry->store.keys;
    ensures store: Store(registry->store);
    ensures tick: \old(registry->tick) <= registry->tick;
    ensures young: \forall integer k; 0 <= k < count ==>
      Touched(*registry, hashes[k], \old(registry->tick));
    ensures rest: \forall integer i; 0 <= i < registry->store.max_blocks ==>
      KVP_TOUCH_REST(\old(registry->store), registry->store, i, \old(registry->tick));
*/
static void touch_all(struct kvp_registry *registry, const uint64_t *hashes, uint32_t count)
{
  /*@ loop invariant range: 0 <= i <= count;
      loop invariant store: Store(registry->store);
      loop invariant tick: \at(registry->tick, Pre) <= registry->tick <=
        9223372036854775808 + (count - i);
      loop invariant young: \forall integer k; i <= k < count ==>
        Touched(*registry, hashes[k], \at(registry->tick, Pre));
      loop invariant rest: \forall integer b; 0 <= b < registry->store.max_blocks ==>
        KVP_TOUCH_REST(\at(registry->store, Pre), registry->store, b, \at(registry->tick, Pre));
      loop assigns i, registry->tick, registry->store.order, registry->store.keys;
      loop variant i; */
  for (uint32_t i = count; i > 0; i--) {
    touch_one(registry, hashes[i - 1]);
    //@ assert first: Touched(*registry, hashes[i - 1], \at(registry->tick, Pre));
    /*@ assert others: \forall integer k; i <= k < count ==>
          Touched(*registry, hashes[k], \at(registry->tick, Pre)); */
  }
}

enum kvp_status kvp_registry_touch(struct kvp_registry *registry, const uint64_t *hashes,
                                   uint32_t count, uint32_t *matched)
{
  if (hashes == NULL && count != 0)
    return KVP_ARGUMENT;
  if (kvp_registry_is_worn(registry))
    return KVP_OVERFLOW;
  uint32_t n = count_matches(registry, hashes, count);
  touch_all(registry, hashes, n);
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
  /* Not by kvp_lacks_slots: a share that is given leaves `shortage` out of what it may write. */
  if (registry->handles.num_ready == 0) {
    shortage->requested = 1;
    shortage->available = 0;
    return KVP_FULL;
  }
  kvp_hand_out(registry, b, KVP_GRANT_NEW, grant);
  return KVP_OK;
}

enum kvp_status kvp_registry_set_priority(struct kvp_registry *registry, uint64_t handle,
                                          uint64_t hash, uint32_t priority)
{
  uint32_t b =
    handle != 0 ? kvp_block_of(registry, handle) : kvp_index_lookup(&registry->store.index, hash);
  if (b == KVP_NONE)
    return handle != 0 ? KVP_RANGE : KVP_EMPTY;
  kvp_store_rekey(&registry->store, b, priority, registry->store.keys.returned[b]);
  return KVP_OK;
}

enum kvp_status kvp_registry_pin(struct kvp_registry *registry, uint64_t hash)
{
  uint32_t b = kvp_index_lookup(&registry->store.index, hash);
  if (b == KVP_NONE)
    return KVP_EMPTY;
  if (kvp_registry_is_worn(registry) || registry->store.pins.count[b] == UINT32_MAX)
    return KVP_OVERFLOW;
  kvp_store_pin(&registry->store, b, registry->store.pins.count[b] + 1);
  return KVP_OK;
}

enum kvp_status kvp_registry_unpin(struct kvp_registry *registry, uint64_t hash)
{
  uint32_t b = kvp_index_lookup(&registry->store.index, hash);
  if (b == KVP_NONE)
    return KVP_EMPTY;
  if (kvp_registry_is_worn(registry))
    return KVP_OVERFLOW;
  if (registry->store.pins.count[b] == 0)
    return KVP_STATE;
  kvp_store_pin(&registry->store, b, registry->store.pins.count[b] - 1);
  return KVP_OK;
}
