/* SPDX-License-Identifier: Apache-2.0 */
/* What can be seen of the pool: counts, single blocks, the cached order. */
#include <kvpool/pool.h>

#include "src/pool/lists.h"
#include "src/pool/tokens.h"

/*@ KVP_REQUIRES_POOL;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures sum: \result ==
      pool->classes.count[KVP_VACANT] + pool->classes.count[KVP_CACHED];
*/
static uint32_t num_free(const struct kvp_pool *pool)
{
  return pool->classes.count[KVP_VACANT] + pool->classes.count[KVP_CACHED];
}

void kvp_pool_counts(const struct kvp_pool *pool, struct kvp_counts *counts)
{
  counts->num_blocks = pool->num_blocks;
  counts->num_free = num_free(pool);
  counts->num_used = pool->classes.count[KVP_USED] + pool->classes.count[KVP_UNIT];
  counts->num_reserved = pool->classes.count[KVP_RESERVED];
  counts->num_indexed = pool->index.size;
}

int kvp_pool_has_free(const struct kvp_pool *pool, uint32_t count)
{
  return num_free(pool) >= count;
}

int kvp_pool_is_used(const struct kvp_pool *pool, uint32_t block)
{
  return block < pool->num_blocks && pool->ref_count[block] != 0;
}

enum kvp_status kvp_pool_view(const struct kvp_pool *pool, uint32_t block, struct kvp_view *view)
{
  if (block >= pool->max_blocks)
    return KVP_RANGE;
  int unit = pool->classes.state[block] == KVP_UNIT;
  view->state = pool->classes.state[block];
  view->ref_count = pool->ref_count[block];
  view->has_hash = pool->has_hash[block];
  view->indexed = pool->index.chains.list[block] != KVP_NONE;
  view->hash = view->has_hash ? pool->index.hash[block] : 0;
  view->length = pool->length[block];
  view->tokens = NULL;
  if (view->length != 0)
    view->tokens = pool->plane + kvp_tokens_row(block, pool->block_size);
  view->owner = unit ? pool->unit_owner[block] : 0;
  view->first = unit ? pool->unit_first[block] : KVP_NONE;
  view->left = unit ? pool->unit_left[block] : 0;
  return KVP_OK;
}

uint32_t kvp_pool_next_cached(const struct kvp_pool *pool, uint32_t block)
{
  if (block == KVP_NONE)
    return kvp_lists_first(&pool->cached, 0);
  if (block >= pool->num_blocks || pool->classes.state[block] != KVP_CACHED)
    return KVP_NONE;
  return kvp_lists_next(&pool->cached, block);
}
