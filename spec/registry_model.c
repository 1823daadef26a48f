/* SPDX-License-Identifier: Apache-2.0 */
/* The executable registry: one function for each operation of spec/registry.md, in its order. */
#include "spec/registry_model.h"

#include "spec/registry_block.h"

/* The operations. Each either fails and changes nothing, or writes what it answers. */
#define OPERATION(name)                                                                            \
  static enum kvp_status name(struct kvp_registry_model *model, const struct kvp_registry_op *op,  \
                              struct kvp_registry_result *result)

OPERATION(add_blocks)
{
  while (result->count < op->count && model->num_blocks < model->shape.max_blocks) {
    make_empty(model, &model->blocks[model->num_blocks++]);
    result->count++;
  }
  return KVP_OK;
}

static void evict(struct kvp_registry_model *model)
{
  struct block *victim = &model->blocks[victim_of(model)];
  report(model, KVP_EVENT_REMOVED, victim);
  make_empty(model, victim);
}

OPERATION(allocate)
{
  if (op->count > count_available(model))
    return too_few(result, op->count, count_available(model));
  for (uint32_t k = 0; k < op->count; k++) {
    if (count_state(model, KVP_BLOCK_EMPTY) == 0)
      evict(model);
    struct block *block = &model->blocks[next_empty(model, KVP_NONE)];
    block->state = KVP_BLOCK_RESET;
    block->acquired = ++model->tick;
    op->grants[k] = grant(model, block, KVP_GRANT_NEW);
  }
  return KVP_OK;
}

/* A block that its last holder gave up: its content stays if it is registered. */
static void give_back(struct kvp_registry_model *model, struct block *block)
{
  block->returned = ++model->tick;
  if (is_registered(block))
    block->state = KVP_BLOCK_CACHED;
  else
    make_empty(model, block);
}

static struct kvp_grant register_one(struct kvp_registry_model *model, uint64_t handle)
{
  struct slot *slot = slot_of(model, handle);
  struct block *block = &model->blocks[slot->block];
  struct block *primary = find(model, block->hash);
  if (primary != NULL && model->shape.keep_duplicates)
    return share_of(model, primary, KVP_GRANT_DUPLICATE);
  block->handles = 0;
  if (primary != NULL) {
    give_back(model, block);
    primary->state = KVP_BLOCK_ACTIVE;
    return grant_in(model, slot, primary, KVP_GRANT_MERGED);
  }
  block->state = KVP_BLOCK_ACTIVE;
  block->salt = 0;
  report(model, KVP_EVENT_STORED, block);
  return grant_in(model, slot, block, KVP_GRANT_NEW);
}

OPERATION(register_list)
{
  if (!handles_are_out(model, op->handles, op->count))
    return KVP_RANGE;
  for (uint32_t i = 0; i < op->count; i++)
    if (block_of(model, op->handles[i])->state != KVP_BLOCK_COMPLETE)
      return KVP_STATE;
  if (model->shape.keep_duplicates && op->count > count_slots(model))
    return too_few(result, op->count, count_slots(model));
  for (uint32_t i = 0; i < op->count; i++)
    op->grants[i] = register_one(model, op->handles[i]);
  return KVP_OK;
}

static uint32_t count_matches(const struct kvp_registry_model *model,
                              const struct kvp_registry_op *op)
{
  uint32_t n = 0;
  while (n < op->count && find(model, op->hashes[n]) != NULL)
    n++;
  return n;
}

OPERATION(match)
{
  uint32_t n = count_matches(model, op);
  if (n > count_slots(model))
    return too_few(result, n, count_slots(model));
  for (uint32_t i = 0; i < n; i++)
    op->grants[i] = share_of(model, find(model, op->hashes[i]), KVP_GRANT_NEW);
  result->count = n;
  return KVP_OK;
}

OPERATION(touch)
{
  result->count = count_matches(model, op);
  for (uint32_t i = result->count; i-- > 0;) {
    struct block *block = find(model, op->hashes[i]);
    if (block->state == KVP_BLOCK_CACHED)
      block->returned = ++model->tick;
  }
  return KVP_OK;
}

OPERATION(share)
{
  struct block *block = block_of(model, op->handle);
  if (block == NULL)
    return KVP_RANGE;
  if (block->state != KVP_BLOCK_ACTIVE)
    return KVP_STATE;
  if (count_slots(model) == 0)
    return too_few(result, 1, 0);
  op->grants[0] = share_of(model, block, KVP_GRANT_NEW);
  return KVP_OK;
}

OPERATION(release)
{
  (void)result;
  if (!handles_are_out(model, op->handles, op->count))
    return KVP_RANGE;
  for (uint32_t i = op->count; i-- > 0;) {
    struct slot *slot = slot_of(model, op->handles[i]);
    struct block *block = &model->blocks[slot->block];
    slot->block = KVP_NONE;
    slot->freed = ++model->clock;
    block->handles--;
    if (block->handles == 0)
      give_back(model, block);
  }
  return KVP_OK;
}

OPERATION(set_priority)
{
  (void)result;
  struct block *block = op->handle != 0 ? block_of(model, op->handle) : find(model, op->hash);
  if (block == NULL)
    return op->handle != 0 ? KVP_RANGE : KVP_EMPTY;
  block->priority = op->priority;
  return KVP_OK;
}

OPERATION(pin)
{
  (void)result;
  struct block *block = find(model, op->hash);
  if (block == NULL)
    return KVP_EMPTY;
  if (block->pins == UINT32_MAX)
    return KVP_OVERFLOW;
  block->pins++;
  return KVP_OK;
}

OPERATION(unpin)
{
  (void)result;
  struct block *block = find(model, op->hash);
  if (block == NULL)
    return KVP_EMPTY;
  if (block->pins == 0)
    return KVP_STATE;
  block->pins--;
  return KVP_OK;
}

OPERATION(reset)
{
  (void)op, (void)result;
  for (uint32_t b = 0; b < model->num_blocks; b++)
    if (model->blocks[b].handles != 0 || model->blocks[b].pins != 0)
      return KVP_BUSY;
  while (count_state(model, KVP_BLOCK_CACHED) != 0)
    make_empty(model, &model->blocks[victim_of(model)]);
  report(model, KVP_EVENT_CLEARED, NULL);
  return KVP_OK;
}

OPERATION(poll)
{
  uint32_t n = op->count < model->num_events ? op->count : model->num_events;
  for (uint32_t i = 0; i < n; i++)
    op->events[i] = model->events[i];
  model->num_events -= n;
  memmove(model->events, model->events + n, model->num_events * sizeof *model->events);
  result->count = n;
  result->dropped = model->dropped;
  model->dropped = 0;
  return KVP_OK;
}

/* Whether a buffer is missing whose size is not 0. */
static int is_missing(const struct kvp_registry_op *op)
{
  switch (op->kind) {
  case KVP_REGISTRY_PUSH:
  case KVP_REGISTRY_FILL:
  case KVP_REGISTRY_WRITE: return op->length != 0 && op->tokens == NULL;
  case KVP_REGISTRY_SHARE: return op->grants == NULL;
  case KVP_REGISTRY_ALLOCATE: return op->count != 0 && op->grants == NULL;
  case KVP_REGISTRY_REGISTER: return op->count != 0 && (op->handles == NULL || op->grants == NULL);
  case KVP_REGISTRY_MATCH: return op->count != 0 && (op->hashes == NULL || op->grants == NULL);
  case KVP_REGISTRY_TOUCH: return op->count != 0 && op->hashes == NULL;
  case KVP_REGISTRY_RELEASE: return op->count != 0 && op->handles == NULL;
  case KVP_REGISTRY_POLL: return op->count != 0 && op->events == NULL;
  default: return 0;
  }
}

static enum kvp_status apply_to_block(struct kvp_registry_model *model,
                                      const struct kvp_registry_op *op,
                                      struct kvp_registry_result *result)
{
  struct block *block = block_of(model, op->handle);
  if (block == NULL)
    return KVP_RANGE;
  switch (op->kind) {
  case KVP_REGISTRY_INIT: return init(model, block, op, result);
  case KVP_REGISTRY_PUSH: return push(model, block, op, result);
  case KVP_REGISTRY_FILL: return fill(model, block, op, result);
  case KVP_REGISTRY_POP: return pop(model, block, op, result);
  case KVP_REGISTRY_COMMIT: return commit(model, block, op, result);
  case KVP_REGISTRY_WRITE: return write_block(model, block, op, result);
  case KVP_REGISTRY_CLEAR: return clear(model, block, op, result);
  default: return KVP_ARGUMENT;
  }
}

static enum kvp_status apply(struct kvp_registry_model *model, const struct kvp_registry_op *op,
                             struct kvp_registry_result *result)
{
  if (is_missing(op))
    return KVP_ARGUMENT;
  switch (op->kind) {
  case KVP_REGISTRY_ADD_BLOCKS: return add_blocks(model, op, result);
  case KVP_REGISTRY_ALLOCATE: return allocate(model, op, result);
  case KVP_REGISTRY_REGISTER: return register_list(model, op, result);
  case KVP_REGISTRY_MATCH: return match(model, op, result);
  case KVP_REGISTRY_TOUCH: return touch(model, op, result);
  case KVP_REGISTRY_SHARE: return share(model, op, result);
  case KVP_REGISTRY_RELEASE: return release(model, op, result);
  case KVP_REGISTRY_SET_PRIORITY: return set_priority(model, op, result);
  case KVP_REGISTRY_PIN: return pin(model, op, result);
  case KVP_REGISTRY_UNPIN: return unpin(model, op, result);
  case KVP_REGISTRY_RESET: return reset(model, op, result);
  case KVP_REGISTRY_POLL: return poll(model, op, result);
  case KVP_REGISTRY_INIT:
  case KVP_REGISTRY_PUSH:
  case KVP_REGISTRY_FILL:
  case KVP_REGISTRY_POP:
  case KVP_REGISTRY_COMMIT:
  case KVP_REGISTRY_WRITE:
  case KVP_REGISTRY_CLEAR: return apply_to_block(model, op, result);
  }
  return KVP_ARGUMENT;
}

void kvp_registry_model_apply(struct kvp_registry_model *model, const struct kvp_registry_op *op,
                              struct kvp_registry_result *result)
{
  *result = (struct kvp_registry_result){0};
  result->status = apply(model, op, result);
}

/* What can be seen, and the life of a model. */

void kvp_registry_model_counts(const struct kvp_registry_model *model,
                               struct kvp_registry_counts *counts)
{
  *counts = (struct kvp_registry_counts){.num_blocks = model->num_blocks,
                                         .num_empty = count_state(model, KVP_BLOCK_EMPTY),
                                         .num_active = count_state(model, KVP_BLOCK_ACTIVE),
                                         .num_cached = count_state(model, KVP_BLOCK_CACHED),
                                         .num_available = count_available(model),
                                         .num_events = model->num_events};
  for (uint32_t b = 0; b < model->num_blocks; b++) {
    counts->num_held += is_held(&model->blocks[b]);
    counts->num_handles += model->blocks[b].handles;
  }
}

enum kvp_status kvp_registry_model_view(const struct kvp_registry_model *model, uint32_t block,
                                        struct kvp_block_view *view)
{
  if (block >= model->num_blocks)
    return KVP_RANGE;
  const struct block *b = &model->blocks[block];
  int tokens = b->length != 0 && !is_registered(b);
  *view = (struct kvp_block_view){.state = b->state,
                                  .handles = b->handles,
                                  .pins = b->pins,
                                  .priority = b->priority,
                                  .length = b->length,
                                  .position = b->position,
                                  .salt = b->salt,
                                  .parent = b->parent,
                                  .block_hash = b->block_hash,
                                  .hash = b->hash,
                                  .acquired_tick = b->acquired,
                                  .returned_tick = b->returned,
                                  .tokens = tokens ? tokens_of(model, b) : NULL};
  return KVP_OK;
}

uint32_t kvp_registry_model_next_empty(const struct kvp_registry_model *model, uint32_t block)
{
  return next_empty(model, block);
}

uint32_t kvp_registry_model_victim(const struct kvp_registry_model *model)
{
  return victim_of(model);
}

struct kvp_registry_model *kvp_registry_model_new(const struct kvp_registry_shape *shape)
{
  if (shape->num_blocks > shape->max_blocks || shape->block_size == 0
      || shape->max_handles > KVP_HANDLE_SLOTS)
    return NULL;
  struct kvp_registry_model *model = calloc(1, sizeof *model);
  if (model == NULL)
    return NULL;
  model->shape = *shape;
  /* One element at least, so that NULL always means that memory was short. */
  model->blocks = calloc((size_t)shape->max_blocks + 1, sizeof *model->blocks);
  model->slots = calloc((size_t)shape->max_handles + 1, sizeof *model->slots);
  model->events = calloc((size_t)shape->max_events + 1, sizeof *model->events);
  model->tokens = calloc((size_t)shape->max_blocks + 1, shape->block_size * sizeof(uint32_t));
  if (model->blocks == NULL || model->slots == NULL || model->events == NULL
      || model->tokens == NULL) {
    kvp_registry_model_free(model);
    return NULL;
  }
  for (uint32_t s = 0; s < shape->max_handles; s++)
    model->slots[s].block = KVP_NONE;
  while (model->num_blocks < shape->num_blocks)
    make_empty(model, &model->blocks[model->num_blocks++]);
  return model;
}

void kvp_registry_model_free(struct kvp_registry_model *model)
{
  if (model == NULL)
    return;
  free(model->blocks);
  free(model->slots);
  free(model->events);
  free(model->tokens);
  free(model);
}
