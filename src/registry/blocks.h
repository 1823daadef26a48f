/* SPDX-License-Identifier: Apache-2.0 */
/* Steps that several operations of the registry share. */
#ifndef KVP_REGISTRY_BLOCKS_H
#define KVP_REGISTRY_BLOCKS_H

#include <stddef.h>

#include <kvpool/registry.h>

#ifdef __FRAMAC__
#include "spec/logic/block.h"
#include "spec/logic/registry.h"
#endif

/* Whether a clock has come so far that an operation might use it up: past 2^63. */
/*@ requires valid: \valid_read(registry);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures worn: \result == 0 <==> Fresh(*registry);
*/
int kvp_registry_is_worn(const struct kvp_registry *registry);

/* Whether n handles are more than there are free slots for: 1 or 0. */
/*@ requires valid: \valid_read(registry) && \valid(shortage) && \separated(registry, shortage);
    requires handles: Handles(registry->handles);
    terminates \true;
    exits \false;
    assigns *shortage;
    ensures truth: \result == 1 <==> registry->handles.num_ready < n;
    ensures binary: \result == 0 || \result == 1;
    ensures bound: \result == 0 ==> n <= KVP_CAPACITY;
    ensures shortage: \result == 1 ==>
      shortage->requested == n && shortage->available == registry->handles.num_ready;
*/
int kvp_lacks_slots(const struct kvp_registry *registry, uint32_t n,
                    struct kvp_shortage *shortage);

/* The block that a handle stands for, or KVP_NONE if it is not out. */
/*@ requires valid: \valid_read(registry);
    requires handles: Handles(registry->handles);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures out: \result != KVP_NONE <==> IsOut(registry->handles, handle);
    ensures block: \result != KVP_NONE ==> \result < registry->handles.num_blocks &&
      \result == registry->handles.block[SlotOf(handle)] && SlotOf(handle) >= 0;
    ensures shared: \result != KVP_NONE ==> 1 <= registry->handles.shares[\result];
*/
uint32_t kvp_block_of(const struct kvp_registry *registry, uint64_t handle);

/* The state of a block below max_blocks; one that is absent is empty. */
/*@ requires valid: \valid_read(registry);
    requires block: b < KVP_CAPACITY;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures state: \result == StateOf(*registry, b);
    ensures held: registry->store.classes.state[b] == KVP_PLACE_HELD ==>
      \result == registry->content.stage[b];
    ensures active: registry->store.classes.state[b] == KVP_PLACE_ACTIVE ==>
      \result == KVP_BLOCK_ACTIVE;
    ensures cached: KVP_IN_CACHE(registry->store.classes, b) ==> \result == KVP_BLOCK_CACHED;
    ensures empty: registry->store.classes.state[b] == KVP_PLACE_EMPTY ||
      registry->store.classes.state[b] == KVP_PLACE_ABSENT ==> \result == KVP_BLOCK_EMPTY;
*/
enum kvp_block_state kvp_state_of(const struct kvp_registry *registry, uint32_t b);

/* The handle of a slot and its block, as a grant. */
/*@ requires valid: \valid_read(registry) && \valid(grant) && \separated(registry, grant);
    requires handles: Handles(registry->handles);
    requires slot: slot < registry->handles.num_slots && Out(registry->handles, slot);
    terminates \true;
    exits \false;
    assigns *grant;
    ensures grant: GrantIs(registry->handles, grant->handle, grant->block) &&
      grant->kind == kind && SlotOf(grant->handle) == slot;
*/
void kvp_write_grant(const struct kvp_registry *registry, uint32_t slot, enum kvp_grant_kind kind,
                     struct kvp_grant *grant);

/* A registered block is reported. */
/*@ requires valid: \valid(registry);
    requires block: b < KVP_CAPACITY;
    requires events: Events(registry->events);
    requires number: registry->events.last < UINT64_MAX;
    requires kind: kind <= KVP_EVENT_CLEARED;
    terminates \true;
    exits \false;
    assigns registry->events;
    ensures events: Events(registry->events);
    ensures size: registry->events.max_events == \old(registry->events.max_events);
    ensures last: registry->events.last == \old(registry->events.last) + 1;
    ensures newest: 0 < registry->events.max_events ==> 0 < registry->events.count &&
      EventIs(registry->events, EventPlace(registry->events, registry->events.count - 1), kind,
              registry->store.lineage.position[b], registry->content.block_hash[b],
              registry->store.index.hash[b], registry->store.lineage.parent[b]);
*/
void kvp_report(struct kvp_registry *registry, enum kvp_event_kind kind, uint32_t b);

/* A handle for a block, in the slot that has been free for longest. */
/*@ requires valid: \valid(registry) && \valid(grant) && \separated(registry, grant);
    requires handles: Handles(registry->handles);
    requires ready: 0 < registry->handles.num_ready;
    requires block: b < registry->handles.num_blocks;
    terminates \true;
    exits \false;
    assigns registry->handles, *grant;
    ensures handles: Handles(registry->handles);
    ensures issued: Issued(\old(registry->handles), registry->handles, SlotOf(grant->handle), b);
    ensures grant: GrantIs(registry->handles, grant->handle, grant->block) &&
      grant->kind == kind;
    ensures moved: SharesMoved(\old(registry->handles), registry->handles, KVP_NONE, b);
    ensures counts: registry->handles.num_out == \old(registry->handles.num_out) + 1 &&
      registry->handles.num_ready == \old(registry->handles.num_ready) - 1;
    ensures clock: registry->handles.ready.clock == \old(registry->handles.ready.clock);
    ensures kept: HandlesKept(\old(registry->handles), registry->handles);
*/
void kvp_hand_out(struct kvp_registry *registry, uint32_t b, enum kvp_grant_kind kind,
                  struct kvp_grant *grant);

/* A registered block is active from now on. */
/*@ requires valid: \valid(registry);
    requires store: Store(registry->store);
    requires block: b < registry->store.num_blocks && Known(registry->store, b);
    requires clocks: Clocks(*registry, KVP_CLOCK_BOUND);
    terminates \true;
    exits \false;
    assigns registry->store.classes, registry->store.order, registry->store.calm,
            registry->store.blocking;
    ensures store: Store(registry->store);
    ensures active: registry->store.classes.state[b] == KVP_PLACE_ACTIVE;
    ensures rest: PlacesRest(\old(registry->store.classes), registry->store.classes, b);
    ensures paced: Paced(\old(*registry), *registry);
*/
void kvp_make_active(struct kvp_registry *registry, uint32_t b);

/* A new share of a registered block. */
/*@ KVP_REQUIRES_REGISTRY;
    requires out: \valid(grant) && \separated(registry, grant);
    requires block: b < registry->store.num_blocks && Known(registry->store, b);
    requires ready: 0 < registry->handles.num_ready;
    requires clocks: Clocks(*registry, KVP_CLOCK_BOUND);
    terminates \true;
    exits \false;
    assigns registry->store.classes, registry->store.order, registry->store.calm,
            registry->store.blocking, registry->handles, *grant;
    KVP_ENSURES_REGISTRY;
    ensures active: registry->store.classes.state[b] == KVP_PLACE_ACTIVE;
    ensures rest: PlacesRest(\old(registry->store.classes), registry->store.classes, b);
    ensures paced: Paced(\old(*registry), *registry);
    ensures issued: Issued(\old(registry->handles), registry->handles, SlotOf(grant->handle), b);
    ensures grant: GrantIs(registry->handles, grant->handle, grant->block) &&
      grant->kind == kind;
    ensures counts: registry->handles.num_out == \old(registry->handles.num_out) + 1 &&
      registry->handles.num_ready == \old(registry->handles.num_ready) - 1;
    ensures kept: HandlesKept(\old(registry->handles), registry->handles);
*/
void kvp_share_block(struct kvp_registry *registry, uint32_t b, enum kvp_grant_kind kind,
                     struct kvp_grant *grant);

/* A block without a handle is given back: cached if it was active, else empty. */
/*@ requires valid: \valid(registry);
    requires store: Store(registry->store);
    requires block: b < registry->store.num_blocks &&
      KVP_PLACE_HELD <= registry->store.classes.state[b] <= KVP_PLACE_ACTIVE;
    requires clocks: Clocks(*registry, KVP_CLOCK_BOUND);
    terminates \true;
    exits \false;
    assigns registry->tick, registry->store.classes, registry->store.empty, registry->store.order,
            registry->store.calm, registry->store.blocking, registry->store.keys.returned[b],
            registry->store.keys.priority[b];
    ensures store: Store(registry->store);
    ensures cached: \old(registry->store.classes).state[b] == KVP_PLACE_ACTIVE ==>
      InCache(registry->store, b);
    ensures empty: \old(registry->store.classes).state[b] == KVP_PLACE_HELD ==>
      registry->store.classes.state[b] == KVP_PLACE_EMPTY;
    ensures returned: registry->store.keys.returned[b] == registry->tick;
    ensures tick: registry->tick == \old(registry->tick) + 1;
    ensures rest: PlacesRest(\old(registry->store.classes), registry->store.classes, b);
    ensures paced: Paced(\old(*registry), *registry);
*/
void kvp_give_back(struct kvp_registry *registry, uint32_t b);

#endif
