/* SPDX-License-Identifier: Apache-2.0 */
/* The store: which block is empty, held, active or cached, under which hash, and which cached one
   goes next. What a held block holds is the registry's. Each operation is O(1) in the number of
   blocks but for the eviction order's O(log), and, under leaf_first, for the ancestors and
   orphans that it moves. `store` is never NULL; KVP_NONE means no block. */
#ifndef KVP_REGISTRY_STORE_H
#define KVP_REGISTRY_STORE_H

#include <kvpool/registry_layout.h>

#ifdef __FRAMAC__
#include "spec/logic/store.h"
#endif

/* A store of no blocks, with room for max_blocks. O(max_blocks). */
/*@ requires valid: \valid(store);
    requires blocks: max_blocks <= KVP_CAPACITY;
    requires leaf_first: leaf_first <= 1;
    terminates \true;
    exits \false;
    assigns *store;
    KVP_STORE(ensures);
    ensures sizes: store->num_blocks == 0 && store->max_blocks == max_blocks &&
      store->leaf_first == leaf_first;
    ensures clocks: store->empty.clock == 0 && store->index.chains.clock == 0 &&
      store->calm.clock == 0 && store->blocking.clock == 0 && store->orphans.clock == 0;
*/
void kvp_store_init(struct kvp_store *store, uint32_t max_blocks, uint8_t leaf_first);

/* One block more, empty, at the end of the queue. */
/*@ KVP_REQUIRES_STORE;
    requires room: store->num_blocks < store->max_blocks;
    requires clock: store->empty.clock < UINT64_MAX;
    terminates \true;
    exits \false;
    assigns store->num_blocks, store->classes, store->empty;
    KVP_STORE(ensures);
    ensures one: store->num_blocks == \old(store->num_blocks) + 1;
    ensures joined: store->classes.state[\old(store->num_blocks)] == KVP_PLACE_EMPTY;
    ensures last: store->empty.stamp[\old(store->num_blocks)] == \old(store->empty.clock);
    ensures queue: ListsRest(\old(store->empty), store->empty, \old(store->num_blocks));
    ensures rest: ClassesRest(\old(store->classes), store->classes, \old(store->num_blocks));
    ensures clock: store->empty.clock == \old(store->empty.clock) + 1;
*/
void kvp_store_grow(struct kvp_store *store);

/* The empty block that goes next after b, or the first for KVP_NONE. KVP_NONE after the last, and
   for a block that is not empty. */
/*@ KVP_REQUIRES_STORE;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures empty: \result != KVP_NONE ==> \result < store->num_blocks &&
      store->classes.state[\result] == KVP_PLACE_EMPTY;
    ensures none: b == KVP_NONE ==>
      (\result == KVP_NONE <==> store->classes.count[KVP_PLACE_EMPTY] == 0);
    ensures first: b == KVP_NONE ==> \result != KVP_NONE ==>
      \forall integer i; 0 <= i < store->num_blocks ==>
        store->classes.state[i] == KVP_PLACE_EMPTY ==> i != \result ==>
        store->empty.stamp[\result] < store->empty.stamp[i];
    ensures stranger: b != KVP_NONE ==>
      b >= store->num_blocks || store->classes.state[b] != KVP_PLACE_EMPTY ==>
      \result == KVP_NONE;
    ensures next: b < store->num_blocks ==> store->classes.state[b] == KVP_PLACE_EMPTY ==>
      \forall integer i; 0 <= i < store->num_blocks ==>
        store->classes.state[i] == KVP_PLACE_EMPTY ==>
        store->empty.stamp[b] < store->empty.stamp[i] ==>
        \result != KVP_NONE && store->empty.stamp[\result] <= store->empty.stamp[i];
*/
uint32_t kvp_store_next_empty(const struct kvp_store *store, uint32_t b);

/* An empty block becomes held. */
/*@ KVP_REQUIRES_STORE;
    requires block: b < store->num_blocks && store->classes.state[b] == KVP_PLACE_EMPTY;
    terminates \true;
    exits \false;
    assigns store->classes, store->empty;
    KVP_STORE(ensures);
    ensures held: store->classes.state[b] == KVP_PLACE_HELD;
    ensures rest: ClassesRest(\old(store->classes), store->classes, b);
    ensures queue: ListsRest(\old(store->empty), store->empty, b);
    ensures clock: store->empty.clock == \old(store->empty.clock);
    ensures recounted: Recounted(\old(store->classes), store->classes, KVP_PLACE_EMPTY,
                                 KVP_PLACE_HELD);
*/
void kvp_store_take(struct kvp_store *store, uint32_t b);

/* A held block becomes empty, the last of the queue, with priority 0. */
/*@ KVP_REQUIRES_STORE;
    requires block: b < store->num_blocks && store->classes.state[b] == KVP_PLACE_HELD;
    requires clock: store->empty.clock < UINT64_MAX;
    terminates \true;
    exits \false;
    assigns store->classes, store->empty, store->keys.priority[b];
    KVP_STORE(ensures);
    ensures vacant: store->classes.state[b] == KVP_PLACE_EMPTY && store->keys.priority[b] == 0;
    ensures last: store->empty.stamp[b] == \old(store->empty.clock);
    ensures rest: ClassesRest(\old(store->classes), store->classes, b);
    ensures queue: ListsRest(\old(store->empty), store->empty, b);
    ensures clock: store->empty.clock == \old(store->empty.clock) + 1;
*/
void kvp_store_vacate(struct kvp_store *store, uint32_t b);

/* A held block is registered under a hash that no block has, and becomes active. Its lineage is
   set already. */
/*@ KVP_REQUIRES_STORE;
    requires block: b < store->num_blocks && store->classes.state[b] == KVP_PLACE_HELD;
    requires fresh: \forall integer i; 0 <= i < store->max_blocks ==> KVP_KNOWN(store->index, i) ==>
      store->index.hash[i] != hash;
    KVP_REQUIRES_CLOCKS;
    terminates \true;
    exits \false;
    assigns store->classes, store->index, store->order, store->calm, store->blocking,
            store->orphans;
    KVP_STORE(ensures);
    ensures active: store->classes.state[b] == KVP_PLACE_ACTIVE;
    ensures mapped: Known(*store, b) && store->index.hash[b] == hash;
    ensures index: IndexRest(\old(store->index), store->index, b);
    ensures rest: PlacesRest(\old(store->classes), store->classes, b);
    KVP_ENSURES_CLOCKS;
*/
void kvp_store_enter(struct kvp_store *store, uint32_t b, uint64_t hash);

/* A cached block becomes active. */
/*@ KVP_REQUIRES_STORE;
    requires block: b < store->num_blocks && InCache(*store, b);
    KVP_REQUIRES_CLOCKS;
    terminates \true;
    exits \false;
    assigns store->classes, store->order, store->calm, store->blocking;
    KVP_STORE(ensures);
    ensures active: store->classes.state[b] == KVP_PLACE_ACTIVE;
    ensures rest: PlacesRest(\old(store->classes), store->classes, b);
    KVP_ENSURES_CLOCKS;
*/
void kvp_store_activate(struct kvp_store *store, uint32_t b);

/* An active block becomes cached, returned at this tick. */
/*@ KVP_REQUIRES_STORE;
    requires block: b < store->num_blocks && store->classes.state[b] == KVP_PLACE_ACTIVE;
    KVP_REQUIRES_CLOCKS;
    terminates \true;
    exits \false;
    assigns store->classes, store->order, store->calm, store->blocking, store->keys.returned[b];
    KVP_STORE(ensures);
    ensures cached: InCache(*store, b) && store->keys.returned[b] == tick;
    ensures rest: PlacesRest(\old(store->classes), store->classes, b);
    KVP_ENSURES_CLOCKS;
*/
void kvp_store_cache(struct kvp_store *store, uint32_t b, uint64_t tick);

/* A block that is not empty gets another key. */
/*@ KVP_REQUIRES_STORE;
    requires block: b < store->num_blocks && store->classes.state[b] != KVP_PLACE_EMPTY;
    terminates \true;
    exits \false;
    assigns store->order, store->keys.priority[b], store->keys.returned[b];
    KVP_STORE(ensures);
    ensures key: store->keys.priority[b] == priority && store->keys.returned[b] == tick;
*/
void kvp_store_rekey(struct kvp_store *store, uint32_t b, uint32_t priority, uint64_t tick);

/* A registered block has so many pins from now on. */
/*@ KVP_REQUIRES_STORE;
    requires block: b < store->num_blocks && Known(*store, b);
    KVP_REQUIRES_CLOCKS;
    terminates \true;
    exits \false;
    assigns store->classes, store->order, store->calm, store->blocking, store->pins.count[b];
    KVP_STORE(ensures);
    ensures pins: store->pins.count[b] == pins;
    ensures rest: PlacesRest(\old(store->classes), store->classes, KVP_NONE);
    KVP_ENSURES_CLOCKS;
*/
void kvp_store_pin(struct kvp_store *store, uint32_t b, uint32_t pins);

/* The cached block that goes next, or KVP_NONE. */
/*@ KVP_REQUIRES_STORE;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures none: \result == KVP_NONE <==> store->classes.count[KVP_PLACE_READY] == 0;
    ensures nothing: \result == KVP_NONE ==> \forall integer i; 0 <= i < store->max_blocks ==>
      store->classes.state[i] != KVP_PLACE_READY;
    ensures victim: \result != KVP_NONE ==> \result < store->num_blocks &&
      Member(store->order, \result);
    ensures least: \result != KVP_NONE ==>
      \forall integer i; 0 <= i < store->num_blocks ==> Member(store->order, i) ==>
        i != \result ==> Before(store->order, \result, i);
*/
uint32_t kvp_store_victim(const struct kvp_store *store);

/* A cached block that may be evicted becomes empty, the last of the queue. */
/*@ KVP_REQUIRES_STORE;
    requires block: b < store->num_blocks && Member(store->order, b);
    requires clock: store->empty.clock < UINT64_MAX;
    terminates \true;
    exits \false;
    assigns store->classes, store->empty, store->index.chains, store->index.size, store->order,
            store->calm, store->orphans, store->keys.priority[b];
    KVP_STORE(ensures);
    ensures vacant: store->classes.state[b] == KVP_PLACE_EMPTY && store->keys.priority[b] == 0;
    ensures last: store->empty.stamp[b] == \old(store->empty.clock);
    ensures rest: ClassesRest(\old(store->classes), store->classes, b);
    ensures recounted: Recounted(\old(store->classes), store->classes, KVP_PLACE_READY,
                                 KVP_PLACE_EMPTY);
    ensures queue: ListsRest(\old(store->empty), store->empty, b);
    ensures index: IndexRest(\old(store->index), store->index, b);
    ensures empty_clock: store->empty.clock == \old(store->empty.clock) + 1;
    ensures chains_clock: store->index.chains.clock == \old(store->index.chains.clock);
    ensures calm_clock: store->calm.clock == \old(store->calm.clock);
    ensures orphans_clock: store->orphans.clock == \old(store->orphans.clock);
*/
void kvp_store_evict(struct kvp_store *store, uint32_t b);

#endif
