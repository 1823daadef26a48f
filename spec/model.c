/* SPDX-License-Identifier: Apache-2.0 */
/* The executable model: one function for each operation of spec/pool.md, in its order. */
#include "spec/model.h"

#include <stdlib.h>

struct block {
  enum kvp_class state;
  uint32_t ref_count;
  uint32_t has_hash; /* 0 or 1 */
  uint32_t indexed;  /* 0 or 1: the index maps `hash` to this block */
  uint64_t hash;
  uint32_t length;
  uint64_t freed_at; /* of a cached block: when it was released */
  uint64_t owner;    /* of a raw unit, as are first and left (view.h) */
  uint32_t first;
  uint32_t left;
};

struct kvp_model {
  uint32_t num_blocks, max_blocks, block_size;
  uint64_t clock;
  struct block *blocks; /* [max_blocks] */
  uint32_t *tokens;     /* [max_blocks][block_size] */
};

static const struct block empty_block = {.state = KVP_VACANT, .first = KVP_NONE};

static uint32_t *tokens_of(const struct kvp_model *model, uint32_t block)
{
  return model->tokens + (size_t)block * model->block_size;
}

/* The block that the index maps the hash to, or KVP_NONE. */
static uint32_t find(const struct kvp_model *model, uint64_t hash)
{
  for (uint32_t b = 0; b < model->num_blocks; b++)
    if (model->blocks[b].indexed && model->blocks[b].hash == hash)
      return b;
  return KVP_NONE;
}

/* Takes the index entry that names this block, if one does, and reports its hash. */
static struct kvp_evicted evict(struct block *block)
{
  struct kvp_evicted evicted = {0, 0};
  if (block->indexed)
    evicted = (struct kvp_evicted){.count = 1, .hash = block->hash};
  block->indexed = 0;
  return evicted;
}

static uint32_t count_class(const struct kvp_model *model, enum kvp_class state)
{
  uint32_t n = 0;
  for (uint32_t b = 0; b < model->max_blocks; b++)
    n += model->blocks[b].state == state;
  return n;
}

uint32_t kvp_model_next_cached(const struct kvp_model *model, uint32_t block)
{
  if (block != KVP_NONE && (block >= model->max_blocks || model->blocks[block].state != KVP_CACHED))
    return KVP_NONE;
  uint64_t after = block == KVP_NONE ? 0 : model->blocks[block].freed_at;
  uint32_t next = KVP_NONE;
  for (uint32_t b = 0; b < model->max_blocks; b++)
    if (model->blocks[b].state == KVP_CACHED && model->blocks[b].freed_at > after
        && (next == KVP_NONE || model->blocks[b].freed_at < model->blocks[next].freed_at))
      next = b;
  return next;
}

/* The block that pop would take, or KVP_NONE. */
static uint32_t choose(const struct kvp_model *model)
{
  for (uint32_t b = 0; b < model->num_blocks; b++)
    if (model->blocks[b].state == KVP_VACANT)
      return b;
  return kvp_model_next_cached(model, KVP_NONE);
}

/* The operations. Each either fails and changes nothing, or writes what it answers. */

static enum kvp_status pop(struct kvp_model *model, const struct kvp_op *op,
                           struct kvp_result *result)
{
  (void)op;
  uint32_t block = choose(model);
  if (block == KVP_NONE)
    return KVP_EMPTY;
  model->blocks[block].state = KVP_RESERVED;
  result->block = block;
  return KVP_OK;
}

static enum kvp_status allocate(struct kvp_model *model, const struct kvp_op *op,
                                struct kvp_result *result)
{
  if (op->block >= model->num_blocks)
    return KVP_RANGE;
  struct block *block = &model->blocks[op->block];
  if (block->state == KVP_USED || block->state == KVP_UNIT)
    return KVP_BUSY;
  result->evicted = evict(block);
  *block = empty_block;
  block->state = KVP_USED;
  block->ref_count = 1;
  return KVP_OK;
}

static enum kvp_status claim(struct kvp_model *model, const struct kvp_op *op,
                             struct kvp_result *result)
{
  (void)result;
  if (op->block >= model->num_blocks)
    return KVP_RANGE;
  struct block *block = &model->blocks[op->block];
  if (block->state != KVP_USED && block->state != KVP_CACHED)
    return KVP_STATE;
  if (block->ref_count == UINT32_MAX)
    return KVP_OVERFLOW;
  block->state = KVP_USED;
  block->ref_count++;
  return KVP_OK;
}

static enum kvp_status free_hold(struct kvp_model *model, const struct kvp_op *op,
                                 struct kvp_result *result)
{
  (void)result;
  if (op->block >= model->num_blocks)
    return KVP_RANGE;
  struct block *block = &model->blocks[op->block];
  if (block->state != KVP_USED)
    return KVP_STATE;
  block->ref_count--;
  if (block->ref_count == 0) {
    block->state = block->has_hash ? KVP_CACHED : KVP_VACANT;
    block->freed_at = ++model->clock;
  }
  return KVP_OK;
}

static enum kvp_status publish(struct kvp_model *model, const struct kvp_op *op,
                               struct kvp_result *result)
{
  if (op->length != 0 && op->tokens == NULL)
    return KVP_ARGUMENT;
  if (op->block >= model->num_blocks || op->length > model->block_size)
    return KVP_RANGE;
  struct block *block = &model->blocks[op->block];
  if (block->state != KVP_USED)
    return KVP_STATE;
  if (block->hash != op->hash)
    result->evicted = evict(block);
  uint32_t former = find(model, op->hash);
  if (former != KVP_NONE)
    model->blocks[former].indexed = 0;
  block->has_hash = 1;
  block->indexed = 1;
  block->hash = op->hash;
  block->length = op->length;
  for (uint32_t i = 0; i < op->length; i++)
    tokens_of(model, op->block)[i] = op->tokens[i];
  return KVP_OK;
}

static enum kvp_status lookup(struct kvp_model *model, const struct kvp_op *op,
                              struct kvp_result *result)
{
  result->block = find(model, op->hash);
  return KVP_OK;
}

/* The block that the hash is mapped to, if its tokens are these; else KVP_NONE. */
static uint32_t find_same(const struct kvp_model *model, uint64_t hash, const uint32_t *tokens,
                          uint32_t length)
{
  uint32_t block = find(model, hash);
  if (block == KVP_NONE || model->blocks[block].length != length)
    return KVP_NONE;
  for (uint32_t i = 0; i < length; i++)
    if (tokens_of(model, block)[i] != tokens[i])
      return KVP_NONE;
  return block;
}

static enum kvp_status match(struct kvp_model *model, const struct kvp_op *op,
                             struct kvp_result *result)
{
  if (op->length != 0 && op->tokens == NULL)
    return KVP_ARGUMENT;
  if (op->length > model->block_size)
    return KVP_RANGE;
  result->block = find_same(model, op->hash, op->tokens, op->length);
  return KVP_OK;
}

static enum kvp_status match_prefix(struct kvp_model *model, const struct kvp_op *op,
                                    struct kvp_result *result)
{
  if (op->count != 0 && (op->hashes == NULL || (op->length != 0 && op->tokens == NULL)))
    return KVP_ARGUMENT;
  if (op->length > model->block_size)
    return KVP_RANGE;
  uint32_t k = 0;
  while (k < op->count) {
    const uint32_t *tokens = op->length == 0 ? NULL : op->tokens + (size_t)k * op->length;
    if (find_same(model, op->hashes[k], tokens, op->length) == KVP_NONE)
      break;
    k++;
  }
  result->count = k;
  return KVP_OK;
}

static enum kvp_status clear_index(struct kvp_model *model, const struct kvp_op *op,
                                   struct kvp_result *result)
{
  (void)op, (void)result;
  for (uint32_t b = 0; b < model->num_blocks; b++) {
    struct block *block = &model->blocks[b];
    block->indexed = 0;
    enum kvp_class state = block->state;
    if (state == KVP_CACHED || state == KVP_RESERVED) {
      *block = empty_block;
      block->state = state == KVP_CACHED ? KVP_VACANT : KVP_RESERVED;
    }
  }
  return KVP_OK;
}

static enum kvp_status extend(struct kvp_model *model, const struct kvp_op *op,
                              struct kvp_result *result)
{
  while (result->count < op->count && model->num_blocks < model->max_blocks) {
    model->blocks[model->num_blocks++].state = KVP_VACANT;
    result->count++;
  }
  return KVP_OK;
}

static enum kvp_status retire_top(struct kvp_model *model, const struct kvp_op *op,
                                  struct kvp_result *result)
{
  (void)op;
  if (model->num_blocks == 0)
    return KVP_EMPTY;
  uint32_t top = model->num_blocks - 1;
  struct block *block = &model->blocks[top];
  if (block->state == KVP_RESERVED || block->state == KVP_UNIT)
    return KVP_BUSY;
  if (block->state == KVP_USED) {
    uint32_t to = choose(model);
    if (to == KVP_NONE)
      return KVP_FULL;
    result->moved_to = to;
    result->evicted = evict(&model->blocks[to]);
    model->blocks[to] = *block;
    for (uint32_t i = 0; i < block->length; i++)
      tokens_of(model, to)[i] = tokens_of(model, top)[i];
  } else {
    result->evicted = evict(block);
  }
  result->block = top;
  *block = empty_block;
  block->state = KVP_RETIRED;
  model->num_blocks--;
  return KVP_OK;
}

static enum kvp_status reserve(struct kvp_model *model, const struct kvp_op *op,
                               struct kvp_result *result)
{
  (void)result;
  if (op->owner == 0 || (op->count != 0 && op->units == NULL))
    return KVP_ARGUMENT;
  uint64_t num_free = (uint64_t)count_class(model, KVP_VACANT) + count_class(model, KVP_CACHED);
  if (op->count > num_free)
    return KVP_FULL;
  for (uint32_t k = 0; k < op->count; k++) {
    uint32_t block = choose(model);
    op->units[k].block = block;
    op->units[k].evicted = evict(&model->blocks[block]);
    model->blocks[block] = (struct block){.state = KVP_UNIT,
                                          .ref_count = 1,
                                          .owner = op->owner,
                                          .first = op->units[0].block,
                                          .left = op->count - 1 - k};
  }
  return KVP_OK;
}

static enum kvp_status release(struct kvp_model *model, const struct kvp_op *op,
                               struct kvp_result *result)
{
  (void)result;
  if (op->owner == 0 || (op->count != 0 && op->units == NULL))
    return KVP_ARGUMENT;
  for (uint32_t k = 0; k < op->count; k++)
    if (op->units[k].block >= model->num_blocks)
      return KVP_RANGE;
  for (uint32_t k = 0; k < op->count; k++) {
    const struct block *block = &model->blocks[op->units[k].block];
    if (block->state != KVP_UNIT || block->owner != op->owner || block->first != op->units[0].block
        || block->left != op->count - 1 - k)
      return KVP_STATE;
  }
  for (uint32_t k = 0; k < op->count; k++)
    model->blocks[op->units[k].block] = empty_block;
  return KVP_OK;
}

void kvp_model_apply(struct kvp_model *model, const struct kvp_op *op, struct kvp_result *result)
{
  static enum kvp_status (*const operations[KVP_NUM_KINDS])(
    struct kvp_model *, const struct kvp_op *, struct kvp_result *) = {
    [KVP_POP] = pop,         [KVP_ALLOCATE] = allocate,         [KVP_CLAIM] = claim,
    [KVP_FREE] = free_hold,  [KVP_PUBLISH] = publish,           [KVP_LOOKUP] = lookup,
    [KVP_MATCH] = match,     [KVP_MATCH_PREFIX] = match_prefix, [KVP_CLEAR_INDEX] = clear_index,
    [KVP_EXTEND] = extend,   [KVP_RETIRE_TOP] = retire_top,     [KVP_RESERVE] = reserve,
    [KVP_RELEASE] = release,
  };
  *result = (struct kvp_result){.block = KVP_NONE, .moved_to = KVP_NONE};
  if ((unsigned)op->kind >= KVP_NUM_KINDS)
    result->status = KVP_ARGUMENT;
  else
    result->status = operations[op->kind](model, op, result);
}

/* What can be seen, and the life of a model. */

void kvp_model_counts(const struct kvp_model *model, struct kvp_counts *counts)
{
  counts->num_blocks = model->num_blocks;
  counts->num_free = count_class(model, KVP_VACANT) + count_class(model, KVP_CACHED);
  counts->num_used = count_class(model, KVP_USED) + count_class(model, KVP_UNIT);
  counts->num_reserved = count_class(model, KVP_RESERVED);
  counts->num_indexed = 0;
  for (uint32_t b = 0; b < model->num_blocks; b++)
    counts->num_indexed += model->blocks[b].indexed;
}

enum kvp_status kvp_model_view(const struct kvp_model *model, uint32_t block, struct kvp_view *view)
{
  if (block >= model->max_blocks)
    return KVP_RANGE;
  const struct block *b = &model->blocks[block];
  *view = (struct kvp_view){.state = b->state,
                            .ref_count = b->ref_count,
                            .has_hash = b->has_hash,
                            .indexed = b->indexed,
                            .hash = b->hash,
                            .length = b->length,
                            .tokens = b->length == 0 ? NULL : tokens_of(model, block),
                            .owner = b->owner,
                            .first = b->first,
                            .left = b->left};
  return KVP_OK;
}

struct kvp_model *kvp_model_new(uint32_t num_blocks, uint32_t max_blocks, uint32_t block_size)
{
  if (num_blocks > max_blocks)
    return NULL;
  if (block_size != 0 && max_blocks > SIZE_MAX / sizeof(uint32_t) / block_size)
    return NULL;
  struct kvp_model *model = calloc(1, sizeof *model);
  if (model == NULL)
    return NULL;
  size_t num_tokens = (size_t)max_blocks * block_size;
  model->num_blocks = num_blocks;
  model->max_blocks = max_blocks;
  model->block_size = block_size;
  /* One element at least, so that NULL always means that memory was short. */
  model->blocks = calloc((size_t)max_blocks + 1, sizeof *model->blocks);
  model->tokens = calloc(num_tokens == 0 ? 1 : num_tokens, sizeof *model->tokens);
  if (model->blocks == NULL || model->tokens == NULL) {
    kvp_model_free(model);
    return NULL;
  }
  for (uint32_t b = 0; b < max_blocks; b++) {
    model->blocks[b] = empty_block;
    model->blocks[b].state = b < num_blocks ? KVP_VACANT : KVP_RETIRED;
  }
  return model;
}

void kvp_model_free(struct kvp_model *model)
{
  if (model == NULL)
    return;
  free(model->blocks);
  free(model->tokens);
  free(model);
}
