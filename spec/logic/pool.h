/* SPDX-License-Identifier: Apache-2.0 */
/* Logic: the pool's classes, its invariant, and what an operation leaves as it was. */
#ifndef KVP_LOGIC_POOL_H
#define KVP_LOGIC_POOL_H

#include "spec/logic/classes.h"
#include "spec/logic/idset.h"
#include "spec/logic/index.h"
#include "spec/logic/lists.h"
#include "spec/logic/tokens.h"

/*@
// The class of an id. One value, so an id is in exactly one class.
predicate Vacant(struct kvp_pool p, integer i) = p.classes.state[i] == KVP_VACANT;
predicate Cached(struct kvp_pool p, integer i) = p.classes.state[i] == KVP_CACHED;
predicate Used(struct kvp_pool p, integer i) = p.classes.state[i] == KVP_USED;
predicate Reserved(struct kvp_pool p, integer i) = p.classes.state[i] == KVP_RESERVED;
predicate Unit(struct kvp_pool p, integer i) = p.classes.state[i] == KVP_UNIT;
predicate Retired(struct kvp_pool p, integer i) = p.classes.state[i] == KVP_RETIRED;
predicate Free(struct kvp_pool p, integer i) = Vacant(p, i) || Cached(p, i);
predicate Held(struct kvp_pool p, integer i) = Used(p, i) || Unit(p, i);

predicate Indexed(struct kvp_pool p, integer i) = Mapped(p.index, i);

// The invariant, clause by clause (I1 to I5 of the semantics).
predicate PoolShape(struct kvp_pool p) =
  p.num_blocks <= p.max_blocks <= KVP_CAPACITY && p.classes.num_ids == p.max_blocks &&
  p.max_blocks <= 64 * p.vacant.words0 && p.cached.num_nodes == p.max_blocks &&
  p.cached.num_lists == 1 && p.index.chains.num_nodes == p.max_blocks;
predicate PoolClasses(struct kvp_pool p) =
  Classes(p.classes) && p.classes.count[KVP_RETIRED] == p.max_blocks - p.num_blocks;
predicate PoolRetired(struct kvp_pool p) =
  \forall integer i; 0 <= i < p.max_blocks ==> (Retired(p, i) <==> p.num_blocks <= i);
predicate PoolVacant(struct kvp_pool p) =
  Idset(p.vacant) &&
  (\forall integer i; 0 <= i < p.max_blocks ==> (In(p.vacant, i) <==> Vacant(p, i))) &&
  (\forall integer i; p.max_blocks <= i < 64 * p.vacant.words0 ==> !In(p.vacant, i));
predicate PoolCached(struct kvp_pool p) =
  Lists(p.cached) &&
  \forall integer i; 0 <= i < p.max_blocks ==> (Listed(p.cached, i) <==> Cached(p, i));
predicate PoolHolders(struct kvp_pool p) =
  \forall integer i; 0 <= i < p.max_blocks ==>
    (p.ref_count[i] > 0 <==> Held(p, i)) && (Unit(p, i) ==> p.ref_count[i] == 1);
predicate PoolContent(struct kvp_pool p) =
  \forall integer i; 0 <= i < p.max_blocks ==>
    p.has_hash[i] <= 1 && p.length[i] <= p.block_size &&
    (p.has_hash[i] == 0 ==> p.length[i] == 0) && (Cached(p, i) ==> p.has_hash[i] == 1) &&
    (Vacant(p, i) || Unit(p, i) || Retired(p, i) ==> p.has_hash[i] == 0);
predicate PoolIndex(struct kvp_pool p) =
  Index(p.index) &&
  \forall integer i; 0 <= i < p.max_blocks ==> Indexed(p, i) ==> p.has_hash[i] == 1;

// a goes before b: vacant before cached, lower before higher, longer free before shorter.
predicate Precedes(struct kvp_pool p, integer a, integer b) =
  (Vacant(p, a) && (Vacant(p, b) ==> a < b)) ||
  (Cached(p, a) && Cached(p, b) && p.cached.stamp[a] < p.cached.stamp[b]);
// The free block that goes next.
predicate FirstFree(struct kvp_pool p, integer b) =
  0 <= b < p.num_blocks && Free(p, b) &&
  \forall integer i; 0 <= i < p.num_blocks ==> Free(p, i) ==> i != b ==> Precedes(p, b, i);
// Every other cached block was freed before b.
predicate Newest(struct kvp_pool p, integer b) =
  \forall integer i; 0 <= i < p.num_blocks ==> Cached(p, i) ==> i != b ==>
    p.cached.stamp[i] < p.cached.stamp[b];
// Block i was free and is not any more.
predicate Taken(struct kvp_pool o, struct kvp_pool p, integer i) =
  0 <= i < p.num_blocks && Free(o, i) && !Free(p, i);
predicate NoneFree(struct kvp_pool p) =
  \forall integer i; 0 <= i < p.num_blocks ==> !Free(p, i);

// Block i carries what it carried: hash, number of tokens, index entry.
predicate SameContent(struct kvp_pool o, struct kvp_pool p, integer i) =
  p.has_hash[i] == o.has_hash[i] && p.index.hash[i] == o.index.hash[i] &&
  p.length[i] == o.length[i] && (Indexed(p, i) <==> Indexed(o, i));
predicate NoContent(struct kvp_pool p, integer i) =
  p.has_hash[i] == 0 && p.length[i] == 0 && !Indexed(p, i);
*/

/* Nothing about block i changed but, perhaps, whether the index maps to it. A macro: spelled
   out below, so that the provers find instances by the fields and not only by a name. */
#define KVP_KEPT_STATE(o, p, i)                                                                \
  (p.classes.state[i] == o.classes.state[i] && p.ref_count[i] == o.ref_count[i] &&             \
   p.cached.stamp[i] == o.cached.stamp[i] && p.unit_owner[i] == o.unit_owner[i] &&             \
   p.unit_first[i] == o.unit_first[i] && p.unit_left[i] == o.unit_left[i] &&                   \
   p.has_hash[i] == o.has_hash[i] && p.index.hash[i] == o.index.hash[i] &&                     \
   p.length[i] == o.length[i])
#define KVP_KEPT(o, p, i)                                                                      \
  (KVP_KEPT_STATE(o, p, i) &&                                                                  \
   (p.index.chains.list[i] != KVP_NONE <==> o.index.chains.list[i] != KVP_NONE))

/*@
// Nothing about block i changed: class, holders, place in the order of release, content.
predicate Kept(struct kvp_pool o, struct kvp_pool p, integer i) = KVP_KEPT(o, p, i);
// Every block that is in the pool before and after is kept, save b.
predicate Rest(struct kvp_pool o, struct kvp_pool p, integer b) =
  \forall integer i; 0 <= i < o.num_blocks ==> i < p.num_blocks ==> i != b ==>
    KVP_KEPT(o, p, i);
lemma RestTransitive: \forall struct kvp_pool a, m, c; \forall integer b;
  c.num_blocks <= m.num_blocks ==> Rest(a, m, b) ==> Rest(m, c, b) ==> Rest(a, c, b);
*/

/* What clear_index does to block i; a macro for the same reason. */
#define KVP_CLEARED(o, p, i)                                                                   \
  ((Held(o, i) ==> KVP_KEPT_STATE(o, p, i)) &&                                                 \
   (Free(o, i) ==> p.classes.state[i] == KVP_VACANT) &&                                        \
   (Reserved(o, i) ==> p.classes.state[i] == KVP_RESERVED) &&                                  \
   (!Held(o, i) ==> p.has_hash[i] == 0 && p.length[i] == 0) &&                                 \
   p.index.chains.list[i] == KVP_NONE)

/*@
predicate Cleared(struct kvp_pool o, struct kvp_pool p, integer i) = KVP_CLEARED(o, p, i);

// Block b holds exactly the n tokens from tokens[from] on.
predicate Carries{L}(struct kvp_pool p, integer b, uint32_t *tokens, integer from, integer n) =
  p.length[b] == n &&
  \forall integer k; Row(b, p.block_size) <= k < Row(b, p.block_size) + n ==>
    \at(p.plane[k], L) == \at(tokens[k - Row(b, p.block_size) + from], L);
// The index maps the hash to a block that holds exactly these tokens.
predicate Matches{L}(struct kvp_pool p, integer h, uint32_t *tokens, integer from, integer n) =
  \exists integer b; 0 <= b < p.num_blocks && Indexed(p, b) && p.index.hash[b] == h &&
    Carries{L}(p, b, tokens, from, n);

// units[0 .. n) are the n units of one reservation, in its order.
predicate Reservation{L}(struct kvp_pool p, struct kvp_unit *units, integer n, integer owner) =
  \forall integer k; 0 <= k < n ==>
    \let b = \at(units[k].block, L);
    0 <= b < p.num_blocks && Unit(p, b) && p.unit_owner[b] == owner &&
    p.unit_first[b] == \at(units[0].block, L) && p.unit_left[b] == n - 1 - k;
// Block i is none of units[0 .. n).
predicate NoUnit{L}(struct kvp_unit *units, integer n, integer i) =
  \forall integer k; 0 <= k < n ==> \at(units[k].block, L) != i;

// A result that answers nothing but a status.
predicate Bare(struct kvp_result r) =
  r.block == KVP_NONE && r.moved_to == KVP_NONE && r.count == 0 && r.evicted.count == 0 &&
  r.evicted.hash == 0;

// What unit k reports: the index entry its block had.
predicate UnitEvicts{L}(struct kvp_pool o, struct kvp_unit *units, integer k) =
  \let b = \at(units[k].block, L);
  (Indexed(o, b) ==> \at(units[k].evicted.count, L) == 1 &&
    \at(units[k].evicted.hash, L) == o.index.hash[b]) &&
  (!Indexed(o, b) ==> \at(units[k].evicted.count, L) == 0 &&
    \at(units[k].evicted.hash, L) == 0);

// What an eviction reports: the index entry of block b, if it had one.
predicate Evicts(struct kvp_pool o, integer b, struct kvp_evicted e) = Reports(o.index, b, e);
*/

#define KVP_POOL(K)                                                                            \
  K shape: PoolShape(*pool);                                                                   \
  K classes: PoolClasses(*pool);                                                               \
  K retired: PoolRetired(*pool);                                                               \
  K vacant: PoolVacant(*pool);                                                                 \
  K cached: PoolCached(*pool);                                                                 \
  K holders: PoolHolders(*pool);                                                               \
  K content: PoolContent(*pool);                                                               \
  K index: PoolIndex(*pool)

#define KVP_REQUIRES_POOL requires valid: \valid(pool); KVP_POOL(requires)
#define KVP_ENSURES_POOL KVP_POOL(ensures)

/* The plane's memory, apart from the pool's. */
#define KVP_PLANE pool->plane + (0 .. Row(pool->max_blocks, pool->block_size) - 1)
#define KVP_REQUIRES_PLANE                                                                     \
  requires plane: 0 < Row(pool->max_blocks, pool->block_size) ==> \valid(KVP_PLANE);           \
  requires plane_apart: \separated(pool, KVP_PLANE)

#endif
