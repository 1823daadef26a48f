/* SPDX-License-Identifier: Apache-2.0 */
/* Growing, and shrinking with relocation: extend and retire_top. */
#include <kvpool/pool.h>

#include "src/pool/blocks.h"
#include "src/pool/classes.h"
#include "src/pool/idset.h"
#include "src/pool/index.h"
#include "src/pool/tokens.h"

/* One more id, vacant. */
/*@ KVP_REQUIRES_POOL;
    requires room: pool->num_blocks < pool->max_blocks;
    terminates \true;
    exits \false;
    assigns pool->classes, pool->vacant, pool->num_blocks;
    KVP_ENSURES_POOL;
    ensures one: pool->num_blocks == \old(pool->num_blocks) + 1;
    ensures joined: Vacant(*pool, \old(pool->num_blocks));
    ensures rest: Rest(\old(*pool), *pool, \old(pool->num_blocks));
*/
static void grow(struct kvp_pool *pool)
{
  uint32_t b = pool->num_blocks;
  kvp_idset_add(&pool->vacant, b);
  kvp_classes_set(&pool->classes, b, KVP_VACANT);
  pool->num_blocks = b + 1;
}

uint32_t kvp_pool_extend(struct kvp_pool *pool, uint32_t count)
{
  uint32_t room = pool->max_blocks - pool->num_blocks;
  uint32_t taken = count < room ? count : room;
  /*@ loop invariant range: 0 <= i <= taken;
      KVP_POOL(loop invariant);
      loop invariant grown: pool->num_blocks == \at(pool->num_blocks, Pre) + i;
      loop invariant joined: \forall integer k;
        \at(pool->num_blocks, Pre) <= k < pool->num_blocks ==> Vacant(*pool, k);
      loop invariant rest: Rest(\at(*pool, Pre), *pool, KVP_NONE);
      loop assigns i, pool->classes, pool->vacant, pool->num_blocks;
      loop variant taken - i; */
  for (uint32_t i = 0; i < taken; i++)
    grow(pool);
  return taken;
}

/* The highest id, which has no content and is not free, leaves. */
/*@ KVP_REQUIRES_POOL;
    requires top: 0 < pool->num_blocks && !Free(*pool, pool->num_blocks - 1) &&
      NoContent(*pool, pool->num_blocks - 1);
    terminates \true;
    exits \false;
    assigns pool->classes, pool->num_blocks, pool->ref_count[pool->num_blocks - 1];
    KVP_ENSURES_POOL;
    ensures one: pool->num_blocks == \old(pool->num_blocks) - 1;
    ensures rest: Rest(\old(*pool), *pool, pool->num_blocks);
*/
static void drop_top(struct kvp_pool *pool)
{
  uint32_t top = pool->num_blocks - 1;
  pool->ref_count[top] = 0;
  kvp_classes_set(&pool->classes, top, KVP_RETIRED);
  pool->num_blocks = top;
}

/* The tokens of `from` are in the row of `to` as well. */
/*@ requires valid: \valid_read(pool);
    KVP_REQUIRES_PLANE;
    requires blocks: from < pool->max_blocks <= KVP_CAPACITY && to < pool->max_blocks;
    requires apart: from != to;
    requires length: pool->length[from] <= pool->block_size;
    terminates \true;
    exits \false;
    assigns *(KVP_PLANE);
    ensures tokens: \let row = Row(to, pool->block_size);
      \forall integer k; row <= k < row + pool->length[from] ==>
        pool->plane[k] == \old(pool->plane[k - row + Row(from, pool->block_size)]);
    ensures rows: \forall integer i; 0 <= i < pool->max_blocks ==> i != to ==>
      RowKept{Pre, Post}(pool->plane, pool->block_size, i);
*/
static void copy_row(const struct kvp_pool *pool, uint32_t to, uint32_t from)
{
  size_t row = kvp_tokens_row(to, pool->block_size);
  kvp_tokens_copy(pool->plane, row, kvp_tokens_row(from, pool->block_size), pool->length[from]);
}

/* `to`, used and without content, takes the content and the index entry of `from`. */
/*@ KVP_REQUIRES_POOL;
    KVP_REQUIRES_PLANE;
    requires from: from < pool->num_blocks && Used(*pool, from);
    requires to: to < pool->num_blocks && Used(*pool, to) && NoContent(*pool, to) && to != from;
    requires clock: pool->index.chains.clock < UINT64_MAX;
    terminates \true;
    exits \false;
    assigns pool->index, pool->has_hash[from], pool->has_hash[to], pool->length[from],
            pool->length[to],
            *(KVP_PLANE);
    KVP_ENSURES_POOL;
    ensures none: NoContent(*pool, from);
    ensures same: pool->has_hash[to] == \old(pool->has_hash[from]) &&
      pool->index.hash[to] == \old(pool->index.hash[from]) &&
      pool->length[to] == \old(pool->length[from]) &&
      (Indexed(*pool, to) <==> Indexed(\old(*pool), from));
    ensures tokens: \let row = Row(to, pool->block_size);
      \forall integer k; row <= k < row + pool->length[to] ==>
        pool->plane[k] == \old(pool->plane[k - row + Row(from, pool->block_size)]);
    ensures rows: \forall integer i; 0 <= i < pool->max_blocks ==> i != to ==>
      RowKept{Pre, Post}(pool->plane, pool->block_size, i);
    ensures rest: \forall integer i; 0 <= i < pool->num_blocks ==> i != from ==> i != to ==>
      KVP_KEPT(\old(*pool), (*pool), i);
*/
static void move_content(struct kvp_pool *pool, uint32_t from, uint32_t to)
{
  copy_row(pool, to, from);
  kvp_index_move(&pool->index, from, to);
  pool->has_hash[to] = pool->has_hash[from];
  pool->length[to] = pool->length[from];
  pool->has_hash[from] = 0;
  pool->length[from] = 0;
}

/* `to`, reserved and without content, takes holders and content of the highest id. */
/*@ KVP_REQUIRES_POOL;
    KVP_REQUIRES_PLANE;
    requires top: 0 < pool->num_blocks && Used(*pool, pool->num_blocks - 1);
    requires to: to < pool->num_blocks - 1 && Reserved(*pool, to) && NoContent(*pool, to);
    requires clock: pool->index.chains.clock < UINT64_MAX;
    terminates \true;
    exits \false;
    assigns pool->num_blocks, pool->classes, pool->index, pool->ref_count[0 .. KVP_CAPACITY - 1],
            pool->has_hash[0 .. KVP_CAPACITY - 1], pool->length[0 .. KVP_CAPACITY - 1],
            *(KVP_PLANE);
    KVP_ENSURES_POOL;
    ensures one: pool->num_blocks == \old(pool->num_blocks) - 1;
    ensures holders: Used(*pool, to) &&
      pool->ref_count[to] == \old(*pool).ref_count[pool->num_blocks];
    ensures same: \let top = pool->num_blocks;
      pool->has_hash[to] == \old(*pool).has_hash[top] &&
      pool->index.hash[to] == \old(*pool).index.hash[top] &&
      pool->length[to] == \old(*pool).length[top] &&
      (Indexed(*pool, to) <==> Indexed(\old(*pool), top));
    ensures tokens: \let row = Row(to, pool->block_size);
      \let top = Row(pool->num_blocks, pool->block_size);
      \forall integer k; row <= k < row + pool->length[to] ==>
        pool->plane[k] == \old(pool->plane[k - row + top]);
    ensures rows: \forall integer i; 0 <= i < pool->num_blocks ==> i != to ==>
      RowKept{Pre, Post}(pool->plane, pool->block_size, i);
    ensures rest: Rest(\old(*pool), *pool, to);
*/
static void relocate_top(struct kvp_pool *pool, uint32_t to)
{
  uint32_t top = pool->num_blocks - 1;
  kvp_hold(pool, to, KVP_USED);
  //@ assert held: Rest(\at(*pool, Pre), *pool, to);
  move_content(pool, top, to);
#ifndef KVP_PLANT_REFERENCE_BUG /* a canary: a moved block forgets that it was shared */
  pool->ref_count[to] = pool->ref_count[top];
#endif
  drop_top(pool);
}

enum kvp_status kvp_pool_retire_top(struct kvp_pool *pool, struct kvp_retirement *retirement)
{
  if (pool->num_blocks == 0)
    return KVP_EMPTY;
  if (pool->index.chains.clock == UINT64_MAX)
    return KVP_OVERFLOW;
  uint32_t top = pool->num_blocks - 1;
  if (pool->classes.state[top] == KVP_RESERVED || pool->classes.state[top] == KVP_UNIT)
    return KVP_BUSY;
  uint32_t to = pool->classes.state[top] == KVP_USED ? kvp_next_free(pool) : top;
  if (to == KVP_NONE)
    return KVP_FULL;
  kvp_take(pool, to);
  //@ assert taken: Rest(\at(*pool, Pre), *pool, to);
  kvp_forget(pool, to, &retirement->evicted);
  //@ assert forgotten: Rest(\at(*pool, Pre), *pool, to);
  if (to == top)
    drop_top(pool);
  else
    relocate_top(pool, to);
  retirement->retired = top;
  retirement->moved_to = to == top ? KVP_NONE : to;
  return KVP_OK;
}
