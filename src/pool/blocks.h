/* SPDX-License-Identifier: Apache-2.0 */
/* Steps that several operations share: one block taken, emptied, or released. */
#ifndef KVP_POOL_BLOCKS_H
#define KVP_POOL_BLOCKS_H

#include <kvpool/pool.h>

/* The block that pop takes next, or KVP_NONE. */
uint32_t kvp_next_free(const struct kvp_pool *pool);
/* A free block becomes reserved; its content and index entry stay. */
void kvp_take(struct kvp_pool *pool, uint32_t b);
/* A reserved block forgets its content; the index entry that maps to it goes. */
void kvp_forget(struct kvp_pool *pool, uint32_t b, struct kvp_evicted *evicted);
/* A reserved block without content becomes vacant. */
void kvp_vacate(struct kvp_pool *pool, uint32_t b);

#endif
