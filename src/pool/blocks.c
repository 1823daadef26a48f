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
  if (b != KVP_NONE)
    return b;
  return kvp_lists_first(&pool->cached, 0);
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

void kvp_vacate(struct kvp_pool *pool, uint32_t b)
{
  kvp_idset_add(&pool->vacant, b);
  kvp_classes_set(&pool->classes, b, KVP_VACANT);
}
