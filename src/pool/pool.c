/* SPDX-License-Identifier: Apache-2.0 */
/* The pool's operations on single blocks: pop, allocate, claim, free, publish; and init. */
#include <kvpool/pool.h>

#include "src/pool/blocks.h"
#include "src/pool/classes.h"
#include "src/pool/idset.h"
#include "src/pool/index.h"
#include "src/pool/lists.h"
#include "src/pool/tokens.h"

enum kvp_status kvp_pool_memory(uint32_t max_blocks, uint32_t block_size, size_t *pool_bytes,
                                size_t *plane_bytes)
{
  if (max_blocks > KVP_CAPACITY)
    return KVP_RANGE;
  if (block_size != 0 && max_blocks > SIZE_MAX / sizeof(uint32_t) / block_size)
    return KVP_OVERFLOW;
  *pool_bytes = sizeof(struct kvp_pool);
  *plane_bytes = (size_t)max_blocks * block_size * sizeof(uint32_t);
  return KVP_OK;
}

enum kvp_status kvp_pool_init(struct kvp_pool *pool, uint32_t num_blocks, uint32_t max_blocks,
                              uint32_t block_size, uint32_t *plane)
{
  if (plane == NULL && max_blocks != 0 && block_size != 0)
    return KVP_ARGUMENT;
  if (num_blocks > max_blocks || max_blocks > KVP_CAPACITY)
    return KVP_RANGE;
  pool->num_blocks = 0;
  pool->max_blocks = max_blocks;
  pool->block_size = block_size;
  pool->plane = plane;
  kvp_classes_init(&pool->classes, max_blocks);
  kvp_idset_init(&pool->vacant, max_blocks);
  kvp_lists_init(&pool->cached, max_blocks, 1);
  kvp_index_init(&pool->index, max_blocks);
  /*@ loop invariant range: 0 <= b <= max_blocks;
      loop invariant hash: \forall integer i; 0 <= i < b ==> pool->has_hash[i] == 0;
      loop invariant holders: \forall integer i; 0 <= i < b ==> pool->ref_count[i] == 0;
      loop invariant length: \forall integer i; 0 <= i < b ==> pool->length[i] == 0;
      loop assigns b, pool->has_hash[0 .. max_blocks - 1], pool->ref_count[0 .. max_blocks - 1],
                   pool->length[0 .. max_blocks - 1];
      loop variant max_blocks - b; */
  for (uint32_t b = 0; b < max_blocks; b++) {
    pool->has_hash[b] = 0;
    pool->ref_count[b] = 0;
    pool->length[b] = 0;
  }
  kvp_pool_extend(pool, num_blocks);
  return KVP_OK;
}

enum kvp_status kvp_pool_pop(struct kvp_pool *pool, uint32_t *block)
{
  uint32_t b = kvp_next_free(pool);
  if (b == KVP_NONE)
    return KVP_EMPTY;
  kvp_take(pool, b);
  *block = b;
  return KVP_OK;
}

enum kvp_status kvp_pool_allocate(struct kvp_pool *pool, uint32_t block,
                                  struct kvp_evicted *evicted)
{
  if (block >= pool->num_blocks)
    return KVP_RANGE;
  if (pool->ref_count[block] != 0)
    return KVP_BUSY;
  if (pool->classes.state[block] != KVP_RESERVED)
    kvp_take(pool, block);
  kvp_forget(pool, block, evicted);
  kvp_hold(pool, block, KVP_USED);
  return KVP_OK;
}

enum kvp_status kvp_pool_claim(struct kvp_pool *pool, uint32_t block)
{
  if (block >= pool->num_blocks)
    return KVP_RANGE;
  if (pool->classes.state[block] == KVP_USED) {
    if (pool->ref_count[block] == UINT32_MAX)
      return KVP_OVERFLOW;
    pool->ref_count[block]++;
    return KVP_OK;
  }
  if (pool->classes.state[block] != KVP_CACHED)
    return KVP_STATE;
  kvp_take(pool, block);
  kvp_hold(pool, block, KVP_USED);
  return KVP_OK;
}

/* The last holder of a block with content leaves: it is the most recently freed one. */
/*@ KVP_REQUIRES_POOL;
    requires block: block < pool->num_blocks && Used(*pool, block) && pool->has_hash[block] == 1;
    requires clock: pool->cached.clock < UINT64_MAX;
    terminates \true;
    exits \false;
    assigns pool->classes, pool->cached, pool->ref_count[block];
    KVP_ENSURES_POOL;
    ensures cached_block: Cached(*pool, block);
    ensures newest: Newest(*pool, block);
    ensures rest: Rest(\old(*pool), *pool, block);
*/
static void cache(struct kvp_pool *pool, uint32_t block)
{
  pool->ref_count[block] = 0;
  kvp_lists_append(&pool->cached, 0, block);
  kvp_classes_set(&pool->classes, block, KVP_CACHED);
}

enum kvp_status kvp_pool_free(struct kvp_pool *pool, uint32_t block)
{
  if (block >= pool->num_blocks)
    return KVP_RANGE;
  if (pool->cached.clock == UINT64_MAX)
    return KVP_OVERFLOW;
  if (pool->classes.state[block] != KVP_USED)
    return KVP_STATE;
  if (pool->ref_count[block] > 1)
    pool->ref_count[block]--;
  else if (pool->has_hash[block])
    cache(pool, block);
  else
    kvp_vacate(pool, block);
  return KVP_OK;
}

enum kvp_status kvp_pool_publish(struct kvp_pool *pool, uint32_t block, uint64_t hash,
                                 const uint32_t *tokens, uint32_t length,
                                 struct kvp_evicted *evicted)
{
  if (tokens == NULL && length != 0)
    return KVP_ARGUMENT;
  if (block >= pool->num_blocks || length > pool->block_size)
    return KVP_RANGE;
  if (pool->index.chains.clock == UINT64_MAX)
    return KVP_OVERFLOW;
  if (pool->classes.state[block] != KVP_USED)
    return KVP_STATE;
  size_t row = kvp_tokens_row(block, pool->block_size);
  kvp_index_map(&pool->index, hash, block, evicted);
  pool->has_hash[block] = 1;
  pool->length[block] = length;
  kvp_tokens_store(pool->plane, row, tokens, length);
  return KVP_OK;
}
