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
/*@ KVP_REQUIRES_POOL;
    KVP_REQUIRES_PLANE;
    requires short: length <= pool->block_size;
    requires tokens: length > 0 ==> \valid_read(tokens + (from .. from + length - 1));
    requires from: from <= 18446744069414584320;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures sound: \result != KVP_NONE ==> \result < pool->num_blocks &&
      Indexed(*pool, \result) && pool->index.hash[\result] == hash &&
      Carries(*pool, \result, tokens, from, length);
    ensures found: \result != KVP_NONE ==> Matches(*pool, hash, tokens, from, length);
    ensures complete: \result == KVP_NONE ==> !Matches(*pool, hash, tokens, from, length);
*/
static uint32_t find(const struct kvp_pool *pool, uint64_t hash, const uint32_t *tokens,
                     size_t from, uint32_t length)
{
  uint32_t b = kvp_pool_lookup(pool, hash);
  if (b == KVP_NONE || pool->length[b] != length)
    return KVP_NONE;
  /*@ assert only: \forall integer i; 0 <= i < pool->num_blocks ==> Indexed(*pool, i) ==>
        pool->index.hash[i] == hash ==> i == b; */
  size_t row = kvp_tokens_row(b, pool->block_size);
  int equal = kvp_tokens_equal(pool->plane, row, tokens, from, length);
  //@ assert equal: equal != 0 <==> Carries(*pool, b, tokens, from, length);
  return equal ? b : KVP_NONE;
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

/* Where the tokens of element e begin. */
/*@ requires element: e < count;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures element: \result == Row(e, length);
    ensures small: \result <= 18446744069414584320;
    ensures inside: \result + length <= Row(count, length);
*/
static size_t element(uint32_t e, uint32_t count, uint32_t length)
{
  (void)count;
  /*@ ghost
      /@ loop invariant range: 0 <= i <= count;
         loop invariant product: \forall integer k; 0 <= k <= i ==> Row(k, length) == k * length;
         loop assigns i;
         loop variant count - i; @/
      for (uint32_t i = 0; i < count; i++)
        ;
  */
  return (size_t)e * length;
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
  /*@ loop invariant range: 0 <= n <= count;
      loop invariant prefix: \forall integer e; 0 <= e < n ==>
        Matches(*pool, hashes[e], tokens, Row(e, length), length);
      loop assigns n;
      loop variant count - n; */
  while (n < count &&
         find(pool, hashes[n], tokens, element(n, count, length), length) != KVP_NONE) {
    //@ assert next: Matches(*pool, hashes[n], tokens, Row(n, length), length);
    n++;
  }
  *matched = n;
  return KVP_OK;
}

/* What clear_index does to one block that the index does not map to. */
/*@ KVP_REQUIRES_POOL;
    requires block: b < pool->num_blocks && !Indexed(*pool, b);
    terminates \true;
    exits \false;
    assigns pool->classes, pool->vacant, pool->cached, pool->ref_count[b], pool->has_hash[b],
            pool->length[b];
    KVP_ENSURES_POOL;
    ensures cleared: Cleared(\old(*pool), *pool, b);
    ensures rest: Rest(\old(*pool), *pool, b);
*/
static void clear(struct kvp_pool *pool, uint32_t b)
{
  if (pool->ref_count[b] != 0)
    return;
  int cached = pool->classes.state[b] == KVP_CACHED;
  if (cached)
    kvp_take(pool, b);
  pool->has_hash[b] = 0;
  pool->length[b] = 0;
  //@ assert emptied: Rest(\at(*pool, Pre), *pool, b);
  if (cached)
    kvp_vacate(pool, b);
}

void kvp_pool_clear_index(struct kvp_pool *pool)
{
  kvp_index_clear(&pool->index);
  /*@ loop invariant range: 0 <= b <= pool->num_blocks;
      KVP_POOL(loop invariant);
      loop invariant done: \forall integer i; 0 <= i < b ==>
        KVP_CLEARED(\at(*pool, Pre), (*pool), i);
      loop invariant rest: \forall integer i; b <= i < pool->num_blocks ==>
        KVP_KEPT_STATE(\at(*pool, Pre), (*pool), i) && !Indexed(*pool, i);
      loop assigns b, pool->classes, pool->vacant, pool->cached,
                   pool->ref_count[0 .. KVP_CAPACITY - 1],
                   pool->has_hash[0 .. KVP_CAPACITY - 1], pool->length[0 .. KVP_CAPACITY - 1];
      loop variant pool->num_blocks - b; */
  for (uint32_t b = 0; b < pool->num_blocks; b++)
    clear(pool, b);
}
