/* SPDX-License-Identifier: Apache-2.0 */
/* Complete blocks get their hash: register. */
#include <kvpool/registry.h>

#include "src/pool/index.h"
#include "src/registry/blocks.h"
#include "src/registry/handles.h"
#include "src/registry/store.h"

/* Whether every handle's block is complete. */
/*@ KVP_REQUIRES_REGISTRY;
    requires in: count > 0 ==> \valid_read(handles + (0 .. count - 1));
    requires out: \forall integer k; 0 <= k < count ==> IsOut(registry->handles, handles[k]);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures complete: \result != 0 <==>
      \forall integer k; 0 <= k < count ==> OfComplete(*registry, handles[k]);
*/
static int all_complete(const struct kvp_registry *registry, const uint64_t *handles,
                        uint32_t count)
{
  /*@ loop invariant range: 0 <= i <= count;
      loop invariant complete: \forall integer k; 0 <= k < i ==>
        OfComplete(*registry, handles[k]);
      loop assigns i;
      loop variant count - i; */
  for (uint32_t i = 0; i < count; i++) {
    uint32_t b = kvp_block_of(registry, handles[i]);
    if (kvp_state_of(registry, b) != KVP_BLOCK_COMPLETE)
      return 0;
    //@ assert this: OfComplete(*registry, handles[i]);
  }
  return 1;
}

/* A complete block whose hash no block has is registered, and its handle becomes a share. */
/*@ KVP_REQUIRES_REGISTRY;
    requires slot: slot < registry->handles.num_slots && Out(registry->handles, slot);
    requires block: b == registry->handles.block[slot] && b < registry->store.num_blocks;
    requires held: registry->store.classes.state[b] == KVP_PLACE_HELD;
    requires fresh: Unregistered(registry->store.index, registry->store.index.hash[b]);
    requires out: \valid(grant) && \separated(registry, grant);
    requires clocks: Clocks(*registry, KVP_CLOCK_BOUND);
    terminates \true;
    exits \false;
    assigns registry->store.classes, registry->store.index, registry->store.order,
            registry->store.calm, registry->store.blocking, registry->store.orphans,
            registry->handles, registry->events, *grant;
    KVP_ENSURES_REGISTRY;
    ensures active: registry->store.classes.state[b] == KVP_PLACE_ACTIVE;
    ensures known: KVP_KNOWN(registry->store.index, b);
    ensures hashes: HashesKept(\old(registry->store.index), registry->store.index);
    ensures places: PlacesRest(\old(registry->store.classes), registry->store.classes, b);
    ensures grant: GrantIs(registry->handles, grant->handle, b) && grant->block == b &&
      grant->kind == KVP_GRANT_NEW && SlotOf(grant->handle) == slot;
    ensures regranted: registry->handles.generation[slot] ==
      \old(registry->handles.generation[slot]) + 1;
    ensures kept: OthersKept(\old(registry->handles), registry->handles, slot);
    ensures ready: registry->handles.num_ready == \old(registry->handles.num_ready);
    ensures stored: registry->events.last == \old(registry->events.last) + 1;
    ensures paced: Paced(\old(*registry), *registry);
*/
static void enter(struct kvp_registry *registry, uint32_t slot, uint32_t b,
                  struct kvp_grant *grant)
{
  /*@ assert known: \forall integer s; 0 <= s < registry->handles.num_slots ==>
        registry->handles.block[s] != KVP_NONE ==>
        registry->handles.block[s] < registry->store.max_blocks; */
  kvp_store_enter(&registry->store, b, registry->store.index.hash[b]);
  //@ assert young: RegistryYoung(registry->handles, registry->store.classes);
  kvp_report(registry, KVP_EVENT_STORED, b);
  kvp_handles_regrant(&registry->handles, slot, b);
  //@ assert handles: Handles(registry->handles);
  kvp_write_grant(registry, slot, KVP_GRANT_NEW, grant);
}

/* A complete block whose hash another has becomes empty; its handle becomes a share of that. */
/*@ KVP_REQUIRES_REGISTRY;
    requires slot: slot < registry->handles.num_slots && Out(registry->handles, slot);
    requires block: b == registry->handles.block[slot] && b < registry->store.num_blocks;
    requires held: registry->store.classes.state[b] == KVP_PLACE_HELD;
    requires primary: primary < registry->store.num_blocks &&
      KVP_KNOWN(registry->store.index, primary);
    requires out: \valid(grant) && \separated(registry, grant);
    requires clocks: Clocks(*registry, KVP_CLOCK_BOUND - KVP_CLOCK_STEP);
    terminates \true;
    exits \false;
    assigns registry->tick, registry->store.classes, registry->store.empty, registry->store.order,
            registry->store.calm, registry->store.blocking, registry->store.keys.returned[b],
            registry->store.keys.priority[b], registry->handles, *grant;
    KVP_ENSURES_REGISTRY;
    ensures active: registry->store.classes.state[primary] == KVP_PLACE_ACTIVE;
    ensures empty: registry->store.classes.state[b] == KVP_PLACE_EMPTY;
    ensures places: \forall integer i; 0 <= i < registry->store.max_blocks ==> i != b ==>
      i != primary ==>
      registry->store.classes.state[i] == \old(registry->store.classes).state[i] ||
      (KVP_IN_CACHE(\old(registry->store.classes), i) && KVP_IN_CACHE(registry->store.classes, i));
    ensures grant: GrantIs(registry->handles, grant->handle, primary) &&
      grant->block == primary && grant->kind == KVP_GRANT_MERGED && SlotOf(grant->handle) == slot;
    ensures regranted: registry->handles.generation[slot] ==
      \old(registry->handles.generation[slot]) + 1;
    ensures kept: OthersKept(\old(registry->handles), registry->handles, slot);
    ensures ready: registry->handles.num_ready == \old(registry->handles.num_ready);
    ensures paced: registry->tick <= \old(registry->tick) + KVP_CLOCK_STEP &&
      registry->store.empty.clock <= \old(registry->store.empty.clock) + KVP_CLOCK_STEP &&
      registry->store.calm.clock <= \old(registry->store.calm.clock) + 2 * KVP_CLOCK_STEP &&
      registry->store.blocking.clock <= \old(registry->store.blocking.clock) + 2 * KVP_CLOCK_STEP;
    ensures clock: registry->handles.ready.clock == \old(registry->handles.ready.clock);
*/
static void merge(struct kvp_registry *registry, uint32_t slot, uint32_t b, uint32_t primary,
                  struct kvp_grant *grant)
{
  /*@ assert known: \forall integer s; 0 <= s < registry->handles.num_slots ==>
        registry->handles.block[s] != KVP_NONE ==>
        registry->handles.block[s] < registry->store.max_blocks; */
  kvp_make_active(registry, primary);
  //@ assert young: RegistryYoung(registry->handles, registry->store.classes);
  kvp_handles_regrant(&registry->handles, slot, primary);
  //@ assert handles: Handles(registry->handles);
  //@ assert still: RegistryYoung(registry->handles, registry->store.classes);
  kvp_give_back(registry, b);
  kvp_write_grant(registry, slot, KVP_GRANT_MERGED, grant);
}

/* One of register's blocks: it is registered, merged into the block that has its hash, or stays
   beside that. */
/*@ KVP_REQUIRES_REGISTRY;
    requires complete: OfComplete(*registry, handle);
    requires ready: registry->keep_duplicates != 0 ==> 0 < registry->handles.num_ready;
    requires out: \valid(grant) && \separated(registry, grant);
    requires clocks: Clocks(*registry, KVP_CLOCK_BOUND - KVP_CLOCK_STEP);
    terminates \true;
    exits \false;
    assigns registry->tick, registry->store.classes, registry->store.empty, registry->store.index,
            registry->store.order, registry->store.calm, registry->store.blocking,
            registry->store.orphans,
            registry->store.keys.priority[0 .. registry->store.max_blocks - 1],
            registry->store.keys.returned[0 .. registry->store.max_blocks - 1],
            registry->handles, registry->events, *grant;
    KVP_ENSURES_REGISTRY;
    ensures grant: GrantIs(registry->handles, grant->handle, grant->block);
    ensures active: KVP_ACTIVE_UNDER(registry->store, grant->block,
                                     HashOf(\old(*registry), handle));
    ensures kind: grant->kind == KVP_GRANT_NEW ||
      (grant->kind == KVP_GRANT_MERGED && registry->keep_duplicates == 0) ||
      (grant->kind == KVP_GRANT_DUPLICATE && registry->keep_duplicates != 0);
    ensures gone: grant->kind != KVP_GRANT_DUPLICATE ==>
      SlotOf(grant->handle) == SlotOf(handle) && !IsOut(registry->handles, handle);
    ensures stays: grant->kind == KVP_GRANT_DUPLICATE ==> OfComplete(*registry, handle) &&
      !Out(\old(registry->handles), SlotOf(grant->handle));
    ensures kept: OthersKept(\old(registry->handles), registry->handles, SlotOf(handle));
    ensures hashes: HashesKept(\old(registry->store.index), registry->store.index);
    ensures places: Registered(\old(registry->store.classes), registry->store.classes);
    ensures others: \forall integer i; 0 <= i < registry->store.max_blocks ==>
      i != \old(registry->handles).block[SlotOf(handle)] ==>
      \old(registry->store.classes).state[i] == KVP_PLACE_HELD ==>
      registry->store.classes.state[i] == KVP_PLACE_HELD;
    ensures still: \forall integer i; 0 <= i < registry->store.max_blocks ==>
      \old(registry->store.classes).state[i] == KVP_PLACE_ACTIVE ==>
      registry->store.classes.state[i] == KVP_PLACE_ACTIVE;
    ensures ready: \old(registry->handles.num_ready) <= registry->handles.num_ready + 1;
    ensures clocks: \forall integer bound; Clocks(\old(*registry), bound) ==>
      Clocks(*registry, bound + 2 * KVP_CLOCK_STEP);
*/
static void register_one(struct kvp_registry *registry, uint64_t handle, struct kvp_grant *grant)
{
  uint32_t slot = kvp_handles_find(&registry->handles, handle);
  uint32_t b = registry->handles.block[slot];
  uint32_t primary = kvp_index_lookup(&registry->store.index, registry->store.index.hash[b]);
  if (primary == KVP_NONE)
    enter(registry, slot, b, grant);
  else if (registry->keep_duplicates)
    kvp_share_block(registry, primary, KVP_GRANT_DUPLICATE, grant);
  else
    merge(registry, slot, b, primary, grant);
}

/*@ KVP_REQUIRES_REGISTRY;
    requires in: count > 0 ==> \valid_read(handles + (0 .. count - 1));
    requires out: count > 0 ==> \valid(grants + (0 .. count - 1));
    requires apart: \separated(registry, handles + (0 .. count - 1), grants + (0 .. count - 1));
    requires complete: \forall integer k; 0 <= k < count ==> OfComplete(*registry, handles[k]);
    requires distinct: \forall integer j, k; 0 <= j < k < count ==> handles[j] != handles[k];
    requires ready: registry->keep_duplicates != 0 ==> count <= registry->handles.num_ready;
    requires few: count <= KVP_CAPACITY;
    requires fresh: Fresh(*registry);
    terminates \true;
    exits \false;
    assigns registry->tick, registry->store.classes, registry->store.empty, registry->store.index,
            registry->store.order, registry->store.calm, registry->store.blocking,
            registry->store.orphans,
            registry->store.keys.priority[0 .. registry->store.max_blocks - 1],
            registry->store.keys.returned[0 .. registry->store.max_blocks - 1],
            registry->handles, registry->events, grants[0 .. count - 1];
    KVP_ENSURES_REGISTRY;
    ensures grants: \forall integer k; 0 <= k < count ==>
      GrantIs(registry->handles, grants[k].handle, grants[k].block) &&
      KVP_ACTIVE_UNDER(registry->store, grants[k].block, HashOf(\old(*registry), handles[k]));
    ensures list: \forall integer k; 0 <= k < count ==> handles[k] == \old(handles[k]);
    ensures hashes: HashesKept(\old(registry->store.index), registry->store.index);
    ensures places: Registered(\old(registry->store.classes), registry->store.classes);
*/
static void register_all(struct kvp_registry *registry, const uint64_t *handles, uint32_t count,
                         struct kvp_grant *grants)
{
  /*@ loop invariant range: 0 <= k <= count;
      KVP_REGISTRY(loop invariant);
      loop invariant clocks: Clocks(*registry, 9223372036854775808 + k * (2 * KVP_CLOCK_STEP));
      loop invariant same: HandlesSame(\at(registry->handles, Pre), registry->handles);
      loop invariant complete: \forall integer j; k <= j < count ==>
        OfComplete(*registry, handles[j]);
      loop invariant own: \forall integer j; k <= j < count ==>
        HashOf(*registry, handles[j]) == HashOf(\at(*registry, Pre), handles[j]);
      loop invariant ready: registry->keep_duplicates != 0 ==>
        count <= registry->handles.num_ready + k;
      loop invariant grants: \forall integer j; 0 <= j < k ==>
        GrantIs(registry->handles, grants[j].handle, grants[j].block);
      loop invariant active: \forall integer j; 0 <= j < k ==>
        KVP_ACTIVE_UNDER(registry->store, grants[j].block,
                         HashOf(\at(*registry, Pre), handles[j]));
      loop invariant hashes: HashesKept(\at(registry->store.index, Pre), registry->store.index);
      loop invariant places: Registered(\at(registry->store.classes, Pre),
                                        registry->store.classes);
      loop invariant list: \forall integer j; 0 <= j < count ==>
        handles[j] == \at(handles[j], Pre);
      loop assigns k, registry->tick, registry->store.classes, registry->store.empty,
        registry->store.index, registry->store.order, registry->store.calm,
        registry->store.blocking, registry->store.orphans,
        registry->store.keys.priority[0 .. registry->store.max_blocks - 1],
        registry->store.keys.returned[0 .. registry->store.max_blocks - 1],
        registry->handles, registry->events, grants[0 .. count - 1];
      loop variant count - k; */
  for (uint32_t k = 0; k < count; k++) {
    /*@ assert others: \forall integer j; 0 <= j < count ==>
          \separated(&grants[k], &handles[j]); */
    /*@ assert slots: \forall integer j; k < j < count ==>
          0 <= SlotOf(handles[j]) < registry->handles.num_slots &&
          SlotOf(handles[j]) != SlotOf(handles[k]); */
    /*@ assert blocks: \forall integer j; k < j < count ==>
          registry->handles.block[SlotOf(handles[j])] !=
            registry->handles.block[SlotOf(handles[k])]; */
    /*@ assert elsewhere: \forall integer j; 0 <= j < k ==>
          SlotOf(grants[j].handle) != SlotOf(handles[k]); */
    register_one(registry, handles[k], &grants[k]);
    /*@ assert list: \forall integer j; 0 <= j < count ==> handles[j] == \at(handles[j], Pre); */
    /*@ assert same: \forall integer j; 0 <= j < k ==>
          grants[j].handle == \at(grants[j].handle, LoopCurrent) &&
          grants[j].block == \at(grants[j].block, LoopCurrent); */
    /*@ assert kept: \forall integer j; k < j < count ==>
          registry->handles.block[SlotOf(handles[j])] ==
            \at(registry->handles, LoopCurrent).block[SlotOf(handles[j])] &&
          registry->handles.generation[SlotOf(handles[j])] ==
            \at(registry->handles, LoopCurrent).generation[SlotOf(handles[j])]; */
    /*@ assert complete: \forall integer j; k < j < count ==>
          OfComplete(*registry, handles[j]); */
    /*@ assert own: \forall integer j; k < j < count ==>
          HashOf(*registry, handles[j]) == HashOf(\at(*registry, Pre), handles[j]); */
    /*@ assert rest: OthersKept(\at(registry->handles, LoopCurrent), registry->handles,
                                SlotOf(handles[k])); */
    /*@ assert before: \forall integer j; 0 <= j < k ==>
          GrantIs(\at(registry->handles, LoopCurrent), grants[j].handle, grants[j].block) &&
          SlotOf(grants[j].handle) != SlotOf(handles[k]); */
    /*@ assert granted: \forall integer j; 0 <= j < k ==>
          GrantIs(registry->handles, grants[j].handle, grants[j].block); */
    /*@ assert active: \forall integer j; 0 <= j < k ==>
          KVP_ACTIVE_UNDER(registry->store, grants[j].block,
                           HashOf(\at(*registry, Pre), handles[j])); */
    /*@ assert last: \forall integer j; k <= j <= k ==>
          GrantIs(registry->handles, grants[j].handle, grants[j].block); */
    /*@ assert last_active: \forall integer j; k <= j <= k ==>
          KVP_ACTIVE_UNDER(registry->store, grants[j].block,
                           HashOf(\at(*registry, Pre), handles[j])); */
  }
}

enum kvp_status kvp_registry_register(struct kvp_registry *registry, const uint64_t *handles,
                                      uint32_t count, struct kvp_grant *grants,
                                      struct kvp_shortage *shortage)
{
  if ((handles == NULL || grants == NULL) && count != 0)
    return KVP_ARGUMENT;
  if (count > registry->handles.num_slots
      || !kvp_handles_all_out(&registry->handles, &registry->seen, handles, count))
    return KVP_RANGE;
  if (kvp_registry_is_worn(registry))
    return KVP_OVERFLOW;
  if (!all_complete(registry, handles, count))
    return KVP_STATE;
  if (registry->keep_duplicates && kvp_lacks_slots(registry, count, shortage))
    return KVP_FULL;
  register_all(registry, handles, count, grants);
  return KVP_OK;
}
