/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a held block: reset, partial, complete. */
#include <kvpool/hash.h>
#include <kvpool/registry.h>

#include "src/pool/tokens.h"
#include "src/registry/blocks.h"

/* The block of a handle, if it is in this state: KVP_RANGE if the handle is not out, KVP_STATE. */
/*@ KVP_REQUIRES_REGISTRY;
    requires out: \valid(block) && \separated(block, registry);
    terminates \true;
    exits \false;
    assigns *block;
    ensures status: \result == Access(*registry, handle, state);
    ensures block: \result == KVP_OK ==> *block == BlockOf(registry->handles, handle) &&
      *block < registry->store.max_blocks;
    ensures held: \result == KVP_OK ==> state <= KVP_BLOCK_COMPLETE ==> KVP_BLOCK_RESET <= state ==>
      registry->store.classes.state[*block] == KVP_PLACE_HELD &&
      registry->content.stage[*block] == state;
*/
static enum kvp_status find(const struct kvp_registry *registry, uint64_t handle,
                            enum kvp_block_state state, uint32_t *block)
{
  uint32_t b = kvp_block_of(registry, handle);
  if (b == KVP_NONE)
    return KVP_RANGE;
  if (kvp_state_of(registry, b) != state)
    return KVP_STATE;
  *block = b;
  return KVP_OK;
}

/* Where a held block will be in its sequence. The store asks only once it is registered. */
/*@ KVP_REQUIRES_STORE;
    requires block: b < store->max_blocks && store->classes.state[b] == KVP_PLACE_HELD;
    terminates \true;
    exits \false;
    assigns store->lineage.position[b], store->lineage.parent[b];
    KVP_STORE(ensures);
    ensures set: store->lineage.position[b] == position && store->lineage.parent[b] == parent;
*/
static void set_lineage(struct kvp_store *store, uint32_t b, uint32_t position, uint64_t parent)
{
  store->lineage.position[b] = position;
  store->lineage.parent[b] = parent;
}

/* The hash that a held block will be registered under. */
/*@ KVP_REQUIRES_STORE;
    requires block: b < store->max_blocks && store->classes.state[b] == KVP_PLACE_HELD;
    terminates \true;
    exits \false;
    assigns store->index.hash[b];
    KVP_STORE(ensures);
    ensures set: store->index.hash[b] == hash;
*/
static void set_hash(struct kvp_store *store, uint32_t b, uint64_t hash)
{
  store->index.hash[b] = hash;
}

/*@ KVP_REQUIRES_STORE;
    requires block: b < store->max_blocks && store->classes.state[b] == KVP_PLACE_HELD;
    terminates \true;
    exits \false;
    assigns store->keys.priority[b];
    KVP_STORE(ensures);
    ensures set: store->keys.priority[b] == 0;
*/
static void drop_priority(struct kvp_store *store, uint32_t b)
{
  store->keys.priority[b] = 0;
}

/*@ KVP_REQUIRES_REGISTRY;
    requires reset: KVP_HOLDS(b, KVP_BLOCK_RESET);
    terminates \true;
    exits \false;
    assigns registry->content.stage[b], registry->content.salt[b],
            registry->store.lineage.position[b], registry->store.lineage.parent[b];
    KVP_ENSURES_REGISTRY;
    ensures partial: KVP_HOLDS(b, KVP_BLOCK_PARTIAL) && registry->content.length[b] == 0;
    ensures begun: Begun(*registry, b, salt, position, parent);
*/
static void begin(struct kvp_registry *registry, uint32_t b, uint64_t salt, uint32_t position,
                  uint64_t parent)
{
  registry->content.stage[b] = KVP_BLOCK_PARTIAL;
  registry->content.salt[b] = salt;
  set_lineage(&registry->store, b, position, position == 0 ? 0 : parent);
}

/*@ KVP_REQUIRES_REGISTRY;
    KVP_REQUIRES_TOKEN_PLANE;
    requires tokens: length > 0 ==> \valid_read(tokens + (0 .. length - 1)) &&
      \separated(tokens + (0 .. length - 1), registry, KVP_TOKEN_PLANE);
    requires partial: KVP_HOLDS(b, KVP_BLOCK_PARTIAL);
    requires room: length <= registry->block_size - registry->content.length[b];
    terminates \true;
    exits \false;
    assigns registry->content.length[b], *(KVP_TOKEN_PLANE);
    KVP_ENSURES_REGISTRY;
    ensures length: registry->content.length[b] == \old(registry->content.length[b]) + length;
    ensures tokens: KVP_ROW_TOKENS(b, \old(registry->content.length[b]), length);
    ensures before: KVP_ROW_KEPT_TO(b, \old(registry->content.length[b]));
    ensures others: KVP_ROWS_KEPT(b);
*/
static void append(struct kvp_registry *registry, uint32_t b, const uint32_t *tokens,
                   uint32_t length)
{
  size_t row = kvp_tokens_row(b, registry->block_size);
  kvp_tokens_store(registry->plane, row + registry->content.length[b], tokens, length);
  registry->content.length[b] += length;
}

/*@ KVP_REQUIRES_REGISTRY;
    KVP_REQUIRES_TOKEN_PLANE;
    requires out: \valid(hashes) && \separated(hashes, registry, KVP_TOKEN_PLANE);
    requires partial: KVP_HOLDS(b, KVP_BLOCK_PARTIAL);
    requires full: registry->content.length[b] == registry->block_size;
    terminates \true;
    exits \false;
    assigns registry->content.stage[b], registry->content.block_hash[b],
            registry->store.index.hash[b], *hashes;
    KVP_ENSURES_REGISTRY;
    ensures complete: KVP_HOLDS(b, KVP_BLOCK_COMPLETE);
    ensures hashes: Hashed(*registry, b, hashes->block_hash, hashes->hash);
*/
static void complete(struct kvp_registry *registry, uint32_t b, struct kvp_hashes *hashes)
{
  uint64_t block_hash = 0;
  kvp_hash_block(registry->plane + kvp_tokens_row(b, registry->block_size), registry->block_size,
                 registry->content.salt[b], &block_hash);
  uint64_t hash =
    registry->store.lineage.position[b] == 0
      ? block_hash
      : kvp_hash_sequence(registry->store.lineage.parent[b], block_hash, registry->content.salt[b]);
  registry->content.stage[b] = KVP_BLOCK_COMPLETE;
  registry->content.block_hash[b] = block_hash;
  set_hash(&registry->store, b, hash);
  hashes->block_hash = block_hash;
  hashes->hash = hash;
}

enum kvp_status kvp_registry_begin(struct kvp_registry *registry, uint64_t handle, uint64_t salt,
                                   uint32_t position, uint64_t parent)
{
  uint32_t b = KVP_NONE;
  enum kvp_status status = find(registry, handle, KVP_BLOCK_RESET, &b);
  if (status == KVP_OK)
    begin(registry, b, salt, position, parent);
  return status;
}

enum kvp_status kvp_registry_push(struct kvp_registry *registry, uint64_t handle,
                                  const uint32_t *tokens, uint32_t length)
{
  uint32_t b = KVP_NONE;
  if (tokens == NULL && length != 0)
    return KVP_ARGUMENT;
  enum kvp_status status = find(registry, handle, KVP_BLOCK_PARTIAL, &b);
  if (status != KVP_OK)
    return status;
  if (length > registry->block_size - registry->content.length[b])
    return KVP_FULL;
  append(registry, b, tokens, length);
  return KVP_OK;
}

/* How many of so many tokens a held block has room for. */
/*@ requires valid: \valid_read(registry);
    requires length: b < KVP_CAPACITY && registry->content.length[b] <= registry->block_size;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures fitting: \result ==
      \min(length, registry->block_size - registry->content.length[b]);
*/
static uint32_t fitting(const struct kvp_registry *registry, uint32_t b, uint32_t length)
{
  uint32_t room = registry->block_size - registry->content.length[b];
  return length < room ? length : room;
}

enum kvp_status kvp_registry_fill(struct kvp_registry *registry, uint64_t handle,
                                  const uint32_t *tokens, uint32_t length, uint32_t *taken)
{
  uint32_t b = KVP_NONE;
  if (tokens == NULL && length != 0)
    return KVP_ARGUMENT;
  enum kvp_status status = find(registry, handle, KVP_BLOCK_PARTIAL, &b);
  if (status != KVP_OK)
    return status;
  uint32_t n = fitting(registry, b, length);
  append(registry, b, tokens, n);
  *taken = n;
  return KVP_OK;
}

enum kvp_status kvp_registry_pop(struct kvp_registry *registry, uint64_t handle, uint32_t count)
{
  uint32_t b = KVP_NONE;
  enum kvp_status status = find(registry, handle, KVP_BLOCK_PARTIAL, &b);
  if (status != KVP_OK)
    return status;
  if (count > registry->content.length[b])
    return KVP_EMPTY;
  registry->content.length[b] -= count;
  return KVP_OK;
}

enum kvp_status kvp_registry_commit(struct kvp_registry *registry, uint64_t handle,
                                    struct kvp_hashes *hashes)
{
  uint32_t b = KVP_NONE;
  enum kvp_status status = find(registry, handle, KVP_BLOCK_PARTIAL, &b);
  if (status != KVP_OK)
    return status;
  if (registry->content.length[b] != registry->block_size)
    return KVP_EMPTY;
  complete(registry, b, hashes);
  return KVP_OK;
}

enum kvp_status kvp_registry_write(struct kvp_registry *registry, uint64_t handle,
                                   const uint32_t *tokens, uint32_t length, uint64_t salt,
                                   uint32_t position, uint64_t parent, struct kvp_hashes *hashes)
{
  uint32_t b = KVP_NONE;
  if (tokens == NULL && length != 0)
    return KVP_ARGUMENT;
  if (length != registry->block_size)
    return KVP_RANGE;
  enum kvp_status status = find(registry, handle, KVP_BLOCK_RESET, &b);
  if (status != KVP_OK)
    return status;
  begin(registry, b, salt, position, parent);
  append(registry, b, tokens, length);
  complete(registry, b, hashes);
  return KVP_OK;
}

enum kvp_status kvp_registry_clear(struct kvp_registry *registry, uint64_t handle)
{
  uint32_t b = kvp_block_of(registry, handle);
  if (b == KVP_NONE)
    return KVP_RANGE;
  if (registry->store.classes.state[b] != KVP_PLACE_HELD)
    return KVP_STATE;
  registry->content.stage[b] = KVP_BLOCK_RESET;
  registry->content.length[b] = 0;
  drop_priority(&registry->store, b);
  return KVP_OK;
}
