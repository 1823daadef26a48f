/* SPDX-License-Identifier: Apache-2.0 */
/* The index: chains of blocks by bucket, newest entry last. */
#include "src/pool/index.h"

#include "src/pool/lists.h"

/* The empty map, when every chain is empty. */
/*@ requires valid: \valid(index);
    requires chains: Lists(index->chains);
    requires empty: \forall integer i; 0 <= i < index->chains.num_nodes ==> !Mapped(*index, i);
    terminates \true;
    exits \false;
    assigns index->size;
    KVP_ENSURES_INDEX;
    ensures zero: index->size == 0;
*/
static void empty(struct kvp_index *index)
{
  index->size = 0;
  /*@ ghost
      /@ loop invariant range: 0 <= i <= index->chains.num_nodes;
         loop invariant none: MappedCount(index->chains, i) == 0;
         loop assigns i;
         loop variant index->chains.num_nodes - i; @/
      for (uint32_t i = 0; i < index->chains.num_nodes; i++)
        ;
  */
}

void kvp_index_init(struct kvp_index *index, uint32_t num_blocks)
{
  kvp_lists_init(&index->chains, num_blocks, num_blocks == 0 ? 1 : num_blocks);
  empty(index);
}

uint32_t kvp_index_bucket(uint64_t hash, uint32_t buckets)
{
  return (uint32_t)(hash % buckets);
}

uint32_t kvp_index_lookup(const struct kvp_index *index, uint64_t hash)
{
  uint32_t q = kvp_index_bucket(hash, index->chains.num_lists);
  uint32_t i = kvp_lists_first(&index->chains, q);
  /*@ loop invariant here: i != KVP_NONE ==>
        i < index->chains.num_nodes && index->chains.list[i] == q;
      loop invariant passed: \forall integer j; 0 <= j < index->chains.num_nodes ==>
        index->chains.list[j] == q ==>
        (i == KVP_NONE || index->chains.stamp[j] < index->chains.stamp[i]) ==>
        index->hash[j] != hash;
      loop assigns i;
      loop variant i == KVP_NONE ? 0 : index->chains.clock - index->chains.stamp[i]; */
  while (i != KVP_NONE && index->hash[i] != hash)
    i = index->chains.next[i];
  return i;
}

/*@ requires valid: \valid_read(index);
    requires block: b < KVP_CAPACITY;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures mapped: \result != 0 <==> Mapped(*index, b);
*/
static int mapped(const struct kvp_index *index, uint32_t b)
{
  return index->chains.list[b] != KVP_NONE;
}

void kvp_index_insert(struct kvp_index *index, uint64_t hash, uint32_t b)
{
  index->hash[b] = hash;
  kvp_lists_append(&index->chains, kvp_index_bucket(hash, index->chains.num_lists), b);
  /*@ ghost
      /@ loop invariant range: 0 <= i <= index->chains.num_nodes;
         loop invariant bounds: MappedCount(index->chains, i) <= i;
         loop invariant one: MappedCount(index->chains, i) ==
           MappedCount(\at(index->chains, Pre), i) + (b < i ? 1 : 0);
         loop assigns i;
         loop variant index->chains.num_nodes - i; @/
      for (uint32_t i = 0; i < index->chains.num_nodes; i++)
        ;
  */
  index->size++;
}

void kvp_index_erase(struct kvp_index *index, uint32_t b)
{
  kvp_lists_remove(&index->chains, b);
  /*@ ghost
      /@ loop invariant range: 0 <= i <= index->chains.num_nodes;
         loop invariant bounds: 0 <= MappedCount(index->chains, i) <= i;
         loop invariant one: MappedCount(index->chains, i) ==
           MappedCount(\at(index->chains, Pre), i) - (b < i ? 1 : 0);
         loop assigns i;
         loop variant index->chains.num_nodes - i; @/
      for (uint32_t i = 0; i < index->chains.num_nodes; i++)
        ;
  */
  index->size--;
}

void kvp_index_unmap(struct kvp_index *index, uint32_t b, struct kvp_evicted *evicted)
{
  evicted->count = 0;
  evicted->hash = 0;
  if (mapped(index, b)) {
    evicted->count = 1;
    evicted->hash = index->hash[b];
    kvp_index_erase(index, b);
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
    kvp_index_erase(index, former);
  kvp_index_insert(index, hash, b);
}

void kvp_index_move(struct kvp_index *index, uint32_t from, uint32_t to)
{
  uint64_t hash = index->hash[from];
  if (mapped(index, from)) {
    kvp_index_erase(index, from);
    kvp_index_insert(index, hash, to);
  } else {
    index->hash[to] = hash;
  }
}

void kvp_index_clear(struct kvp_index *index)
{
  kvp_lists_init(&index->chains, index->chains.num_nodes, index->chains.num_lists);
  empty(index);
}
