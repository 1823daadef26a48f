/* SPDX-License-Identifier: Apache-2.0 */
/* The index: which block a content hash maps to. */
#ifndef KVP_POOL_INDEX_H
#define KVP_POOL_INDEX_H

#include <kvpool/layout.h>

#ifdef __FRAMAC__
#include "spec/logic/index.h"
#endif

/* The empty map, for block ids below num_blocks. */
/*@ requires valid: \valid(index);
    requires blocks: num_blocks <= KVP_CAPACITY;
    terminates \true;
    exits \false;
    assigns *index;
    KVP_ENSURES_INDEX;
    ensures nodes: index->chains.num_nodes == num_blocks;
    ensures zero: index->size == 0;
    ensures clock: index->chains.clock == 0;
    ensures empty: \forall integer i; 0 <= i < num_blocks ==> !Mapped(*index, i);
*/
void kvp_index_init(struct kvp_index *index, uint32_t num_blocks);

/* The chain of a hash, of so many. */
/*@ requires buckets: 0 < buckets;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures bucket: \result == Bucket(hash, buckets);
    ensures range: \result < buckets;
*/
uint32_t kvp_index_bucket(uint64_t hash, uint32_t buckets);

/* The block that the hash maps to, or KVP_NONE. */
/*@ requires valid: \valid_read(index);
    requires index: Index(*index);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures sound: \result != KVP_NONE ==> \result < index->chains.num_nodes &&
      Mapped(*index, \result) && index->hash[\result] == hash;
    ensures complete: \result == KVP_NONE ==>
      \forall integer i; 0 <= i < index->chains.num_nodes ==> Mapped(*index, i) ==>
        index->hash[i] != hash;
*/
uint32_t kvp_index_lookup(const struct kvp_index *index, uint64_t hash);

/* Maps a hash that maps to nothing to b, which nothing maps to. */
/*@ requires valid: \valid(index);
    requires index: Index(*index);
    requires block: b < index->chains.num_nodes && !Mapped(*index, b);
    requires fresh: \forall integer i; 0 <= i < index->chains.num_nodes ==> Mapped(*index, i) ==>
      index->hash[i] != hash;
    requires clock: index->chains.clock < UINT64_MAX;
    terminates \true;
    exits \false;
    assigns index->size, index->chains, index->hash[b];
    KVP_ENSURES_INDEX;
    ensures shape: IndexSameShape(\old(*index), *index);
    ensures clock: index->chains.clock == \old(index->chains.clock) + 1;
    ensures mapped: Mapped(*index, b) && index->hash[b] == hash;
    ensures rest: IndexRest(\old(*index), *index, b);
*/
void kvp_index_insert(struct kvp_index *index, uint64_t hash, uint32_t b);

/* Drops the entry that maps to b; its hash stays. */
/*@ requires valid: \valid(index);
    requires index: Index(*index);
    requires block: b < index->chains.num_nodes && Mapped(*index, b);
    terminates \true;
    exits \false;
    assigns index->size, index->chains;
    KVP_ENSURES_INDEX;
    ensures shape: IndexSameShape(\old(*index), *index);
    ensures clock: index->chains.clock == \old(index->chains.clock);
    ensures gone: !Mapped(*index, b);
    ensures rest: IndexRest(\old(*index), *index, b);
*/
void kvp_index_erase(struct kvp_index *index, uint32_t b);

/* Maps a hash to b, whatever it mapped to before. If another hash mapped to b, that entry
   goes and is reported. */
/*@ requires valid: \valid(index) && \valid(evicted) && \separated(index, evicted);
    requires index: Index(*index);
    requires block: b < index->chains.num_nodes;
    requires clock: index->chains.clock < UINT64_MAX;
    terminates \true;
    exits \false;
    assigns *index, *evicted;
    KVP_ENSURES_INDEX;
    ensures shape: IndexSameShape(\old(*index), *index);
    ensures mapped: Mapped(*index, b) && index->hash[b] == hash;
    ensures hashes: \forall integer i; 0 <= i < index->chains.num_nodes ==> i != b ==>
      index->hash[i] == \old(*index).hash[i];
    ensures others: \forall integer i; 0 <= i < index->chains.num_nodes ==> i != b ==>
      (Mapped(*index, i) <==> Mapped(\old(*index), i) && \old(*index).hash[i] != hash);
    ensures evicted: \old(index->hash[b]) != hash ==> Reports(\old(*index), b, *evicted);
    ensures same: \old(index->hash[b]) == hash ==> evicted->count == 0 && evicted->hash == 0;
*/
void kvp_index_map(struct kvp_index *index, uint64_t hash, uint32_t b,
                   struct kvp_evicted *evicted);

/* Drops the entry that maps to b, if there is one, and reports it; b's hash stays. */
/*@ requires valid: \valid(index) && \valid(evicted) && \separated(index, evicted);
    requires index: Index(*index);
    requires block: b < index->chains.num_nodes;
    terminates \true;
    exits \false;
    assigns *index, *evicted;
    KVP_ENSURES_INDEX;
    ensures shape: IndexSameShape(\old(*index), *index);
    ensures clock: index->chains.clock == \old(index->chains.clock);
    ensures gone: !Mapped(*index, b) && index->hash[b] == \old(index->hash[b]);
    ensures rest: IndexRest(\old(*index), *index, b);
    ensures evicted: Reports(\old(*index), b, *evicted);
*/
void kvp_index_unmap(struct kvp_index *index, uint32_t b, struct kvp_evicted *evicted);

/* `to`, which nothing maps to, takes the hash of `from`, and its entry if there is one. */
/*@ requires valid: \valid(index);
    requires index: Index(*index);
    requires from: from < index->chains.num_nodes;
    requires to: to < index->chains.num_nodes && to != from && !Mapped(*index, to);
    requires clock: index->chains.clock < UINT64_MAX;
    terminates \true;
    exits \false;
    assigns *index;
    KVP_ENSURES_INDEX;
    ensures shape: IndexSameShape(\old(*index), *index);
    ensures gone: !Mapped(*index, from);
    ensures moved: (Mapped(*index, to) <==> Mapped(\old(*index), from)) &&
      index->hash[to] == \old(index->hash[from]);
    ensures rest: \forall integer i; 0 <= i < index->chains.num_nodes ==> i != from ==> i != to ==>
      (Mapped(*index, i) <==> Mapped(\old(*index), i)) && index->hash[i] == \old(*index).hash[i];
*/
void kvp_index_move(struct kvp_index *index, uint32_t from, uint32_t to);

/* Drops every entry; the hashes stay. */
/*@ requires valid: \valid(index);
    requires index: Index(*index);
    terminates \true;
    exits \false;
    assigns index->size, index->chains;
    KVP_ENSURES_INDEX;
    ensures shape: IndexSameShape(\old(*index), *index);
    ensures zero: index->size == 0;
    ensures empty: \forall integer i; 0 <= i < index->chains.num_nodes ==> !Mapped(*index, i);
*/
void kvp_index_clear(struct kvp_index *index);

#endif
