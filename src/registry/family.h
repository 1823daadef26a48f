/* SPDX-License-Identifier: Apache-2.0 */
/* Parents and children in the store: what keeps a prefix from being evicted before what extends
   it. A cached block is ready if it is not pinned and no child of it is active or blocked; that
   holds of a parent again, so a change may climb. Without leaf_first every list is empty. */
#ifndef KVP_REGISTRY_FAMILY_H
#define KVP_REGISTRY_FAMILY_H

#include <kvpool/registry_layout.h>

#ifdef __FRAMAC__
#include "spec/logic/store.h"
#endif

/* A ready block becomes active or blocked. Its parent, which is not settled then, or KVP_NONE. */
/*@ requires valid: \valid(store);
    KVP_STORE_BUT(requires, b, KVP_NONE, KVP_NONE, KVP_NONE);
    requires block: b < store->max_blocks && store->classes.state[b] == KVP_PLACE_READY;
    requires place: place == KVP_PLACE_ACTIVE || (place == KVP_PLACE_BLOCKED &&
      (store->pins.count[b] != 0 || store->blocking.head[b] != KVP_NONE));
    requires clock: store->blocking.clock < UINT64_MAX;
    terminates \true;
    exits \false;
    assigns store->classes, store->order, store->calm, store->blocking;
    KVP_STORE_BUT(ensures, \result, KVP_NONE, KVP_NONE, KVP_NONE);
    ensures place: store->classes.state[b] == place;
    ensures rest: ClassesRest(\old(store->classes), store->classes, b);
    ensures parent: \result != KVP_NONE ==> \result < store->max_blocks && \result != b &&
      Known(*store, \result) && store->lineage.position[\result] < store->lineage.position[b];
    ensures calm_clock: store->calm.clock == \old(store->calm.clock);
    ensures blocking_clock: store->blocking.clock <= \old(store->blocking.clock) + 1;
*/
uint32_t kvp_family_unready(struct kvp_store *store, uint32_t b, uint8_t place);

/* Makes blocked or ready what should be, from a block that may be wrong on up; KVP_NONE if none
   is. O(1) unless it climbs. */
/*@ requires valid: \valid(store);
    requires store: StoreBut(*store, b, KVP_NONE, KVP_NONE, KVP_NONE);
    requires block: b == KVP_NONE || (b < store->max_blocks && Known(*store, b));
    requires calm_clock: store->calm.clock <= KVP_CLOCK_BOUND + KVP_CLOCK_STEP;
    requires blocking_clock: store->blocking.clock <= KVP_CLOCK_BOUND + KVP_CLOCK_STEP;
    terminates \true;
    exits \false;
    assigns store->classes, store->order, store->calm, store->blocking;
    ensures store: Store(*store);
    ensures rest: PlacesRest(\old(store->classes), store->classes, KVP_NONE);
    ensures calm_clock: store->calm.clock <= \old(store->calm.clock) + 4294967296;
    ensures blocking_clock: store->blocking.clock <= \old(store->blocking.clock) + 4294967296;
*/
void kvp_family_settle(struct kvp_store *store, uint32_t b);

/* An active block that was just registered finds the children that were here before it. */
/*@ requires valid: \valid(store);
    requires store: StoreBut(*store, KVP_NONE, KVP_NONE, b, b);
    requires block: b < store->max_blocks && store->classes.state[b] == KVP_PLACE_ACTIVE;
    requires unlisted: Unlisted(*store, b);
    requires leaf_first: store->leaf_first != 0;
    requires calm_clock: store->calm.clock <= KVP_CLOCK_BOUND;
    requires blocking_clock: store->blocking.clock <= KVP_CLOCK_BOUND;
    terminates \true;
    exits \false;
    assigns store->calm, store->blocking, store->orphans;
    KVP_STORE_BUT(ensures, KVP_NONE, KVP_NONE, KVP_NONE, b);
    ensures unlisted: Unlisted(*store, b);
    ensures calm_clock: store->calm.clock <= \old(store->calm.clock) + KVP_CAPACITY;
    ensures blocking_clock: store->blocking.clock <= \old(store->blocking.clock) + KVP_CAPACITY;
    ensures orphans_clock: store->orphans.clock == \old(store->orphans.clock);
*/
void kvp_family_adopt(struct kvp_store *store, uint32_t b);

/* An active block that is in no list joins its parent's, or waits for its parent. */
/*@ requires valid: \valid(store);
    requires store: StoreBut(*store, KVP_NONE, KVP_NONE, KVP_NONE, b);
    requires block: b < store->max_blocks && store->classes.state[b] == KVP_PLACE_ACTIVE;
    requires unlisted: Unlisted(*store, b);
    requires leaf_first: store->leaf_first != 0;
    requires calm_clock: store->calm.clock <= KVP_CLOCK_BOUND + KVP_CAPACITY;
    requires blocking_clock: store->blocking.clock <= KVP_CLOCK_BOUND + KVP_CAPACITY;
    requires orphans_clock: store->orphans.clock <= KVP_CLOCK_BOUND;
    terminates \true;
    exits \false;
    assigns store->classes, store->order, store->calm, store->blocking, store->orphans;
    ensures store: Store(*store);
    ensures rest: PlacesRest(\old(store->classes), store->classes, KVP_NONE);
    ensures calm_clock: store->calm.clock <= \old(store->calm.clock) + 4294967296;
    ensures blocking_clock: store->blocking.clock <= \old(store->blocking.clock) + 4294967297;
    ensures orphans_clock: store->orphans.clock <= \old(store->orphans.clock) + 1;
*/
void kvp_family_join(struct kvp_store *store, uint32_t b);

/* A block that may be evicted leaves its list; its parent may be evicted next. */
/*@ requires valid: \valid(store);
    KVP_STORE(requires);
    requires block: b < store->max_blocks && Member(store->order, b);
    terminates \true;
    exits \false;
    assigns store->order, store->calm, store->orphans;
    KVP_STORE_BUT(ensures, KVP_NONE, KVP_NONE, KVP_NONE, b);
    ensures unlisted: Unlisted(*store, b);
    ensures member: Member(store->order, b);
    ensures calm_clock: store->calm.clock == \old(store->calm.clock);
    ensures orphans_clock: store->orphans.clock == \old(store->orphans.clock);
*/
void kvp_family_quit(struct kvp_store *store, uint32_t b);

#endif
