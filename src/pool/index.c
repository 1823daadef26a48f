/* SPDX-License-Identifier: Apache-2.0 */
/* The index: chains of blocks by bucket, newest entry last. */
#include "src/pool/index.h"

#include "src/pool/lists.h"

void kvp_index_init(struct kvp_index *index, uint32_t num_blocks)
{
  uint32_t buckets = 1;
  while (buckets < num_blocks)
    buckets *= 2;
  kvp_lists_init(&index->chains, num_blocks, buckets);
  index->size = 0;
}

/* The low bits decide: hashes are mixed by whoever makes them. */
static uint32_t bucket(const struct kvp_index *index, uint64_t hash)
{
  return (uint32_t)hash & (index->chains.num_lists - 1);
}

uint32_t kvp_index_lookup(const struct kvp_index *index, uint64_t hash)
{
  uint32_t i = kvp_lists_first(&index->chains, bucket(index, hash));
  while (i != KVP_NONE && index->hash[i] != hash)
    i = index->chains.next[i];
  return i;
}

static int mapped(const struct kvp_index *index, uint32_t b)
{
  return index->chains.list[b] != KVP_NONE;
}

static void insert(struct kvp_index *index, uint64_t hash, uint32_t b)
{
  index->hash[b] = hash;
  kvp_lists_append(&index->chains, bucket(index, hash), b);
  index->size++;
}

static void erase(struct kvp_index *index, uint32_t b)
{
  kvp_lists_remove(&index->chains, b);
  index->size--;
}

void kvp_index_unmap(struct kvp_index *index, uint32_t b, struct kvp_evicted *evicted)
{
  evicted->count = 0;
  evicted->hash = 0;
  if (mapped(index, b)) {
    evicted->count = 1;
    evicted->hash = index->hash[b];
    erase(index, b);
  }
}

void kvp_index_map(struct kvp_index *index, uint64_t hash, uint32_t b,
                   struct kvp_evicted *evicted)
{
  uint32_t former = kvp_index_lookup(index, hash);
  evicted->count = 0;
  evicted->hash = 0;
  if (former == b)
    return;
  kvp_index_unmap(index, b, evicted);
  if (former != KVP_NONE)
    erase(index, former);
  insert(index, hash, b);
}

void kvp_index_move(struct kvp_index *index, uint32_t from, uint32_t to)
{
  uint64_t hash = index->hash[from];
  if (mapped(index, from)) {
    erase(index, from);
    insert(index, hash, to);
  } else {
    index->hash[to] = hash;
  }
}

void kvp_index_clear(struct kvp_index *index)
{
  kvp_lists_init(&index->chains, index->chains.num_nodes, index->chains.num_lists);
  index->size = 0;
}
