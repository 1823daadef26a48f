/* SPDX-License-Identifier: Apache-2.0 */
/* Raw units: blocks reserved for bytes that cannot move, all or none, in an order. */
#include <kvpool/pool.h>

#include "src/pool/blocks.h"

/* A free block becomes a unit of the reservation that begins with `first`. */
/*@ KVP_REQUIRES_POOL;
    requires out: \valid(evicted) && \separated(pool, evicted);
    requires block: b < pool->num_blocks && Free(*pool, b);
    terminates \true;
    exits \false;
    assigns pool->classes, pool->vacant, pool->cached, pool->index,
            pool->ref_count[0 .. KVP_CAPACITY - 1], pool->has_hash[0 .. KVP_CAPACITY - 1],
            pool->length[0 .. KVP_CAPACITY - 1], pool->unit_owner[0 .. KVP_CAPACITY - 1],
            pool->unit_first[0 .. KVP_CAPACITY - 1], pool->unit_left[0 .. KVP_CAPACITY - 1],
            *evicted;
    KVP_ENSURES_POOL;
    ensures one_less: pool->classes.count[KVP_VACANT] + pool->classes.count[KVP_CACHED] ==
      \old(pool->classes.count[KVP_VACANT] + pool->classes.count[KVP_CACHED]) - 1;
    ensures unit: pool->classes.state[b] == KVP_UNIT && pool->unit_owner[b] == owner &&
      pool->unit_first[b] == first && pool->unit_left[b] == left;
    ensures evicted: Evicts(\old(*pool), b, *evicted);
    ensures rest: Rest(\old(*pool), *pool, b);
*/
static void pin(struct kvp_pool *pool, uint32_t b, uint64_t owner, uint32_t first, uint32_t left,
                struct kvp_evicted *evicted)
{
  kvp_take(pool, b);
  //@ assert taken: Rest(\at(*pool, Pre), *pool, b);
  kvp_forget(pool, b, evicted);
  //@ assert forgotten: Rest(\at(*pool, Pre), *pool, b);
  kvp_hold(pool, b, KVP_UNIT);
  //@ assert held: Rest(\at(*pool, Pre), *pool, b);
  pool->unit_owner[b] = owner;
  pool->unit_first[b] = first;
  pool->unit_left[b] = left;
}

/*@ requires valid: \valid(unit) && \valid_read(evicted) && \separated(unit, evicted);
    terminates \true;
    exits \false;
    assigns *unit;
    ensures block: unit->block == b;
    ensures evicted: unit->evicted.count == evicted->count && unit->evicted.hash == evicted->hash;
*/
static void write_unit(struct kvp_unit *unit, uint32_t b, const struct kvp_evicted *evicted)
{
  unit->block = b;
  unit->evicted.count = evicted->count;
  unit->evicted.hash = evicted->hash;
}

/* Block i is as it was, or one of the first k units, and then says which. */
#define KEPT_OR_UNIT(i)                                                                        \
  (KVP_KEPT(\at(*pool, Pre), (*pool), i) ||                                                    \
   (pool->classes.state[i] == KVP_UNIT && count - k <= pool->unit_left[i] < count &&           \
    units[count - 1 - pool->unit_left[i]].block == i))

enum kvp_status kvp_pool_reserve(struct kvp_pool *pool, uint32_t count, uint64_t owner,
                                 struct kvp_unit *units)
{
  if (owner == 0 || (units == NULL && count != 0))
    return KVP_ARGUMENT;
  if (!kvp_pool_has_free(pool, count))
    return KVP_FULL;
  /*@ loop invariant range: 0 <= k <= count;
      KVP_POOL(loop invariant);
      loop invariant enough: count - k <=
        pool->classes.count[KVP_VACANT] + pool->classes.count[KVP_CACHED];
      loop invariant inside: \forall integer j; 0 <= j < k ==> units[j].block < pool->num_blocks;
      loop invariant unit: \forall integer j; 0 <= j < k ==>
        pool->classes.state[units[j].block] == KVP_UNIT &&
        pool->unit_owner[units[j].block] == owner &&
        pool->unit_first[units[j].block] == units[0].block &&
        pool->unit_left[units[j].block] == count - 1 - j;
      loop invariant free: \forall integer j; 0 <= j < k ==>
        Free(\at(*pool, Pre), units[j].block);
      loop invariant evicted: \forall integer j; 0 <= j < k ==>
        UnitEvicts(\at(*pool, Pre), units, j);
      loop invariant order: \forall integer i, j;
        Taken(\at(*pool, Pre), *pool, i) ==> Taken(\at(*pool, Pre), *pool, j) ==>
        pool->unit_left[j] < pool->unit_left[i] ==> Precedes(\at(*pool, Pre), i, j);
      loop invariant first: \forall integer i, j; Taken(\at(*pool, Pre), *pool, i) ==>
        0 <= j < pool->num_blocks ==> Free(*pool, j) ==> Precedes(\at(*pool, Pre), i, j);
      loop invariant rest: \forall integer i; 0 <= i < pool->num_blocks ==>
        KEPT_OR_UNIT(i);
      loop assigns k, pool->classes, pool->vacant, pool->cached, pool->index,
            pool->ref_count[0 .. KVP_CAPACITY - 1], pool->has_hash[0 .. KVP_CAPACITY - 1],
            pool->length[0 .. KVP_CAPACITY - 1], pool->unit_owner[0 .. KVP_CAPACITY - 1],
            pool->unit_first[0 .. KVP_CAPACITY - 1], pool->unit_left[0 .. KVP_CAPACITY - 1],
            units[0 .. count - 1];
      loop variant count - k; */
  for (uint32_t k = 0; k < count; k++) {
    uint32_t b = kvp_next_free(pool);
    //@ assert kept: KVP_KEPT(\at(*pool, Pre), (*pool), b);
    /*@ assert last: \forall integer i; Taken(\at(*pool, Pre), *pool, i) ==>
          count - k <= pool->unit_left[i] && Precedes(\at(*pool, Pre), i, b); */
    /*@ assert next: \forall integer i; 0 <= i < pool->num_blocks ==> Free(*pool, i) ==> i != b ==>
          Precedes(\at(*pool, Pre), b, i); */
    struct kvp_evicted evicted;
    pin(pool, b, owner, k == 0 ? b : units[0].block, count - 1 - k, &evicted);
    //@ assert evicted: Evicts(\at(*pool, Pre), b, evicted);
    //@ assert distinct: \forall integer j; 0 <= j < k ==> units[j].block != b;
    /*@ assert pinned: \forall integer j; 0 <= j < k ==>
          pool->classes.state[units[j].block] == KVP_UNIT &&
          pool->unit_owner[units[j].block] == owner &&
          pool->unit_first[units[j].block] == units[0].block &&
          pool->unit_left[units[j].block] == count - 1 - j; */
    /*@ assert later: \forall integer i; 0 <= i < pool->num_blocks ==> Free(*pool, i) ==>
          i != b && Free(\at(*pool, LoopCurrent), i); */
    /*@ assert taken: \forall integer i; Taken(\at(*pool, Pre), *pool, i) ==> i != b ==>
          Taken(\at(*pool, Pre), \at(*pool, LoopCurrent), i) &&
          pool->unit_left[i] == \at(pool->unit_left[i], LoopCurrent); */
    //@ assert slot: pool->unit_left[b] == count - 1 - k;
    /*@ assert kept_or_unit: \forall integer i; 0 <= i < pool->num_blocks ==> i != b ==>
          KEPT_OR_UNIT(i); */
    write_unit(&units[k], b, &evicted);
    //@ assert mine: units[k].block == b && UnitEvicts(\at(*pool, Pre), units, k);
    /*@ assert theirs: \forall integer j; 0 <= j < k ==>
          units[j].block == \at(units[j].block, LoopCurrent) &&
          units[j].evicted.count == \at(units[j].evicted.count, LoopCurrent) &&
          units[j].evicted.hash == \at(units[j].evicted.hash, LoopCurrent); */
    //@ assert start: units[0].block == (k == 0 ? b : \at(units[0].block, LoopCurrent));
    /*@ assert others: \forall integer i; 0 <= i < pool->num_blocks ==> i != b ==>
          KEPT_OR_UNIT(i); */
  }
  return KVP_OK;
}

/* Whether units[k] is unit k of a reservation of `count` units of this owner. */
/*@ KVP_REQUIRES_POOL;
    requires unit: k < count && units[k].block < pool->num_blocks;
    requires in: \valid_read(units + (0 .. count - 1)) &&
      \separated(pool, units + (0 .. count - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures unit: \let b = units[k].block; \result != 0 <==>
      Unit(*pool, b) && pool->unit_owner[b] == owner && pool->unit_first[b] == units[0].block &&
      pool->unit_left[b] == count - 1 - k;
*/
static int is_unit(const struct kvp_pool *pool, const struct kvp_unit *units, uint32_t count,
                   uint64_t owner, uint32_t k)
{
  uint32_t b = units[k].block;
  return pool->classes.state[b] == KVP_UNIT && pool->unit_owner[b] == owner &&
         pool->unit_first[b] == units[0].block && pool->unit_left[b] == count - 1 - k;
}

enum kvp_status kvp_pool_release(struct kvp_pool *pool, const struct kvp_unit *units,
                                 uint32_t count, uint64_t owner)
{
  if (owner == 0 || (units == NULL && count != 0))
    return KVP_ARGUMENT;
  /*@ loop invariant range: 0 <= k <= count;
      loop invariant inside: \forall integer j; 0 <= j < k ==> units[j].block < pool->num_blocks;
      loop assigns k;
      loop variant count - k; */
  for (uint32_t k = 0; k < count; k++)
    if (units[k].block >= pool->num_blocks)
      return KVP_RANGE;
  /*@ loop invariant range: 0 <= k <= count;
      loop invariant units: \forall integer j; 0 <= j < k ==> \let b = units[j].block;
        Unit(*pool, b) && pool->unit_owner[b] == owner &&
        pool->unit_first[b] == units[0].block && pool->unit_left[b] == count - 1 - j;
      loop assigns k;
      loop variant count - k; */
  for (uint32_t k = 0; k < count; k++)
    if (!is_unit(pool, units, count, owner, k))
      return KVP_STATE;
  //@ assert whole: Reservation(*pool, units, count, owner);
  /*@ loop invariant range: 0 <= k <= count;
      KVP_POOL(loop invariant);
      loop invariant vacated: \forall integer j; 0 <= j < k ==>
        pool->classes.state[units[j].block] == KVP_VACANT;
      loop invariant still: \forall integer j; k <= j < count ==>
        pool->classes.state[units[j].block] == KVP_UNIT;
      loop invariant rest: \forall integer i; 0 <= i < pool->num_blocks ==> NoUnit(units, k, i) ==>
        KVP_KEPT(\at(*pool, Pre), (*pool), i);
      loop assigns k, pool->classes, pool->vacant, pool->ref_count[0 .. KVP_CAPACITY - 1];
      loop variant count - k; */
  for (uint32_t k = 0; k < count; k++)
    kvp_vacate(pool, units[k].block);
  return KVP_OK;
}
