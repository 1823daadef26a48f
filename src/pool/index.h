/* SPDX-License-Identifier: Apache-2.0 */
/* The index: which block a content hash maps to. */
#ifndef KVP_POOL_INDEX_H
#define KVP_POOL_INDEX_H

#include <kvpool/layout.h>

/* The empty map, for block ids below num_blocks. */
void kvp_index_init(struct kvp_index *index, uint32_t num_blocks);
/* The block that the hash maps to, or KVP_NONE. */
uint32_t kvp_index_lookup(const struct kvp_index *index, uint64_t hash);
/* Maps a hash to b, whatever it mapped to before. If another hash mapped to b, that entry
   goes and is reported. */
void kvp_index_map(struct kvp_index *index, uint64_t hash, uint32_t b,
                   struct kvp_evicted *evicted);
/* Drops the entry that maps to b, if there is one, and reports it; b's hash stays. */
void kvp_index_unmap(struct kvp_index *index, uint32_t b, struct kvp_evicted *evicted);
/* `to`, which nothing maps to, takes the hash of `from`, and its entry if there is one. */
void kvp_index_move(struct kvp_index *index, uint32_t from, uint32_t to);
/* Drops every entry; the hashes stay. */
void kvp_index_clear(struct kvp_index *index);

#endif
