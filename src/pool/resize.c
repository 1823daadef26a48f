/* SPDX-License-Identifier: Apache-2.0 */
/* Growing, and shrinking with relocation: extend and retire_top. */
#include <kvpool/pool.h>

#include "src/pool/blocks.h"
#include "src/pool/classes.h"
#include "src/pool/idset.h"
#include "src/pool/index.h"
#include "src/pool/tokens.h"

/* One more id, vacant. */
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
  for (uint32_t i = 0; i < taken; i++)
    grow(pool);
  return taken;
}

/* The highest id, which holds nothing and is reserved, leaves. */
static void drop_top(struct kvp_pool *pool)
{
  uint32_t top = pool->num_blocks - 1;
  kvp_classes_set(&pool->classes, top, KVP_RETIRED);
  pool->num_blocks = top;
}

/* `to`, which holds nothing and is reserved, takes holders and content of the highest id. */
static void relocate_top(struct kvp_pool *pool, uint32_t to)
{
  uint32_t top = pool->num_blocks - 1;
  kvp_index_move(&pool->index, top, to);
  pool->ref_count[to] = pool->ref_count[top];
  pool->has_hash[to] = pool->has_hash[top];
  pool->length[to] = pool->length[top];
  kvp_tokens_copy(pool->plane, kvp_row(to, pool->block_size), kvp_row(top, pool->block_size),
                  pool->length[top]);
  pool->ref_count[top] = 0;
  pool->has_hash[top] = 0;
  pool->length[top] = 0;
  kvp_classes_set(&pool->classes, to, KVP_USED);
  kvp_classes_set(&pool->classes, top, KVP_RETIRED);
  pool->num_blocks = top;
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
  kvp_forget(pool, to, &retirement->evicted);
  if (to == top)
    drop_top(pool);
  else
    relocate_top(pool, to);
  retirement->retired = top;
  retirement->moved_to = to == top ? KVP_NONE : to;
  return KVP_OK;
}
