/* SPDX-License-Identifier: Apache-2.0 */
/* The reference pool: paged blocks with ref counts, a content-hash index for prefix reuse,
   least-recently-freed eviction, growing, and shrinking with relocation.

   Semantics: spec/pool.md. No function allocates, blocks, prints or keeps a pointer but the
   token plane; each is O(1) in the pool's size, save clear_index (O(max_blocks)) and those
   that say they work on a number of blocks. free, publish and retire_top answer KVP_OVERFLOW
   once 2^64 - 1 steps have used up a clock. Not thread-safe. `pool` is never NULL. */
#ifndef KVPOOL_POOL_H
#define KVPOOL_POOL_H

#include <stddef.h>

#include <kvpool/layout.h>

#ifdef __FRAMAC__
#include "spec/logic/pool.h"
#endif

/* What taking the highest id out of the pool cost. */
struct kvp_retirement {
  uint32_t retired;  /* the id that left */
  uint32_t moved_to; /* where its content lives now, or KVP_NONE if nobody held it */
  struct kvp_evicted evicted;
};

/* Bytes of a pool and of its token plane, for max_blocks (at most KVP_CAPACITY, else
   KVP_RANGE) of block_size tokens of 4 bytes. KVP_OVERFLOW if size_t cannot hold them.
   Align the pool as malloc does. */
/*@ requires out: \valid(pool_bytes) && \valid(plane_bytes) &&
      \separated(pool_bytes, plane_bytes);
    terminates \true;
    exits \false;
    assigns *pool_bytes, *plane_bytes;
    behavior many:
      assumes many: KVP_CAPACITY < max_blocks;
      assigns \nothing;
      ensures status: \result == KVP_RANGE;
    behavior few:
      assumes few: max_blocks <= KVP_CAPACITY;
      ensures status: \result == KVP_OK;
      ensures pool: *pool_bytes == sizeof(struct kvp_pool);
      ensures plane: *plane_bytes == max_blocks * block_size * 4;
    complete behaviors;
    disjoint behaviors;
*/
enum kvp_status kvp_pool_memory(uint32_t max_blocks, uint32_t block_size, size_t *pool_bytes,
                                size_t *plane_bytes);

/* A pool of num_blocks vacant blocks that may grow to max_blocks. KVP_RANGE unless
   num_blocks <= max_blocks <= KVP_CAPACITY. plane: max_blocks * block_size tokens, or NULL if that
   is 0 (else KVP_ARGUMENT); it stays the caller's and must outlive the pool. O(max_blocks). */
/*@ requires valid: \valid(pool);
    terminates \true;
    exits \false;
    assigns *pool;
    ensures unchanged: \result != KVP_OK ==> *pool == \old(*pool);
    behavior missing:
      assumes missing: plane == \null && max_blocks != 0 && block_size != 0;
      assigns \nothing;
      ensures status: \result == KVP_ARGUMENT;
    behavior outside:
      assumes present: plane != \null || max_blocks == 0 || block_size == 0;
      assumes outside: max_blocks < num_blocks || KVP_CAPACITY < max_blocks;
      assigns \nothing;
      ensures status: \result == KVP_RANGE;
    behavior made:
      assumes present: plane != \null || max_blocks == 0 || block_size == 0;
      assumes inside: num_blocks <= max_blocks <= KVP_CAPACITY;
      ensures status: \result == KVP_OK;
      ensures sizes: pool->num_blocks == num_blocks && pool->max_blocks == max_blocks &&
        pool->block_size == block_size && pool->plane == plane;
      KVP_ENSURES_POOL;
      ensures empty: \forall integer i; 0 <= i < num_blocks ==> Vacant(*pool, i);
      ensures size: pool->index.size == 0;
    complete behaviors;
    disjoint behaviors;
*/
enum kvp_status kvp_pool_init(struct kvp_pool *pool, uint32_t num_blocks, uint32_t max_blocks,
                              uint32_t block_size, uint32_t *plane);

/* Any operation; the operations below by their number. `result` is always written. */
/*@ KVP_REQUIRES_POOL;
    KVP_REQUIRES_PLANE;
    requires in: \valid_read(op) && \separated(pool, op) && \separated(op, KVP_PLANE);
    requires out: \valid(result) && \separated(pool, op, result) &&
      \separated(result, KVP_PLANE);
    requires tokens: op->kind == KVP_PUBLISH || op->kind == KVP_MATCH ==>
      op->tokens != \null ==> op->length > 0 ==>
      \valid_read(op->tokens + (0 .. op->length - 1)) &&
      \separated(op->tokens + (0 .. op->length - 1), pool, op, result, KVP_PLANE);
    requires hashes: op->kind == KVP_MATCH_PREFIX ==> op->hashes != \null ==> op->count > 0 ==>
      \valid_read(op->hashes + (0 .. op->count - 1)) &&
      \separated(op->hashes + (0 .. op->count - 1), result);
    requires chain: op->kind == KVP_MATCH_PREFIX ==> op->tokens != \null ==>
      0 < Row(op->count, op->length) ==>
      \valid_read(op->tokens + (0 .. Row(op->count, op->length) - 1)) &&
      \separated(op->tokens + (0 .. Row(op->count, op->length) - 1), result);
    requires units: op->kind == KVP_RESERVE || op->kind == KVP_RELEASE ==>
      op->units != \null ==> op->count > 0 ==>
      \valid(op->units + (0 .. op->count - 1)) &&
      \separated(op->units + (0 .. op->count - 1), pool, op, result, KVP_PLANE);
    terminates \true;
    exits \false;
    assigns *pool, *result, *(KVP_PLANE), op->units[0 .. op->count - 1];
    KVP_ENSURES_POOL;
    ensures error: result->status != KVP_OK ==> Bare(*result) && *pool == \old(*pool);
    behavior pop:
      assumes kind: op->kind == KVP_POP;
      assigns *pool, *result;
      ensures status: result->status == KVP_OK <==> !NoneFree(\old(*pool));
      ensures effect: result->status == KVP_OK ==>
        FirstFree(\old(*pool), result->block) && Reserved(*pool, result->block) &&
        SameContent(\old(*pool), *pool, result->block) &&
        Rest(\old(*pool), *pool, result->block);
    behavior allocate:
      assumes kind: op->kind == KVP_ALLOCATE;
      assigns *pool, *result;
      ensures status: result->status == KVP_OK <==>
        op->block < \old(pool->num_blocks) && !Held(\old(*pool), op->block);
      ensures effect: result->status == KVP_OK ==>
        Used(*pool, op->block) && pool->ref_count[op->block] == 1 &&
        NoContent(*pool, op->block) && Evicts(\old(*pool), op->block, result->evicted) &&
        Rest(\old(*pool), *pool, op->block);
    behavior claim:
      assumes kind: op->kind == KVP_CLAIM;
      assigns *pool, *result;
      ensures status: result->status == KVP_OK <==> op->block < \old(pool->num_blocks) &&
        (Cached(\old(*pool), op->block) || (Used(\old(*pool), op->block) &&
          \old(*pool).ref_count[op->block] < UINT32_MAX));
      ensures effect: result->status == KVP_OK ==>
        Used(*pool, op->block) &&
        pool->ref_count[op->block] == \old(*pool).ref_count[op->block] + 1 &&
        SameContent(\old(*pool), *pool, op->block) && Rest(\old(*pool), *pool, op->block);
    behavior free:
      assumes kind: op->kind == KVP_FREE;
      assigns *pool, *result;
      ensures status: result->status == KVP_OK <==> op->block < \old(pool->num_blocks) &&
        \old(pool->cached.clock) < UINT64_MAX && Used(\old(*pool), op->block);
      ensures effect: result->status == KVP_OK ==>
        pool->ref_count[op->block] == \old(*pool).ref_count[op->block] - 1 &&
        (pool->ref_count[op->block] == 0 ==> pool->has_hash[op->block] == 1 ==>
          Cached(*pool, op->block) && Newest(*pool, op->block)) &&
        (pool->ref_count[op->block] == 0 ==> pool->has_hash[op->block] == 0 ==>
          Vacant(*pool, op->block)) &&
        SameContent(\old(*pool), *pool, op->block) && Rest(\old(*pool), *pool, op->block);
    behavior publish:
      assumes kind: op->kind == KVP_PUBLISH;
      assigns *pool, *result, *(KVP_PLANE);
      ensures status: result->status == KVP_OK <==>
        (op->tokens != \null || op->length == 0) && op->block < \old(pool->num_blocks) &&
        op->length <= pool->block_size && \old(pool->index.chains.clock) < UINT64_MAX &&
        Used(\old(*pool), op->block);
      ensures effect: result->status == KVP_OK ==>
        Indexed(*pool, op->block) && pool->index.hash[op->block] == op->hash &&
        Carries(*pool, op->block, op->tokens, 0, op->length);
      ensures evicted: result->status == KVP_OK ==>
        \old(*pool).index.hash[op->block] != op->hash ==>
        Evicts(\old(*pool), op->block, result->evicted);
      ensures republished: result->status == KVP_OK ==>
        \old(*pool).index.hash[op->block] == op->hash ==> result->evicted.count == 0;
      ensures holders: result->status == KVP_OK ==> Used(*pool, op->block) &&
        pool->ref_count[op->block] == \old(*pool).ref_count[op->block];
      ensures rest: result->status == KVP_OK ==>
        \forall integer i; 0 <= i < pool->num_blocks ==> i != op->block ==>
          KVP_KEPT_STATE(\old(*pool), (*pool), i) &&
          (Indexed(*pool, i) <==>
            Indexed(\old(*pool), i) && \old(*pool).index.hash[i] != op->hash);
    behavior lookup:
      assumes kind: op->kind == KVP_LOOKUP;
      assigns *pool, *result;
      ensures status: result->status == KVP_OK && *pool == \old(*pool);
      ensures sound: result->block != KVP_NONE ==> result->block < pool->num_blocks &&
        Indexed(*pool, result->block) && pool->index.hash[result->block] == op->hash;
      ensures complete: result->block == KVP_NONE ==>
        \forall integer i; 0 <= i < pool->num_blocks ==> Indexed(*pool, i) ==>
          pool->index.hash[i] != op->hash;
    behavior match:
      assumes kind: op->kind == KVP_MATCH;
      assigns *pool, *result;
      ensures status: result->status == KVP_OK <==>
        (op->tokens != \null || op->length == 0) && op->length <= pool->block_size;
      ensures unchanged: *pool == \old(*pool);
      ensures found: result->status == KVP_OK ==>
        (result->block != KVP_NONE <==> Matches(*pool, op->hash, op->tokens, 0, op->length));
    behavior match_prefix:
      assumes kind: op->kind == KVP_MATCH_PREFIX;
      assigns *pool, *result;
      ensures status: result->status == KVP_OK <==> (op->hashes != \null || op->count == 0) &&
        (op->tokens != \null || op->count == 0 || op->length == 0) &&
        op->length <= pool->block_size;
      ensures unchanged: *pool == \old(*pool);
      ensures longest: result->status == KVP_OK ==> result->count <= op->count &&
        (result->count < op->count ==> !Matches(*pool, op->hashes[result->count], op->tokens,
                                                Row(result->count, op->length), op->length));
    behavior clear_index:
      assumes kind: op->kind == KVP_CLEAR_INDEX;
      assigns *pool, *result;
      ensures status: result->status == KVP_OK;
      ensures effect: pool->index.size == 0 &&
        \forall integer i; 0 <= i < pool->num_blocks ==> Cleared(\old(*pool), *pool, i);
    behavior extend:
      assumes kind: op->kind == KVP_EXTEND;
      assigns *pool, *result;
      ensures status: result->status == KVP_OK;
      ensures effect:
        result->count == \min(op->count, pool->max_blocks - \old(pool->num_blocks)) &&
        pool->num_blocks == \old(pool->num_blocks) + result->count &&
        Rest(\old(*pool), *pool, KVP_NONE);
    behavior retire_top:
      assumes kind: op->kind == KVP_RETIRE_TOP;
      assigns *pool, *result, *(KVP_PLANE);
      ensures status: result->status == KVP_OK <==> 0 < \old(pool->num_blocks) &&
        \old(pool->index.chains.clock) < UINT64_MAX &&
        (Free(\old(*pool), \old(pool->num_blocks) - 1) ||
          (Used(\old(*pool), \old(pool->num_blocks) - 1) && !NoneFree(\old(*pool))));
      ensures retired_top: result->status == KVP_OK ==>
        result->block == pool->num_blocks == \old(pool->num_blocks) - 1;
      ensures dropped: result->status == KVP_OK ==> result->moved_to == KVP_NONE ==>
        Evicts(\old(*pool), result->block, result->evicted) &&
        Rest(\old(*pool), *pool, result->block);
      ensures moved: result->status == KVP_OK ==> result->moved_to != KVP_NONE ==>
        Used(\old(*pool), result->block) && FirstFree(\old(*pool), result->moved_to) &&
        Used(*pool, result->moved_to) &&
        pool->ref_count[result->moved_to] == \old(*pool).ref_count[result->block] &&
        pool->index.hash[result->moved_to] == \old(*pool).index.hash[result->block] &&
        Evicts(\old(*pool), result->moved_to, result->evicted) &&
        Rest(\old(*pool), *pool, result->moved_to);
    behavior reserve:
      assumes kind: op->kind == KVP_RESERVE;
      assigns *pool, *result, op->units[0 .. op->count - 1];
      ensures status: result->status == KVP_OK <==>
        op->owner != 0 && (op->units != \null || op->count == 0) &&
        op->count <= \old(pool->classes.count[KVP_VACANT] + pool->classes.count[KVP_CACHED]);
      ensures effect: result->status == KVP_OK ==>
        Reservation(*pool, op->units, op->count, op->owner);
      ensures order: result->status == KVP_OK ==> \forall integer i, j;
        Taken(\old(*pool), *pool, i) ==> Taken(\old(*pool), *pool, j) ==>
        pool->unit_left[j] < pool->unit_left[i] ==> Precedes(\old(*pool), i, j);
      ensures rest: result->status == KVP_OK ==> \forall integer i;
        0 <= i < pool->num_blocks ==> NoUnit(op->units, op->count, i) ==>
        Kept(\old(*pool), *pool, i);
    behavior release:
      assumes kind: op->kind == KVP_RELEASE;
      assigns *pool, *result;
      ensures status: result->status == KVP_OK <==>
        op->owner != 0 && (op->units != \null || op->count == 0) &&
        Reservation(\old(*pool), op->units, op->count, op->owner);
      ensures effect: result->status == KVP_OK ==>
        \forall integer k; 0 <= k < op->count ==> Vacant(*pool, op->units[k].block);
      ensures rest: result->status == KVP_OK ==> \forall integer i;
        0 <= i < pool->num_blocks ==> NoUnit(op->units, op->count, i) ==>
        Kept(\old(*pool), *pool, i);
    behavior unknown:
      assumes kind: op->kind < KVP_POP || KVP_RELEASE < op->kind;
      assigns *result;
      ensures status: result->status == KVP_ARGUMENT;
    complete behaviors;
    disjoint behaviors;
*/
void kvp_pool_apply(struct kvp_pool *pool, const struct kvp_op *op, struct kvp_result *result);

/* The lowest vacant id, else the least recently freed cached one, becomes reserved and keeps
   its content. KVP_EMPTY if there is none. */
/*@ KVP_REQUIRES_POOL;
    requires out: \valid(block) && \separated(pool, block);
    terminates \true;
    exits \false;
    assigns pool->classes, pool->vacant, pool->cached, *block;
    KVP_ENSURES_POOL;
    ensures unchanged: \result != KVP_OK ==> *pool == \old(*pool) && *block == \old(*block);
    behavior empty:
      assumes none: NoneFree(*pool);
      assigns \nothing;
      ensures status: \result == KVP_EMPTY;
    behavior popped:
      assumes some: !NoneFree(*pool);
      ensures status: \result == KVP_OK;
      ensures first: FirstFree(\old(*pool), *block);
      ensures reserved: Reserved(*pool, *block);
      ensures same: SameContent(\old(*pool), *pool, *block);
      ensures rest: Rest(\old(*pool), *pool, *block);
    complete behaviors;
    disjoint behaviors;
*/
enum kvp_status kvp_pool_pop(struct kvp_pool *pool, uint32_t *block);

/* A vacant, cached or reserved block becomes used by one holder, without content. KVP_BUSY if
   it is held. */
/*@ KVP_REQUIRES_POOL;
    requires out: \valid(evicted) && \separated(pool, evicted);
    terminates \true;
    exits \false;
    assigns pool->classes, pool->vacant, pool->cached, pool->index, pool->ref_count[block],
            pool->has_hash[block], pool->length[block], *evicted;
    KVP_ENSURES_POOL;
    ensures unchanged: \result != KVP_OK ==> *pool == \old(*pool) && *evicted == \old(*evicted);
    behavior outside:
      assumes outside: pool->num_blocks <= block;
      assigns \nothing;
      ensures status: \result == KVP_RANGE;
    behavior held:
      assumes held: block < pool->num_blocks && Held(*pool, block);
      assigns \nothing;
      ensures status: \result == KVP_BUSY;
    behavior allocated:
      assumes unheld: block < pool->num_blocks && !Held(*pool, block);
      ensures status: \result == KVP_OK;
      ensures used: Used(*pool, block) && pool->ref_count[block] == 1;
      ensures none: NoContent(*pool, block);
      ensures evicted: Evicts(\old(*pool), block, *evicted);
      ensures rest: Rest(\old(*pool), *pool, block);
    complete behaviors;
    disjoint behaviors;
*/
enum kvp_status kvp_pool_allocate(struct kvp_pool *pool, uint32_t block,
                                  struct kvp_evicted *evicted);

/* One more holder of a used block, or the first of a cached one, content kept. KVP_STATE for a
   vacant or reserved block or a raw unit; KVP_OVERFLOW at UINT32_MAX holders. */
/*@ KVP_REQUIRES_POOL;
    terminates \true;
    exits \false;
    assigns pool->classes, pool->vacant, pool->cached, pool->ref_count[block];
    KVP_ENSURES_POOL;
    ensures unchanged: \result != KVP_OK ==> *pool == \old(*pool);
    behavior outside:
      assumes outside: pool->num_blocks <= block;
      assigns \nothing;
      ensures status: \result == KVP_RANGE;
    behavior most:
      assumes most: block < pool->num_blocks && Used(*pool, block) &&
        pool->ref_count[block] == UINT32_MAX;
      assigns \nothing;
      ensures status: \result == KVP_OVERFLOW;
    behavior contentless:
      assumes other: block < pool->num_blocks && !Used(*pool, block) && !Cached(*pool, block);
      assigns \nothing;
      ensures status: \result == KVP_STATE;
    behavior shared:
      assumes used: block < pool->num_blocks && Used(*pool, block) &&
        pool->ref_count[block] < UINT32_MAX;
      ensures status: \result == KVP_OK;
      ensures used: Used(*pool, block);
      ensures one_more: pool->ref_count[block] == \old(pool->ref_count[block]) + 1;
      ensures same: SameContent(\old(*pool), *pool, block);
      ensures rest: Rest(\old(*pool), *pool, block);
    behavior revived:
      assumes cached: block < pool->num_blocks && Cached(*pool, block);
      ensures status: \result == KVP_OK;
      ensures used: Used(*pool, block) && pool->ref_count[block] == 1;
      ensures same: SameContent(\old(*pool), *pool, block);
      ensures rest: Rest(\old(*pool), *pool, block);
    complete behaviors;
    disjoint behaviors;
*/
enum kvp_status kvp_pool_claim(struct kvp_pool *pool, uint32_t block);

/* One holder less; the last makes the block cached (newest) if it has content, else vacant.
   KVP_STATE if it is not used, or is a raw unit. */
/*@ KVP_REQUIRES_POOL;
    terminates \true;
    exits \false;
    assigns pool->classes, pool->vacant, pool->cached, pool->ref_count[block];
    KVP_ENSURES_POOL;
    ensures unchanged: \result != KVP_OK ==> *pool == \old(*pool);
    behavior outside:
      assumes outside: pool->num_blocks <= block;
      assigns \nothing;
      ensures status: \result == KVP_RANGE;
    behavior clock:
      assumes clock: block < pool->num_blocks && pool->cached.clock == UINT64_MAX;
      assigns \nothing;
      ensures status: \result == KVP_OVERFLOW;
    behavior unheld:
      assumes other: block < pool->num_blocks && pool->cached.clock < UINT64_MAX &&
        !Used(*pool, block);
      assigns \nothing;
      ensures status: \result == KVP_STATE;
    behavior shared:
      assumes shared: block < pool->num_blocks && pool->cached.clock < UINT64_MAX &&
        Used(*pool, block) && 1 < pool->ref_count[block];
      ensures status: \result == KVP_OK;
      ensures used: Used(*pool, block);
      ensures one_less: pool->ref_count[block] == \old(pool->ref_count[block]) - 1;
      ensures same: SameContent(\old(*pool), *pool, block);
      ensures rest: Rest(\old(*pool), *pool, block);
    behavior released:
      assumes last: block < pool->num_blocks && pool->cached.clock < UINT64_MAX &&
        Used(*pool, block) && pool->ref_count[block] == 1;
      ensures status: \result == KVP_OK;
      ensures cached_block: \old(pool->has_hash[block]) == 1 ==>
        Cached(*pool, block) && Newest(*pool, block);
      ensures vacant_block: \old(pool->has_hash[block]) == 0 ==> Vacant(*pool, block);
      ensures same: SameContent(\old(*pool), *pool, block);
      ensures rest: Rest(\old(*pool), *pool, block);
    complete behaviors;
    disjoint behaviors;
*/
enum kvp_status kvp_pool_free(struct kvp_pool *pool, uint32_t block);

/* A used block takes a hash and tokens, and the index maps the hash to it from now on.
   KVP_RANGE if length > block_size; KVP_STATE if the block is not used. */
/*@ KVP_REQUIRES_POOL;
    KVP_REQUIRES_PLANE;
    requires out: \valid(evicted) && \separated(pool, evicted) && \separated(evicted, KVP_PLANE);
    requires tokens: tokens != \null ==> length > 0 ==>
      \valid_read(tokens + (0 .. length - 1)) &&
      \separated(tokens + (0 .. length - 1), pool, evicted, KVP_PLANE);
    terminates \true;
    exits \false;
    assigns pool->index, pool->has_hash[block], pool->length[block], *evicted, *(KVP_PLANE);
    KVP_ENSURES_POOL;
    ensures unchanged: \result != KVP_OK ==> *pool == \old(*pool) && *evicted == \old(*evicted);
    behavior missing:
      assumes missing: tokens == \null && length != 0;
      assigns \nothing;
      ensures status: \result == KVP_ARGUMENT;
    behavior outside:
      assumes present: tokens != \null || length == 0;
      assumes outside: pool->num_blocks <= block || pool->block_size < length;
      assigns \nothing;
      ensures status: \result == KVP_RANGE;
    behavior clock:
      assumes present: tokens != \null || length == 0;
      assumes inside: block < pool->num_blocks && length <= pool->block_size;
      assumes clock: pool->index.chains.clock == UINT64_MAX;
      assigns \nothing;
      ensures status: \result == KVP_OVERFLOW;
    behavior unheld:
      assumes present: tokens != \null || length == 0;
      assumes inside: block < pool->num_blocks && length <= pool->block_size;
      assumes clock: pool->index.chains.clock < UINT64_MAX;
      assumes other: !Used(*pool, block);
      assigns \nothing;
      ensures status: \result == KVP_STATE;
    behavior published:
      assumes present: tokens != \null || length == 0;
      assumes inside: block < pool->num_blocks && length <= pool->block_size;
      assumes clock: pool->index.chains.clock < UINT64_MAX;
      assumes used: Used(*pool, block);
      assigns pool->index, pool->has_hash[block], pool->length[block], *evicted,
              pool->plane[Row(block, pool->block_size) .. Row(block, pool->block_size) + length - 1];
      ensures status: \result == KVP_OK;
      ensures content: pool->has_hash[block] == 1 && pool->index.hash[block] == hash &&
        pool->length[block] == length && Indexed(*pool, block);
      ensures tokens: \let row = Row(block, pool->block_size);
        \forall integer k; row <= k < row + length ==> pool->plane[k] == tokens[k - row];
      ensures evicted: \old(pool->index.hash[block]) != hash ==>
        Evicts(\old(*pool), block, *evicted);
      ensures republished: \old(pool->index.hash[block]) == hash ==>
        evicted->count == 0 && evicted->hash == 0;
      ensures others: \forall integer i; 0 <= i < pool->num_blocks ==> i != block ==>
        pool->has_hash[i] == \old(*pool).has_hash[i] &&
        pool->index.hash[i] == \old(*pool).index.hash[i] &&
        (Indexed(*pool, i) <==> Indexed(\old(*pool), i) && \old(*pool).index.hash[i] != hash);
    complete behaviors;
    disjoint behaviors;
*/
enum kvp_status kvp_pool_publish(struct kvp_pool *pool, uint32_t block, uint64_t hash,
                                 const uint32_t *tokens, uint32_t length,
                                 struct kvp_evicted *evicted);

/* The block that the index maps the hash to, or KVP_NONE. */
/*@ KVP_REQUIRES_POOL;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures sound: \result != KVP_NONE ==> \result < pool->num_blocks &&
      Indexed(*pool, \result) && pool->index.hash[\result] == hash;
    ensures complete: \result == KVP_NONE ==>
      \forall integer i; 0 <= i < pool->num_blocks ==> Indexed(*pool, i) ==>
        pool->index.hash[i] != hash;
*/
uint32_t kvp_pool_lookup(const struct kvp_pool *pool, uint64_t hash);

/* The same, if that block's tokens are exactly these; else KVP_NONE. KVP_RANGE if
   length > block_size. */
/*@ KVP_REQUIRES_POOL;
    KVP_REQUIRES_PLANE;
    requires out: \valid(block) && \separated(pool, block) && \separated(block, KVP_PLANE);
    requires tokens: tokens != \null ==> length > 0 ==>
      \valid_read(tokens + (0 .. length - 1)) &&
      \separated(block, tokens + (0 .. length - 1));
    terminates \true;
    exits \false;
    assigns *block;
    ensures unchanged: \result != KVP_OK ==> *block == \old(*block);
    behavior missing:
      assumes missing: tokens == \null && length != 0;
      assigns \nothing;
      ensures status: \result == KVP_ARGUMENT;
    behavior long:
      assumes present: tokens != \null || length == 0;
      assumes long: pool->block_size < length;
      assigns \nothing;
      ensures status: \result == KVP_RANGE;
    behavior searched:
      assumes present: tokens != \null || length == 0;
      assumes short: length <= pool->block_size;
      ensures status: \result == KVP_OK;
      ensures sound: *block != KVP_NONE ==> *block < pool->num_blocks &&
        Indexed(*pool, *block) && pool->index.hash[*block] == hash &&
        Carries(*pool, *block, tokens, 0, length);
      ensures complete: *block == KVP_NONE ==> !Matches(*pool, hash, tokens, 0, length);
    complete behaviors;
    disjoint behaviors;
*/
enum kvp_status kvp_pool_match(const struct kvp_pool *pool, uint64_t hash, const uint32_t *tokens,
                               uint32_t length, uint32_t *block);

/* How many leading elements of a chain match; element k has hashes[k] and the `length` tokens
   from tokens[k * length] on. O(matched * length). */
/*@ KVP_REQUIRES_POOL;
    KVP_REQUIRES_PLANE;
    requires out: \valid(matched) && \separated(pool, matched) && \separated(matched, KVP_PLANE);
    requires hashes: hashes != \null ==> count > 0 ==>
      \valid_read(hashes + (0 .. count - 1)) && \separated(matched, hashes + (0 .. count - 1));
    requires tokens: tokens != \null ==> 0 < Row(count, length) ==>
      \valid_read(tokens + (0 .. Row(count, length) - 1)) &&
      \separated(matched, tokens + (0 .. Row(count, length) - 1));
    terminates \true;
    exits \false;
    assigns *matched;
    ensures unchanged: \result != KVP_OK ==> *matched == \old(*matched);
    behavior missing:
      assumes missing: (hashes == \null && count != 0) ||
        (tokens == \null && count != 0 && length != 0);
      assigns \nothing;
      ensures status: \result == KVP_ARGUMENT;
    behavior long:
      assumes present: (hashes != \null || count == 0) &&
        (tokens != \null || count == 0 || length == 0);
      assumes long: pool->block_size < length;
      assigns \nothing;
      ensures status: \result == KVP_RANGE;
    behavior searched:
      assumes present: (hashes != \null || count == 0) &&
        (tokens != \null || count == 0 || length == 0);
      assumes short: length <= pool->block_size;
      ensures status: \result == KVP_OK;
      ensures range: *matched <= count;
      ensures prefix: \forall integer e; 0 <= e < *matched ==>
        Matches(*pool, hashes[e], tokens, Row(e, length), length);
      ensures longest: *matched < count ==>
        !Matches(*pool, hashes[*matched], tokens, Row(*matched, length), length);
    complete behaviors;
    disjoint behaviors;
*/
enum kvp_status kvp_pool_match_prefix(const struct kvp_pool *pool, const uint64_t *hashes,
                                      const uint32_t *tokens, uint32_t count, uint32_t length,
                                      uint32_t *matched);

/* The index empties; every block without a holder forgets its content. O(max_blocks). */
/*@ KVP_REQUIRES_POOL;
    terminates \true;
    exits \false;
    assigns pool->classes, pool->vacant, pool->cached, pool->index.size, pool->index.chains,
            pool->ref_count[0 .. KVP_CAPACITY - 1], pool->has_hash[0 .. KVP_CAPACITY - 1],
            pool->length[0 .. KVP_CAPACITY - 1];
    KVP_ENSURES_POOL;
    ensures size: pool->index.size == 0;
    ensures cleared: \forall integer i; 0 <= i < pool->num_blocks ==>
      Cleared(\old(*pool), *pool, i);
*/
void kvp_pool_clear_index(struct kvp_pool *pool);

/* Up to `count` ids join, vacant; returns how many. O(taken). */
/*@ KVP_REQUIRES_POOL;
    terminates \true;
    exits \false;
    assigns pool->classes, pool->vacant, pool->num_blocks;
    KVP_ENSURES_POOL;
    ensures taken: \result == \min(count, pool->max_blocks - \old(pool->num_blocks));
    ensures grown: pool->num_blocks == \old(pool->num_blocks) + \result;
    ensures joined: \forall integer i; \old(pool->num_blocks) <= i < pool->num_blocks ==>
      Vacant(*pool, i);
    ensures rest: Rest(\old(*pool), *pool, KVP_NONE);
*/
uint32_t kvp_pool_extend(struct kvp_pool *pool, uint32_t count);

/* The highest id leaves; if it was used, its holders, content and index entry move to the
   block that pop would have chosen. KVP_EMPTY: no block; KVP_BUSY: it is reserved or a raw
   unit; KVP_FULL: it is used and no block is free. */
/*@ KVP_REQUIRES_POOL;
    KVP_REQUIRES_PLANE;
    requires out: \valid(retirement) && \separated(pool, retirement) &&
      \separated(retirement, KVP_PLANE);
    terminates \true;
    exits \false;
    assigns pool->num_blocks, pool->classes, pool->vacant, pool->cached, pool->index,
            pool->ref_count[0 .. KVP_CAPACITY - 1], pool->has_hash[0 .. KVP_CAPACITY - 1],
            pool->length[0 .. KVP_CAPACITY - 1], *retirement, *(KVP_PLANE);
    KVP_ENSURES_POOL;
    ensures unchanged: \result != KVP_OK ==> *pool == \old(*pool) &&
      *retirement == \old(*retirement);
    behavior empty:
      assumes empty: pool->num_blocks == 0;
      assigns \nothing;
      ensures status: \result == KVP_EMPTY;
    behavior clock:
      assumes blocks: 0 < pool->num_blocks;
      assumes clock: pool->index.chains.clock == UINT64_MAX;
      assigns \nothing;
      ensures status: \result == KVP_OVERFLOW;
    behavior pinned:
      assumes blocks: 0 < pool->num_blocks;
      assumes clock: pool->index.chains.clock < UINT64_MAX;
      assumes pinned: Reserved(*pool, pool->num_blocks - 1) || Unit(*pool, pool->num_blocks - 1);
      assigns \nothing;
      ensures status: \result == KVP_BUSY;
    behavior full:
      assumes blocks: 0 < pool->num_blocks;
      assumes clock: pool->index.chains.clock < UINT64_MAX;
      assumes used: Used(*pool, pool->num_blocks - 1);
      assumes full: NoneFree(*pool);
      assigns \nothing;
      ensures status: \result == KVP_FULL;
    behavior dropped:
      assumes blocks: 0 < pool->num_blocks;
      assumes clock: pool->index.chains.clock < UINT64_MAX;
      assumes free: Free(*pool, pool->num_blocks - 1);
      assigns pool->num_blocks, pool->classes, pool->vacant, pool->cached, pool->index,
              pool->ref_count[pool->num_blocks - 1], pool->has_hash[pool->num_blocks - 1],
              pool->length[pool->num_blocks - 1], *retirement;
      ensures status: \result == KVP_OK;
      ensures retired_top: retirement->retired == pool->num_blocks == \old(pool->num_blocks) - 1;
      ensures moved_to: retirement->moved_to == KVP_NONE;
      ensures evicted: Evicts(\old(*pool), pool->num_blocks, retirement->evicted);
      ensures rest: Rest(\old(*pool), *pool, pool->num_blocks);
    behavior moved:
      assumes blocks: 0 < pool->num_blocks;
      assumes clock: pool->index.chains.clock < UINT64_MAX;
      assumes used: Used(*pool, pool->num_blocks - 1);
      assumes some: !NoneFree(*pool);
      ensures status: \result == KVP_OK;
      ensures retired_top: retirement->retired == pool->num_blocks == \old(pool->num_blocks) - 1;
      ensures moved_to: FirstFree(\old(*pool), retirement->moved_to) &&
        retirement->moved_to < pool->num_blocks;
      ensures evicted: Evicts(\old(*pool), retirement->moved_to, retirement->evicted);
      ensures holders: Used(*pool, retirement->moved_to) &&
        pool->ref_count[retirement->moved_to] == \old(*pool).ref_count[pool->num_blocks];
      ensures same: \let to = retirement->moved_to; \let top = pool->num_blocks;
        pool->has_hash[to] == \old(*pool).has_hash[top] &&
        pool->index.hash[to] == \old(*pool).index.hash[top] &&
        pool->length[to] == \old(*pool).length[top] &&
        (Indexed(*pool, to) <==> Indexed(\old(*pool), top));
      ensures tokens: \let to = Row(retirement->moved_to, pool->block_size);
        \let top = Row(pool->num_blocks, pool->block_size);
        \forall integer k; to <= k < to + pool->length[retirement->moved_to] ==>
          pool->plane[k] == \old(pool->plane[k - to + top]);
      ensures rows: \forall integer i; 0 <= i < pool->num_blocks ==> i != retirement->moved_to ==>
        RowKept{Pre, Post}(pool->plane, pool->block_size, i);
      ensures rest: Rest(\old(*pool), *pool, retirement->moved_to);
    complete behaviors;
    disjoint behaviors;
*/
enum kvp_status kvp_pool_retire_top(struct kvp_pool *pool, struct kvp_retirement *retirement);

/* `count` raw units, chosen as pop would, all or none (KVP_FULL), for an owner that is not 0
   (else KVP_ARGUMENT). O(count). */
/*@ KVP_REQUIRES_POOL;
    requires out: units != \null ==> count > 0 ==>
      \valid(units + (0 .. count - 1)) && \separated(pool, units + (0 .. count - 1));
    terminates \true;
    exits \false;
    assigns pool->classes, pool->vacant, pool->cached, pool->index,
            pool->ref_count[0 .. KVP_CAPACITY - 1], pool->has_hash[0 .. KVP_CAPACITY - 1],
            pool->length[0 .. KVP_CAPACITY - 1], pool->unit_owner[0 .. KVP_CAPACITY - 1],
            pool->unit_first[0 .. KVP_CAPACITY - 1], pool->unit_left[0 .. KVP_CAPACITY - 1],
            units[0 .. count - 1];
    KVP_ENSURES_POOL;
    ensures unchanged: \result != KVP_OK ==> *pool == \old(*pool);
    behavior missing:
      assumes missing: owner == 0 || (units == \null && count != 0);
      assigns \nothing;
      ensures status: \result == KVP_ARGUMENT;
    behavior full:
      assumes present: owner != 0 && (units != \null || count == 0);
      assumes full: pool->classes.count[KVP_VACANT] + pool->classes.count[KVP_CACHED] < count;
      assigns \nothing;
      ensures status: \result == KVP_FULL;
    behavior reserved:
      assumes present: owner != 0 && (units != \null || count == 0);
      assumes enough: count <= pool->classes.count[KVP_VACANT] + pool->classes.count[KVP_CACHED];
      ensures status: \result == KVP_OK;
      ensures reservation: Reservation(*pool, units, count, owner);
      ensures free: \forall integer k; 0 <= k < count ==> Free(\old(*pool), units[k].block);
      ensures evicted: \forall integer k; 0 <= k < count ==>
        UnitEvicts(\old(*pool), units, k);
      ensures order: \forall integer i, j;
        Taken(\old(*pool), *pool, i) ==> Taken(\old(*pool), *pool, j) ==>
        pool->unit_left[j] < pool->unit_left[i] ==> Precedes(\old(*pool), i, j);
      ensures first: \forall integer i, j; Taken(\old(*pool), *pool, i) ==>
        0 <= j < pool->num_blocks ==> Free(*pool, j) ==> Precedes(\old(*pool), i, j);
      ensures rest: \forall integer i; 0 <= i < pool->num_blocks ==> NoUnit(units, count, i) ==>
        Kept(\old(*pool), *pool, i);
    complete behaviors;
    disjoint behaviors;
*/
enum kvp_status kvp_pool_reserve(struct kvp_pool *pool, uint32_t count, uint64_t owner,
                                 struct kvp_unit *units);

/* Gives back one whole reservation of this owner, in the order in which it was given, else
   KVP_STATE (KVP_RANGE for an id outside the pool); its blocks become vacant. O(count). */
/*@ KVP_REQUIRES_POOL;
    requires in: units != \null ==> count > 0 ==>
      \valid_read(units + (0 .. count - 1)) && \separated(pool, units + (0 .. count - 1));
    terminates \true;
    exits \false;
    assigns pool->classes, pool->vacant, pool->ref_count[0 .. KVP_CAPACITY - 1];
    KVP_ENSURES_POOL;
    ensures unchanged: \result != KVP_OK ==> *pool == \old(*pool);
    behavior missing:
      assumes missing: owner == 0 || (units == \null && count != 0);
      assigns \nothing;
      ensures status: \result == KVP_ARGUMENT;
    behavior outside:
      assumes present: owner != 0 && (units != \null || count == 0);
      assumes outside: \exists integer k; 0 <= k < count && pool->num_blocks <= units[k].block;
      assigns \nothing;
      ensures status: \result == KVP_RANGE;
    behavior other:
      assumes present: owner != 0 && (units != \null || count == 0);
      assumes inside: \forall integer k; 0 <= k < count ==> units[k].block < pool->num_blocks;
      assumes other: !Reservation(*pool, units, count, owner);
      assigns \nothing;
      ensures status: \result == KVP_STATE;
    behavior released:
      assumes present: owner != 0 && (units != \null || count == 0);
      assumes whole: Reservation(*pool, units, count, owner);
      ensures status: \result == KVP_OK;
      ensures vacated: \forall integer k; 0 <= k < count ==> Vacant(*pool, units[k].block);
      ensures rest: \forall integer i; 0 <= i < pool->num_blocks ==> NoUnit(units, count, i) ==>
        Kept(\old(*pool), *pool, i);
    complete behaviors;
    disjoint behaviors;
*/
enum kvp_status kvp_pool_release(struct kvp_pool *pool, const struct kvp_unit *units,
                                 uint32_t count, uint64_t owner);

/*@ KVP_REQUIRES_POOL;
    requires out: \valid(counts) && \separated(pool, counts);
    terminates \true;
    exits \false;
    assigns *counts;
    ensures blocks: counts->num_blocks == pool->num_blocks;
    ensures free: counts->num_free == Count(pool->classes, KVP_VACANT, pool->max_blocks) +
      Count(pool->classes, KVP_CACHED, pool->max_blocks);
    ensures used: counts->num_used == Count(pool->classes, KVP_USED, pool->max_blocks) +
      Count(pool->classes, KVP_UNIT, pool->max_blocks);
    ensures reserved: counts->num_reserved ==
      Count(pool->classes, KVP_RESERVED, pool->max_blocks);
    ensures indexed: counts->num_indexed ==
      MappedCount(pool->index.chains, pool->max_blocks);
    ensures conserved: counts->num_free + counts->num_used + counts->num_reserved ==
      counts->num_blocks;
*/
void kvp_pool_counts(const struct kvp_pool *pool, struct kvp_counts *counts);
/*@ KVP_REQUIRES_POOL;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures enough: \result != 0 <==>
      count <= pool->classes.count[KVP_VACANT] + pool->classes.count[KVP_CACHED];
*/
int kvp_pool_has_free(const struct kvp_pool *pool, uint32_t count);
/*@ KVP_REQUIRES_POOL;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures used: \result != 0 <==> block < pool->num_blocks && Held(*pool, block);
*/
int kvp_pool_is_used(const struct kvp_pool *pool, uint32_t block);

/* KVP_RANGE unless block < max_blocks. */
/*@ KVP_REQUIRES_POOL;
    KVP_REQUIRES_PLANE;
    requires out: \valid(view) && \separated(pool, view) && \separated(view, KVP_PLANE);
    terminates \true;
    exits \false;
    assigns *view;
    behavior outside:
      assumes outside: pool->max_blocks <= block;
      assigns \nothing;
      ensures status: \result == KVP_RANGE;
    behavior seen:
      assumes inside: block < pool->max_blocks;
      ensures status: \result == KVP_OK;
      ensures state: view->state == pool->classes.state[block];
      ensures holders: view->ref_count == pool->ref_count[block];
      ensures content: view->has_hash == pool->has_hash[block] &&
        view->length == pool->length[block] && (view->indexed == 1 <==> Indexed(*pool, block)) &&
        view->indexed <= 1;
      ensures hash: view->hash == (pool->has_hash[block] == 1 ? pool->index.hash[block] : 0);
      ensures tokens: pool->length[block] != 0 ==>
        view->tokens == pool->plane + Row(block, pool->block_size);
      ensures no_tokens: pool->length[block] == 0 ==> view->tokens == \null;
      ensures unit: Unit(*pool, block) ==> view->owner == pool->unit_owner[block] &&
        view->first == pool->unit_first[block] && view->left == pool->unit_left[block];
      ensures no_unit: !Unit(*pool, block) ==>
        view->owner == 0 && view->first == KVP_NONE && view->left == 0;
    complete behaviors;
    disjoint behaviors;
*/
enum kvp_status kvp_pool_view(const struct kvp_pool *pool, uint32_t block, struct kvp_view *view);

/* The cached block freed next after `block`, or the least recently freed one for KVP_NONE;
   KVP_NONE after the last. KVP_NONE too if `block` is not cached. */
/*@ KVP_REQUIRES_POOL;
    terminates \true;
    exits \false;
    assigns \nothing;
    behavior first:
      assumes first: block == KVP_NONE;
      ensures none: \result == KVP_NONE <==>
        (\forall integer i; 0 <= i < pool->num_blocks ==> !Cached(*pool, i));
      ensures oldest: \result != KVP_NONE ==> \result < pool->num_blocks &&
        Cached(*pool, \result) &&
        \forall integer i; 0 <= i < pool->num_blocks ==> Cached(*pool, i) ==> i != \result ==>
          pool->cached.stamp[\result] < pool->cached.stamp[i];
    behavior stranger:
      assumes stranger: block != KVP_NONE && (pool->num_blocks <= block || !Cached(*pool, block));
      ensures none: \result == KVP_NONE;
    behavior next:
      assumes next: block < pool->num_blocks && Cached(*pool, block);
      ensures last: \result == KVP_NONE <==> Newest(*pool, block);
      ensures after: \result != KVP_NONE ==> \result < pool->num_blocks &&
        Cached(*pool, \result) && pool->cached.stamp[block] < pool->cached.stamp[\result] &&
        \forall integer i; 0 <= i < pool->num_blocks ==> Cached(*pool, i) ==>
          pool->cached.stamp[block] < pool->cached.stamp[i] ==>
          pool->cached.stamp[\result] <= pool->cached.stamp[i];
    complete behaviors;
    disjoint behaviors;
*/
uint32_t kvp_pool_next_cached(const struct kvp_pool *pool, uint32_t block);

#endif
