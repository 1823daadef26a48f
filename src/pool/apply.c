/* SPDX-License-Identifier: Apache-2.0 */
/* Any operation of the vocabulary, dispatched. */
#include <kvpool/pool.h>

static enum kvp_status retire(struct kvp_pool *pool, struct kvp_result *result)
{
  struct kvp_retirement retirement;
  enum kvp_status status = kvp_pool_retire_top(pool, &retirement);
  if (status == KVP_OK) {
    result->block = retirement.retired;
    result->moved_to = retirement.moved_to;
    result->evicted = retirement.evicted;
  }
  return status;
}

static enum kvp_status dispatch(struct kvp_pool *pool, const struct kvp_op *op,
                                struct kvp_result *result)
{
  switch (op->kind) {
  case KVP_POP:
    return kvp_pool_pop(pool, &result->block);
  case KVP_ALLOCATE:
    return kvp_pool_allocate(pool, op->block, &result->evicted);
  case KVP_CLAIM:
    return kvp_pool_claim(pool, op->block);
  case KVP_FREE:
    return kvp_pool_free(pool, op->block);
  case KVP_PUBLISH:
    return kvp_pool_publish(pool, op->block, op->hash, op->tokens, op->length, &result->evicted);
  case KVP_LOOKUP:
    result->block = kvp_pool_lookup(pool, op->hash);
    return KVP_OK;
  case KVP_MATCH:
    return kvp_pool_match(pool, op->hash, op->tokens, op->length, &result->block);
  case KVP_MATCH_PREFIX:
    return kvp_pool_match_prefix(pool, op->hashes, op->tokens, op->count, op->length,
                                 &result->count);
  case KVP_CLEAR_INDEX:
    kvp_pool_clear_index(pool);
    return KVP_OK;
  case KVP_EXTEND:
    result->count = kvp_pool_extend(pool, op->count);
    return KVP_OK;
  case KVP_RETIRE_TOP:
    return retire(pool, result);
  case KVP_RESERVE:
    return kvp_pool_reserve(pool, op->count, op->owner, op->units);
  case KVP_RELEASE:
    return kvp_pool_release(pool, op->units, op->count, op->owner);
  }
  return KVP_ARGUMENT;
}

void kvp_pool_apply(struct kvp_pool *pool, const struct kvp_op *op, struct kvp_result *result)
{
  result->block = KVP_NONE;
  result->moved_to = KVP_NONE;
  result->count = 0;
  result->evicted.count = 0;
  result->evicted.hash = 0;
  result->status = dispatch(pool, op, result);
}
