/* SPDX-License-Identifier: Apache-2.0 */
/* Logic: where every block is, what may be evicted, and under leaf_first whose child it is. Each
   clause of the invariant takes just the parts that it speaks of, so that it stays where they do. */
#ifndef KVP_LOGIC_STORE_H
#define KVP_LOGIC_STORE_H

#include <kvpool/registry_layout.h>

#include "spec/logic/classes.h"
#include "spec/logic/index.h"
#include "spec/logic/order.h"

/* Macros, so that the provers see fields: block i is registered, for the index maps to it; is
   cached; p is the registered parent of i; i belongs into a list. */
#define KVP_KNOWN(index, i) (index.chains.list[i] != KVP_NONE)
#define KVP_IN_CACHE(classes, i) (KVP_PLACE_READY <= classes.state[i] <= KVP_PLACE_BLOCKED)
#define KVP_PARENT_OF(index, lineage, p, i)                                                    \
  (KVP_KNOWN(index, p) && lineage.position[i] == lineage.position[p] + 1 &&                    \
   lineage.parent[i] == index.hash[p])
#define KVP_CHILD(leaf_first, index, lineage, i)                                               \
  (leaf_first != 0 && KVP_KNOWN(index, i) && lineage.position[i] != 0)

/*@
predicate StoreShape(struct kvp_store s) =
  s.num_blocks <= s.max_blocks <= KVP_CAPACITY && s.classes.num_ids == s.max_blocks &&
  s.empty.num_nodes == s.max_blocks && s.empty.num_lists == 1 &&
  s.index.chains.num_nodes == s.max_blocks && s.order.num_ids == s.max_blocks &&
  s.calm.num_nodes == s.max_blocks && s.max_blocks <= s.calm.num_lists &&
  s.blocking.num_nodes == s.max_blocks && s.max_blocks <= s.blocking.num_lists &&
  s.orphans.num_nodes == s.max_blocks;

predicate StoreAbsent(struct kvp_classes c, integer num_blocks) =
  \forall integer i; 0 <= i < c.num_ids ==>
    (c.state[i] == KVP_PLACE_ABSENT <==> num_blocks <= i);
predicate StoreWaiting(struct kvp_lists empty, struct kvp_classes c) =
  \forall integer i; 0 <= i < c.num_ids ==>
    (empty.list[i] != KVP_NONE <==> c.state[i] == KVP_PLACE_EMPTY);
predicate StoreKnown(struct kvp_index x, struct kvp_classes c) =
  \forall integer i; 0 <= i < c.num_ids ==>
    (KVP_KNOWN(x, i) <==> KVP_PLACE_ACTIVE <= c.state[i] <= KVP_PLACE_BLOCKED);
predicate StorePins(struct kvp_pins p, struct kvp_index x) =
  \forall integer i; 0 <= i < x.chains.num_nodes ==> p.count[i] != 0 ==> KVP_KNOWN(x, i);
predicate StorePriority(struct kvp_keys k, struct kvp_classes c) =
  \forall integer i; 0 <= i < c.num_ids ==>
    c.state[i] == KVP_PLACE_EMPTY || c.state[i] == KVP_PLACE_ABSENT ==> k.priority[i] == 0;

// A cached block is ready exactly if nothing holds it here; true of every block but x.
predicate StoreReady(struct kvp_classes c, struct kvp_pins p, struct kvp_lists blocking,
                     integer x) =
  \forall integer i; 0 <= i < c.num_ids ==> i != x ==>
    (c.state[i] == KVP_PLACE_READY ==> p.count[i] == 0 && blocking.head[i] == KVP_NONE) &&
    (c.state[i] == KVP_PLACE_BLOCKED ==> p.count[i] != 0 || blocking.head[i] != KVP_NONE);
// What may be evicted is in the order; true of every block but x;
predicate StoreMembers(struct kvp_order o, struct kvp_classes c, struct kvp_lists calm,
                       struct kvp_lists blocking, integer x) =
  \forall integer i; 0 <= i < c.num_ids ==> i != x ==>
    (Member(o, i) <==> c.state[i] == KVP_PLACE_READY && calm.head[i] == KVP_NONE &&
      blocking.head[i] == KVP_NONE);
// under the key that it has.
predicate StoreKeys(struct kvp_order o, struct kvp_keys k) =
  \forall integer i; 0 <= i < o.num_ids ==> Member(o, i) ==>
    o.priority[i] == k.priority[i] && o.tick[i] == k.returned[i];

predicate StoreStrangers(integer leaf_first, struct kvp_index x, struct kvp_lineage l,
                         struct kvp_lists list) =
  \forall integer i; 0 <= i < list.num_nodes ==> list.list[i] != KVP_NONE ==>
    KVP_CHILD(leaf_first, x, l, i);
predicate StoreApart(struct kvp_lists a, struct kvp_lists b) =
  \forall integer i; 0 <= i < a.num_nodes ==> a.list[i] == KVP_NONE || b.list[i] == KVP_NONE;
predicate StoreCalm(struct kvp_lists calm, struct kvp_classes c) =
  \forall integer i; 0 <= i < c.num_ids ==> calm.list[i] != KVP_NONE ==>
    c.state[i] == KVP_PLACE_READY;
predicate StoreBlocking(struct kvp_lists blocking, struct kvp_classes c) =
  \forall integer i; 0 <= i < c.num_ids ==> blocking.list[i] != KVP_NONE ==>
    c.state[i] != KVP_PLACE_READY;
predicate StoreParents(struct kvp_lists list, struct kvp_index x, struct kvp_lineage l) =
  \forall integer i; 0 <= i < list.num_nodes ==> list.list[i] != KVP_NONE ==>
    list.list[i] < list.num_nodes && KVP_PARENT_OF(x, l, list.list[i], i);
predicate StoreBuckets(struct kvp_lists orphans, struct kvp_lineage l) =
  \forall integer i; 0 <= i < orphans.num_nodes ==> orphans.list[i] != KVP_NONE ==>
    orphans.list[i] == Bucket(l.parent[i], orphans.num_lists);
// An orphan has no parent here but, perhaps, x.
predicate StoreOrphans(struct kvp_lists orphans, struct kvp_index i, struct kvp_lineage l,
                       integer x) =
  \forall integer k, p; 0 <= k < orphans.num_nodes ==> 0 <= p < orphans.num_nodes ==>
    orphans.list[k] != KVP_NONE ==> p != x ==> !KVP_PARENT_OF(i, l, p, k);
predicate StorePlaced(integer leaf_first, struct kvp_index i, struct kvp_lineage l,
                      struct kvp_lists calm, struct kvp_lists blocking, struct kvp_lists orphans,
                      integer x) =
  \forall integer k; 0 <= k < i.chains.num_nodes ==> k != x ==>
    KVP_CHILD(leaf_first, i, l, k) ==> calm.list[k] != KVP_NONE ||
    blocking.list[k] != KVP_NONE || orphans.list[k] != KVP_NONE;

predicate Known(struct kvp_store s, integer i) = KVP_KNOWN(s.index, i);
predicate InCache(struct kvp_store s, integer i) = KVP_IN_CACHE(s.classes, i);
predicate Unlisted(struct kvp_store s, integer i) =
  s.calm.list[i] == KVP_NONE && s.blocking.list[i] == KVP_NONE && s.orphans.list[i] == KVP_NONE;

// Every block but b is where a user saw it; ready and blocked are one to a user.
predicate PlacesRest(struct kvp_classes o, struct kvp_classes c, integer b) =
  \forall integer i; 0 <= i < o.num_ids ==> i != b ==>
    c.state[i] == o.state[i] || (KVP_IN_CACHE(o, i) && KVP_IN_CACHE(c, i));
*/

/*@
predicate StoreBut(struct kvp_store s, integer unsettled, integer unordered, integer heir,
                   integer unplaced) =
  StoreShape(s) &&
  Classes(s.classes) &&
  StoreAbsent(s.classes, s.num_blocks) &&
  Lists(s.empty) &&
  StoreWaiting(s.empty, s.classes) &&
  Index(s.index) &&
  StoreKnown(s.index, s.classes) &&
  StorePins(s.pins, s.index) &&
  StorePriority(s.keys, s.classes) &&
  StoreReady(s.classes, s.pins, s.blocking, unsettled) &&
  Order(s.order) &&
  StoreMembers(s.order, s.classes, s.calm, s.blocking, unordered) &&
  StoreKeys(s.order, s.keys) &&
  Lists(s.calm) &&
  StoreStrangers(s.leaf_first, s.index, s.lineage, s.calm) &&
  StoreCalm(s.calm, s.classes) &&
  StoreParents(s.calm, s.index, s.lineage) &&
  Lists(s.blocking) &&
  StoreStrangers(s.leaf_first, s.index, s.lineage, s.blocking) &&
  StoreBlocking(s.blocking, s.classes) &&
  StoreParents(s.blocking, s.index, s.lineage) &&
  Lists(s.orphans) &&
  StoreStrangers(s.leaf_first, s.index, s.lineage, s.orphans) &&
  StoreBuckets(s.orphans, s.lineage) &&
  StoreOrphans(s.orphans, s.index, s.lineage, heir) &&
  StoreApart(s.calm, s.orphans) &&
  StoreApart(s.blocking, s.orphans) &&
  StorePlaced(s.leaf_first, s.index, s.lineage, s.calm, s.blocking, s.orphans, unplaced);
predicate Store(struct kvp_store s) = StoreBut(s, KVP_NONE, KVP_NONE, KVP_NONE, KVP_NONE);
*/

/* The invariant but for a block that is not settled, one that the order does not know of, one with
   orphans to adopt, and one in no list. */
#define KVP_STORE_BUT(K, unsettled, unordered, heir, unplaced)                                 \
  K shape: StoreShape(*store);                                                                 \
  K classes: Classes(store->classes);                                                          \
  K absent: StoreAbsent(store->classes, store->num_blocks);                                    \
  K empty: Lists(store->empty);                                                                \
  K waiting: StoreWaiting(store->empty, store->classes);                                       \
  K index: Index(store->index);                                                                \
  K known: StoreKnown(store->index, store->classes);                                           \
  K pins: StorePins(store->pins, store->index);                                                \
  K priority: StorePriority(store->keys, store->classes);                                      \
  K ready: StoreReady(store->classes, store->pins, store->blocking, unsettled);                \
  K order: Order(store->order);                                                                \
  K members: StoreMembers(store->order, store->classes, store->calm, store->blocking,          \
    unordered);                                                                                \
  K keys: StoreKeys(store->order, store->keys);                                                \
  K calm: Lists(store->calm);                                                                  \
  K calm_children: StoreStrangers(store->leaf_first, store->index, store->lineage,             \
    store->calm);                                                                              \
  K calm_ready: StoreCalm(store->calm, store->classes);                                        \
  K calm_parents: StoreParents(store->calm, store->index, store->lineage);                     \
  K blocking: Lists(store->blocking);                                                          \
  K blocking_children: StoreStrangers(store->leaf_first, store->index, store->lineage,         \
    store->blocking);                                                                          \
  K blocking_unready: StoreBlocking(store->blocking, store->classes);                          \
  K blocking_parents: StoreParents(store->blocking, store->index, store->lineage);             \
  K orphans: Lists(store->orphans);                                                            \
  K orphans_children: StoreStrangers(store->leaf_first, store->index, store->lineage,          \
    store->orphans);                                                                           \
  K orphans_buckets: StoreBuckets(store->orphans, store->lineage);                             \
  K orphans_alone: StoreOrphans(store->orphans, store->index, store->lineage, heir);           \
  K calm_apart: StoreApart(store->calm, store->orphans);                                       \
  K blocking_apart: StoreApart(store->blocking, store->orphans);                               \
  K placed: StorePlaced(store->leaf_first, store->index, store->lineage, store->calm,          \
    store->blocking, store->orphans, unplaced)
#define KVP_STORE(K) KVP_STORE_BUT(K, KVP_NONE, KVP_NONE, KVP_NONE, KVP_NONE)

#define KVP_REQUIRES_STORE                                                                     \
  requires valid: \valid(store);                                                               \
  requires store: Store(*store)

/* The store's clocks, five lists'; none may pass a bound. An operation on one block moves each by
   less than 2^33, for a position is less than 2^32. */
#define KVP_CLOCK_STEP 8589934592
/* 2^63 + 2^62: what is left of 2^64 is enough for any operation. */
#define KVP_CLOCK_BOUND 13835058055282163712
#define KVP_REQUIRES_CLOCKS                                                                    \
  requires empty_clock: store->empty.clock <= KVP_CLOCK_BOUND;                                 \
  requires chains_clock: store->index.chains.clock <= KVP_CLOCK_BOUND;                         \
  requires calm_clock: store->calm.clock <= KVP_CLOCK_BOUND;                                   \
  requires blocking_clock: store->blocking.clock <= KVP_CLOCK_BOUND;                           \
  requires orphans_clock: store->orphans.clock <= KVP_CLOCK_BOUND
#define KVP_ENSURES_CLOCKS                                                                     \
  ensures empty_clock: store->empty.clock <= \old(store->empty.clock) + KVP_CLOCK_STEP;        \
  ensures chains_clock:                                                                        \
    store->index.chains.clock <= \old(store->index.chains.clock) + KVP_CLOCK_STEP;             \
  ensures calm_clock: store->calm.clock <= \old(store->calm.clock) + KVP_CLOCK_STEP;           \
  ensures blocking_clock:                                                                      \
    store->blocking.clock <= \old(store->blocking.clock) + KVP_CLOCK_STEP;                     \
  ensures orphans_clock: store->orphans.clock <= \old(store->orphans.clock) + KVP_CLOCK_STEP

#endif
