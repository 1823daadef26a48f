/* SPDX-License-Identifier: Apache-2.0 */
/* A registry's memory and beginning, what can be seen of it, and its events. */
#include <kvpool/registry.h>

#include "src/registry/blocks.h"
#include "src/registry/events.h"
#include "src/registry/handles.h"
#include "src/registry/store.h"

static int is_inside(const struct kvp_registry_shape *shape)
{
  return shape->num_blocks <= shape->max_blocks && shape->max_blocks <= KVP_CAPACITY
         && shape->block_size != 0 && shape->max_handles <= KVP_CAPACITY
         && shape->max_events <= KVP_CAPACITY;
}

enum kvp_status kvp_registry_memory(const struct kvp_registry_shape *shape, size_t *registry_bytes,
                                    size_t *plane_bytes)
{
  if (!is_inside(shape))
    return KVP_RANGE;
  if (shape->max_blocks > SIZE_MAX / sizeof(uint32_t) / shape->block_size)
    return KVP_OVERFLOW;
  *registry_bytes = sizeof(struct kvp_registry);
  *plane_bytes = (size_t)shape->max_blocks * shape->block_size * sizeof(uint32_t);
  return KVP_OK;
}

enum kvp_status kvp_registry_init(struct kvp_registry *registry,
                                  const struct kvp_registry_shape *shape, uint32_t *plane)
{
  if (plane == NULL && shape->max_blocks != 0)
    return KVP_ARGUMENT;
  if (!is_inside(shape))
    return KVP_RANGE;
  registry->block_size = shape->block_size;
  registry->keep_duplicates = shape->keep_duplicates != 0;
  registry->plane = plane;
  registry->tick = 0;
  kvp_store_init(&registry->store, shape->max_blocks, shape->leaf_first != 0);
  kvp_handles_init(&registry->handles, shape->max_handles, shape->max_blocks, shape->tag);
  kvp_events_init(&registry->events, shape->max_events);
  for (uint32_t b = 0; b < shape->max_blocks; b++)
    registry->content.acquired[b] = 0;
  for (uint32_t b = 0; b < shape->num_blocks; b++)
    kvp_store_grow(&registry->store);
  return KVP_OK;
}

enum kvp_status kvp_registry_poll(struct kvp_registry *registry, uint32_t count,
                                  struct kvp_event *events, uint32_t *written, uint64_t *dropped)
{
  if (events == NULL && count != 0)
    return KVP_ARGUMENT;
  *written = kvp_events_poll(&registry->events, count, events);
  *dropped = kvp_events_take_dropped(&registry->events);
  return KVP_OK;
}

void kvp_registry_counts(const struct kvp_registry *registry, struct kvp_registry_counts *counts)
{
  const uint32_t *count = registry->store.classes.count;
  counts->num_blocks = registry->store.num_blocks;
  counts->num_empty = count[KVP_PLACE_EMPTY];
  counts->num_held = count[KVP_PLACE_HELD];
  counts->num_active = count[KVP_PLACE_ACTIVE];
  counts->num_cached = count[KVP_PLACE_READY] + count[KVP_PLACE_BLOCKED];
  counts->num_available = kvp_registry_available(registry);
  counts->num_handles = registry->handles.num_out;
  counts->num_events = registry->events.count;
}

enum kvp_status kvp_registry_view(const struct kvp_registry *registry, uint32_t block,
                                  struct kvp_block_view *view)
{
  if (block >= registry->store.num_blocks)
    return KVP_RANGE;
  enum kvp_block_state state = kvp_state_of(registry, block);
  int content = state != KVP_BLOCK_EMPTY && state != KVP_BLOCK_RESET;
  int tokens = state == KVP_BLOCK_PARTIAL || state == KVP_BLOCK_COMPLETE;
  int hashed = content && state != KVP_BLOCK_PARTIAL;
  view->state = state;
  view->handles = registry->handles.shares[block];
  view->pins = registry->store.pins.count[block];
  view->priority = registry->store.keys.priority[block];
  view->length = tokens ? registry->content.length[block] : hashed ? registry->block_size : 0;
  view->position = content ? registry->store.lineage.position[block] : 0;
  view->salt = tokens ? registry->content.salt[block] : 0;
  view->parent = content ? registry->store.lineage.parent[block] : 0;
  view->block_hash = hashed ? registry->content.block_hash[block] : 0;
  view->hash = hashed ? registry->store.index.hash[block] : 0;
  view->acquired_tick = registry->content.acquired[block];
  view->returned_tick = registry->store.keys.returned[block];
  view->tokens =
    tokens && view->length != 0 ? registry->plane + (size_t)block * registry->block_size : NULL;
  return KVP_OK;
}

uint32_t kvp_registry_next_empty(const struct kvp_registry *registry, uint32_t block)
{
  return kvp_store_next_empty(&registry->store, block);
}

uint32_t kvp_registry_victim(const struct kvp_registry *registry)
{
  return kvp_store_victim(&registry->store);
}
