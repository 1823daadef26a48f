/* SPDX-License-Identifier: Apache-2.0 */
/* Logic: handles. A slot has one handle out at a time, which stands for a block; how many stand
   for each block is counted. */
#ifndef KVP_LOGIC_HANDLES_H
#define KVP_LOGIC_HANDLES_H

#include <kvpool/registry_layout.h>

#include "spec/logic/index.h"

/*@
predicate Out(struct kvp_handles h, integer s) = h.block[s] != KVP_NONE;

// Slot s can give out a handle: generations end at UINT32_MAX, and the last one is for a regrant.
predicate Usable(struct kvp_handles h, integer s) =
  h.block[s] == KVP_NONE && h.generation[s] < UINT32_MAX - 1;

// The handle that slot s gave out last, and the slot that a handle is of.
logic integer HandleOf(struct kvp_handles h, integer s) =
  (h.tag * 4294967296 + h.generation[s]) * KVP_HANDLE_SLOTS + s;
logic integer SlotOf(integer handle) = handle % KVP_HANDLE_SLOTS;
predicate IsOut(struct kvp_handles h, integer handle) =
  SlotOf(handle) < h.num_slots && Out(h, SlotOf(handle)) && HandleOf(h, SlotOf(handle)) == handle;

// How many of the first n slots stand for block b; for KVP_NONE: have no handle out.
logic integer ShareCount(struct kvp_handles h, integer b, integer n) =
  n <= 0 ? 0 : ShareCount(h, b, n - 1) + (h.block[n - 1] == b ? 1 : 0);

predicate HandlesShape(struct kvp_handles h) =
  h.num_slots <= KVP_CAPACITY && h.num_blocks <= KVP_CAPACITY &&
  h.ready.num_nodes == h.num_slots && h.ready.num_lists == 1;
predicate HandlesKnown(struct kvp_handles h) =
  \forall integer s; 0 <= s < h.num_slots ==> Out(h, s) ==>
    h.block[s] < h.num_blocks && 1 <= h.shares[h.block[s]] && 1 <= h.generation[s];
// Where a block has one share, one slot stands for it.
predicate HandlesShared(struct kvp_handles h) =
  \forall integer s, t; 0 <= s < t < h.num_slots ==> Out(h, s) ==> h.block[s] == h.block[t] ==>
    2 <= h.shares[h.block[s]];
predicate HandlesReady(struct kvp_handles h) =
  \forall integer s; 0 <= s < h.num_slots ==> (Listed(h.ready, s) <==> Usable(h, s));
predicate HandlesShares(struct kvp_handles h) =
  \forall integer b; 0 <= b < h.num_blocks ==> h.shares[b] == ShareCount(h, b, h.num_slots);
predicate HandlesCounted(struct kvp_handles h) =
  h.num_out == h.num_slots - ShareCount(h, KVP_NONE, h.num_slots) &&
  h.num_ready == MappedCount(h.ready, h.num_slots);

predicate Handles(struct kvp_handles h) =
  HandlesShape(h) && Lists(h.ready) && HandlesKnown(h) && HandlesShared(h) && HandlesReady(h) &&
  HandlesShares(h) && HandlesCounted(h);

predicate HandlesSame(struct kvp_handles o, struct kvp_handles h) =
  h.num_slots == o.num_slots && h.num_blocks == o.num_blocks && h.tag == o.tag;

// Every slot but s has the block and the generation it had, and its place among the ready ones.
predicate HandlesRest(struct kvp_handles o, struct kvp_handles h, integer s) =
  \forall integer i; 0 <= i < o.num_slots ==> i != s ==>
    h.block[i] == o.block[i] && h.generation[i] == o.generation[i] &&
    h.ready.list[i] == o.ready.list[i] && h.ready.stamp[i] == o.ready.stamp[i];

// One share went from block f to block t, either of which may be KVP_NONE.
predicate SharesMoved(struct kvp_handles o, struct kvp_handles h, integer f, integer t) =
  \forall integer b; 0 <= b < o.num_blocks ==>
    h.shares[b] == o.shares[b] - (b == f ? 1 : 0) + (b == t ? 1 : 0);
*/

/* The invariant clause by clause: as one it is too large a goal. */
#define KVP_ENSURES_HANDLES                                                                    \
  ensures shape: HandlesShape(*handles);                                                       \
  ensures lists: Lists(handles->ready);                                                        \
  ensures known: HandlesKnown(*handles);                                                       \
  ensures shared: HandlesShared(*handles);                                                     \
  ensures ready: HandlesReady(*handles);                                                       \
  ensures shares: HandlesShares(*handles);                                                     \
  ensures counted: HandlesCounted(*handles)

#endif
