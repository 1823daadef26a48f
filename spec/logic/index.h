/* SPDX-License-Identifier: Apache-2.0 */
/* Logic: the partial map from hash to block. */
#ifndef KVP_LOGIC_INDEX_H
#define KVP_LOGIC_INDEX_H

#include "spec/logic/lists.h"

/*@
// The index maps the hash of block i to block i.
predicate Mapped(struct kvp_index x, integer i) = Listed(x.chains, i);

// How many of the first n blocks are mapped to.
logic integer MappedCount(struct kvp_lists chains, integer n) =
  n <= 0 ? 0 : MappedCount(chains, n - 1) + (chains.list[n - 1] != KVP_NONE ? 1 : 0);

logic integer Bucket(integer h, integer buckets) = h % buckets;

predicate IndexBuckets(struct kvp_index x) =
  \forall integer i; 0 <= i < x.chains.num_nodes ==> Mapped(x, i) ==>
    x.chains.list[i] == Bucket(x.hash[i], x.chains.num_lists);
// At most one block a hash: with lookup's contract, a partial map.
predicate IndexUnique(struct kvp_index x) =
  \forall integer i, j; 0 <= i < x.chains.num_nodes ==> 0 <= j < x.chains.num_nodes ==>
    Mapped(x, i) ==> Mapped(x, j) ==> x.hash[i] == x.hash[j] ==> i == j;
predicate IndexSize(struct kvp_index x) = x.size == MappedCount(x.chains, x.chains.num_nodes);

predicate Index(struct kvp_index x) =
  Lists(x.chains) && IndexBuckets(x) && IndexUnique(x) && IndexSize(x);

predicate IndexSameShape(struct kvp_index o, struct kvp_index x) =
  x.chains.num_nodes == o.chains.num_nodes && x.chains.num_lists == o.chains.num_lists;

predicate IndexRest(struct kvp_index o, struct kvp_index x, integer b) =
  \forall integer i; 0 <= i < o.chains.num_nodes ==> i != b ==>
    (Mapped(x, i) <==> Mapped(o, i)) && x.hash[i] == o.hash[i];

// What an eviction reports: the entry that mapped to b, if there was one.
predicate Reports(struct kvp_index o, integer b, struct kvp_evicted e) =
  (Mapped(o, b) ==> e.count == 1 && e.hash == o.hash[b]) &&
  (!Mapped(o, b) ==> e.count == 0 && e.hash == 0);
*/

#define KVP_ENSURES_INDEX                                                                      \
  ensures chains: Lists(index->chains);                                                        \
  ensures buckets: IndexBuckets(*index);                                                       \
  ensures unique: IndexUnique(*index);                                                         \
  ensures size: IndexSize(*index)

#endif
