/* SPDX-License-Identifier: Apache-2.0 */
/* Steps that several operations share: one block chosen, taken, emptied, held or released. */
#ifndef KVP_POOL_BLOCKS_H
#define KVP_POOL_BLOCKS_H

#include <kvpool/pool.h>

/* The block that pop takes next, or KVP_NONE. */
/*@ KVP_REQUIRES_POOL;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures none: \result == KVP_NONE ==> NoneFree(*pool);
    ensures first: \result != KVP_NONE ==> FirstFree(*pool, \result);
    ensures count: \result == KVP_NONE <==>
      pool->classes.count[KVP_VACANT] + pool->classes.count[KVP_CACHED] == 0;
*/
uint32_t kvp_next_free(const struct kvp_pool *pool);

/* A free block becomes reserved; its content and index entry stay. */
/*@ KVP_REQUIRES_POOL;
    requires block: b < pool->num_blocks && Free(*pool, b);
    terminates \true;
    exits \false;
    assigns pool->classes, pool->vacant, pool->cached;
    KVP_ENSURES_POOL;
    ensures reserved: Reserved(*pool, b);
    ensures recounted: Recounted(\old(pool->classes), pool->classes,
                                 \old(pool->classes.state[b]), KVP_RESERVED);
    ensures clock: pool->cached.clock == \old(pool->cached.clock);
    ensures rest: Rest(\old(*pool), *pool, b);
*/
void kvp_take(struct kvp_pool *pool, uint32_t b);

/* A reserved block forgets its content; the index entry that maps to it goes. */
/*@ KVP_REQUIRES_POOL;
    requires out: \valid(evicted) && \separated(pool, evicted);
    requires block: b < pool->num_blocks && Reserved(*pool, b);
    terminates \true;
    exits \false;
    assigns pool->index, pool->has_hash[b], pool->length[b], *evicted;
    KVP_ENSURES_POOL;
    ensures none: NoContent(*pool, b);
    ensures clock: pool->index.chains.clock == \old(pool->index.chains.clock);
    ensures evicted: Evicts(\old(*pool), b, *evicted);
    ensures rest: Rest(\old(*pool), *pool, b);
*/
void kvp_forget(struct kvp_pool *pool, uint32_t b, struct kvp_evicted *evicted);

/* A reserved block gets its first holder; without content it may become a raw unit. */
/*@ KVP_REQUIRES_POOL;
    requires block: b < pool->num_blocks && Reserved(*pool, b);
    requires state: state == KVP_USED || (state == KVP_UNIT && pool->has_hash[b] == 0);
    terminates \true;
    exits \false;
    assigns pool->classes, pool->ref_count[b];
    KVP_ENSURES_POOL;
    ensures state: pool->classes.state[b] == state && pool->ref_count[b] == 1;
    ensures recounted: Recounted(\old(pool->classes), pool->classes, KVP_RESERVED, state);
    ensures rest: Rest(\old(*pool), *pool, b);
*/
void kvp_hold(struct kvp_pool *pool, uint32_t b, uint8_t state);

/* A block without content that is not free becomes vacant, without holders. */
/*@ KVP_REQUIRES_POOL;
    requires block: b < pool->num_blocks && !Free(*pool, b) && pool->has_hash[b] == 0;
    terminates \true;
    exits \false;
    assigns pool->classes, pool->vacant, pool->ref_count[b];
    KVP_ENSURES_POOL;
    ensures vacant: Vacant(*pool, b);
    ensures recounted: Recounted(\old(pool->classes), pool->classes,
                                 \old(pool->classes.state[b]), KVP_VACANT);
    ensures rest: Rest(\old(*pool), *pool, b);
*/
void kvp_vacate(struct kvp_pool *pool, uint32_t b);

#endif
