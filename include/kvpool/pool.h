/* SPDX-License-Identifier: Apache-2.0 */
/* The reference pool: paged blocks with ref counts, a content-hash index for prefix reuse,
   least-recently-freed eviction, growing, and shrinking with relocation.

   Semantics: spec/pool.md. No function allocates, blocks, prints or keeps a pointer but the
   token plane; each is O(1) in the pool's size, save clear_index (O(max_blocks)) and those
   that say they work on a number of blocks. Not thread-safe. `pool` is never NULL. */
#ifndef KVPOOL_POOL_H
#define KVPOOL_POOL_H

#include <stddef.h>

#include <kvpool/layout.h>

/* What taking the highest id out of the pool cost. */
struct kvp_retirement {
  uint32_t retired;  /* the id that left */
  uint32_t moved_to; /* where its content lives now, or KVP_NONE if nobody held it */
  struct kvp_evicted evicted;
};

/* Bytes of a pool and of its token plane, for max_blocks (at most KVP_CAPACITY, else
   KVP_RANGE) of block_size tokens of 4 bytes. KVP_OVERFLOW if size_t cannot hold them.
   Align the pool as malloc does. */
enum kvp_status kvp_pool_memory(uint32_t max_blocks, uint32_t block_size, size_t *pool_bytes,
                                size_t *plane_bytes);

/* A pool of num_blocks vacant blocks that may grow to max_blocks. KVP_RANGE unless
   num_blocks <= max_blocks <= KVP_CAPACITY. plane: max_blocks * block_size tokens, or NULL if that
   is 0 (else KVP_ARGUMENT); it stays the caller's and must outlive the pool. O(max_blocks). */
enum kvp_status kvp_pool_init(struct kvp_pool *pool, uint32_t num_blocks, uint32_t max_blocks,
                              uint32_t block_size, uint32_t *plane);

/* Any operation; the operations below by their number. `result` is always written. */
void kvp_pool_apply(struct kvp_pool *pool, const struct kvp_op *op, struct kvp_result *result);

/* The lowest vacant id, else the least recently freed cached one, becomes reserved and keeps
   its content. KVP_EMPTY if there is none. */
enum kvp_status kvp_pool_pop(struct kvp_pool *pool, uint32_t *block);

/* A vacant, cached or reserved block becomes used by one holder, without content. KVP_BUSY if
   it is held. */
enum kvp_status kvp_pool_allocate(struct kvp_pool *pool, uint32_t block,
                                  struct kvp_evicted *evicted);

/* One more holder of a used block, or the first of a cached one, content kept. KVP_STATE for a
   vacant or reserved block or a raw unit; KVP_OVERFLOW at UINT32_MAX holders. */
enum kvp_status kvp_pool_claim(struct kvp_pool *pool, uint32_t block);

/* One holder less; the last makes the block cached (newest) if it has content, else vacant.
   KVP_STATE if it is not used, or is a raw unit. */
enum kvp_status kvp_pool_free(struct kvp_pool *pool, uint32_t block);

/* A used block takes a hash and tokens, and the index maps the hash to it from now on.
   KVP_RANGE if length > block_size; KVP_STATE if the block is not used. */
enum kvp_status kvp_pool_publish(struct kvp_pool *pool, uint32_t block, uint64_t hash,
                                 const uint32_t *tokens, uint32_t length,
                                 struct kvp_evicted *evicted);

/* The block that the index maps the hash to, or KVP_NONE. */
uint32_t kvp_pool_lookup(const struct kvp_pool *pool, uint64_t hash);

/* The same, if that block's tokens are exactly these; else KVP_NONE. KVP_RANGE if
   length > block_size. */
enum kvp_status kvp_pool_match(const struct kvp_pool *pool, uint64_t hash, const uint32_t *tokens,
                               uint32_t length, uint32_t *block);

/* How many leading elements of a chain match; element k has hashes[k] and the `length` tokens
   from tokens[k * length] on. O(matched * length). */
enum kvp_status kvp_pool_match_prefix(const struct kvp_pool *pool, const uint64_t *hashes,
                                      const uint32_t *tokens, uint32_t count, uint32_t length,
                                      uint32_t *matched);

/* The index empties; every block without a holder forgets its content. O(max_blocks). */
void kvp_pool_clear_index(struct kvp_pool *pool);

/* Up to `count` ids join, vacant; returns how many. O(taken). */
uint32_t kvp_pool_extend(struct kvp_pool *pool, uint32_t count);

/* The highest id leaves; if it was used, its holders, content and index entry move to the
   block that pop would have chosen. KVP_EMPTY: no block; KVP_BUSY: it is reserved or a raw
   unit; KVP_FULL: it is used and no block is free. */
enum kvp_status kvp_pool_retire_top(struct kvp_pool *pool, struct kvp_retirement *retirement);

/* `count` raw units, chosen as pop would, all or none (KVP_FULL), for an owner that is not 0
   (else KVP_ARGUMENT). O(count). */
enum kvp_status kvp_pool_reserve(struct kvp_pool *pool, uint32_t count, uint64_t owner,
                                 struct kvp_unit *units);

/* Gives back one whole reservation of this owner, in the order in which it was given, else
   KVP_STATE (KVP_RANGE for an id outside the pool); its blocks become vacant. O(count). */
enum kvp_status kvp_pool_release(struct kvp_pool *pool, const struct kvp_unit *units,
                                 uint32_t count, uint64_t owner);

void kvp_pool_counts(const struct kvp_pool *pool, struct kvp_counts *counts);
int kvp_pool_has_free(const struct kvp_pool *pool, uint32_t count);
int kvp_pool_is_used(const struct kvp_pool *pool, uint32_t block);

/* KVP_RANGE unless block < max_blocks. */
enum kvp_status kvp_pool_view(const struct kvp_pool *pool, uint32_t block, struct kvp_view *view);

/* The cached block freed next after `block`, or the least recently freed one for KVP_NONE;
   KVP_NONE after the last. KVP_NONE too if `block` is not cached. */
uint32_t kvp_pool_next_cached(const struct kvp_pool *pool, uint32_t block);

#endif
