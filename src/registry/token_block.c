/* SPDX-License-Identifier: Apache-2.0 */
/* Token blocks, finished and being filled. */
#include <kvpool/tokens.h>

#include <kvpool/hash.h>

enum kvp_status kvp_token_block_root(const uint32_t *tokens, uint32_t length, uint64_t salt,
                                     struct kvp_token_block *block)
{
  uint64_t hash = 0;
  if (tokens == NULL || length == 0)
    return KVP_ARGUMENT;
  kvp_hash_block(tokens, length, salt, &hash);
  block->block_hash = hash;
  block->sequence_hash = hash;
  block->parent = 0;
  block->has_parent = 0;
  return KVP_OK;
}

enum kvp_status kvp_token_block_after(uint64_t parent, const uint32_t *tokens, uint32_t length,
                                      uint64_t salt, struct kvp_token_block *block)
{
  enum kvp_status status = kvp_token_block_root(tokens, length, salt, block);
  if (status != KVP_OK)
    return status;
  block->sequence_hash = kvp_hash_sequence(parent, block->block_hash, salt);
  block->parent = parent;
  block->has_parent = 1;
  return KVP_OK;
}

enum kvp_status kvp_partial_init(struct kvp_partial *partial, uint32_t block_size, uint32_t *tokens,
                                 uint64_t salt)
{
  if (block_size == 0 || tokens == NULL)
    return KVP_ARGUMENT;
  partial->block_size = block_size;
  partial->length = 0;
  partial->salt = salt;
  partial->parent = 0;
  partial->has_parent = 0;
  partial->tokens = tokens;
  return KVP_OK;
}

enum kvp_status kvp_partial_init_after(struct kvp_partial *partial, uint32_t block_size,
                                       uint32_t *tokens, uint64_t salt, uint64_t parent)
{
  enum kvp_status status = kvp_partial_init(partial, block_size, tokens, salt);
  if (status != KVP_OK)
    return status;
  partial->parent = parent;
  partial->has_parent = 1;
  return KVP_OK;
}

uint32_t kvp_partial_remaining(const struct kvp_partial *partial)
{
  return partial->block_size - partial->length;
}

enum kvp_status kvp_partial_push(struct kvp_partial *partial, uint32_t token)
{
  if (partial->length == partial->block_size)
    return KVP_FULL;
  partial->tokens[partial->length] = token;
  partial->length++;
  return KVP_OK;
}

enum kvp_status kvp_partial_push_many(struct kvp_partial *partial, const uint32_t *tokens,
                                      size_t count, uint32_t *taken)
{
  if (tokens == NULL && count != 0)
    return KVP_ARGUMENT;
  uint32_t length = partial->length, room = kvp_partial_remaining(partial);
  uint32_t n = count < room ? (uint32_t)count : room;
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant copied: \forall integer k; length <= k < length + i ==>
        partial->tokens[k] == tokens[k - length];
      loop assigns i, partial->tokens[length .. length + n - 1];
      loop variant n - i; */
  for (uint32_t i = 0; i < n; i++)
    partial->tokens[length + i] = tokens[i];
  partial->length = length + n;
  *taken = n;
  return KVP_OK;
}

enum kvp_status kvp_partial_pop(struct kvp_partial *partial)
{
  if (partial->length == 0)
    return KVP_EMPTY;
  partial->length--;
  return KVP_OK;
}

enum kvp_status kvp_partial_pop_many(struct kvp_partial *partial, uint32_t count)
{
  if (partial->length < count)
    return KVP_RANGE;
  partial->length -= count;
  return KVP_OK;
}

enum kvp_status kvp_partial_commit(struct kvp_partial *partial, struct kvp_token_block *block)
{
  if (partial->length != partial->block_size)
    return KVP_STATE;
  if (partial->has_parent)
    kvp_token_block_after(partial->parent, partial->tokens, partial->length, partial->salt, block);
  else
    kvp_token_block_root(partial->tokens, partial->length, partial->salt, block);
  partial->length = 0;
  partial->parent = block->sequence_hash;
  partial->has_parent = 1;
  return KVP_OK;
}
