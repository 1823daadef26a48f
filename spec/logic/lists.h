/* SPDX-License-Identifier: Apache-2.0 */
/* Logic: stamped lists. What the order of a list is, without induction: stamps grow along
   `next`, and between two nodes of a list the successor of the older is not past the newer. */
#ifndef KVP_LOGIC_LISTS_H
#define KVP_LOGIC_LISTS_H

#include <kvpool/layout.h>

/*@
predicate ListsShape(struct kvp_lists l) =
  l.num_nodes <= KVP_CAPACITY && 0 < l.num_lists <= KVP_CAPACITY;

predicate Listed(struct kvp_lists l, integer i) = l.list[i] != KVP_NONE;

predicate ListsKnown(struct kvp_lists l) =
  \forall integer i; 0 <= i < l.num_nodes ==> Listed(l, i) ==> l.list[i] < l.num_lists;

predicate ListsHeads(struct kvp_lists l) =
  \forall integer q; 0 <= q < l.num_lists ==> l.head[q] != KVP_NONE ==>
    l.head[q] < l.num_nodes && l.list[l.head[q]] == q &&
    l.prev[l.head[q]] == KVP_NONE && l.tail[q] != KVP_NONE;

predicate ListsTails(struct kvp_lists l) =
  \forall integer q; 0 <= q < l.num_lists ==> l.tail[q] != KVP_NONE ==>
    l.tail[q] < l.num_nodes && l.list[l.tail[q]] == q &&
    l.next[l.tail[q]] == KVP_NONE && l.head[q] != KVP_NONE;

predicate ListsNexts(struct kvp_lists l) =
  \forall integer i; 0 <= i < l.num_nodes ==> Listed(l, i) ==>
    (l.next[i] == KVP_NONE ==> l.tail[l.list[i]] == i) &&
    (l.next[i] != KVP_NONE ==>
      l.next[i] < l.num_nodes && l.list[l.next[i]] == l.list[i] &&
      l.prev[l.next[i]] == i && l.stamp[i] < l.stamp[l.next[i]]);

predicate ListsPrevs(struct kvp_lists l) =
  \forall integer i; 0 <= i < l.num_nodes ==> Listed(l, i) ==>
    (l.prev[i] == KVP_NONE ==> l.head[l.list[i]] == i) &&
    (l.prev[i] != KVP_NONE ==>
      l.prev[i] < l.num_nodes && l.list[l.prev[i]] == l.list[i] &&
      l.next[l.prev[i]] == i && l.stamp[l.prev[i]] < l.stamp[i]);

predicate ListsAdjacent(struct kvp_lists l) =
  \forall integer i, j; 0 <= i < l.num_nodes ==> 0 <= j < l.num_nodes ==>
    Listed(l, i) ==> l.list[i] == l.list[j] ==> l.stamp[i] < l.stamp[j] ==>
    l.next[i] != KVP_NONE && l.stamp[l.next[i]] <= l.stamp[j];

predicate ListsDistinct(struct kvp_lists l) =
  \forall integer i, j; 0 <= i < l.num_nodes ==> 0 <= j < l.num_nodes ==>
    Listed(l, i) ==> l.list[i] == l.list[j] ==> l.stamp[i] == l.stamp[j] ==> i == j;

predicate ListsEnds(struct kvp_lists l) =
  \forall integer i; 0 <= i < l.num_nodes ==> Listed(l, i) ==>
    l.head[l.list[i]] != KVP_NONE && l.stamp[l.head[l.list[i]]] <= l.stamp[i] &&
    l.tail[l.list[i]] != KVP_NONE && l.stamp[i] <= l.stamp[l.tail[l.list[i]]];

predicate ListsClock(struct kvp_lists l) =
  \forall integer i; 0 <= i < l.num_nodes ==> Listed(l, i) ==> l.stamp[i] < l.clock;

predicate Lists(struct kvp_lists l) =
  ListsShape(l) && ListsKnown(l) && ListsHeads(l) && ListsTails(l) && ListsNexts(l) &&
  ListsPrevs(l) && ListsAdjacent(l) && ListsDistinct(l) && ListsEnds(l) && ListsClock(l);

// Every node but b is where it was, with the stamp it had.
predicate ListsRest(struct kvp_lists o, struct kvp_lists l, integer b) =
  \forall integer i; 0 <= i < o.num_nodes ==> i != b ==>
    l.list[i] == o.list[i] && l.stamp[i] == o.stamp[i];
*/

/* The invariant clause by clause: as one it is too large a goal. */
#define KVP_ENSURES_LISTS                                                                      \
  ensures shape: ListsShape(*lists);                                                           \
  ensures known: ListsKnown(*lists);                                                           \
  ensures heads: ListsHeads(*lists);                                                           \
  ensures tails: ListsTails(*lists);                                                           \
  ensures nexts: ListsNexts(*lists);                                                           \
  ensures prevs: ListsPrevs(*lists);                                                           \
  ensures adjacent: ListsAdjacent(*lists);                                                     \
  ensures distinct: ListsDistinct(*lists);                                                     \
  ensures ends: ListsEnds(*lists);                                                             \
  ensures clock: ListsClock(*lists)

#endif
