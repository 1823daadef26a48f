/* SPDX-License-Identifier: Apache-2.0 */
/* The list's append, under its own contract, without the link from the node before.
   Must stay unproved: typed_ref_kvp_lists_append_ensures_nexts */
#include "src/pool/lists.h"

void kvp_lists_append(struct kvp_lists *lists, uint32_t q, uint32_t b)
{
  uint32_t last = lists->tail[q];
  lists->next[b] = KVP_NONE;
  lists->prev[b] = last;
  lists->list[b] = q;
  lists->stamp[b] = lists->clock;
  lists->clock = lists->clock + 1;
  lists->tail[q] = b;
  if (last == KVP_NONE)
    lists->head[q] = b;
}
