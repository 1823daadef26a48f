/* SPDX-License-Identifier: Apache-2.0 */
/* Stamped lists. */
#include "src/pool/lists.h"

void kvp_lists_init(struct kvp_lists *lists, uint32_t num_nodes, uint32_t num_lists)
{
  lists->num_nodes = num_nodes;
  lists->num_lists = num_lists;
  lists->clock = 0;
  /*@ loop invariant range: 0 <= q <= num_lists;
      loop invariant heads: \forall integer k; 0 <= k < q ==> lists->head[k] == KVP_NONE;
      loop invariant tails: \forall integer k; 0 <= k < q ==> lists->tail[k] == KVP_NONE;
      loop assigns q, lists->head[0 .. num_lists - 1], lists->tail[0 .. num_lists - 1];
      loop variant num_lists - q; */
  for (uint32_t q = 0; q < num_lists; q++) {
    lists->head[q] = KVP_NONE;
    lists->tail[q] = KVP_NONE;
  }
  /*@ loop invariant range: 0 <= i <= num_nodes;
      loop invariant none: \forall integer k; 0 <= k < i ==> lists->list[k] == KVP_NONE;
      loop assigns i, lists->list[0 .. num_nodes - 1];
      loop variant num_nodes - i; */
  for (uint32_t i = 0; i < num_nodes; i++)
    lists->list[i] = KVP_NONE;
}

void kvp_lists_append(struct kvp_lists *lists, uint32_t q, uint32_t b)
{
  uint32_t last = lists->tail[q];
  /*@ assert newest: \forall integer j; 0 <= j < lists->num_nodes ==> lists->list[j] == q ==>
        last != KVP_NONE && lists->stamp[j] <= lists->stamp[last] &&
        (j != last ==> lists->next[j] != KVP_NONE && lists->next[j] != b); */
  /*@ assert older: \forall integer j; 0 <= j < lists->num_nodes ==> Listed(*lists, j) ==>
        lists->stamp[j] < lists->clock && lists->next[j] != b; */
  lists->next[b] = KVP_NONE;
  lists->prev[b] = last;
  lists->list[b] = q;
  lists->stamp[b] = lists->clock;
  lists->clock = lists->clock + 1;
  lists->tail[q] = b;
  if (last == KVP_NONE) {
    lists->head[q] = b;
  } else {
    //@ assert ends: ListsEnds(*lists);
    lists->next[last] = b;
  }
}

void kvp_lists_remove(struct kvp_lists *lists, uint32_t b)
{
  uint32_t q = lists->list[b], before = lists->prev[b], after = lists->next[b];
  if (before == KVP_NONE)
    lists->head[q] = after;
  else
    lists->next[before] = after;
  if (after == KVP_NONE)
    lists->tail[q] = before;
  else
    lists->prev[after] = before;
  lists->list[b] = KVP_NONE;
}

uint32_t kvp_lists_first(const struct kvp_lists *lists, uint32_t q)
{
  return lists->head[q];
}

uint32_t kvp_lists_next(const struct kvp_lists *lists, uint32_t b)
{
  return lists->next[b];
}
