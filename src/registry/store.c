/* SPDX-License-Identifier: Apache-2.0 */
/* The store. Every change of a block's place keeps index, queue, order and families in step. */
#include "src/registry/store.h"

#include "src/pool/classes.h"
#include "src/pool/index.h"
#include "src/pool/lists.h"
#include "src/registry/family.h"
#include "src/registry/order.h"

void kvp_store_init(struct kvp_store *store, uint32_t max_blocks, uint8_t leaf_first)
{
  uint32_t lists = max_blocks == 0 ? 1 : max_blocks;
  store->num_blocks = 0;
  store->max_blocks = max_blocks;
  store->leaf_first = leaf_first;
  kvp_classes_init(&store->classes, max_blocks);
  kvp_lists_init(&store->empty, max_blocks, 1);
  kvp_index_init(&store->index, max_blocks);
  kvp_order_init(&store->order, max_blocks);
  kvp_lists_init(&store->calm, max_blocks, lists);
  kvp_lists_init(&store->blocking, max_blocks, lists);
  kvp_lists_init(&store->orphans, max_blocks, lists);
  /*@ loop invariant range: 0 <= b <= max_blocks;
      loop invariant priority: \forall integer i; 0 <= i < b ==> store->keys.priority[i] == 0;
      loop invariant pins: \forall integer i; 0 <= i < b ==> store->pins.count[i] == 0;
      loop assigns b, store->keys, store->pins;
      loop variant max_blocks - b; */
  for (uint32_t b = 0; b < max_blocks; b++) {
    store->keys.priority[b] = 0;
    store->keys.returned[b] = 0;
    store->pins.count[b] = 0;
  }
}

void kvp_store_grow(struct kvp_store *store)
{
  uint32_t b = store->num_blocks;
  //@ assert absent: store->classes.state[b] == KVP_PLACE_ABSENT && store->keys.priority[b] == 0;
  kvp_lists_append(&store->empty, 0, b);
  kvp_classes_set(&store->classes, b, KVP_PLACE_EMPTY);
  store->num_blocks = b + 1;
}

uint32_t kvp_store_next_empty(const struct kvp_store *store, uint32_t b)
{
  if (b == KVP_NONE) {
    uint32_t first = kvp_lists_first(&store->empty, 0);
    /*@ ghost
        /@ loop invariant range: 0 <= i <= store->max_blocks;
           loop invariant natural: 0 <= Count(store->classes, KVP_PLACE_EMPTY, i);
           loop invariant none: first == KVP_NONE ==>
             Count(store->classes, KVP_PLACE_EMPTY, i) == 0;
           loop invariant some: first < i ==> 1 <= Count(store->classes, KVP_PLACE_EMPTY, i);
           loop assigns i;
           loop variant store->max_blocks - i; @/
        for (uint32_t i = 0; i < store->max_blocks; i++)
          ;
    */
    return first;
  }
  if (b >= store->num_blocks || store->classes.state[b] != KVP_PLACE_EMPTY)
    return KVP_NONE;
  return kvp_lists_next(&store->empty, b);
}

void kvp_store_take(struct kvp_store *store, uint32_t b)
{
  kvp_lists_remove(&store->empty, b);
  kvp_classes_set(&store->classes, b, KVP_PLACE_HELD);
}

void kvp_store_vacate(struct kvp_store *store, uint32_t b)
{
  kvp_lists_append(&store->empty, 0, b);
  kvp_classes_set(&store->classes, b, KVP_PLACE_EMPTY);
  store->keys.priority[b] = 0;
}

/* A held block becomes active under a hash, as yet without a family. */
/*@ requires valid: \valid(store);
    KVP_STORE(requires);
    requires block: b < store->num_blocks && store->classes.state[b] == KVP_PLACE_HELD;
    requires fresh: \forall integer i; 0 <= i < store->max_blocks ==> KVP_KNOWN(store->index, i) ==>
      store->index.hash[i] != hash;
    requires clock: store->index.chains.clock < UINT64_MAX;
    terminates \true;
    exits \false;
    assigns store->classes, store->index;
    KVP_STORE_BUT(ensures, KVP_NONE, KVP_NONE, b, b);
    ensures active: store->classes.state[b] == KVP_PLACE_ACTIVE;
    ensures mapped: KVP_KNOWN(store->index, b) && store->index.hash[b] == hash;
    ensures unlisted: Unlisted(*store, b);
    ensures index: IndexRest(\old(store->index), store->index, b);
    ensures rest: ClassesRest(\old(store->classes), store->classes, b);
    ensures clock: store->index.chains.clock == \old(store->index.chains.clock) + 1;
*/
static void publish(struct kvp_store *store, uint32_t b, uint64_t hash)
{
  //@ assert stranger: Unlisted(*store, b);
  kvp_index_insert(&store->index, hash, b);
  kvp_classes_set(&store->classes, b, KVP_PLACE_ACTIVE);
}

void kvp_store_enter(struct kvp_store *store, uint32_t b, uint64_t hash)
{
  publish(store, b, hash);
  if (store->leaf_first) {
#ifndef KVP_PLANT_REGISTRY_BUG /* a canary: children that came before their parent do not count */
    kvp_family_adopt(store, b);
#endif
    kvp_family_join(store, b);
  }
}

void kvp_store_activate(struct kvp_store *store, uint32_t b)
{
  if (store->classes.state[b] == KVP_PLACE_READY)
    kvp_family_settle(store, kvp_family_unready(store, b, KVP_PLACE_ACTIVE));
  else
    kvp_classes_set(&store->classes, b, KVP_PLACE_ACTIVE);
}

/* An active block becomes blocked, whether or not anything holds it here. */
/*@ requires valid: \valid(store);
    KVP_STORE(requires);
    requires block: b < store->num_blocks && store->classes.state[b] == KVP_PLACE_ACTIVE;
    terminates \true;
    exits \false;
    assigns store->classes, store->keys.returned[b];
    KVP_STORE_BUT(ensures, b, KVP_NONE, KVP_NONE, KVP_NONE);
    ensures blocked: store->classes.state[b] == KVP_PLACE_BLOCKED;
    ensures returned: store->keys.returned[b] == tick;
    ensures rest: ClassesRest(\old(store->classes), store->classes, b);
*/
static void block(struct kvp_store *store, uint32_t b, uint64_t tick)
{
  store->keys.returned[b] = tick;
  kvp_classes_set(&store->classes, b, KVP_PLACE_BLOCKED);
}

void kvp_store_cache(struct kvp_store *store, uint32_t b, uint64_t tick)
{
  block(store, b, tick);
  kvp_family_settle(store, b);
}

void kvp_store_rekey(struct kvp_store *store, uint32_t b, uint32_t priority, uint64_t tick)
{
  int member = kvp_order_remove(&store->order, b) == KVP_OK;
  store->keys.priority[b] = priority;
  store->keys.returned[b] = tick;
  if (member)
    kvp_order_insert(&store->order, b, priority, tick);
}

void kvp_store_pin(struct kvp_store *store, uint32_t b, uint32_t pins)
{
  store->pins.count[b] = pins;
  kvp_family_settle(store, b);
}

uint32_t kvp_store_victim(const struct kvp_store *store)
{
  uint32_t least = kvp_order_least(&store->order);
  /*@ ghost
      uint32_t high = KVP_NONE;
      /@ loop invariant range: 0 <= i <= store->max_blocks;
         loop invariant high: high == KVP_NONE || (high < store->max_blocks &&
           store->classes.state[high] == KVP_PLACE_READY);
         loop invariant highest: \forall integer k; 0 <= k < i ==>
           store->classes.state[k] == KVP_PLACE_READY ==>
           high != KVP_NONE && store->lineage.position[k] <= store->lineage.position[high];
         loop invariant natural: 0 <= Count(store->classes, KVP_PLACE_READY, i);
         loop invariant none: high == KVP_NONE ==>
           Count(store->classes, KVP_PLACE_READY, i) == 0;
         loop invariant some: high != KVP_NONE ==>
           1 <= Count(store->classes, KVP_PLACE_READY, i);
         loop assigns i, high;
         loop variant store->max_blocks - i; @/
      for (uint32_t i = 0; i < store->max_blocks; i++)
        if (store->classes.state[i] == KVP_PLACE_READY &&
            (high == KVP_NONE || store->lineage.position[i] >= store->lineage.position[high]))
          high = i;
      /@ assert child: high != KVP_NONE ==> store->calm.head[high] != KVP_NONE ==>
           store->calm.head[high] < store->max_blocks &&
           store->calm.list[store->calm.head[high]] == high; @/
      /@ assert below: high != KVP_NONE ==> store->calm.head[high] != KVP_NONE ==>
           store->classes.state[store->calm.head[high]] == KVP_PLACE_READY &&
           store->lineage.position[store->calm.head[high]] ==
             store->lineage.position[high] + 1; @/
      /@ assert childless: high != KVP_NONE ==> store->calm.head[high] == KVP_NONE; @/
      /@ assert member: high != KVP_NONE ==> Member(store->order, high); @/
      /@ assert counted: high == KVP_NONE <==> store->classes.count[KVP_PLACE_READY] == 0; @/
  */
  return least;
}

void kvp_store_evict(struct kvp_store *store, uint32_t b)
{
  kvp_family_quit(store, b);
  /*@ assert childless: \forall integer i; 0 <= i < store->max_blocks ==>
        store->calm.list[i] != b && store->blocking.list[i] != b; */
  kvp_order_remove(&store->order, b);
  kvp_index_erase(&store->index, b);
  /*@ assert others: \forall integer i; 0 <= i < store->max_blocks ==> i != b ==>
        (KVP_KNOWN(store->index, i) <==> \at(store->index.chains.list[i], Pre) != KVP_NONE); */
  kvp_lists_append(&store->empty, 0, b);
  kvp_classes_set(&store->classes, b, KVP_PLACE_EMPTY);
  store->keys.priority[b] = 0;
}
