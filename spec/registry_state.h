/* SPDX-License-Identifier: Apache-2.0 */
/* What the executable registry is made of: blocks, handles and events in plain arrays, and the
   questions that its operations ask of them, each a scan. */
#ifndef KVP_SPEC_REGISTRY_STATE_H
#define KVP_SPEC_REGISTRY_STATE_H

#include <stdlib.h>
#include <string.h>

#include <kvpool/registry_op.h>

struct block {
  enum kvp_block_state state;
  uint32_t handles, pins, priority, length, position;
  uint64_t salt, parent, block_hash, hash;
  uint64_t acquired, returned; /* ticks */
  uint64_t emptied;            /* of an empty block: when it became so */
};

struct slot {
  uint32_t block; /* or KVP_NONE: no handle is out */
  uint32_t generation;
  uint64_t freed; /* when its last handle was given up */
};

struct kvp_registry_model {
  struct kvp_registry_shape shape;
  uint32_t num_blocks, num_events;
  uint64_t last_event;      /* the number of the newest event */
  uint64_t dropped;         /* events, since the last poll */
  uint64_t tick;            /* of allocations and returns */
  uint64_t clock;           /* of empty blocks and free slots, for their order */
  struct block *blocks;     /* [max_blocks] */
  struct slot *slots;       /* [max_handles] */
  struct kvp_event *events; /* [max_events], oldest first */
  uint32_t *tokens;         /* [max_blocks][block_size] */
};

/* Blocks. */

static inline int is_held(const struct block *block)
{
  return block->state == KVP_BLOCK_RESET || block->state == KVP_BLOCK_PARTIAL
         || block->state == KVP_BLOCK_COMPLETE;
}

static inline int is_registered(const struct block *block)
{
  return block->state == KVP_BLOCK_ACTIVE || block->state == KVP_BLOCK_CACHED;
}

static inline uint32_t *tokens_of(const struct kvp_registry_model *model, const struct block *block)
{
  return model->tokens + (size_t)(block - model->blocks) * model->shape.block_size;
}

static inline uint32_t count_state(const struct kvp_registry_model *model,
                                   enum kvp_block_state state)
{
  uint32_t n = 0;
  for (uint32_t b = 0; b < model->num_blocks; b++)
    n += model->blocks[b].state == state;
  return n;
}

/* The registered block of this hash, or NULL. */
static inline struct block *find(const struct kvp_registry_model *model, uint64_t hash)
{
  for (uint32_t b = 0; b < model->num_blocks; b++)
    if (is_registered(&model->blocks[b]) && model->blocks[b].hash == hash)
      return &model->blocks[b];
  return NULL;
}

static inline int is_child(const struct block *child, const struct block *parent)
{
  return is_registered(child) && child->position != 0 && child->position - 1 == parent->position
         && child->parent == parent->hash;
}

static inline int is_leaf(const struct kvp_registry_model *model, const struct block *block)
{
  for (uint32_t b = 0; b < model->num_blocks; b++)
    if (is_child(&model->blocks[b], block))
      return 0;
  return 1;
}

static inline int can_evict(const struct kvp_registry_model *model, const struct block *block)
{
  return block->state == KVP_BLOCK_CACHED && block->pins == 0
         && (!model->shape.leaf_first || is_leaf(model, block));
}

/* Whether evictions in any number can reach this block. A child's position is one higher, so this
   comes to an end. */
static inline int can_reach(const struct kvp_registry_model *model, const struct block *block)
{
  if (block->state != KVP_BLOCK_CACHED || block->pins != 0)
    return 0;
  for (uint32_t b = 0; model->shape.leaf_first && b < model->num_blocks; b++)
    if (is_child(&model->blocks[b], block) && !can_reach(model, &model->blocks[b]))
      return 0;
  return 1;
}

static inline uint32_t victim_of(const struct kvp_registry_model *model)
{
  uint32_t victim = KVP_NONE;
  for (uint32_t b = 0; b < model->num_blocks; b++) {
    const struct block *block = &model->blocks[b];
    const struct block *least = victim == KVP_NONE ? NULL : &model->blocks[victim];
    if (can_evict(model, block)
        && (least == NULL || block->priority < least->priority
            || (block->priority == least->priority && block->returned < least->returned)))
      victim = b;
  }
  return victim;
}

static inline uint32_t next_empty(const struct kvp_registry_model *model, uint32_t block)
{
  if (block != KVP_NONE
      && (block >= model->num_blocks || model->blocks[block].state != KVP_BLOCK_EMPTY))
    return KVP_NONE;
  uint64_t after = block == KVP_NONE ? 0 : model->blocks[block].emptied;
  uint32_t next = KVP_NONE;
  for (uint32_t b = 0; b < model->num_blocks; b++)
    if (model->blocks[b].state == KVP_BLOCK_EMPTY && model->blocks[b].emptied > after
        && (next == KVP_NONE || model->blocks[b].emptied < model->blocks[next].emptied))
      next = b;
  return next;
}

static inline void forget(struct block *block, enum kvp_block_state state)
{
  *block = (struct block){.state = state,
                          .handles = block->handles,
                          .acquired = block->acquired,
                          .returned = block->returned};
}

static inline void make_empty(struct kvp_registry_model *model, struct block *block)
{
  forget(block, KVP_BLOCK_EMPTY);
  block->handles = 0;
  block->emptied = ++model->clock;
}

/* Events. */

static inline void report(struct kvp_registry_model *model, enum kvp_event_kind kind,
                          const struct block *block)
{
  struct kvp_event event = {.number = ++model->last_event, .kind = kind};
  if (block != NULL) {
    event.position = block->position;
    event.block_hash = block->block_hash;
    event.hash = block->hash;
    event.parent = block->parent;
  }
  if (model->num_events == model->shape.max_events) {
    model->dropped++;
    if (model->num_events == 0)
      return;
    model->num_events--;
    memmove(model->events, model->events + 1, model->num_events * sizeof *model->events);
  }
  model->events[model->num_events++] = event;
}

/* Handles. The number after the last generation of a slot is kept for what register makes of it. */

static inline int slot_is_free(const struct slot *slot)
{
  return slot->block == KVP_NONE && slot->generation < UINT32_MAX - 1;
}

static inline uint32_t count_slots(const struct kvp_registry_model *model)
{
  uint32_t n = 0;
  for (uint32_t s = 0; s < model->shape.max_handles; s++)
    n += slot_is_free(&model->slots[s]);
  return n;
}

/* The slot of a handle that is out, or NULL. */
static inline struct slot *slot_of(const struct kvp_registry_model *model, uint64_t handle)
{
  uint32_t s = (uint32_t)(handle & (KVP_HANDLE_SLOTS - 1));
  if (s >= model->shape.max_handles || model->slots[s].block == KVP_NONE
      || handle != KVP_HANDLE(model->shape.tag, model->slots[s].generation, s))
    return NULL;
  return &model->slots[s];
}

static inline struct block *block_of(const struct kvp_registry_model *model, uint64_t handle)
{
  struct slot *slot = slot_of(model, handle);
  return slot == NULL ? NULL : &model->blocks[slot->block];
}

/* A handle of the next generation of this slot. */
static inline struct kvp_grant grant_in(struct kvp_registry_model *model, struct slot *slot,
                                        struct block *block, enum kvp_grant_kind kind)
{
  slot->block = (uint32_t)(block - model->blocks);
  slot->generation++;
  block->handles++;
  return (struct kvp_grant){KVP_HANDLE(model->shape.tag, slot->generation, slot - model->slots),
                            slot->block, kind};
}

/* A handle in the slot that has been free for longest. There must be one. */
static inline struct kvp_grant grant(struct kvp_registry_model *model, struct block *block,
                                     enum kvp_grant_kind kind)
{
  struct slot *oldest = NULL;
  for (uint32_t s = 0; s < model->shape.max_handles; s++)
    if (slot_is_free(&model->slots[s]) && (oldest == NULL || model->slots[s].freed < oldest->freed))
      oldest = &model->slots[s];
  return grant_in(model, oldest, block, kind);
}

/* A share of a registered block. */
static inline struct kvp_grant share_of(struct kvp_registry_model *model, struct block *block,
                                        enum kvp_grant_kind kind)
{
  block->state = KVP_BLOCK_ACTIVE;
  return grant(model, block, kind);
}

static inline int handles_are_out(const struct kvp_registry_model *model, const uint64_t *handles,
                                  uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    if (slot_of(model, handles[i]) == NULL)
      return 0;
    for (uint32_t k = 0; k < i; k++)
      if (handles[k] == handles[i])
        return 0;
  }
  return 1;
}

static inline enum kvp_status too_few(struct kvp_registry_result *result, uint32_t requested,
                                      uint32_t available)
{
  result->requested = requested;
  result->available = available;
  return KVP_FULL;
}

static inline uint32_t count_available(const struct kvp_registry_model *model)
{
  uint32_t n = count_state(model, KVP_BLOCK_EMPTY);
  for (uint32_t b = 0; b < model->num_blocks; b++)
    n += can_reach(model, &model->blocks[b]);
  uint32_t slots = count_slots(model);
  return n < slots ? n : slots;
}

#endif
