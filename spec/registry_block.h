/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a held block in the executable registry: reset, partial, complete. */
#ifndef KVP_SPEC_REGISTRY_BLOCK_H
#define KVP_SPEC_REGISTRY_BLOCK_H

#include <kvpool/hash.h>

#include "spec/registry_state.h"

static inline void begin(struct block *block, const struct kvp_registry_op *op)
{
  block->state = KVP_BLOCK_PARTIAL;
  block->salt = op->salt;
  block->position = op->position;
  block->parent = op->position == 0 ? 0 : op->parent;
}

static inline void append(struct kvp_registry_model *model, struct block *block,
                          const uint32_t *tokens, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    tokens_of(model, block)[block->length++] = tokens[i];
}

static inline void complete(struct kvp_registry_model *model, struct block *block,
                            struct kvp_registry_result *result)
{
  block->state = KVP_BLOCK_COMPLETE;
  kvp_hash_block(tokens_of(model, block), block->length, block->salt, &block->block_hash);
  block->hash = block->position == 0
                  ? block->block_hash
                  : kvp_hash_sequence(block->parent, block->block_hash, block->salt);
  result->block_hash = block->block_hash;
  result->hash = block->hash;
}

/* Operations on the block of a handle. */
#define BLOCK_OPERATION(name)                                                                      \
  static inline enum kvp_status name(struct kvp_registry_model *model, struct block *block,        \
                                     const struct kvp_registry_op *op,                             \
                                     struct kvp_registry_result *result)

BLOCK_OPERATION(init)
{
  (void)model, (void)result;
  if (block->state != KVP_BLOCK_RESET)
    return KVP_STATE;
  begin(block, op);
  return KVP_OK;
}

BLOCK_OPERATION(push)
{
  (void)result;
  if (block->state != KVP_BLOCK_PARTIAL)
    return KVP_STATE;
  if (op->length > model->shape.block_size - block->length)
    return KVP_FULL;
  append(model, block, op->tokens, op->length);
  return KVP_OK;
}

BLOCK_OPERATION(fill)
{
  if (block->state != KVP_BLOCK_PARTIAL)
    return KVP_STATE;
  uint32_t room = model->shape.block_size - block->length;
  result->count = op->length < room ? op->length : room;
  append(model, block, op->tokens, result->count);
  return KVP_OK;
}

BLOCK_OPERATION(pop)
{
  (void)model, (void)result;
  if (block->state != KVP_BLOCK_PARTIAL)
    return KVP_STATE;
  if (op->count > block->length)
    return KVP_EMPTY;
  block->length -= op->count;
  return KVP_OK;
}

BLOCK_OPERATION(commit)
{
  (void)op;
  if (block->state != KVP_BLOCK_PARTIAL)
    return KVP_STATE;
  if (block->length != model->shape.block_size)
    return KVP_EMPTY;
  complete(model, block, result);
  return KVP_OK;
}

BLOCK_OPERATION(write_block)
{
  if (op->length != model->shape.block_size)
    return KVP_RANGE;
  if (block->state != KVP_BLOCK_RESET)
    return KVP_STATE;
  begin(block, op);
  append(model, block, op->tokens, op->length);
  complete(model, block, result);
  return KVP_OK;
}

BLOCK_OPERATION(clear)
{
  (void)model, (void)op, (void)result;
  if (!is_held(block))
    return KVP_STATE;
  forget(block, KVP_BLOCK_RESET);
  return KVP_OK;
}

#endif
