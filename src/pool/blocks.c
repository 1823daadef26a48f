/* SPDX-License-Identifier: Apache-2.0 */
/* Steps that several operations share. */
#include "src/pool/blocks.h"

#include "src/pool/classes.h"
#include "src/pool/idset.h"
#include "src/pool/index.h"
#include "src/pool/lists.h"

uint32_t kvp_next_free(const struct kvp_pool *pool)
{
  uint32_t b = kvp_idset_lowest(&pool->vacant);
  if (b == KVP_NONE)
    b = kvp_lists_first(&pool->cached, 0);
  /*@ ghost
      /@ loop invariant range: 0 <= i <= pool->max_blocks;
         loop invariant natural: \forall integer c; 0 <= Count(pool->classes, c, i);
         loop invariant none: b == KVP_NONE ==>
           Count(pool->classes, KVP_VACANT, i) == 0 && Count(pool->classes, KVP_CACHED, i) == 0;
         loop invariant some: b < i ==> 1 <= Count(pool->classes, pool->classes.state[b], i);
         loop assigns i;
         loop variant pool->max_blocks - i; @/
      for (uint32_t i = 0; i < pool->max_blocks; i++)
        ;
  */
  return b;
}

void kvp_take(struct kvp_pool *pool, uint32_t b)
{
  if (pool->classes.state[b] == KVP_VACANT)
    kvp_idset_remove(&pool->vacant, b);
  else
    kvp_lists_remove(&pool->cached, b);
  kvp_classes_set(&pool->classes, b, KVP_RESERVED);
}

void kvp_forget(struct kvp_pool *pool, uint32_t b, struct kvp_evicted *evicted)
{
  kvp_index_unmap(&pool->index, b, evicted);
  pool->has_hash[b] = 0;
  pool->length[b] = 0;
}

void kvp_hold(struct kvp_pool *pool, uint32_t b, uint8_t state)
{
  pool->ref_count[b] = 1;
  kvp_classes_set(&pool->classes, b, state);
}

void kvp_vacate(struct kvp_pool *pool, uint32_t b)
{
  pool->ref_count[b] = 0;
  kvp_idset_add(&pool->vacant, b);
  kvp_classes_set(&pool->classes, b, KVP_VACANT);
}
