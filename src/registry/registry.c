/* SPDX-License-Identifier: Apache-2.0 */
/* A registry's memory and beginning, what can be seen of it, and its events. */
#include <kvpool/registry.h>

#include "src/pool/tokens.h"
#include "src/registry/blocks.h"
#include "src/registry/events.h"
#include "src/registry/handles.h"
#include "src/registry/store.h"

/*@ requires valid: \valid_read(shape);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures inside: \result != 0 <==> Possible(*shape);
*/
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

/* 1 unless it is 0. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures choice: \result <= 1 && (\result == 0 <==> value == 0);
*/
static uint8_t choice(uint8_t value)
{
  return value != 0;
}

/*@ requires valid: \valid(content);
    requires blocks: num_blocks <= KVP_CAPACITY;
    terminates \true;
    exits \false;
    assigns content->acquired[0 .. num_blocks - 1];
    ensures never: \forall integer b; 0 <= b < num_blocks ==> content->acquired[b] == 0;
*/
static void clear_acquired(struct kvp_content *content, uint32_t num_blocks)
{
  /*@ loop invariant range: 0 <= b <= num_blocks;
      loop invariant never: \forall integer i; 0 <= i < b ==> content->acquired[i] == 0;
      loop assigns b, content->acquired[0 .. num_blocks - 1];
      loop variant num_blocks - b; */
  for (uint32_t b = 0; b < num_blocks; b++)
    content->acquired[b] = 0;
}

/* Its places mean nothing yet; but memory that was never written is not read. */
/*@ requires valid: \valid(seen);
    requires slots: num_slots <= KVP_CAPACITY;
    terminates \true;
    exits \false;
    assigns seen->place[0 .. num_slots - 1];
    ensures written: \forall integer s; 0 <= s < num_slots ==> seen->place[s] == 0;
*/
static void clear_seen(struct kvp_seen *seen, uint32_t num_slots)
{
  /*@ loop invariant range: 0 <= s <= num_slots;
      loop invariant written: \forall integer i; 0 <= i < s ==> seen->place[i] == 0;
      loop assigns s, seen->place[0 .. num_slots - 1];
      loop variant num_slots - s; */
  for (uint32_t s = 0; s < num_slots; s++)
    seen->place[s] = 0;
}

/* A store of no blocks gets its first ones, the lowest first. */
/*@ KVP_REQUIRES_STORE;
    requires fresh: store->num_blocks == 0 && store->empty.clock == 0;
    requires blocks: num_blocks <= store->max_blocks;
    terminates \true;
    exits \false;
    assigns store->num_blocks, store->classes, store->empty;
    ensures store: Store(*store);
    ensures blocks: store->num_blocks == num_blocks && store->empty.clock == num_blocks;
    ensures empty: \forall integer i; 0 <= i < num_blocks ==>
      store->classes.state[i] == KVP_PLACE_EMPTY && store->empty.stamp[i] == i;
    ensures absent: \forall integer i; num_blocks <= i < store->max_blocks ==>
      store->classes.state[i] == KVP_PLACE_ABSENT;
*/
static void grow(struct kvp_store *store, uint32_t num_blocks)
{
  /*@ loop invariant range: 0 <= b <= num_blocks;
      loop invariant store: Store(*store);
      loop invariant blocks: store->num_blocks == b && store->empty.clock == b;
      loop invariant empty: \forall integer i; 0 <= i < b ==>
        store->classes.state[i] == KVP_PLACE_EMPTY && store->empty.stamp[i] == i;
      loop assigns b, store->num_blocks, store->classes, store->empty;
      loop variant num_blocks - b; */
  for (uint32_t b = 0; b < num_blocks; b++)
    kvp_store_grow(store);
}

enum kvp_status kvp_registry_init(struct kvp_registry *registry,
                                  const struct kvp_registry_shape *shape, uint32_t *plane)
{
  if (plane == NULL && shape->max_blocks != 0)
    return KVP_ARGUMENT;
  if (!is_inside(shape))
    return KVP_RANGE;
  registry->block_size = shape->block_size;
  registry->keep_duplicates = choice(shape->keep_duplicates);
  registry->plane = plane;
  registry->tick = 0;
  kvp_store_init(&registry->store, shape->max_blocks, choice(shape->leaf_first));
  kvp_handles_init(&registry->handles, shape->max_handles, shape->max_blocks, shape->tag);
  //@ assert handles: Handles(registry->handles);
  kvp_events_init(&registry->events, shape->max_events);
  clear_acquired(&registry->content, shape->max_blocks);
  clear_seen(&registry->seen, shape->max_handles);
  grow(&registry->store, shape->num_blocks);
  return KVP_OK;
}

enum kvp_status kvp_registry_poll(struct kvp_registry *registry, uint32_t count,
                                  struct kvp_event *events, uint32_t *written, uint64_t *dropped)
{
  if (events == NULL && count != 0)
    return KVP_ARGUMENT;
  *dropped = kvp_events_take_dropped(&registry->events);
  *written = kvp_events_poll(&registry->events, count, events);
  return KVP_OK;
}

uint32_t kvp_registry_available(const struct kvp_registry *registry)
{
  uint32_t blocks =
    registry->store.classes.count[KVP_PLACE_EMPTY] + registry->store.classes.count[KVP_PLACE_READY];
  return blocks < registry->handles.num_ready ? blocks : registry->handles.num_ready;
}

void kvp_registry_counts(const struct kvp_registry *registry, struct kvp_registry_counts *counts)
{
  /*@ ghost
      /@ loop invariant range: 0 <= i <= registry->store.classes.num_ids;
         loop invariant absent: Count(registry->store.classes, KVP_PLACE_ABSENT, i) ==
           \max(0, i - registry->store.num_blocks);
         loop assigns i;
         loop variant registry->store.classes.num_ids - i; @/
      for (uint32_t i = 0; i < registry->store.classes.num_ids; i++)
        ;
  */
  counts->num_blocks = registry->store.num_blocks;
  counts->num_empty = registry->store.classes.count[KVP_PLACE_EMPTY];
  counts->num_held = registry->store.classes.count[KVP_PLACE_HELD];
  counts->num_active = registry->store.classes.count[KVP_PLACE_ACTIVE];
  counts->num_cached = registry->store.classes.count[KVP_PLACE_READY]
                       + registry->store.classes.count[KVP_PLACE_BLOCKED];
  counts->num_available = kvp_registry_available(registry);
  counts->num_handles = registry->handles.num_out;
  counts->num_events = registry->events.count;
}

/* What the view of a block in this state says of its sequence; */
/*@ requires valid: \valid_read(registry) && \valid(view) && \separated(registry, view);
    requires block: b < KVP_CAPACITY;
    terminates \true;
    exits \false;
    assigns view->position, view->parent;
    ensures none: state < KVP_BLOCK_PARTIAL ==> view->position == 0 && view->parent == 0;
    ensures set: KVP_BLOCK_PARTIAL <= state ==>
      view->position == registry->store.lineage.position[b] &&
      view->parent == registry->store.lineage.parent[b];
*/
static void see_lineage(const struct kvp_registry *registry, uint32_t b,
                        enum kvp_block_state state, struct kvp_block_view *view)
{
  int set = state >= KVP_BLOCK_PARTIAL;
  view->position = set ? registry->store.lineage.position[b] : 0;
  view->parent = set ? registry->store.lineage.parent[b] : 0;
}

/* of its hashes; */
/*@ requires valid: \valid_read(registry) && \valid(view) && \separated(registry, view);
    requires block: b < KVP_CAPACITY;
    terminates \true;
    exits \false;
    assigns view->block_hash, view->hash;
    ensures none: state < KVP_BLOCK_COMPLETE ==> view->block_hash == 0 && view->hash == 0;
    ensures set: KVP_BLOCK_COMPLETE <= state ==>
      view->block_hash == registry->content.block_hash[b] &&
      view->hash == registry->store.index.hash[b];
*/
static void see_hashes(const struct kvp_registry *registry, uint32_t b, enum kvp_block_state state,
                       struct kvp_block_view *view)
{
  int set = state >= KVP_BLOCK_COMPLETE;
  view->block_hash = set ? registry->content.block_hash[b] : 0;
  view->hash = set ? registry->store.index.hash[b] : 0;
}

/* and of its tokens. */
/*@ requires valid: \valid_read(registry) && \valid(view) && \separated(registry, view);
    requires block: b < registry->store.max_blocks <= KVP_CAPACITY;
    terminates \true;
    exits \false;
    assigns view->length, view->salt;
    assigns view->tokens \from registry->plane, registry->block_size, b;
    ensures none: state < KVP_BLOCK_PARTIAL ==> view->length == 0;
    ensures held: KVP_BLOCK_PARTIAL <= state <= KVP_BLOCK_COMPLETE ==>
      view->length == registry->content.length[b] && view->salt == registry->content.salt[b];
    ensures row: KVP_BLOCK_PARTIAL <= state <= KVP_BLOCK_COMPLETE ==> view->length != 0 ==>
      view->tokens == registry->plane + Row(b, registry->block_size);
    ensures registered: KVP_BLOCK_ACTIVE <= state ==> view->length == registry->block_size;
    ensures strange: state < KVP_BLOCK_PARTIAL || KVP_BLOCK_ACTIVE <= state ==> view->salt == 0;
    ensures no_row: view->length == 0 || state < KVP_BLOCK_PARTIAL || KVP_BLOCK_ACTIVE <= state ==>
      view->tokens == \null;
*/
static void see_tokens(const struct kvp_registry *registry, uint32_t b, enum kvp_block_state state,
                       struct kvp_block_view *view)
{
  view->length = state >= KVP_BLOCK_ACTIVE ? registry->block_size : 0;
  view->salt = 0;
  view->tokens = NULL;
  if (state != KVP_BLOCK_PARTIAL && state != KVP_BLOCK_COMPLETE)
    return;
  view->length = registry->content.length[b];
  view->salt = registry->content.salt[b];
  if (view->length != 0)
    view->tokens = registry->plane + kvp_tokens_row(b, registry->block_size);
}

enum kvp_status kvp_registry_view(const struct kvp_registry *registry, uint32_t block,
                                  struct kvp_block_view *view)
{
  if (block >= registry->store.num_blocks)
    return KVP_RANGE;
  enum kvp_block_state state = kvp_state_of(registry, block);
  view->state = state;
  view->handles = registry->handles.shares[block];
  view->pins = registry->store.pins.count[block];
  view->priority = registry->store.keys.priority[block];
  view->acquired_tick = registry->content.acquired[block];
  view->returned_tick = registry->store.keys.returned[block];
  see_lineage(registry, block, state, view);
  see_hashes(registry, block, state, view);
  see_tokens(registry, block, state, view);
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
