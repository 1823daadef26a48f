/* SPDX-License-Identifier: Apache-2.0 */
/* Any operation of the vocabulary, dispatched. */
#include <kvpool/pool.h>

/* What a result holds where its kind answers nothing. */
/*@ requires valid: \valid(result);
    terminates \true;
    exits \false;
    assigns *result;
    ensures bare: Bare(*result);
*/
static void empty(struct kvp_result *result)
{
  result->status = KVP_ARGUMENT;
  result->block = KVP_NONE;
  result->moved_to = KVP_NONE;
  result->count = 0;
  result->evicted.count = 0;
  result->evicted.hash = 0;
}

void kvp_pool_apply(struct kvp_pool *pool, const struct kvp_op *op, struct kvp_result *result)
{
  enum kvp_status status = KVP_OK;
  struct kvp_retirement retirement;
  empty(result);
  switch (op->kind) {
  case KVP_POP:
    status = kvp_pool_pop(pool, &result->block);
    break;
  case KVP_ALLOCATE:
    status = kvp_pool_allocate(pool, op->block, &result->evicted);
    break;
  case KVP_CLAIM:
    status = kvp_pool_claim(pool, op->block);
    break;
  case KVP_FREE:
    status = kvp_pool_free(pool, op->block);
    break;
  case KVP_PUBLISH:
    status = kvp_pool_publish(pool, op->block, op->hash, op->tokens, op->length, &result->evicted);
    break;
  case KVP_LOOKUP:
    result->block = kvp_pool_lookup(pool, op->hash);
    break;
  case KVP_MATCH:
    status = kvp_pool_match(pool, op->hash, op->tokens, op->length, &result->block);
    break;
  case KVP_MATCH_PREFIX:
    status = kvp_pool_match_prefix(pool, op->hashes, op->tokens, op->count, op->length,
                                   &result->count);
    break;
  case KVP_CLEAR_INDEX:
    kvp_pool_clear_index(pool);
    break;
  case KVP_EXTEND:
    result->count = kvp_pool_extend(pool, op->count);
    break;
  case KVP_RETIRE_TOP:
    status = kvp_pool_retire_top(pool, &retirement);
    if (status == KVP_OK) {
      result->block = retirement.retired;
      result->moved_to = retirement.moved_to;
      result->evicted.count = retirement.evicted.count;
      result->evicted.hash = retirement.evicted.hash;
    }
    break;
  case KVP_RESERVE:
    status = kvp_pool_reserve(pool, op->count, op->owner, op->units);
    break;
  case KVP_RELEASE:
    status = kvp_pool_release(pool, op->units, op->count, op->owner);
    break;
  default:
    status = KVP_ARGUMENT;
  }
  result->status = status;
}
