/* SPDX-License-Identifier: Apache-2.0 */
/* Logic: the eviction order, a tournament. Each inner node holds the id of one of its two children,
   and the one that goes first: what is true of each node and its children gives the whole. */
#ifndef KVP_LOGIC_ORDER_H
#define KVP_LOGIC_ORDER_H

#include <kvpool/registry_layout.h>

/*@
// Id a goes before id b: by priority, then by tick, then by id.
predicate Before(struct kvp_order o, integer a, integer b) =
  o.priority[a] < o.priority[b] ||
  (o.priority[a] == o.priority[b] &&
    (o.tick[a] < o.tick[b] || (o.tick[a] == o.tick[b] && a < b)));
// The same of what nodes hold: an id does not go after itself, and no id goes last.
predicate NotAfter(struct kvp_order o, integer a, integer b) =
  b == KVP_NONE || (a != KVP_NONE && (a == b || Before(o, a, b)));
lemma NotAfterTransitive: \forall struct kvp_order o; \forall integer a, b, c;
  NotAfter(o, a, b) ==> NotAfter(o, b, c) ==> NotAfter(o, a, c);

predicate Member(struct kvp_order o, integer i) = o.node[o.num_ids + i] == i;

predicate OrderShape(struct kvp_order o) =
  o.num_ids <= KVP_CAPACITY && (o.num_ids == 0 ==> o.node[1] == KVP_NONE);
predicate OrderKnown(struct kvp_order o) =
  \forall integer k; 1 <= k < 2 * o.num_ids ==> o.node[k] < o.num_ids || o.node[k] == KVP_NONE;
predicate OrderLeaves(struct kvp_order o) =
  \forall integer k; o.num_ids <= k < 2 * o.num_ids ==>
    o.node[k] == k - o.num_ids || o.node[k] == KVP_NONE;
// Inner node k holds what goes first of its children.
predicate Won(struct kvp_order o, integer k) =
  (o.node[k] == o.node[2 * k] || o.node[k] == o.node[2 * k + 1]) &&
  NotAfter(o, o.node[k], o.node[2 * k]) && NotAfter(o, o.node[k], o.node[2 * k + 1]);
predicate OrderWon(struct kvp_order o) =
  \forall integer k; 1 <= k < o.num_ids ==> Won(o, k);
predicate Order(struct kvp_order o) =
  OrderShape(o) && OrderKnown(o) && OrderLeaves(o) && OrderWon(o);

// No leaf but that of id b changed.
predicate OrderLeavesRest(struct kvp_order o, struct kvp_order n, integer b) =
  \forall integer k; o.num_ids <= k < 2 * o.num_ids ==> k != o.num_ids + b ==>
    n.node[k] == o.node[k];
// Every id but b is in the order or not as it was, under the key it had.
predicate OrderRest(struct kvp_order o, struct kvp_order n, integer b) =
  \forall integer i; 0 <= i < o.num_ids ==> i != b ==>
    (Member(n, i) <==> Member(o, i)) && n.priority[i] == o.priority[i] && n.tick[i] == o.tick[i];
*/

#define KVP_ENSURES_ORDER                                                                      \
  ensures shape: OrderShape(*order);                                                           \
  ensures known: OrderKnown(*order);                                                           \
  ensures leaves: OrderLeaves(*order);                                                         \
  ensures won: OrderWon(*order)

/* On the way up from the leaf of id, at node k: the path above and what is beside it are as they
   were, and all nodes below are right but, perhaps, the parent of k. */
#define KVP_INVARIANT_CLIMB                                                                    \
  loop invariant known: OrderKnown(*order);                                                    \
  loop invariant above: \forall integer m; 1 <= m < 2 * k ==> m != k ==>                       \
    order->node[m] == \at(*order, Pre).node[m];                                                \
  loop invariant below: \forall integer m; 1 <= m < order->num_ids ==>                         \
    2 * m != k ==> 2 * m + 1 != k ==> Won(*order, m)

#endif
