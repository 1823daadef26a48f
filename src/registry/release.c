/* SPDX-License-Identifier: Apache-2.0 */
/* Handles are given up, and with the last of a block the block: release. */
#include <kvpool/registry.h>

#include "src/registry/blocks.h"
#include "src/registry/handles.h"

/* A handle that is out is given up, and its block if it was the last. */
/*@ KVP_REQUIRES_REGISTRY;
    requires out: IsOut(registry->handles, handle);
    requires clocks: Clocks(*registry, KVP_CLOCK_BOUND - 1);
    terminates \true;
    exits \false;
    assigns registry->tick, registry->store.classes, registry->store.empty, registry->store.order,
            registry->store.calm, registry->store.blocking, registry->store.keys,
            registry->handles;
    KVP_ENSURES_REGISTRY;
    ensures same: HandlesSame(\old(registry->handles), registry->handles);
    ensures gone: !Out(registry->handles, SlotOf(handle));
    ensures rest: HandlesRest(\old(registry->handles), registry->handles, SlotOf(handle));
    ensures places: GivenBack(\old(registry->store.classes), registry->store.classes,
                              registry->handles);
    ensures fewer: \forall integer b; 0 <= b < registry->store.max_blocks ==>
      registry->handles.shares[b] <= \old(registry->handles).shares[b];
    ensures paced: Paced(\old(*registry), *registry);
*/
static void release_one(struct kvp_registry *registry, uint64_t handle)
{
  uint32_t slot = kvp_handles_find(&registry->handles, handle);
  uint32_t b = registry->handles.block[slot];
  /*@ assert known: \forall integer s; 0 <= s < registry->handles.num_slots ==>
        registry->handles.block[s] != KVP_NONE ==>
        registry->handles.block[s] < registry->store.max_blocks; */
  kvp_handles_give_up(&registry->handles, slot);
  //@ assert handles: Handles(registry->handles);
  //@ assert young: RegistryYoung(registry->handles, registry->store.classes);
  if (registry->handles.shares[b] == 0)
    kvp_give_back(registry, b);
}

/*@ KVP_REQUIRES_REGISTRY;
    requires in: count > 0 ==> \valid_read(handles + (0 .. count - 1));
    requires apart: \separated(registry, handles + (0 .. count - 1));
    requires out: \forall integer k; 0 <= k < count ==> IsOut(registry->handles, handles[k]);
    requires distinct: \forall integer j, k; 0 <= j < k < count ==> handles[j] != handles[k];
    requires few: count <= KVP_CAPACITY;
    requires fresh: Fresh(*registry);
    terminates \true;
    exits \false;
    assigns registry->tick, registry->store.classes, registry->store.empty, registry->store.order,
            registry->store.calm, registry->store.blocking, registry->store.keys,
            registry->handles;
    KVP_ENSURES_REGISTRY;
    ensures gone: \forall integer k; 0 <= k < count ==>
      !Out(registry->handles, SlotOf(handles[k]));
    ensures rest: \forall integer s; 0 <= s < registry->handles.num_slots ==>
      KVP_SAME_SLOT(\old(registry->handles), registry->handles, s) || InList(handles, count, s);
    ensures places: GivenBack(\old(registry->store.classes), registry->store.classes,
                              registry->handles);
*/
static void release_all(struct kvp_registry *registry, const uint64_t *handles, uint32_t count)
{
  /*@ loop invariant range: 0 <= i <= count;
      KVP_REGISTRY(loop invariant);
      loop invariant same: HandlesSame(\at(registry->handles, Pre), registry->handles);
      loop invariant clocks: Clocks(*registry, 9223372036854775808 + (count - i) * KVP_CLOCK_STEP);
      loop invariant out: \forall integer k; 0 <= k < i ==> IsOut(registry->handles, handles[k]);
      loop invariant gone: \forall integer k; i <= k < count ==>
        !Out(registry->handles, SlotOf(handles[k]));
      loop invariant rest: \forall integer s; 0 <= s < registry->handles.num_slots ==>
        KVP_SAME_SLOT(\at(registry->handles, Pre), registry->handles, s) ||
        InList(handles, count, s);
      loop invariant places: GivenBack(\at(registry->store.classes, Pre), registry->store.classes,
                                       registry->handles);
      loop assigns i, registry->tick, registry->store.classes, registry->store.empty,
        registry->store.order, registry->store.calm, registry->store.blocking,
        registry->store.keys, registry->handles;
      loop variant i; */
  for (uint32_t i = count; i > 0; i--) {
    /*@ assert apart: \forall integer k; 0 <= k < i - 1 ==>
          0 <= SlotOf(handles[k]) < registry->handles.num_slots &&
          SlotOf(handles[k]) != SlotOf(handles[i - 1]); */
    release_one(registry, handles[i - 1]);
    /*@ assert kept: \forall integer k; 0 <= k < i - 1 ==>
          registry->handles.generation[SlotOf(handles[k])] ==
            \at(registry->handles, LoopCurrent).generation[SlotOf(handles[k])] &&
          registry->handles.block[SlotOf(handles[k])] ==
            \at(registry->handles, LoopCurrent).block[SlotOf(handles[k])]; */
    /*@ assert still: \forall integer k; 0 <= k < i - 1 ==>
          IsOut(registry->handles, handles[k]); */
  }
}

enum kvp_status kvp_registry_release(struct kvp_registry *registry, const uint64_t *handles,
                                     uint32_t count)
{
  if (handles == NULL && count != 0)
    return KVP_ARGUMENT;
  if (count > registry->handles.num_slots
      || !kvp_handles_all_out(&registry->handles, &registry->seen, handles, count))
    return KVP_RANGE;
  if (kvp_registry_is_worn(registry))
    return KVP_OVERFLOW;
  release_all(registry, handles, count);
  return KVP_OK;
}
