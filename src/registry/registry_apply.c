/* SPDX-License-Identifier: Apache-2.0 */
/* Any operation of the registry's vocabulary, dispatched. */
#include <kvpool/registry.h>

/* What a result holds where its kind answers nothing. */
/*@ requires valid: \valid(result);
    terminates \true;
    exits \false;
    assigns *result;
    ensures status: result->status == KVP_ARGUMENT;
    ensures bare: Bare(*result) && Sufficient(*result);
*/
static void empty(struct kvp_registry_result *result)
{
  result->status = KVP_ARGUMENT;
  result->count = 0;
  result->requested = 0;
  result->available = 0;
  result->dropped = 0;
  result->block_hash = 0;
  result->hash = 0;
}

/* Operations on the block of one handle. */
/*@ KVP_REQUIRES_REGISTRY;
    KVP_REQUIRES_TOKEN_PLANE;
    KVP_REQUIRES_OP;
    KVP_REQUIRES_OP_TOKENS;
    requires bare: Bare(*result);
    terminates \true;
    exits \false;
    assigns registry->content, registry->store.lineage, registry->store.index,
            registry->store.keys, *(KVP_TOKEN_PLANE), result->count, result->block_hash,
            result->hash;
    KVP_ENSURES_REGISTRY;
    ensures unchanged: \result != KVP_OK ==> Unchanged(\old(*registry), *registry);
    ensures bare: \result != KVP_OK ==> Bare(*result);
    ensures unknown: KVP_REGISTRY_POLL < op->kind ==> \result == KVP_ARGUMENT;
*/
static enum kvp_status apply_to_block(struct kvp_registry *registry,
                                      const struct kvp_registry_op *op,
                                      struct kvp_registry_result *result)
{
  struct kvp_hashes hashes = {0, 0};
  enum kvp_status status = KVP_ARGUMENT;
  switch (op->kind) {
  case KVP_REGISTRY_INIT:
    return kvp_registry_begin(registry, op->handle, op->salt, op->position, op->parent);
  case KVP_REGISTRY_PUSH: return kvp_registry_push(registry, op->handle, op->tokens, op->length);
  case KVP_REGISTRY_FILL:
    return kvp_registry_fill(registry, op->handle, op->tokens, op->length, &result->count);
  case KVP_REGISTRY_POP: return kvp_registry_pop(registry, op->handle, op->count);
  case KVP_REGISTRY_COMMIT: status = kvp_registry_commit(registry, op->handle, &hashes); break;
  case KVP_REGISTRY_WRITE:
    status = kvp_registry_write(registry, op->handle, op->tokens, op->length, op->salt,
                                op->position, op->parent, &hashes);
    break;
  case KVP_REGISTRY_CLEAR: return kvp_registry_clear(registry, op->handle);
  default: return KVP_ARGUMENT;
  }
  result->block_hash = hashes.block_hash;
  result->hash = hashes.hash;
  return status;
}

/*@ KVP_REQUIRES_REGISTRY;
    KVP_REQUIRES_TOKEN_PLANE;
    KVP_REQUIRES_OP;
    KVP_REQUIRES_OP_TOKENS;
    KVP_REQUIRES_OP_LISTS;
    requires shortage: \valid(shortage) && \separated(shortage, registry, op, result) &&
      \separated(shortage, KVP_OP_LIST(hashes)) && \separated(shortage, KVP_OP_LIST(handles)) &&
      \separated(shortage, KVP_OP_LIST(grants));
    requires bare: Bare(*result);
    terminates \true;
    exits \false;
    assigns *registry, *(KVP_TOKEN_PLANE), result->count, result->dropped, result->block_hash,
            result->hash, *shortage, op->grants[0 .. op->count - 1], *op->grants,
            op->events[0 .. op->count - 1];
    KVP_ENSURES_REGISTRY;
    ensures unchanged: \result != KVP_OK ==> Unchanged(\old(*registry), *registry);
    ensures bare: \result != KVP_OK ==> Bare(*result);
    ensures unknown: KVP_REGISTRY_POLL < op->kind ==> \result == KVP_ARGUMENT;
*/
static enum kvp_status apply(struct kvp_registry *registry, const struct kvp_registry_op *op,
                             struct kvp_registry_result *result, struct kvp_shortage *shortage)
{
  switch (op->kind) {
  case KVP_REGISTRY_ADD_BLOCKS: return kvp_registry_add_blocks(registry, op->count, &result->count);
  case KVP_REGISTRY_ALLOCATE:
    return kvp_registry_allocate(registry, op->count, op->grants, shortage);
  case KVP_REGISTRY_REGISTER:
    return kvp_registry_register(registry, op->handles, op->count, op->grants, shortage);
  case KVP_REGISTRY_MATCH:
    return kvp_registry_match(registry, op->hashes, op->count, op->grants, &result->count,
                              shortage);
  case KVP_REGISTRY_TOUCH:
    return kvp_registry_touch(registry, op->hashes, op->count, &result->count);
  case KVP_REGISTRY_SHARE: return kvp_registry_share(registry, op->handle, op->grants, shortage);
  case KVP_REGISTRY_RELEASE: return kvp_registry_release(registry, op->handles, op->count);
  case KVP_REGISTRY_SET_PRIORITY:
    return kvp_registry_set_priority(registry, op->handle, op->hash, op->priority);
  case KVP_REGISTRY_PIN: return kvp_registry_pin(registry, op->hash);
  case KVP_REGISTRY_UNPIN: return kvp_registry_unpin(registry, op->hash);
  case KVP_REGISTRY_RESET: return kvp_registry_reset(registry);
  case KVP_REGISTRY_POLL:
    return kvp_registry_poll(registry, op->count, op->events, &result->count, &result->dropped);
  default: break;
  }
  return apply_to_block(registry, op, result);
}

void kvp_registry_apply(struct kvp_registry *registry, const struct kvp_registry_op *op,
                        struct kvp_registry_result *result)
{
  struct kvp_shortage shortage = {0, 0};
  empty(result);
  enum kvp_status status = apply(registry, op, result, &shortage);
  result->status = status;
  if (status == KVP_FULL) {
    result->requested = shortage.requested;
    result->available = shortage.available;
  }
}
