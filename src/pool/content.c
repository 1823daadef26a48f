/* SPDX-License-Identifier: Apache-2.0 */
/* Operations on content: lookup, match, match_prefix, clear_index. */
#include <kvpool/pool.h>

#include "src/pool/blocks.h"
#include "src/pool/index.h"
#include "src/pool/tokens.h"

uint32_t kvp_pool_lookup(const struct kvp_pool *pool, uint64_t hash)
{
  return kvp_index_lookup(&pool->index, hash);
}

/* The block with this hash and exactly the tokens from tokens[from] on, or KVP_NONE. */
static uint32_t find(const struct kvp_pool *pool, uint64_t hash, const uint32_t *tokens,
                     size_t from, uint32_t length)
{
  uint32_t b = kvp_index_lookup(&pool->index, hash);
  if (b == KVP_NONE || pool->length[b] != length)
    return KVP_NONE;
  if (!kvp_tokens_equal(pool->plane, kvp_row(b, pool->block_size), tokens, from, length))
    return KVP_NONE;
  return b;
}

enum kvp_status kvp_pool_match(const struct kvp_pool *pool, uint64_t hash, const uint32_t *tokens,
                               uint32_t length, uint32_t *block)
{
  if (tokens == NULL && length != 0)
    return KVP_ARGUMENT;
  if (length > pool->block_size)
    return KVP_RANGE;
  *block = find(pool, hash, tokens, 0, length);
  return KVP_OK;
}

enum kvp_status kvp_pool_match_prefix(const struct kvp_pool *pool, const uint64_t *hashes,
                                      const uint32_t *tokens, uint32_t count, uint32_t length,
                                      uint32_t *matched)
{
  if ((hashes == NULL && count != 0) || (tokens == NULL && count != 0 && length != 0))
    return KVP_ARGUMENT;
  if (length > pool->block_size)
    return KVP_RANGE;
  uint32_t n = 0;
  while (n < count && find(pool, hashes[n], tokens, (size_t)n * length, length) != KVP_NONE)
    n++;
  *matched = n;
  return KVP_OK;
}

void kvp_pool_clear_index(struct kvp_pool *pool)
{
  kvp_index_clear(&pool->index);
  for (uint32_t b = 0; b < pool->num_blocks; b++) {
    if (pool->ref_count[b] == 0) {
      if (pool->classes.state[b] == KVP_CACHED) {
        kvp_take(pool, b);
        kvp_vacate(pool, b);
      }
      pool->has_hash[b] = 0;
      pool->length[b] = 0;
    }
  }
}
