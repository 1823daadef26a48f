/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a held block: reset, partial, complete. */
#include <kvpool/hash.h>
#include <kvpool/registry.h>

#include "src/pool/tokens.h"
#include "src/registry/blocks.h"

/* The block of a handle, if it is in this state: its id, KVP_NONE and KVP_RANGE if the handle is
   not out, or KVP_NONE and KVP_STATE. */
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

static size_t row(const struct kvp_registry *registry, uint32_t b)
{
  return (size_t)b * registry->block_size;
}

static void begin(struct kvp_registry *registry, uint32_t b, uint64_t salt, uint32_t position,
                  uint64_t parent)
{
  registry->content.stage[b] = KVP_BLOCK_PARTIAL;
  registry->content.salt[b] = salt;
  registry->store.lineage.position[b] = position;
  registry->store.lineage.parent[b] = position == 0 ? 0 : parent;
}

static void append(struct kvp_registry *registry, uint32_t b, const uint32_t *tokens,
                   uint32_t length)
{
  kvp_tokens_store(registry->plane, row(registry, b) + registry->content.length[b], tokens, length);
  registry->content.length[b] += length;
}

static void complete(struct kvp_registry *registry, uint32_t b, struct kvp_hashes *hashes)
{
  uint64_t block_hash = 0;
  kvp_hash_block(registry->plane + row(registry, b), registry->block_size, registry->content.salt[b],
                 &block_hash);
  uint64_t hash =
    registry->store.lineage.position[b] == 0
      ? block_hash
      : kvp_hash_sequence(registry->store.lineage.parent[b], block_hash, registry->content.salt[b]);
  registry->content.stage[b] = KVP_BLOCK_COMPLETE;
  registry->content.block_hash[b] = block_hash;
  registry->store.index.hash[b] = hash;
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

enum kvp_status kvp_registry_fill(struct kvp_registry *registry, uint64_t handle,
                                  const uint32_t *tokens, uint32_t length, uint32_t *taken)
{
  uint32_t b = KVP_NONE;
  if (tokens == NULL && length != 0)
    return KVP_ARGUMENT;
  enum kvp_status status = find(registry, handle, KVP_BLOCK_PARTIAL, &b);
  if (status != KVP_OK)
    return status;
  uint32_t room = registry->block_size - registry->content.length[b];
  uint32_t n = length < room ? length : room;
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
  registry->store.keys.priority[b] = 0;
  return KVP_OK;
}
