/* SPDX-License-Identifier: Apache-2.0 */
/* Where blocks come from: add_blocks, allocate. */
#include <kvpool/registry.h>

#include "src/registry/blocks.h"
#include "src/registry/events.h"
#include "src/registry/handles.h"
#include "src/registry/store.h"

/* One block more, empty. */
/*@ KVP_REQUIRES_REGISTRY;
    requires room: registry->store.num_blocks < registry->store.max_blocks;
    requires clock: registry->store.empty.clock < UINT64_MAX;
    terminates \true;
    exits \false;
    assigns registry->store.num_blocks, registry->store.classes, registry->store.empty;
    KVP_ENSURES_REGISTRY;
    ensures one: registry->store.num_blocks == \old(registry->store.num_blocks) + 1;
    ensures joined:
      registry->store.classes.state[\old(registry->store.num_blocks)] == KVP_PLACE_EMPTY &&
      registry->store.empty.stamp[\old(registry->store.num_blocks)] ==
        \old(registry->store.empty.clock);
    ensures clock: registry->store.empty.clock == \old(registry->store.empty.clock) + 1;
    ensures rest: \forall integer i; 0 <= i < \old(registry->store.num_blocks) ==>
      registry->store.classes.state[i] == \old(registry->store.classes).state[i] &&
      registry->store.empty.stamp[i] == \old(registry->store.empty).stamp[i];
*/
static void grow(struct kvp_registry *registry)
{
  /*@ assert known: \forall integer s; 0 <= s < registry->handles.num_slots ==>
        registry->handles.block[s] != KVP_NONE ==>
        registry->handles.block[s] < registry->store.max_blocks; */
  kvp_store_grow(&registry->store);
}

enum kvp_status kvp_registry_add_blocks(struct kvp_registry *registry, uint32_t count,
                                        uint32_t *taken)
{
  uint32_t room = registry->store.max_blocks - registry->store.num_blocks;
  uint32_t n = count < room ? count : room;
  if (kvp_registry_is_worn(registry))
    return KVP_OVERFLOW;
  /*@ loop invariant range: 0 <= i <= n;
      KVP_REGISTRY(loop invariant);
      loop invariant size: registry->store.num_blocks == \at(registry->store.num_blocks, Pre) + i;
      loop invariant clock:
        registry->store.empty.clock == \at(registry->store.empty.clock, Pre) + i;
      loop invariant joined: \forall integer k; \at(registry->store.num_blocks, Pre) <= k <
        registry->store.num_blocks ==> registry->store.classes.state[k] == KVP_PLACE_EMPTY &&
        registry->store.empty.stamp[k] == \at(registry->store.empty.clock, Pre) +
          (k - \at(registry->store.num_blocks, Pre));
      loop invariant rest: \forall integer k; 0 <= k < \at(registry->store.num_blocks, Pre) ==>
        registry->store.classes.state[k] == \at(registry->store.classes, Pre).state[k] &&
        registry->store.empty.stamp[k] == \at(registry->store.empty, Pre).stamp[k];
      loop assigns i, registry->store.num_blocks, registry->store.classes, registry->store.empty;
      loop variant n - i; */
  for (uint32_t i = 0; i < n; i++)
    grow(registry);
  *taken = n;
  return KVP_OK;
}

/* The cached block that goes next is evicted, and reported. */
/*@ KVP_REQUIRES_REGISTRY;
    requires some: registry->store.classes.count[KVP_PLACE_READY] != 0;
    requires clocks: Clocks(*registry, KVP_CLOCK_BOUND);
    terminates \true;
    exits \false;
    assigns registry->events, registry->store.classes, registry->store.empty,
            registry->store.index.chains, registry->store.index.size, registry->store.order,
            registry->store.calm, registry->store.orphans,
            registry->store.keys.priority[0 .. registry->store.max_blocks - 1];
    KVP_ENSURES_REGISTRY;
    ensures block: \result < registry->store.num_blocks;
    ensures member: Member(\old(registry->store.order), \result);
    ensures least: \forall integer i; 0 <= i < registry->store.num_blocks ==>
      Member(\old(registry->store.order), i) ==> i != \result ==>
      Before(\old(registry->store.order), \result, i);
    ensures ready: \old(registry->store.classes).state[\result] == KVP_PLACE_READY;
    ensures empty: registry->store.classes.state[\result] == KVP_PLACE_EMPTY;
    ensures rest: ClassesRest(\old(registry->store.classes), registry->store.classes, \result);
    ensures recounted: Recounted(\old(registry->store.classes), registry->store.classes,
                                 KVP_PLACE_READY, KVP_PLACE_EMPTY);
    ensures priority: \forall integer i; 0 <= i < registry->store.max_blocks ==> i != \result ==>
      registry->store.keys.priority[i] == \old(registry->store.keys).priority[i];
    ensures last: registry->events.last == \old(registry->events.last) + 1;
    ensures paced: Paced(\old(*registry), *registry);
*/
static uint32_t evict(struct kvp_registry *registry)
{
  uint32_t b = kvp_store_victim(&registry->store);
  kvp_report(registry, KVP_EVENT_REMOVED, b);
  kvp_store_evict(&registry->store, b);
  return b;
}

/* The block that is allocated next: the first empty one, or one that is evicted for it. */
/*@ KVP_REQUIRES_REGISTRY;
    requires some: registry->store.classes.count[KVP_PLACE_EMPTY] +
      registry->store.classes.count[KVP_PLACE_READY] != 0;
    requires clocks: Clocks(*registry, KVP_CLOCK_BOUND);
    terminates \true;
    exits \false;
    assigns registry->events, registry->store.classes, registry->store.empty,
            registry->store.index.chains, registry->store.index.size, registry->store.order,
            registry->store.calm, registry->store.orphans,
            registry->store.keys.priority[0 .. registry->store.max_blocks - 1];
    KVP_ENSURES_REGISTRY;
    ensures block: \result < registry->store.num_blocks;
    ensures free: Free(\old(registry->store.classes), \result);
    ensures empty: registry->store.classes.state[\result] == KVP_PLACE_EMPTY;
    ensures rest: ClassesRest(\old(registry->store.classes), registry->store.classes, \result);
    ensures recounted: Recounted(\old(registry->store.classes), registry->store.classes,
      \old(registry->store.classes).state[\result], KVP_PLACE_EMPTY);
    ensures priority: \forall integer i; 0 <= i < registry->store.max_blocks ==> i != \result ==>
      registry->store.keys.priority[i] == \old(registry->store.keys).priority[i];
    ensures evicted: \old(registry->store.classes).state[\result] == KVP_PLACE_EMPTY ||
      \old(registry->store.classes.count[KVP_PLACE_EMPTY]) == 0;
    ensures last: registry->events.last == \old(registry->events.last) +
      (\old(registry->store.classes).state[\result] == KVP_PLACE_EMPTY ? 0 : 1);
    ensures paced: Paced(\old(*registry), *registry);
*/
static uint32_t next(struct kvp_registry *registry)
{
  uint32_t b = kvp_store_next_empty(&registry->store, KVP_NONE);
  return b != KVP_NONE ? b : evict(registry);
}

/* An empty block is held, and reset. */
/*@ KVP_REQUIRES_REGISTRY;
    requires block: b < registry->store.num_blocks &&
      registry->store.classes.state[b] == KVP_PLACE_EMPTY;
    requires ready: 0 < registry->handles.num_ready;
    requires out: \valid(grant) && \separated(registry, grant);
    requires tick: registry->tick < UINT64_MAX;
    terminates \true;
    exits \false;
    assigns registry->tick, registry->content.acquired[b], registry->content.stage[b],
            registry->content.length[b], registry->store.classes, registry->store.empty,
            registry->handles, *grant;
    KVP_ENSURES_REGISTRY;
    ensures held: registry->store.classes.state[b] == KVP_PLACE_HELD &&
      registry->content.stage[b] == KVP_BLOCK_RESET;
    ensures rest: ClassesRest(\old(registry->store.classes), registry->store.classes, b);
    ensures recounted: Recounted(\old(registry->store.classes), registry->store.classes,
                                 KVP_PLACE_EMPTY, KVP_PLACE_HELD);
    ensures issued: Issued(\old(registry->handles), registry->handles, SlotOf(grant->handle), b);
    ensures grant: GrantIs(registry->handles, grant->handle, grant->block) &&
      grant->kind == KVP_GRANT_NEW;
    ensures kept: HandlesKept(\old(registry->handles), registry->handles);
    ensures counts: registry->handles.num_out == \old(registry->handles.num_out) + 1 &&
      registry->handles.num_ready == \old(registry->handles.num_ready) - 1;
    ensures tick: registry->tick == \old(registry->tick) + 1;
    ensures clocks: registry->store.empty.clock == \old(registry->store.empty.clock) &&
      registry->handles.ready.clock == \old(registry->handles.ready.clock);
*/
static void hold(struct kvp_registry *registry, uint32_t b, struct kvp_grant *grant)
{
  /*@ assert known: \forall integer s; 0 <= s < registry->handles.num_slots ==>
        registry->handles.block[s] != KVP_NONE ==>
        registry->handles.block[s] < registry->store.max_blocks; */
  kvp_store_take(&registry->store, b);
  registry->tick++;
  registry->content.acquired[b] = registry->tick;
  registry->content.stage[b] = KVP_BLOCK_RESET;
  registry->content.length[b] = 0;
  //@ assert young: RegistryYoung(registry->handles, registry->store.classes);
  kvp_hand_out(registry, b, KVP_GRANT_NEW, grant);
}

/*@ KVP_REQUIRES_REGISTRY;
    requires some: registry->store.classes.count[KVP_PLACE_EMPTY] +
      registry->store.classes.count[KVP_PLACE_READY] != 0;
    requires ready: 0 < registry->handles.num_ready;
    requires out: \valid(grant) && \separated(registry, grant);
    requires clocks: Clocks(*registry, KVP_CLOCK_BOUND);
    terminates \true;
    exits \false;
    assigns registry->tick, registry->content.acquired[0 .. registry->store.max_blocks - 1],
            registry->content.stage[0 .. registry->store.max_blocks - 1],
            registry->content.length[0 .. registry->store.max_blocks - 1],
            registry->store.classes, registry->store.empty, registry->store.index.chains,
            registry->store.index.size, registry->store.order, registry->store.calm,
            registry->store.orphans,
            registry->store.keys.priority[0 .. registry->store.max_blocks - 1],
            registry->handles, registry->events, *grant;
    KVP_ENSURES_REGISTRY;
    ensures grant: GrantIs(registry->handles, grant->handle, grant->block) &&
      grant->kind == KVP_GRANT_NEW;
    ensures issued: Issued(\old(registry->handles), registry->handles, SlotOf(grant->handle),
                           grant->block);
    ensures kept: HandlesKept(\old(registry->handles), registry->handles);
    ensures counts: registry->handles.num_out == \old(registry->handles.num_out) + 1 &&
      registry->handles.num_ready == \old(registry->handles.num_ready) - 1;
    ensures block: grant->block < registry->store.num_blocks;
    ensures free: Free(\old(registry->store.classes), grant->block);
    ensures held: registry->store.classes.state[grant->block] == KVP_PLACE_HELD &&
      registry->content.stage[grant->block] == KVP_BLOCK_RESET;
    ensures rest: KeptBut(\old(*registry), *registry, grant->block);
    ensures recounted: Recounted(\old(registry->store.classes), registry->store.classes,
      \old(registry->store.classes).state[grant->block], KVP_PLACE_HELD);
    ensures evicted: \old(registry->store.classes).state[grant->block] == KVP_PLACE_EMPTY ||
      \old(registry->store.classes.count[KVP_PLACE_EMPTY]) == 0;
    ensures last: registry->events.last == \old(registry->events.last) +
      (\old(registry->store.classes).state[grant->block] == KVP_PLACE_EMPTY ? 0 : 1);
    ensures paced: Paced(\old(*registry), *registry);
*/
static void allocate_one(struct kvp_registry *registry, struct kvp_grant *grant)
{
  uint32_t b = next(registry);
  hold(registry, b, grant);
}

/*@ KVP_REQUIRES_REGISTRY;
    requires enough: count <= registry->store.classes.count[KVP_PLACE_EMPTY] +
      registry->store.classes.count[KVP_PLACE_READY];
    requires ready: count <= registry->handles.num_ready;
    requires out: count > 0 ==> \valid(grants + (0 .. count - 1));
    requires apart: \separated(registry, grants + (0 .. count - 1));
    requires fresh: Fresh(*registry);
    terminates \true;
    exits \false;
    assigns registry->tick,
            registry->content.acquired[0 .. registry->store.max_blocks - 1],
            registry->content.stage[0 .. registry->store.max_blocks - 1],
            registry->content.length[0 .. registry->store.max_blocks - 1],
            registry->store.classes, registry->store.empty, registry->store.index.chains,
            registry->store.index.size, registry->store.order, registry->store.calm,
            registry->store.orphans,
            registry->store.keys.priority[0 .. registry->store.max_blocks - 1],
            registry->handles, registry->events, grants[0 .. count - 1];
    KVP_ENSURES_REGISTRY;
    ensures grants: NewGrants(\old(registry->handles), registry->handles, grants, count);
    ensures kept: HandlesKept(\old(registry->handles), registry->handles);
    ensures counts: HandedOut(\old(registry->handles), registry->handles, count);
    ensures reset: \forall integer k; 0 <= k < count ==>
      KVP_RESET_FROM(\old(registry->store.classes), registry->store.classes, registry->content,
                     grants[k].block);
    ensures distinct: \forall integer j, k; 0 <= j < k < count ==>
      grants[j].block != grants[k].block;
    ensures rest: AllocationRest(\old(*registry), *registry);
    ensures evicted: registry->store.classes.count[KVP_PLACE_READY] ==
      \old(registry->store.classes.count[KVP_PLACE_READY]) ||
      registry->store.classes.count[KVP_PLACE_EMPTY] == 0;
    ensures reported: registry->events.last - \old(registry->events.last) ==
      \old(registry->store.classes.count[KVP_PLACE_READY]) -
      registry->store.classes.count[KVP_PLACE_READY];
*/
static void allocate_all(struct kvp_registry *registry, uint32_t count, struct kvp_grant *grants)
{
  //@ assert bound: count <= KVP_CAPACITY;
  /*@ loop invariant range: 0 <= k <= count;
      KVP_REGISTRY(loop invariant);
      loop invariant clocks: Clocks(*registry, 9223372036854775808 + k * KVP_CLOCK_STEP);
      loop invariant counts: HandedOut(\at(registry->handles, Pre), registry->handles, k);
      loop invariant enough: count - k <= registry->store.classes.count[KVP_PLACE_EMPTY] +
        registry->store.classes.count[KVP_PLACE_READY];
      loop invariant kept: HandlesKept(\at(registry->handles, Pre), registry->handles);
      loop invariant grants: NewGrants(\at(registry->handles, Pre), registry->handles, grants, k);
      loop invariant reset: \forall integer j; 0 <= j < k ==>
        KVP_RESET_FROM(\at(registry->store.classes, Pre), registry->store.classes,
                       registry->content, grants[j].block);
      loop invariant distinct: \forall integer i, j; 0 <= i < j < k ==>
        grants[i].block != grants[j].block;
      loop invariant rest: AllocationRest(\at(*registry, Pre), *registry);
      loop invariant evicted: registry->store.classes.count[KVP_PLACE_READY] ==
        \at(registry->store.classes.count[KVP_PLACE_READY], Pre) ||
        registry->store.classes.count[KVP_PLACE_EMPTY] == 0;
      loop invariant reported: registry->events.last - \at(registry->events.last, Pre) ==
        \at(registry->store.classes.count[KVP_PLACE_READY], Pre) -
        registry->store.classes.count[KVP_PLACE_READY];
      loop assigns k, registry->tick,
            registry->content.acquired[0 .. registry->store.max_blocks - 1],
            registry->content.stage[0 .. registry->store.max_blocks - 1],
            registry->content.length[0 .. registry->store.max_blocks - 1],
            registry->store.classes, registry->store.empty, registry->store.index.chains,
            registry->store.index.size, registry->store.order, registry->store.calm,
            registry->store.orphans,
            registry->store.keys.priority[0 .. registry->store.max_blocks - 1],
            registry->handles, registry->events, grants[0 .. count - 1];
      loop variant count - k; */
  for (uint32_t k = 0; k < count; k++) {
    allocate_one(registry, &grants[k]);
    /*@ assert same: \forall integer j; 0 <= j < k ==>
          grants[j].handle == \at(grants[j].handle, LoopCurrent) &&
          grants[j].block == \at(grants[j].block, LoopCurrent) &&
          grants[j].kind == \at(grants[j].kind, LoopCurrent); */
    /*@ assert others: \forall integer i, j; 0 <= i < j < k ==>
          grants[i].block != grants[j].block && grants[i].handle != grants[j].handle; */
    /*@ assert before: \forall integer j; 0 <= j < k ==>
          GrantIs(\at(registry->handles, LoopCurrent), grants[j].handle, grants[j].block) &&
          grants[j].kind == KVP_GRANT_NEW &&
          !Out(\at(registry->handles, Pre), SlotOf(grants[j].handle)); */
    /*@ assert after: \forall integer j; 0 <= j < k ==>
          GrantIs(registry->handles, grants[j].handle, grants[j].block) &&
          grants[j].handle != grants[k].handle; */
    //@ assert new: !Out(\at(registry->handles, Pre), SlotOf(grants[k].handle));
    //@ assert free: Free(\at(registry->store.classes, LoopCurrent), grants[k].block);
    /*@ assert apart: \forall integer j; 0 <= j < k ==> grants[j].block != grants[k].block; */
    /*@ assert reset: \forall integer j; 0 <= j < k ==>
          KVP_RESET_FROM(\at(registry->store.classes, Pre),
                         \at(registry->store.classes, LoopCurrent),
                         \at(registry->content, LoopCurrent), grants[j].block); */
    /*@ assert held: \forall integer j; 0 <= j < k ==>
          KVP_RESET_FROM(\at(registry->store.classes, Pre), registry->store.classes,
                         registry->content, grants[j].block); */
    /*@ assert mine: KVP_RESET_FROM(\at(registry->store.classes, Pre), registry->store.classes,
                                    registry->content, grants[k].block); */
    /*@ assert granted: GrantIs(registry->handles, grants[k].handle, grants[k].block) &&
          grants[k].kind == KVP_GRANT_NEW; */
    /*@ assert last: \forall integer j; k <= j <= k ==> grants[j].handle == grants[k].handle &&
          grants[j].block == grants[k].block && grants[j].kind == grants[k].kind; */
    /*@ assert pairs: \forall integer i, j; 0 <= i < k ==> k <= j <= k ==>
          grants[i].handle != grants[j].handle && grants[i].block != grants[j].block; */
    /*@ assert distinct: \forall integer i, j; 0 <= i < j <= k ==>
          grants[i].handle != grants[j].handle; */
    /*@ assert blocks: \forall integer i, j; 0 <= i < j <= k ==>
          grants[i].block != grants[j].block; */
    //@ assert grants: NewGrants(\at(registry->handles, Pre), registry->handles, grants, k + 1);
  }
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
  allocate_all(registry, count, grants);
  return KVP_OK;
}
