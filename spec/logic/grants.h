/* SPDX-License-Identifier: Apache-2.0 */
/* Logic: handles that are handed out and kept, and the grants that say so. */
#ifndef KVP_LOGIC_GRANTS_H
#define KVP_LOGIC_GRANTS_H

#include "spec/logic/handles.h"

/*@
// A handle is out, and stands for a block: what a grant says.
predicate GrantIs(struct kvp_handles h, integer handle, integer block) =
  0 <= SlotOf(handle) < h.num_slots && h.block[SlotOf(handle)] == block &&
  0 <= block < h.num_blocks && block != KVP_NONE &&
  handle == HandleOf(h, SlotOf(handle)) && handle != 0;

// Slot s, which had been ready for longest, gave out a handle for block b; it can be regranted.
predicate Issued(struct kvp_handles o, struct kvp_handles h, integer s, integer b) =
  0 <= s < o.num_slots && Usable(o, s) && h.block[s] == b &&
  h.generation[s] == o.generation[s] + 1 && h.generation[s] < UINT32_MAX &&
  HandlesSame(o, h) && HandlesRest(o, h, s) &&
  \forall integer i; 0 <= i < o.num_slots ==> Usable(o, i) ==> i != s ==>
    o.ready.stamp[s] < o.ready.stamp[i];

// Each handle that was out still is, and stands for what it stood for.
predicate HandlesKept(struct kvp_handles o, struct kvp_handles h) =
  HandlesSame(o, h) &&
  \forall integer s; 0 <= s < o.num_slots ==> o.block[s] != KVP_NONE ==>
    h.block[s] == o.block[s] && h.generation[s] == o.generation[s];
lemma HandlesKeptTransitive: \forall struct kvp_handles a, b, c;
  HandlesKept(a, b) ==> HandlesKept(b, c) ==> HandlesKept(a, c);
lemma GrantKept: \forall struct kvp_handles o, h; \forall integer handle, block;
  HandlesKept(o, h) ==> GrantIs(o, handle, block) ==> GrantIs(h, handle, block);
// What is handed out is not out.
lemma IssuedNew: \forall struct kvp_handles o, h; \forall integer handle, block, new, b;
  Issued(o, h, SlotOf(new), b) ==> GrantIs(o, handle, block) ==> handle != new;
lemma KeptNew: \forall struct kvp_handles p, o, h; \forall integer s, b;
  HandlesKept(p, o) ==> Issued(o, h, s, b) ==> !Out(p, s);

// n handles more are out.
predicate HandedOut(struct kvp_handles o, struct kvp_handles h, integer n) =
  h.num_out == o.num_out + n && h.num_ready == o.num_ready - n;

// grants[0 .. n) are n handles that were not out, and what they stand for.
predicate NewGrants{L}(struct kvp_handles o, struct kvp_handles h, struct kvp_grant *grants,
                       integer n) =
  (\forall integer k; 0 <= k < n ==>
    GrantIs(h, \at(grants[k].handle, L), \at(grants[k].block, L)) &&
    \at(grants[k].kind, L) == KVP_GRANT_NEW && !Out(o, SlotOf(\at(grants[k].handle, L)))) &&
  (\forall integer j, k; 0 <= j < k < n ==>
    \at(grants[j].handle, L) != \at(grants[k].handle, L));
*/

#endif
