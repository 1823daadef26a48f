/* SPDX-License-Identifier: Apache-2.0 */
/* Parents and children in the store. */
#include "src/registry/family.h"

#include "src/pool/classes.h"
#include "src/pool/index.h"
#include "src/pool/lists.h"
#include "src/registry/order.h"

/* A block goes over to the other list of its parent, if it is in one. Its parent, or KVP_NONE. */
/*@ requires valid: \valid(from) && \valid(to) && \separated(from, to);
    requires from: Lists(*from);
    requires to: Lists(*to);
    requires block: b < from->num_nodes == to->num_nodes && to->list[b] == KVP_NONE;
    requires parent: from->list[b] != KVP_NONE ==> from->list[b] < to->num_lists;
    requires clock: to->clock < UINT64_MAX;
    terminates \true;
    exits \false;
    assigns from->head[0 .. from->num_lists - 1], from->tail[0 .. from->num_lists - 1],
            from->next[0 .. from->num_nodes - 1], from->prev[0 .. from->num_nodes - 1],
            from->list[b], to->clock, to->head[0 .. to->num_lists - 1],
            to->tail[0 .. to->num_lists - 1], to->next[0 .. to->num_nodes - 1], to->prev[b],
            to->list[b], to->stamp[b];
    ensures from: Lists(*from);
    ensures to: Lists(*to);
    ensures parent: \result == \old(from->list[b]);
    ensures gone: from->list[b] == KVP_NONE;
    ensures come: to->list[b] == \result;
    ensures from_rest: ListsRest(\old(*from), *from, b);
    ensures to_rest: ListsRest(\old(*to), *to, b);
    ensures from_heads: \forall integer q; 0 <= q < from->num_lists ==> q != \result ==>
      from->head[q] == \old(from->head[q]);
    ensures to_heads: \forall integer q; 0 <= q < to->num_lists ==> q != \result ==>
      to->head[q] == \old(to->head[q]);
    ensures had: \result != KVP_NONE ==> \old(*from).head[\result] != KVP_NONE;
    ensures has: \result != KVP_NONE ==> to->head[\result] != KVP_NONE;
    ensures clock: to->clock <= \old(to->clock) + 1;
*/
static uint32_t shift(struct kvp_lists *from, struct kvp_lists *to, uint32_t b)
{
  uint32_t parent = from->list[b];
  if (parent == KVP_NONE)
    return parent;
  //@ assert had: from->head[parent] != KVP_NONE;
  kvp_lists_remove(from, b);
  kvp_lists_append(to, parent, b);
  return parent;
}

uint32_t kvp_family_unready(struct kvp_store *store, uint32_t b, uint8_t place)
{
  kvp_order_remove(&store->order, b);
  uint32_t parent = shift(&store->calm, &store->blocking, b);
  kvp_classes_set(&store->classes, b, place);
  return parent;
}

/* A ready block without children joins the order. */
/*@ requires valid: \valid(store);
    requires order: Order(store->order);
    requires members: StoreMembers(store->order, store->classes, store->calm, store->blocking, b);
    requires keys: StoreKeys(store->order, store->keys);
    requires sizes: store->order.num_ids == store->classes.num_ids;
    requires block: b < store->order.num_ids && !Member(store->order, b);
    requires ready: store->classes.state[b] == KVP_PLACE_READY ==>
      store->blocking.head[b] == KVP_NONE;
    terminates \true;
    exits \false;
    assigns store->order.node[1 .. 2 * store->order.num_ids - 1], store->order.priority[b],
            store->order.tick[b];
    ensures order: Order(store->order);
    ensures members: StoreMembers(store->order, store->classes, store->calm, store->blocking,
                                  KVP_NONE);
    ensures keys: StoreKeys(store->order, store->keys);
*/
static void enrol(struct kvp_store *store, uint32_t b)
{
  if (store->classes.state[b] == KVP_PLACE_READY && store->calm.head[b] == KVP_NONE)
    kvp_order_insert(&store->order, b, store->keys.priority[b], store->keys.returned[b]);
}

/* A blocked block becomes ready. Its parent, which is not settled then, or KVP_NONE. */
/*@ requires valid: \valid(store);
    KVP_STORE_BUT(requires, b, KVP_NONE, KVP_NONE, KVP_NONE);
    requires block: b < store->max_blocks && store->classes.state[b] == KVP_PLACE_BLOCKED;
    requires free: store->pins.count[b] == 0 && store->blocking.head[b] == KVP_NONE;
    requires clock: store->calm.clock < UINT64_MAX;
    terminates \true;
    exits \false;
    assigns store->classes, store->order, store->calm, store->blocking;
    KVP_STORE_BUT(ensures, \result, KVP_NONE, KVP_NONE, KVP_NONE);
    ensures place: store->classes.state[b] == KVP_PLACE_READY;
    ensures rest: ClassesRest(\old(store->classes), store->classes, b);
    ensures parent: \result != KVP_NONE ==> \result < store->max_blocks && \result != b &&
      Known(*store, \result) && store->lineage.position[\result] < store->lineage.position[b];
    ensures blocking_clock: store->blocking.clock == \old(store->blocking.clock);
    ensures calm_clock: store->calm.clock <= \old(store->calm.clock) + 1;
*/
static uint32_t ready(struct kvp_store *store, uint32_t b)
{
  uint32_t parent = shift(&store->blocking, &store->calm, b);
  kvp_classes_set(&store->classes, b, KVP_PLACE_READY);
  enrol(store, b);
  return parent;
}

/* Whether neither a pin nor a child holds a block here. */
/*@ requires valid: \valid_read(store);
    requires block: b < KVP_CAPACITY;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures loose: \result != 0 <==>
      store->pins.count[b] == 0 && store->blocking.head[b] == KVP_NONE;
*/
static int is_loose(const struct kvp_store *store, uint32_t b)
{
  return store->pins.count[b] == 0 && store->blocking.head[b] == KVP_NONE;
}

/* Makes one block blocked or ready, as it should be. Its parent if it changed and the parent may be
   wrong now, else KVP_NONE. */
/*@ requires valid: \valid(store);
    requires store: StoreBut(*store, b, KVP_NONE, KVP_NONE, KVP_NONE);
    requires block: b < store->max_blocks && Known(*store, b);
    requires calm_clock: store->calm.clock < UINT64_MAX;
    requires blocking_clock: store->blocking.clock < UINT64_MAX;
    terminates \true;
    exits \false;
    assigns store->classes, store->order, store->calm, store->blocking;
    ensures store: StoreBut(*store, \result, KVP_NONE, KVP_NONE, KVP_NONE);
    ensures rest: PlacesRest(\old(store->classes), store->classes, KVP_NONE);
    ensures parent: \result != KVP_NONE ==> \result < store->max_blocks &&
      Known(*store, \result) && store->lineage.position[\result] < store->lineage.position[b];
    ensures calm_clock: store->calm.clock <= \old(store->calm.clock) + 1;
    ensures blocking_clock: store->blocking.clock <= \old(store->blocking.clock) + 1;
*/
static uint32_t settle_one(struct kvp_store *store, uint32_t b)
{
  if (is_loose(store, b)) {
    if (store->classes.state[b] == KVP_PLACE_BLOCKED)
      return ready(store, b);
  } else if (store->classes.state[b] == KVP_PLACE_READY) {
    return kvp_family_unready(store, b, KVP_PLACE_BLOCKED);
  }
  return KVP_NONE;
}

void kvp_family_settle(struct kvp_store *store, uint32_t b)
{
  /*@ loop invariant block: b == KVP_NONE || (b < store->max_blocks && Known(*store, b));
      loop invariant store: StoreBut(*store, b, KVP_NONE, KVP_NONE, KVP_NONE);
      loop invariant rest: PlacesRest(\at(store->classes, Pre), store->classes, KVP_NONE);
      loop invariant calm_clock: store->calm.clock <= \at(store->calm.clock, Pre) + 4294967296 -
        (b == KVP_NONE ? 0 : store->lineage.position[b] + 1);
      loop invariant blocking_clock: store->blocking.clock <= \at(store->blocking.clock, Pre) +
        4294967296 - (b == KVP_NONE ? 0 : store->lineage.position[b] + 1);
      loop assigns b, store->classes, store->order, store->calm, store->blocking;
      loop variant b == KVP_NONE ? 0 : store->lineage.position[b] + 1; */
  while (b != KVP_NONE)
    b = settle_one(store, b);
}

/* An orphan whose parent came joins the parent's children. */
/*@ requires valid: \valid(store);
    KVP_STORE_BUT(requires, KVP_NONE, KVP_NONE, b, b);
    requires block: b < store->max_blocks && store->classes.state[b] == KVP_PLACE_ACTIVE;
    requires unlisted: Unlisted(*store, b);
    requires orphan: i < store->max_blocks && Listed(store->orphans, i) &&
      KVP_PARENT_OF(store->index, store->lineage, b, i);
    requires calm_clock: store->calm.clock < UINT64_MAX;
    requires blocking_clock: store->blocking.clock < UINT64_MAX;
    terminates \true;
    exits \false;
    assigns store->calm, store->blocking, store->orphans;
    KVP_STORE_BUT(ensures, KVP_NONE, KVP_NONE, b, b);
    ensures unlisted: Unlisted(*store, b);
    ensures gone: !Listed(store->orphans, i);
    ensures stamp: store->orphans.stamp[i] == \old(store->orphans.stamp[i]);
    ensures rest: ListsRest(\old(store->orphans), store->orphans, i);
    ensures fewer: MappedCount(store->orphans, store->max_blocks) ==
      MappedCount(\old(store->orphans), store->max_blocks) - 1;
    ensures calm_clock: store->calm.clock <= \old(store->calm.clock) + 1;
    ensures blocking_clock: store->blocking.clock <= \old(store->blocking.clock) + 1;
    ensures orphans_clock: store->orphans.clock == \old(store->orphans.clock);
    ensures lists: store->orphans.num_lists == \old(store->orphans.num_lists);
*/
static void adopt_one(struct kvp_store *store, uint32_t i, uint32_t b)
{
  kvp_lists_remove(&store->orphans, i);
  if (store->classes.state[i] == KVP_PLACE_READY)
    kvp_lists_append(&store->calm, b, i);
  else
    kvp_lists_append(&store->blocking, b, i);
  /*@ ghost
      /@ loop invariant range: 0 <= k <= store->max_blocks;
         loop invariant one: MappedCount(store->orphans, k) ==
           MappedCount(\at(store->orphans, Pre), k) - (i < k ? 1 : 0);
         loop assigns k;
         loop variant store->max_blocks - k; @/
      for (uint32_t k = 0; k < store->max_blocks; k++)
        ;
  */
}

/* An orphan joins the children of b if it is one. */
/*@ requires valid: \valid(store);
    requires store: StoreBut(*store, KVP_NONE, KVP_NONE, b, b);
    requires block: b < store->max_blocks && store->classes.state[b] == KVP_PLACE_ACTIVE;
    requires unlisted: Unlisted(*store, b);
    requires orphan: i < store->max_blocks && Listed(store->orphans, i);
    requires calm_clock: store->calm.clock < UINT64_MAX;
    requires blocking_clock: store->blocking.clock < UINT64_MAX;
    terminates \true;
    exits \false;
    assigns store->calm, store->blocking, store->orphans;
    ensures store: StoreBut(*store, KVP_NONE, KVP_NONE, b, b);
    ensures unlisted: Unlisted(*store, b);
    ensures settled: store->orphans.list[i] != KVP_NONE ==>
      !KVP_PARENT_OF(store->index, store->lineage, b, i);
    ensures stamp: store->orphans.stamp[i] == \old(store->orphans.stamp[i]);
    ensures rest: ListsRest(\old(store->orphans), store->orphans, i);
    ensures calm_clock: store->calm.clock + MappedCount(store->orphans, store->max_blocks) <=
      \old(store->calm.clock) + MappedCount(\old(store->orphans), store->max_blocks);
    ensures blocking_clock: store->blocking.clock +
      MappedCount(store->orphans, store->max_blocks) <= \old(store->blocking.clock) +
      MappedCount(\old(store->orphans), store->max_blocks);
    ensures orphans_clock: store->orphans.clock == \old(store->orphans.clock);
    ensures lists: store->orphans.num_lists == \old(store->orphans.num_lists);
*/
static void offer(struct kvp_store *store, uint32_t i, uint32_t b)
{
  if (store->lineage.parent[i] != store->index.hash[b])
    return;
  if (store->lineage.position[i] - 1 == store->lineage.position[b])
    adopt_one(store, i, b);
}

void kvp_family_adopt(struct kvp_store *store, uint32_t b)
{
  uint32_t q = kvp_index_bucket(store->index.hash[b], store->orphans.num_lists);
  /*@ ghost
      /@ loop invariant range: 0 <= k <= store->max_blocks;
         loop invariant most: \forall struct kvp_lists l; 0 <= MappedCount(l, k) <= k;
         loop assigns k;
         loop variant store->max_blocks - k; @/
      for (uint32_t k = 0; k < store->max_blocks; k++)
        ;
  */
  uint32_t i = kvp_lists_first(&store->orphans, q);
  /*@ loop invariant here: i != KVP_NONE ==>
        i < store->max_blocks && store->orphans.list[i] == q;
      loop invariant store: StoreBut(*store, KVP_NONE, KVP_NONE, b, b);
      loop invariant unlisted: Unlisted(*store, b);
      loop invariant passed: \forall integer j; 0 <= j < store->max_blocks ==>
        store->orphans.list[j] == q ==>
        (i == KVP_NONE || store->orphans.stamp[j] < store->orphans.stamp[i]) ==>
        !KVP_PARENT_OF(store->index, store->lineage, b, j);
      loop invariant lists: store->orphans.num_lists == \at(store->orphans.num_lists, Pre);
      loop invariant calm_clock: store->calm.clock +
        MappedCount(store->orphans, store->max_blocks) <=
        \at(store->calm.clock, Pre) + MappedCount(\at(store->orphans, Pre), store->max_blocks);
      loop invariant blocking_clock: store->blocking.clock +
        MappedCount(store->orphans, store->max_blocks) <=
        \at(store->blocking.clock, Pre) + MappedCount(\at(store->orphans, Pre), store->max_blocks);
      loop invariant orphans_clock: store->orphans.clock == \at(store->orphans.clock, Pre);
      loop assigns i, store->calm, store->blocking, store->orphans;
      loop variant i == KVP_NONE ? 0 : store->orphans.clock - store->orphans.stamp[i]; */
  while (i != KVP_NONE) {
    uint32_t next = kvp_lists_next(&store->orphans, i);
    /*@ assert between: \forall integer j; 0 <= j < store->max_blocks ==>
          store->orphans.list[j] == q ==> j != i ==>
          (next == KVP_NONE || store->orphans.stamp[j] < store->orphans.stamp[next]) ==>
          store->orphans.stamp[j] < store->orphans.stamp[i]; */
    /*@ assert before: \forall integer j; 0 <= j < store->max_blocks ==>
          store->orphans.list[j] == q ==> j != i ==>
          (next == KVP_NONE || store->orphans.stamp[j] < store->orphans.stamp[next]) ==>
          !KVP_PARENT_OF(store->index, store->lineage, b, j); */
    offer(store, i, b);
    i = next;
  }
  /*@ assert here: \forall integer j; 0 <= j < store->max_blocks ==>
        store->orphans.list[j] != KVP_NONE ==>
        store->lineage.parent[j] == store->index.hash[b] ==> store->orphans.list[j] == q; */
  /*@ assert none: \forall integer j; 0 <= j < store->max_blocks ==>
        store->orphans.list[j] != KVP_NONE ==>
        !KVP_PARENT_OF(store->index, store->lineage, b, j); */
  //@ assert others: StoreOrphans(store->orphans, store->index, store->lineage, b);
  /*@ assert alone: \forall integer p, j; 0 <= p < store->max_blocks ==>
        0 <= j < store->max_blocks ==> store->orphans.list[j] != KVP_NONE ==>
        !KVP_PARENT_OF(store->index, store->lineage, p, j); */
}

/* The registered parent of a block that is no root, or KVP_NONE. */
/*@ requires valid: \valid_read(store);
    requires index: Index(store->index);
    requires shape: StoreShape(*store);
    requires block: b < store->max_blocks && store->lineage.position[b] != 0;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures parent: \result != KVP_NONE ==> \result < store->max_blocks &&
      KVP_PARENT_OF(store->index, store->lineage, \result, b);
    ensures none: \result == KVP_NONE ==>
      \forall integer p; 0 <= p < store->max_blocks ==>
        !KVP_PARENT_OF(store->index, store->lineage, p, b);
*/
static uint32_t find_parent(const struct kvp_store *store, uint32_t b)
{
  uint32_t p = kvp_index_lookup(&store->index, store->lineage.parent[b]);
  return p != KVP_NONE && store->lineage.position[b] - 1 == store->lineage.position[p] ? p
                                                                                       : KVP_NONE;
}

/* A block whose parent is not here waits among the orphans. */
/*@ requires valid: \valid(store);
    KVP_STORE_BUT(requires, KVP_NONE, KVP_NONE, KVP_NONE, b);
    requires block: b < store->max_blocks && Unlisted(*store, b);
    requires child: KVP_CHILD(store->leaf_first, store->index, store->lineage, b);
    requires none: \forall integer p; 0 <= p < store->max_blocks ==>
      !KVP_PARENT_OF(store->index, store->lineage, p, b);
    requires clock: store->orphans.clock < UINT64_MAX;
    terminates \true;
    exits \false;
    assigns store->orphans;
    KVP_STORE(ensures);
    ensures clock: store->orphans.clock == \old(store->orphans.clock) + 1;
*/
static void wait_for_parent(struct kvp_store *store, uint32_t b)
{
  kvp_lists_append(&store->orphans,
                   kvp_index_bucket(store->lineage.parent[b], store->orphans.num_lists), b);
}

/* An active block joins the children of its parent, which may not be evicted then. */
/*@ requires valid: \valid(store);
    KVP_STORE_BUT(requires, KVP_NONE, KVP_NONE, KVP_NONE, b);
    requires block: b < store->max_blocks && Unlisted(*store, b);
    requires active: store->classes.state[b] == KVP_PLACE_ACTIVE;
    requires child: KVP_CHILD(store->leaf_first, store->index, store->lineage, b);
    requires parent: parent < store->max_blocks &&
      KVP_PARENT_OF(store->index, store->lineage, parent, b);
    requires clock: store->blocking.clock < UINT64_MAX;
    terminates \true;
    exits \false;
    assigns store->order, store->blocking;
    KVP_STORE_BUT(ensures, parent, KVP_NONE, KVP_NONE, KVP_NONE);
    ensures clock: store->blocking.clock == \old(store->blocking.clock) + 1;
*/
static void hold_back(struct kvp_store *store, uint32_t parent, uint32_t b)
{
  kvp_order_remove(&store->order, parent);
  kvp_lists_append(&store->blocking, parent, b);
}

void kvp_family_join(struct kvp_store *store, uint32_t b)
{
  if (store->lineage.position[b] == 0)
    return;
  uint32_t parent = find_parent(store, b);
  if (parent == KVP_NONE) {
    wait_for_parent(store, b);
    return;
  }
  hold_back(store, parent, b);
  kvp_family_settle(store, parent);
}

void kvp_family_quit(struct kvp_store *store, uint32_t b)
{
  uint32_t parent = store->calm.list[b];
  if (store->orphans.list[b] != KVP_NONE)
    kvp_lists_remove(&store->orphans, b);
  if (parent == KVP_NONE)
    return;
  kvp_lists_remove(&store->calm, b);
  enrol(store, parent);
}
