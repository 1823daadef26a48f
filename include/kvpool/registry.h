/* SPDX-License-Identifier: Apache-2.0 */
/* The registry: blocks that sequences fill with tokens, register under a hash, share, and leave in
   a cache from which they are evicted by priority and age.

   Semantics: spec/registry.md. No function allocates, blocks, prints or keeps a pointer but the
   token plane. Not thread-safe; engine.h is. `registry` is never NULL. */
#ifndef KVPOOL_REGISTRY_H
#define KVPOOL_REGISTRY_H

#include <stddef.h>

#include <kvpool/registry_layout.h>

#ifdef __FRAMAC__
#include "spec/logic/registry.h"
#endif

/* Bytes of a registry of this shape and of its token plane. KVP_RANGE unless
   num_blocks <= max_blocks <= KVP_CAPACITY, block_size is not 0, and max_handles and max_events are
   at most KVP_CAPACITY; KVP_OVERFLOW if size_t cannot hold them. Align as malloc does. */
enum kvp_status kvp_registry_memory(const struct kvp_registry_shape *shape, size_t *registry_bytes,
                                    size_t *plane_bytes);

/* A registry whose blocks are all empty. plane: max_blocks * block_size tokens, or NULL if
   max_blocks is 0 (else KVP_ARGUMENT); it stays the caller's and must outlive the registry.
   KVP_RANGE as kvp_registry_memory. O(max_blocks + max_handles). */
enum kvp_status kvp_registry_init(struct kvp_registry *registry,
                                  const struct kvp_registry_shape *shape, uint32_t *plane);

/* Any operation; the operations below by their number. `result` is always written. */
void kvp_registry_apply(struct kvp_registry *registry, const struct kvp_registry_op *op,
                        struct kvp_registry_result *result);

/* The operations, each as spec/registry.md says. What an operation hands out is written on KVP_OK
   only, a shortage on KVP_FULL only. Those that can move a clock answer KVP_OVERFLOW once one has
   passed 2^63. */

/* What was asked for, blocks or handles, and how many of them could have been had. */
struct kvp_shortage {
  uint32_t requested;
  uint32_t available;
};

struct kvp_hashes {
  uint64_t block_hash; /* of a block's tokens alone */
  uint64_t hash;       /* of the block and all before it */
};

/* *taken blocks join, at most count: as many as there is room for. */
/*@ KVP_REQUIRES_REGISTRY;
    requires out: \valid(taken) && \separated(registry, taken);
    terminates \true;
    exits \false;
    assigns registry->store.num_blocks, registry->store.classes, registry->store.empty, *taken;
    KVP_ENSURES_REGISTRY;
    ensures unchanged: \result != KVP_OK ==> Unchanged(\old(*registry), *registry);
    behavior worn:
      assumes worn: !Fresh(*registry);
      assigns \nothing;
      ensures status: \result == KVP_OVERFLOW;
    behavior added:
      assumes fresh: Fresh(*registry);
      ensures status: \result == KVP_OK;
      ensures taken: *taken ==
        \min(count, registry->store.max_blocks - \old(registry->store.num_blocks));
      ensures joined: registry->store.num_blocks == \old(registry->store.num_blocks) + *taken;
      ensures empty: \forall integer i;
        \old(registry->store.num_blocks) <= i < registry->store.num_blocks ==>
        registry->store.classes.state[i] == KVP_PLACE_EMPTY &&
        registry->store.empty.stamp[i] ==
          \old(registry->store.empty.clock) + (i - \old(registry->store.num_blocks));
      ensures rest: \forall integer i; 0 <= i < \old(registry->store.num_blocks) ==>
        registry->store.classes.state[i] == \old(registry->store.classes).state[i] &&
        registry->store.empty.stamp[i] == \old(registry->store.empty).stamp[i];
    complete behaviors;
    disjoint behaviors;
*/
enum kvp_status kvp_registry_add_blocks(struct kvp_registry *registry, uint32_t count,
                                        uint32_t *taken);

/* The most that allocate would give now. */
/*@ requires valid: \valid_read(registry);
    requires classes: Classes(registry->store.classes);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures available: \result == Available(*registry);
*/
uint32_t kvp_registry_available(const struct kvp_registry *registry);

/* count blocks, each empty or evicted for it: grants[count]. */
/*@ KVP_REQUIRES_REGISTRY;
    requires out: grants != \null ==> count > 0 ==> \valid(grants + (0 .. count - 1));
    requires shortage: \valid(shortage);
    requires apart: \separated(registry, grants + (0 .. count - 1), shortage);
    terminates \true;
    exits \false;
    assigns registry->tick, registry->content.acquired[0 .. registry->store.max_blocks - 1],
            registry->content.stage[0 .. registry->store.max_blocks - 1],
            registry->content.length[0 .. registry->store.max_blocks - 1],
            registry->store.classes, registry->store.empty, registry->store.index.chains,
            registry->store.index.size, registry->store.order, registry->store.calm,
            registry->store.orphans,
            registry->store.keys.priority[0 .. registry->store.max_blocks - 1],
            registry->handles, registry->events, grants[0 .. count - 1], *shortage;
    KVP_ENSURES_REGISTRY;
    ensures unchanged: \result != KVP_OK ==> Unchanged(\old(*registry), *registry);
    behavior missing:
      assumes missing: grants == \null && count != 0;
      assigns \nothing;
      ensures status: \result == KVP_ARGUMENT;
    behavior worn:
      assumes present: grants != \null || count == 0;
      assumes worn: !Fresh(*registry);
      assigns \nothing;
      ensures status: \result == KVP_OVERFLOW;
    behavior full:
      assumes present: grants != \null || count == 0;
      assumes fresh: Fresh(*registry);
      assumes full: Available(*registry) < count;
      assigns *shortage;
      ensures status: \result == KVP_FULL;
      ensures shortage: shortage->requested == count &&
        shortage->available == Available(*registry);
    behavior allocated:
      assumes present: grants != \null || count == 0;
      assumes fresh: Fresh(*registry);
      assumes enough: count <= Available(*registry);
      ensures status: \result == KVP_OK;
      ensures grants: \forall integer k; 0 <= k < count ==> GrantOut(registry->handles, grants, k);
      ensures new: \forall integer k; 0 <= k < count ==>
        grants[k].kind == KVP_GRANT_NEW && !IsOut(\old(registry->handles), grants[k].handle);
      ensures distinct: \forall integer j, k; 0 <= j < k < count ==>
        grants[j].handle != grants[k].handle && grants[j].block != grants[k].block;
      ensures reset: \forall integer k; 0 <= k < count ==>
        Free(\old(registry->store.classes), grants[k].block) &&
        registry->store.classes.state[grants[k].block] == KVP_PLACE_HELD &&
        registry->content.stage[grants[k].block] == KVP_BLOCK_RESET;
      ensures kept: HandlesKept(\old(registry->handles), registry->handles);
      ensures counts: registry->handles.num_out == \old(registry->handles.num_out) + count &&
        registry->handles.num_ready == \old(registry->handles.num_ready) - count;
      ensures rest: \forall integer i; 0 <= i < registry->store.max_blocks ==>
        !Free(\old(registry->store.classes), i) ==>
        registry->store.classes.state[i] == \old(registry->store.classes).state[i] &&
        registry->content.stage[i] == \old(registry->content).stage[i] &&
        registry->content.length[i] == \old(registry->content).length[i] &&
        registry->content.acquired[i] == \old(registry->content).acquired[i] &&
        registry->store.keys.priority[i] == \old(registry->store.keys).priority[i];
      ensures evicted: registry->store.classes.count[KVP_PLACE_READY] ==
        \old(registry->store.classes.count[KVP_PLACE_READY]) ||
        registry->store.classes.count[KVP_PLACE_EMPTY] == 0;
      ensures reported: registry->events.last - \old(registry->events.last) ==
        \old(registry->store.classes.count[KVP_PLACE_READY]) -
        registry->store.classes.count[KVP_PLACE_READY];
    complete behaviors;
    disjoint behaviors;
*/
enum kvp_status kvp_registry_allocate(struct kvp_registry *registry, uint32_t count,
                                      struct kvp_grant *grants, struct kvp_shortage *shortage);

/* A reset block begins to be filled. */
enum kvp_status kvp_registry_begin(struct kvp_registry *registry, uint64_t handle, uint64_t salt,
                                   uint32_t position, uint64_t parent);

/* All of tokens[length], or none. */
enum kvp_status kvp_registry_push(struct kvp_registry *registry, uint64_t handle,
                                  const uint32_t *tokens, uint32_t length);

/* As many of tokens[length] as there is room for: *taken of them. */
enum kvp_status kvp_registry_fill(struct kvp_registry *registry, uint64_t handle,
                                  const uint32_t *tokens, uint32_t length, uint32_t *taken);

/* The last count tokens go. */
enum kvp_status kvp_registry_pop(struct kvp_registry *registry, uint64_t handle, uint32_t count);

/* A full block becomes complete, with its hashes. */
enum kvp_status kvp_registry_commit(struct kvp_registry *registry, uint64_t handle,
                                    struct kvp_hashes *hashes);

/* begin, push and commit in one. */
enum kvp_status kvp_registry_write(struct kvp_registry *registry, uint64_t handle,
                                   const uint32_t *tokens, uint32_t length, uint64_t salt,
                                   uint32_t position, uint64_t parent, struct kvp_hashes *hashes);

/* A held block forgets what it holds. */
enum kvp_status kvp_registry_clear(struct kvp_registry *registry, uint64_t handle);

/* The complete blocks of handles[count] are registered: grants[count]. O(count), and O(count^2)
   with keep_duplicates if there are fewer free slots than handles. */
enum kvp_status kvp_registry_register(struct kvp_registry *registry, const uint64_t *handles,
                                      uint32_t count, struct kvp_grant *grants,
                                      struct kvp_shortage *shortage);

/* The leading hashes[count] that are registered: *matched of them, a share of each in grants. */
enum kvp_status kvp_registry_match(struct kvp_registry *registry, const uint64_t *hashes,
                                   uint32_t count, struct kvp_grant *grants, uint32_t *matched,
                                   struct kvp_shortage *shortage);

/* The leading hashes[count] that are registered, *matched of them, become the youngest. */
enum kvp_status kvp_registry_touch(struct kvp_registry *registry, const uint64_t *hashes,
                                   uint32_t count, uint32_t *matched);

/* One share more of an active block. */
/*@ KVP_REQUIRES_REGISTRY;
    requires out: grant != \null ==> \valid(grant);
    requires shortage: \valid(shortage);
    requires apart: \separated(registry, grant, shortage);
    terminates \true;
    exits \false;
    assigns registry->handles, *grant, *shortage;
    KVP_ENSURES_REGISTRY;
    ensures unchanged: \result != KVP_OK ==> Unchanged(\old(*registry), *registry);
    behavior missing:
      assumes missing: grant == \null;
      assigns \nothing;
      ensures status: \result == KVP_ARGUMENT;
    behavior stranger:
      assumes present: grant != \null;
      assumes stranger: !IsOut(registry->handles, handle);
      assigns \nothing;
      ensures status: \result == KVP_RANGE;
    behavior held:
      assumes present: grant != \null;
      assumes out: IsOut(registry->handles, handle);
      assumes held: !Stands(*registry, handle, KVP_PLACE_ACTIVE);
      assigns \nothing;
      ensures status: \result == KVP_STATE;
    behavior full:
      assumes present: grant != \null;
      assumes out: IsOut(registry->handles, handle);
      assumes active: Stands(*registry, handle, KVP_PLACE_ACTIVE);
      assumes full: registry->handles.num_ready == 0;
      assigns *shortage;
      ensures status: \result == KVP_FULL;
      ensures shortage: shortage->requested == 1 && shortage->available == 0;
    behavior shared:
      assumes present: grant != \null;
      assumes out: IsOut(registry->handles, handle);
      assumes active: Stands(*registry, handle, KVP_PLACE_ACTIVE);
      assumes room: 0 < registry->handles.num_ready;
      assigns registry->handles, *grant;
      ensures status: \result == KVP_OK;
      ensures grant: GrantIs(registry->handles, *grant, SlotOf(grant->handle), KVP_GRANT_NEW);
      ensures issued: Issued(\old(registry->handles), registry->handles, SlotOf(grant->handle),
        \old(registry->handles).block[SlotOf(handle)]);
      ensures kept: HandlesKept(\old(registry->handles), registry->handles);
    complete behaviors;
    disjoint behaviors;
*/
enum kvp_status kvp_registry_share(struct kvp_registry *registry, uint64_t handle,
                                   struct kvp_grant *grant, struct kvp_shortage *shortage);

/* All of handles[count] are given up, the last one first. */
enum kvp_status kvp_registry_release(struct kvp_registry *registry, const uint64_t *handles,
                                     uint32_t count);

/* Of the block of a handle, or, where handle is 0, of the block registered under a hash. */
/*@ KVP_REQUIRES_REGISTRY;
    terminates \true;
    exits \false;
    assigns registry->store.order, registry->store.keys;
    KVP_ENSURES_REGISTRY;
    ensures unchanged: \result != KVP_OK ==> Unchanged(\old(*registry), *registry);
    ensures returned: \forall integer i; 0 <= i < registry->store.max_blocks ==>
      registry->store.keys.returned[i] == \old(registry->store.keys).returned[i];
    behavior stranger:
      assumes stranger: handle != 0 && !IsOut(registry->handles, handle);
      assigns \nothing;
      ensures status: \result == KVP_RANGE;
    behavior unknown:
      assumes unknown: handle == 0 && Unregistered(registry->store.index, hash);
      assigns \nothing;
      ensures status: \result == KVP_EMPTY;
    behavior held:
      assumes out: handle != 0 && IsOut(registry->handles, handle);
      ensures status: \result == KVP_OK;
      ensures priority:
        registry->store.keys.priority[registry->handles.block[SlotOf(handle)]] == priority;
      ensures rest: \forall integer i; 0 <= i < registry->store.max_blocks ==>
        i != registry->handles.block[SlotOf(handle)] ==>
        registry->store.keys.priority[i] == \old(registry->store.keys).priority[i];
    behavior known:
      assumes known: handle == 0 && !Unregistered(registry->store.index, hash);
      ensures status: \result == KVP_OK;
      ensures priority: \forall integer i; 0 <= i < registry->store.max_blocks ==>
        KVP_UNDER(registry->store.index, i, hash) ==>
        registry->store.keys.priority[i] == priority;
      ensures rest: \forall integer i; 0 <= i < registry->store.max_blocks ==>
        !KVP_UNDER(registry->store.index, i, hash) ==>
        registry->store.keys.priority[i] == \old(registry->store.keys).priority[i];
    complete behaviors;
    disjoint behaviors;
*/
enum kvp_status kvp_registry_set_priority(struct kvp_registry *registry, uint64_t handle,
                                          uint64_t hash, uint32_t priority);

/* One pin more of the block registered under a hash. */
/*@ KVP_REQUIRES_REGISTRY;
    terminates \true;
    exits \false;
    assigns registry->store.classes, registry->store.order, registry->store.calm,
            registry->store.blocking, registry->store.pins;
    KVP_ENSURES_REGISTRY;
    ensures unchanged: \result != KVP_OK ==> Unchanged(\old(*registry), *registry);
    ensures places: PlacesRest(\old(registry->store.classes), registry->store.classes, KVP_NONE);
    behavior unknown:
      assumes unknown: Unregistered(registry->store.index, hash);
      assigns \nothing;
      ensures status: \result == KVP_EMPTY;
    behavior known:
      assumes known: !Unregistered(registry->store.index, hash);
      ensures overflow: \result == KVP_OVERFLOW <==> !Fresh(\old(*registry)) ||
        PinsUnder(\old(registry->store), hash, UINT32_MAX);
      ensures status: \result == KVP_OK || \result == KVP_OVERFLOW;
      ensures pinned: \result == KVP_OK ==>
        \forall integer i; 0 <= i < registry->store.max_blocks ==>
          KVP_UNDER(registry->store.index, i, hash) ==>
          registry->store.pins.count[i] == \old(registry->store.pins).count[i] + 1;
      ensures rest: \forall integer i; 0 <= i < registry->store.max_blocks ==>
        !KVP_UNDER(registry->store.index, i, hash) ==>
        registry->store.pins.count[i] == \old(registry->store.pins).count[i];
    complete behaviors;
    disjoint behaviors;
*/
enum kvp_status kvp_registry_pin(struct kvp_registry *registry, uint64_t hash);
/* One pin less of the block registered under a hash. */
/*@ KVP_REQUIRES_REGISTRY;
    terminates \true;
    exits \false;
    assigns registry->store.classes, registry->store.order, registry->store.calm,
            registry->store.blocking, registry->store.pins;
    KVP_ENSURES_REGISTRY;
    ensures unchanged: \result != KVP_OK ==> Unchanged(\old(*registry), *registry);
    ensures places: PlacesRest(\old(registry->store.classes), registry->store.classes, KVP_NONE);
    behavior unknown:
      assumes unknown: Unregistered(registry->store.index, hash);
      assigns \nothing;
      ensures status: \result == KVP_EMPTY;
    behavior known:
      assumes known: !Unregistered(registry->store.index, hash);
      ensures overflow: \result == KVP_OVERFLOW <==> !Fresh(\old(*registry));
      ensures state: \result == KVP_STATE <==> Fresh(\old(*registry)) &&
        PinsUnder(\old(registry->store), hash, 0);
      ensures status: \result == KVP_OK || \result == KVP_OVERFLOW || \result == KVP_STATE;
      ensures pinned: \result == KVP_OK ==>
        \forall integer i; 0 <= i < registry->store.max_blocks ==>
          KVP_UNDER(registry->store.index, i, hash) ==>
          registry->store.pins.count[i] == \old(registry->store.pins).count[i] - 1;
      ensures rest: \forall integer i; 0 <= i < registry->store.max_blocks ==>
        !KVP_UNDER(registry->store.index, i, hash) ==>
        registry->store.pins.count[i] == \old(registry->store.pins).count[i];
    complete behaviors;
    disjoint behaviors;
*/
enum kvp_status kvp_registry_unpin(struct kvp_registry *registry, uint64_t hash);

/* Every block becomes empty. O(num_blocks). */
enum kvp_status kvp_registry_reset(struct kvp_registry *registry);

/* The oldest events, at most count: *written of them, and how many were dropped before them. */
enum kvp_status kvp_registry_poll(struct kvp_registry *registry, uint32_t count,
                                  struct kvp_event *events, uint32_t *written, uint64_t *dropped);

/* What can be seen. */

/* How many blocks are in which state. */
void kvp_registry_counts(const struct kvp_registry *registry, struct kvp_registry_counts *counts);

/* A block's state. KVP_RANGE unless block < num_blocks. */
enum kvp_status kvp_registry_view(const struct kvp_registry *registry, uint32_t block,
                                  struct kvp_block_view *view);

/* The empty block that is allocated next after `block`, or the first one for KVP_NONE; KVP_NONE
   after the last, and for a block that is not empty. */
uint32_t kvp_registry_next_empty(const struct kvp_registry *registry, uint32_t block);

/* The cached block that would be evicted now, or KVP_NONE. */
uint32_t kvp_registry_victim(const struct kvp_registry *registry);

#endif
