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
#include "spec/logic/block.h"
#include "spec/logic/operation.h"
#include "spec/logic/registry.h"
#include "spec/logic/shape.h"
#endif

/* Bytes of a registry of this shape and of its token plane. KVP_RANGE unless
   num_blocks <= max_blocks <= KVP_CAPACITY, block_size is not 0, and max_handles and max_events are
   at most KVP_CAPACITY; KVP_OVERFLOW if size_t cannot hold them. Align as malloc does. */
/*@ requires in: \valid_read(shape);
    requires out: \valid(registry_bytes) && \valid(plane_bytes) &&
      \separated(registry_bytes, plane_bytes, shape);
    terminates \true;
    exits \false;
    assigns *registry_bytes, *plane_bytes;
    behavior impossible:
      assumes impossible: !Possible(*shape);
      assigns \nothing;
      ensures status: \result == KVP_RANGE;
    behavior possible:
      assumes possible: Possible(*shape);
      ensures status: \result == KVP_OK;
      ensures registry: *registry_bytes == sizeof(struct kvp_registry);
      ensures plane: *plane_bytes == shape->max_blocks * shape->block_size * 4;
    complete behaviors;
    disjoint behaviors;
*/
enum kvp_status kvp_registry_memory(const struct kvp_registry_shape *shape, size_t *registry_bytes,
                                    size_t *plane_bytes);

/* A registry whose blocks are all empty. plane: max_blocks * block_size tokens, or NULL if
   max_blocks is 0 (else KVP_ARGUMENT); it stays the caller's and must outlive the registry.
   KVP_RANGE as kvp_registry_memory. O(max_blocks + max_handles). */
/*@ requires valid: \valid(registry);
    requires in: \valid_read(shape) && \separated(registry, shape);
    terminates \true;
    exits \false;
    assigns *registry;
    ensures unchanged: \result != KVP_OK ==> *registry == \old(*registry);
    behavior missing:
      assumes missing: plane == \null && shape->max_blocks != 0;
      assigns \nothing;
      ensures status: \result == KVP_ARGUMENT;
    behavior impossible:
      assumes present: plane != \null || shape->max_blocks == 0;
      assumes impossible: !Possible(*shape);
      assigns \nothing;
      ensures status: \result == KVP_RANGE;
    behavior made:
      assumes present: plane != \null || shape->max_blocks == 0;
      assumes possible: Possible(*shape);
      ensures status: \result == KVP_OK;
      KVP_ENSURES_REGISTRY;
      ensures fresh: Fresh(*registry);
      ensures sizes: registry->store.num_blocks == shape->num_blocks &&
        registry->store.max_blocks == shape->max_blocks &&
        registry->block_size == shape->block_size &&
        registry->handles.num_slots == shape->max_handles &&
        registry->events.max_events == shape->max_events;
      ensures choices: (registry->keep_duplicates == 0 <==> shape->keep_duplicates == 0) &&
        (registry->store.leaf_first == 0 <==> shape->leaf_first == 0) &&
        registry->handles.tag == shape->tag && registry->plane == plane;
      ensures empty: \forall integer i; 0 <= i < shape->num_blocks ==>
        registry->store.classes.state[i] == KVP_PLACE_EMPTY;
      ensures queue: \forall integer i; 0 <= i < shape->num_blocks ==>
        registry->store.empty.stamp[i] == i;
      ensures none: registry->handles.num_out == 0 && registry->events.count == 0 &&
        registry->events.dropped == 0;
    complete behaviors;
    disjoint behaviors;
*/
enum kvp_status kvp_registry_init(struct kvp_registry *registry,
                                  const struct kvp_registry_shape *shape, uint32_t *plane);

/* Any operation; the operations below by their number. `result` is always written. */
/*@ KVP_REQUIRES_REGISTRY;
    KVP_REQUIRES_TOKEN_PLANE;
    KVP_REQUIRES_OP;
    KVP_REQUIRES_OP_TOKENS;
    KVP_REQUIRES_OP_LISTS;
    terminates \true;
    exits \false;
    assigns *registry, *(KVP_TOKEN_PLANE), *result, op->grants[0 .. op->count - 1], *op->grants,
            op->events[0 .. op->count - 1];
    KVP_ENSURES_REGISTRY;
    ensures unchanged: result->status != KVP_OK ==> Unchanged(\old(*registry), *registry);
    ensures bare: result->status != KVP_OK ==> Bare(*result);
    ensures sufficient: result->status != KVP_FULL ==> Sufficient(*result);
    ensures unknown: KVP_REGISTRY_POLL < op->kind ==> result->status == KVP_ARGUMENT;
*/
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
    ensures unwritten: \result != KVP_OK ==> *taken == \old(*taken);
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
    requires apart: grants != \null ==>
      \separated(registry, grants + (0 .. count - 1), shortage);
    requires answer_apart: \separated(registry, shortage);
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
      ensures grants: NewGrants(\old(registry->handles), registry->handles, grants, count);
      ensures reset: \forall integer k; 0 <= k < count ==>
        KVP_RESET_FROM(\old(registry->store.classes), registry->store.classes,
                       registry->content, grants[k].block);
      ensures distinct: \forall integer j, k; 0 <= j < k < count ==>
        grants[j].block != grants[k].block;
      ensures kept: HandlesKept(\old(registry->handles), registry->handles);
      ensures counts: HandedOut(\old(registry->handles), registry->handles, count);
      ensures rest: AllocationRest(\old(*registry), *registry);
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
/*@ KVP_REQUIRES_REGISTRY;
    terminates \true;
    exits \false;
    assigns registry->content.stage[KVP_ITS_BLOCK], registry->content.salt[KVP_ITS_BLOCK],
            registry->store.lineage.position[KVP_ITS_BLOCK],
            registry->store.lineage.parent[KVP_ITS_BLOCK];
    KVP_ENSURES_REGISTRY;
    ensures status: \result == \old(Access(*registry, handle, KVP_BLOCK_RESET));
    ensures unchanged: \result != KVP_OK ==> Unchanged(\old(*registry), *registry);
    ensures partial: \result == KVP_OK ==> StateAt(*registry, handle) == KVP_BLOCK_PARTIAL &&
      registry->content.length[KVP_ITS_BLOCK] == 0;
    ensures begun: \result == KVP_OK ==>
      Begun(*registry, KVP_ITS_BLOCK, salt, position, parent);
*/
enum kvp_status kvp_registry_begin(struct kvp_registry *registry, uint64_t handle, uint64_t salt,
                                   uint32_t position, uint64_t parent);

/* All of tokens[length], or none. */
/*@ KVP_REQUIRES_REGISTRY;
    KVP_REQUIRES_TOKEN_PLANE;
    requires in: tokens != \null ==> length > 0 ==> \valid_read(tokens + (0 .. length - 1)) &&
      \separated(tokens + (0 .. length - 1), registry, KVP_TOKEN_PLANE);
    terminates \true;
    exits \false;
    assigns KVP_ITS_LENGTH, *(KVP_TOKEN_PLANE);
    KVP_ENSURES_REGISTRY;
    ensures status: \result == (tokens == \null && length != 0 ? KVP_ARGUMENT :
      \old(Access(*registry, handle, KVP_BLOCK_PARTIAL)) != KVP_OK ?
        \old(Access(*registry, handle, KVP_BLOCK_PARTIAL)) :
      registry->block_size < \old(KVP_ITS_LENGTH) + length ? KVP_FULL : KVP_OK);
    ensures unchanged: \result != KVP_OK ==> Unchanged(\old(*registry), *registry);
    ensures partial: \result == KVP_OK ==> StateAt(*registry, handle) == KVP_BLOCK_PARTIAL;
    ensures length: \result == KVP_OK ==>
      KVP_ITS_LENGTH == \old(KVP_ITS_LENGTH) + length;
    ensures before: KVP_ROW_KEPT_TO(KVP_ITS_BLOCK, \old(KVP_ITS_LENGTH));
    ensures tokens: \result == KVP_OK ==>
      KVP_ROW_TOKENS(KVP_ITS_BLOCK, \old(KVP_ITS_LENGTH), length);
    ensures others: KVP_ROWS_KEPT(KVP_ITS_BLOCK);
    ensures untouched: \result != KVP_OK ==> KVP_PLANE_KEPT;
*/
enum kvp_status kvp_registry_push(struct kvp_registry *registry, uint64_t handle,
                                  const uint32_t *tokens, uint32_t length);

/* As many of tokens[length] as there is room for: *taken of them. */
/*@ KVP_REQUIRES_REGISTRY;
    KVP_REQUIRES_TOKEN_PLANE;
    requires in: tokens != \null ==> length > 0 ==> \valid_read(tokens + (0 .. length - 1)) &&
      \separated(tokens + (0 .. length - 1), registry, taken, KVP_TOKEN_PLANE);
    requires out: \valid(taken) && \separated(taken, registry, KVP_TOKEN_PLANE);
    terminates \true;
    exits \false;
    assigns *taken, KVP_ITS_LENGTH, *(KVP_TOKEN_PLANE);
    KVP_ENSURES_REGISTRY;
    ensures status: \result == (tokens == \null && length != 0 ? KVP_ARGUMENT :
      \old(Access(*registry, handle, KVP_BLOCK_PARTIAL)));
    ensures unchanged: \result != KVP_OK ==> Unchanged(\old(*registry), *registry);
    ensures unwritten: \result != KVP_OK ==> *taken == \old(*taken);
    ensures partial: \result == KVP_OK ==> StateAt(*registry, handle) == KVP_BLOCK_PARTIAL;
    ensures taken: \result == KVP_OK ==> *taken ==
      \min(length, registry->block_size - \old(KVP_ITS_LENGTH));
    ensures length: \result == KVP_OK ==>
      KVP_ITS_LENGTH == \old(KVP_ITS_LENGTH) + *taken;
    ensures before: KVP_ROW_KEPT_TO(KVP_ITS_BLOCK, \old(KVP_ITS_LENGTH));
    ensures tokens: \result == KVP_OK ==>
      KVP_ROW_TOKENS(KVP_ITS_BLOCK, \old(KVP_ITS_LENGTH), *taken);
    ensures others: KVP_ROWS_KEPT(KVP_ITS_BLOCK);
    ensures untouched: \result != KVP_OK ==> KVP_PLANE_KEPT;
*/
enum kvp_status kvp_registry_fill(struct kvp_registry *registry, uint64_t handle,
                                  const uint32_t *tokens, uint32_t length, uint32_t *taken);

/* The last count tokens go. */
/*@ KVP_REQUIRES_REGISTRY;
    terminates \true;
    exits \false;
    assigns KVP_ITS_LENGTH;
    KVP_ENSURES_REGISTRY;
    ensures status: \result == (\old(Access(*registry, handle, KVP_BLOCK_PARTIAL)) != KVP_OK ?
        \old(Access(*registry, handle, KVP_BLOCK_PARTIAL)) :
      \old(KVP_ITS_LENGTH) < count ? KVP_EMPTY : KVP_OK);
    ensures unchanged: \result != KVP_OK ==> Unchanged(\old(*registry), *registry);
    ensures partial: \result == KVP_OK ==> StateAt(*registry, handle) == KVP_BLOCK_PARTIAL;
    ensures length: \result == KVP_OK ==>
      KVP_ITS_LENGTH == \old(KVP_ITS_LENGTH) - count;
*/
enum kvp_status kvp_registry_pop(struct kvp_registry *registry, uint64_t handle, uint32_t count);

/* A full block becomes complete, with its hashes. */
/*@ KVP_REQUIRES_REGISTRY;
    KVP_REQUIRES_TOKEN_PLANE;
    requires out: \valid(hashes) && \separated(hashes, registry, KVP_TOKEN_PLANE);
    terminates \true;
    exits \false;
    assigns registry->content.stage[KVP_ITS_BLOCK], registry->content.block_hash[KVP_ITS_BLOCK],
            registry->store.index.hash[KVP_ITS_BLOCK], *hashes;
    KVP_ENSURES_REGISTRY;
    ensures status: \result == (\old(Access(*registry, handle, KVP_BLOCK_PARTIAL)) != KVP_OK ?
        \old(Access(*registry, handle, KVP_BLOCK_PARTIAL)) :
      KVP_ITS_LENGTH < registry->block_size ? KVP_EMPTY : KVP_OK);
    ensures unchanged: \result != KVP_OK ==> Unchanged(\old(*registry), *registry);
    ensures unwritten: \result != KVP_OK ==> *hashes == \old(*hashes);
    ensures complete: \result == KVP_OK ==> StateAt(*registry, handle) == KVP_BLOCK_COMPLETE &&
      KVP_ITS_LENGTH == registry->block_size;
    ensures hashes: \result == KVP_OK ==>
      Hashed(*registry, KVP_ITS_BLOCK, hashes->block_hash, hashes->hash);
*/
enum kvp_status kvp_registry_commit(struct kvp_registry *registry, uint64_t handle,
                                    struct kvp_hashes *hashes);

/* begin, push and commit in one. */
/*@ KVP_REQUIRES_REGISTRY;
    KVP_REQUIRES_TOKEN_PLANE;
    requires in: tokens != \null ==> length > 0 ==> \valid_read(tokens + (0 .. length - 1)) &&
      \separated(tokens + (0 .. length - 1), registry, hashes, KVP_TOKEN_PLANE);
    requires out: \valid(hashes) && \separated(hashes, registry, KVP_TOKEN_PLANE);
    terminates \true;
    exits \false;
    assigns registry->content.stage[KVP_ITS_BLOCK], registry->content.salt[KVP_ITS_BLOCK],
            KVP_ITS_LENGTH, registry->content.block_hash[KVP_ITS_BLOCK],
            registry->store.lineage.position[KVP_ITS_BLOCK],
            registry->store.lineage.parent[KVP_ITS_BLOCK],
            registry->store.index.hash[KVP_ITS_BLOCK],
            *(KVP_TOKEN_PLANE), *hashes;
    KVP_ENSURES_REGISTRY;
    ensures status: \result == (tokens == \null && length != 0 ? KVP_ARGUMENT :
      length != registry->block_size ? KVP_RANGE :
      \old(Access(*registry, handle, KVP_BLOCK_RESET)));
    ensures unchanged: \result != KVP_OK ==> Unchanged(\old(*registry), *registry);
    ensures unwritten: \result != KVP_OK ==> *hashes == \old(*hashes);
    ensures complete: \result == KVP_OK ==> StateAt(*registry, handle) == KVP_BLOCK_COMPLETE &&
      KVP_ITS_LENGTH == registry->block_size;
    ensures hashes: \result == KVP_OK ==>
      Hashed(*registry, KVP_ITS_BLOCK, hashes->block_hash, hashes->hash);
    ensures begun: \result == KVP_OK ==>
      Begun(*registry, KVP_ITS_BLOCK, salt, position, parent);
    ensures tokens: \result == KVP_OK ==>
      KVP_ROW_TOKENS(KVP_ITS_BLOCK, 0, length);
    ensures others: KVP_ROWS_KEPT(KVP_ITS_BLOCK);
    ensures untouched: \result != KVP_OK ==> KVP_PLANE_KEPT;
*/
enum kvp_status kvp_registry_write(struct kvp_registry *registry, uint64_t handle,
                                   const uint32_t *tokens, uint32_t length, uint64_t salt,
                                   uint32_t position, uint64_t parent, struct kvp_hashes *hashes);

/* A held block forgets what it holds. */
/*@ KVP_REQUIRES_REGISTRY;
    terminates \true;
    exits \false;
    assigns registry->content.stage[KVP_ITS_BLOCK], KVP_ITS_LENGTH,
            registry->store.keys.priority[KVP_ITS_BLOCK];
    KVP_ENSURES_REGISTRY;
    ensures status: \result == KVP_OK || \result == KVP_RANGE || \result == KVP_STATE;
    ensures range: \result == KVP_RANGE <==> !IsOut(registry->handles, handle);
    ensures state: \result == KVP_STATE <==> IsOut(registry->handles, handle) &&
      registry->store.classes.state[KVP_ITS_BLOCK] != KVP_PLACE_HELD;
    ensures unchanged: \result != KVP_OK ==> Unchanged(\old(*registry), *registry);
    ensures reset: \result == KVP_OK ==> StateAt(*registry, handle) == KVP_BLOCK_RESET &&
      KVP_ITS_LENGTH == 0 &&
      registry->store.keys.priority[KVP_ITS_BLOCK] == 0;
*/
enum kvp_status kvp_registry_clear(struct kvp_registry *registry, uint64_t handle);

/* The complete blocks of handles[count] are registered: grants[count]. O(count). */
/*@ KVP_REQUIRES_REGISTRY;
    requires in: handles != \null ==> count > 0 ==> \valid_read(handles + (0 .. count - 1));
    requires out: grants != \null ==> count > 0 ==> \valid(grants + (0 .. count - 1));
    requires shortage: \valid(shortage);
    requires apart: handles != \null ==> grants != \null ==>
      \separated(registry, handles + (0 .. count - 1), grants + (0 .. count - 1), shortage);
    requires answer_apart: \separated(registry, shortage);
    terminates \true;
    exits \false;
    assigns registry->tick, registry->store.classes, registry->store.empty, registry->store.index,
            registry->store.order, registry->store.calm, registry->store.blocking,
            registry->store.orphans,
            registry->store.keys.priority[0 .. registry->store.max_blocks - 1],
            registry->store.keys.returned[0 .. registry->store.max_blocks - 1],
            registry->handles, registry->events, registry->seen, grants[0 .. count - 1],
            *shortage;
    KVP_ENSURES_REGISTRY;
    ensures unchanged: \result != KVP_OK ==> Unchanged(\old(*registry), *registry);
    ensures argument: \result == KVP_ARGUMENT <==>
      (handles == \null || grants == \null) && count != 0;
    ensures in_range: \result != KVP_ARGUMENT ==> \result != KVP_RANGE ==>
      (\forall integer i; 0 <= i < count ==> IsOut(\old(registry->handles), \old(handles[i]))) &&
      (\forall integer i, j; 0 <= i < j < count ==>
        \old(handles[i]) != \old(handles[j]));
    ensures overflow: \result == KVP_OVERFLOW ==> !Fresh(\old(*registry));
    ensures state: \result == KVP_STATE ==>
      \exists integer i; 0 <= i < count && !OfComplete(\old(*registry), \old(handles[i]));
    ensures complete: \result == KVP_OK || \result == KVP_FULL ==>
      \forall integer i; 0 <= i < count ==> OfComplete(\old(*registry), \old(handles[i]));
    ensures full: \result == KVP_FULL <==> \result != KVP_ARGUMENT && \result != KVP_RANGE &&
      \result != KVP_OVERFLOW && \result != KVP_STATE && registry->keep_duplicates != 0 &&
      \old(registry->handles.num_ready) < count;
    ensures shortage: \result == KVP_FULL ==> shortage->requested == count &&
      shortage->available == registry->handles.num_ready;
    ensures status: \result == KVP_OK || \result == KVP_ARGUMENT || \result == KVP_RANGE ||
      \result == KVP_OVERFLOW || \result == KVP_STATE || \result == KVP_FULL;
    ensures grants: \result == KVP_OK ==> \forall integer k; 0 <= k < count ==>
      GrantIs(registry->handles, grants[k].handle, grants[k].block) &&
      KVP_ACTIVE_UNDER(registry->store, grants[k].block,
                       HashOf(\old(*registry), \old(handles[k])));
    ensures hashes: HashesKept(\old(registry->store.index), registry->store.index);
    ensures places: Registered(\old(registry->store.classes), registry->store.classes);
*/
enum kvp_status kvp_registry_register(struct kvp_registry *registry, const uint64_t *handles,
                                      uint32_t count, struct kvp_grant *grants,
                                      struct kvp_shortage *shortage);

/* The leading hashes[count] that are registered: *matched of them, a share of each in grants. */
/*@ KVP_REQUIRES_REGISTRY;
    requires in: hashes != \null ==> count > 0 ==> \valid_read(hashes + (0 .. count - 1));
    requires out: grants != \null ==> count > 0 ==> \valid(grants + (0 .. count - 1));
    requires results: \valid(matched) && \valid(shortage);
    requires apart: hashes != \null && grants != \null ==>
      \separated(registry, hashes + (0 .. count - 1), grants + (0 .. count - 1), matched,
                 shortage);
    requires answer_apart: \separated(registry, matched, shortage);
    terminates \true;
    exits \false;
    assigns registry->store.classes, registry->store.order, registry->store.calm,
            registry->store.blocking, registry->handles, grants[0 .. count - 1], *matched,
            *shortage;
    KVP_ENSURES_REGISTRY;
    ensures unwritten: \result != KVP_OK ==> *matched == \old(*matched);
    ensures unchanged: \result != KVP_OK ==> Unchanged(\old(*registry), *registry);
    ensures argument: \result == KVP_ARGUMENT <==>
      (hashes == \null || grants == \null) && count != 0;
    ensures overflow: \result == KVP_OVERFLOW <==>
      ((hashes != \null && grants != \null) || count == 0) && !Fresh(\old(*registry));
    ensures status: \result == KVP_OK || \result == KVP_ARGUMENT || \result == KVP_OVERFLOW ||
      \result == KVP_FULL;
    ensures full: \result == KVP_FULL ==> shortage->available == registry->handles.num_ready &&
      shortage->available < shortage->requested <= count &&
      Leading{Old}(\old(registry->store.index), hashes, shortage->requested, count);
    ensures matched: \result == KVP_OK ==>
      *matched <= count && *matched <= \old(registry->handles.num_ready) &&
      Leading{Old}(\old(registry->store.index), hashes, *matched, count);
    ensures grants: \result == KVP_OK ==>
      NewGrants(\old(registry->handles), registry->handles, grants, *matched);
    ensures counts: \result == KVP_OK ==>
      HandedOut(\old(registry->handles), registry->handles, *matched);
    ensures blocks: \result == KVP_OK ==> \forall integer k; 0 <= k < *matched ==>
      KVP_ACTIVE_UNDER(registry->store, grants[k].block, hashes[k]);
    ensures kept: HandlesKept(\old(registry->handles), registry->handles);
    ensures rest: Activated(\old(registry->store.classes), registry->store.classes);
*/
enum kvp_status kvp_registry_match(struct kvp_registry *registry, const uint64_t *hashes,
                                   uint32_t count, struct kvp_grant *grants, uint32_t *matched,
                                   struct kvp_shortage *shortage);

/* The leading hashes[count] that are registered, *matched of them, become the youngest. */
/*@ KVP_REQUIRES_REGISTRY;
    requires in: hashes != \null ==> count > 0 ==> \valid_read(hashes + (0 .. count - 1));
    requires out: \valid(matched);
    requires apart: hashes != \null ==>
      \separated(registry, hashes + (0 .. count - 1), matched);
    requires answer_apart: \separated(registry, matched);
    terminates \true;
    exits \false;
    assigns registry->tick, registry->store.order, registry->store.keys, *matched;
    KVP_ENSURES_REGISTRY;
    ensures unwritten: \result != KVP_OK ==> *matched == \old(*matched);
    ensures unchanged: \result != KVP_OK ==> Unchanged(\old(*registry), *registry);
    ensures argument: \result == KVP_ARGUMENT <==> hashes == \null && count != 0;
    ensures overflow: \result == KVP_OVERFLOW <==>
      (hashes != \null || count == 0) && !Fresh(\old(*registry));
    ensures status: \result == KVP_OK || \result == KVP_ARGUMENT || \result == KVP_OVERFLOW;
    ensures matched: \result == KVP_OK ==>
      *matched <= count && Leading(registry->store.index, hashes, *matched, count);
    ensures tick: \old(registry->tick) <= registry->tick;
    ensures young: \result == KVP_OK ==> \forall integer k; 0 <= k < *matched ==>
      Touched(*registry, hashes[k], \old(registry->tick));
    ensures rest: \forall integer i; 0 <= i < registry->store.max_blocks ==>
      KVP_TOUCH_REST(\old(registry->store), registry->store, i, \old(registry->tick));
*/
enum kvp_status kvp_registry_touch(struct kvp_registry *registry, const uint64_t *hashes,
                                   uint32_t count, uint32_t *matched);

/* One share more of an active block. */
/*@ KVP_REQUIRES_REGISTRY;
    requires out: grant != \null ==> \valid(grant);
    requires shortage: \valid(shortage);
    requires apart: grant != \null ==> \separated(registry, grant, shortage);
    requires answer_apart: \separated(registry, shortage);
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
      ensures grant: GrantIs(registry->handles, grant->handle, grant->block) &&
      grant->kind == KVP_GRANT_NEW;
      ensures issued: Issued(\old(registry->handles), registry->handles, SlotOf(grant->handle),
        \old(registry->handles).block[SlotOf(handle)]);
      ensures kept: HandlesKept(\old(registry->handles), registry->handles);
    complete behaviors;
    disjoint behaviors;
*/
enum kvp_status kvp_registry_share(struct kvp_registry *registry, uint64_t handle,
                                   struct kvp_grant *grant, struct kvp_shortage *shortage);

/* All of handles[count] are given up, the last one first. */
/*@ KVP_REQUIRES_REGISTRY;
    requires in: handles != \null ==> count > 0 ==> \valid_read(handles + (0 .. count - 1));
    requires apart: handles != \null ==> \separated(registry, handles + (0 .. count - 1));
    terminates \true;
    exits \false;
    assigns registry->tick, registry->store.classes, registry->store.empty, registry->store.order,
            registry->store.calm, registry->store.blocking, registry->store.keys,
            registry->handles, registry->seen;
    KVP_ENSURES_REGISTRY;
    ensures unchanged: \result != KVP_OK ==> Unchanged(\old(*registry), *registry);
    ensures argument: \result == KVP_ARGUMENT <==> handles == \null && count != 0;
    ensures range: \result == KVP_RANGE ==> registry->handles.num_slots < count ||
      (\exists integer i; 0 <= i < count && !IsOut(registry->handles, handles[i])) ||
      (\exists integer i, j; 0 <= i < j < count && handles[i] == handles[j]);
    ensures in_range: \result == KVP_OK || \result == KVP_OVERFLOW ==>
      (\forall integer i; 0 <= i < count ==> IsOut(\old(registry->handles), handles[i])) &&
      (\forall integer i, j; 0 <= i < j < count ==> handles[i] != handles[j]);
    ensures overflow: \result == KVP_OVERFLOW ==> !Fresh(*registry);
    ensures status: \result == KVP_OK || \result == KVP_ARGUMENT || \result == KVP_RANGE ||
      \result == KVP_OVERFLOW;
    ensures gone: \result == KVP_OK ==> \forall integer k; 0 <= k < count ==>
      !Out(registry->handles, SlotOf(handles[k]));
    ensures rest: \forall integer s; 0 <= s < registry->handles.num_slots ==>
      KVP_SAME_SLOT(\old(registry->handles), registry->handles, s) || InList(handles, count, s);
    ensures places: GivenBack(\old(registry->store.classes), registry->store.classes,
                              registry->handles);
*/
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
/*@ KVP_REQUIRES_REGISTRY;
    terminates \true;
    exits \false;
    assigns registry->events, registry->store.classes, registry->store.empty,
            registry->store.index.chains, registry->store.index.size, registry->store.order,
            registry->store.calm, registry->store.orphans,
            registry->store.keys.priority[0 .. KVP_CAPACITY - 1];
    KVP_ENSURES_REGISTRY;
    ensures unchanged: \result != KVP_OK ==> Unchanged(\old(*registry), *registry);
    ensures overflow: \result == KVP_OVERFLOW <==> !Fresh(\old(*registry));
    ensures busy: \result == KVP_BUSY <==> Fresh(\old(*registry)) &&
      (registry->handles.num_out != 0 || !Unpinned(registry->store));
    ensures status: \result == KVP_OK || \result == KVP_OVERFLOW || \result == KVP_BUSY;
    ensures empty: \result == KVP_OK ==>
      \forall integer i; 0 <= i < registry->store.num_blocks ==>
        registry->store.classes.state[i] == KVP_PLACE_EMPTY;
    ensures cleared: \result == KVP_OK ==>
      registry->events.last == \old(registry->events.last) + 1;
*/
enum kvp_status kvp_registry_reset(struct kvp_registry *registry);

/* The oldest events, at most count: *written of them, and how many were dropped before them. */
/*@ KVP_REQUIRES_REGISTRY;
    requires list: events != \null ==> count > 0 ==> \valid(events + (0 .. count - 1)) &&
      \separated(events + (0 .. count - 1), registry, written, dropped);
    requires out: \valid(written) && \valid(dropped) && \separated(written, dropped, registry);
    terminates \true;
    exits \false;
    assigns registry->events.first, registry->events.count, registry->events.dropped,
            events[0 .. count - 1], *written, *dropped;
    KVP_ENSURES_REGISTRY;
    ensures status: \result == (events == \null && count != 0 ? KVP_ARGUMENT : KVP_OK);
    ensures unchanged: \result != KVP_OK ==> Unchanged(\old(*registry), *registry);
    ensures unwritten: \result != KVP_OK ==>
      *written == \old(*written) && *dropped == \old(*dropped);
    ensures number: \result == KVP_OK ==> *written == \min(count, \old(registry->events.count));
    ensures gone: \result == KVP_OK ==>
      registry->events.count == \old(registry->events.count) - *written;
    ensures same: \result == KVP_OK ==>
      EventsKept(\old(registry->events), registry->events, *written, registry->events.count);
    ensures written: \result == KVP_OK ==> \forall integer k; 0 <= k < *written ==>
      events[k].number == EventNumber(\old(registry->events), k) &&
      EventIs(\old(registry->events), EventPlace(\old(registry->events), k), events[k].kind,
              events[k].position, events[k].block_hash, events[k].hash, events[k].parent);
    ensures dropped: \result == KVP_OK ==>
      *dropped == \old(registry->events.dropped) && registry->events.dropped == 0;
*/
enum kvp_status kvp_registry_poll(struct kvp_registry *registry, uint32_t count,
                                  struct kvp_event *events, uint32_t *written, uint64_t *dropped);

/* What can be seen. */

/* How many blocks are in which state. */
/*@ KVP_REQUIRES_REGISTRY;
    requires out: \valid(counts) && \separated(registry, counts);
    terminates \true;
    exits \false;
    assigns *counts;
    ensures blocks: counts->num_blocks == registry->store.num_blocks;
    ensures sum: counts->num_blocks == counts->num_empty + counts->num_held +
      counts->num_active + counts->num_cached;
    ensures empty: counts->num_empty == registry->store.classes.count[KVP_PLACE_EMPTY];
    ensures held: counts->num_held == registry->store.classes.count[KVP_PLACE_HELD];
    ensures active: counts->num_active == registry->store.classes.count[KVP_PLACE_ACTIVE];
    ensures available: counts->num_available == Available(*registry);
    ensures handles: counts->num_handles == registry->handles.num_out;
    ensures events: counts->num_events == registry->events.count;
*/
void kvp_registry_counts(const struct kvp_registry *registry, struct kvp_registry_counts *counts);

/* A block's state. KVP_RANGE unless block < num_blocks. */
/*@ KVP_REQUIRES_REGISTRY;
    requires out: \valid(view) && \separated(registry, view);
    terminates \true;
    exits \false;
    assigns *view;
    behavior outside:
      assumes outside: registry->store.num_blocks <= block;
      assigns \nothing;
      ensures status: \result == KVP_RANGE;
    behavior seen:
      assumes inside: block < registry->store.num_blocks;
      ensures status: \result == KVP_OK;
      ensures state: view->state == StateOf(*registry, block);
      ensures holders: view->handles == registry->handles.shares[block] &&
        view->pins == registry->store.pins.count[block];
      ensures key: view->priority == registry->store.keys.priority[block] &&
        view->acquired_tick == registry->content.acquired[block] &&
        view->returned_tick == registry->store.keys.returned[block];
      ensures bare: view->state < KVP_BLOCK_PARTIAL ==> view->length == 0 &&
        view->position == 0 && view->parent == 0 && view->salt == 0;
      ensures lineage: KVP_BLOCK_PARTIAL <= view->state ==>
        view->position == registry->store.lineage.position[block] &&
        view->parent == registry->store.lineage.parent[block];
      ensures unhashed: view->state < KVP_BLOCK_COMPLETE ==>
        view->block_hash == 0 && view->hash == 0;
      ensures hashed: KVP_BLOCK_COMPLETE <= view->state ==>
        view->block_hash == registry->content.block_hash[block] &&
        view->hash == registry->store.index.hash[block];
      ensures length: KVP_BLOCK_PARTIAL <= view->state <= KVP_BLOCK_COMPLETE ==>
        view->length == registry->content.length[block] &&
        view->salt == registry->content.salt[block];
      ensures tokens: KVP_BLOCK_PARTIAL <= view->state <= KVP_BLOCK_COMPLETE ==>
        view->length != 0 ==> view->tokens == registry->plane + Row(block, registry->block_size);
      ensures registered: KVP_BLOCK_ACTIVE <= view->state ==>
        view->length == registry->block_size && view->salt == 0;
      ensures no_tokens: view->length == 0 || KVP_BLOCK_ACTIVE <= view->state ==>
        view->tokens == \null;
    complete behaviors;
    disjoint behaviors;
*/
enum kvp_status kvp_registry_view(const struct kvp_registry *registry, uint32_t block,
                                  struct kvp_block_view *view);

/* The empty block that is allocated next after `block`, or the first one for KVP_NONE; KVP_NONE
   after the last, and for a block that is not empty. */
/*@ KVP_REQUIRES_REGISTRY;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures empty: \result != KVP_NONE ==> \result < registry->store.num_blocks &&
      registry->store.classes.state[\result] == KVP_PLACE_EMPTY;
    ensures none: block == KVP_NONE ==>
      (\result == KVP_NONE <==> registry->store.classes.count[KVP_PLACE_EMPTY] == 0);
    ensures first: block == KVP_NONE ==> \result != KVP_NONE ==>
      \forall integer i; 0 <= i < registry->store.num_blocks ==>
        registry->store.classes.state[i] == KVP_PLACE_EMPTY ==> i != \result ==>
        registry->store.empty.stamp[\result] < registry->store.empty.stamp[i];
    ensures stranger: block != KVP_NONE ==> block >= registry->store.num_blocks ||
      registry->store.classes.state[block] != KVP_PLACE_EMPTY ==> \result == KVP_NONE;
    ensures next: block < registry->store.num_blocks ==>
      registry->store.classes.state[block] == KVP_PLACE_EMPTY ==>
      \forall integer i; 0 <= i < registry->store.num_blocks ==>
        registry->store.classes.state[i] == KVP_PLACE_EMPTY ==>
        registry->store.empty.stamp[block] < registry->store.empty.stamp[i] ==>
        \result != KVP_NONE &&
        registry->store.empty.stamp[\result] <= registry->store.empty.stamp[i];
*/
uint32_t kvp_registry_next_empty(const struct kvp_registry *registry, uint32_t block);

/* The cached block that would be evicted now, or KVP_NONE. */
/*@ KVP_REQUIRES_REGISTRY;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures none: \result == KVP_NONE <==> registry->store.classes.count[KVP_PLACE_READY] == 0;
    ensures cached: \result != KVP_NONE ==> \result < registry->store.num_blocks &&
      registry->store.classes.state[\result] == KVP_PLACE_READY &&
      registry->store.pins.count[\result] == 0;
    ensures least: \result != KVP_NONE ==>
      \forall integer i; 0 <= i < registry->store.num_blocks ==>
        Member(registry->store.order, i) ==> i != \result ==>
        Before(registry->store.order, \result, i);
*/
uint32_t kvp_registry_victim(const struct kvp_registry *registry);

#endif
