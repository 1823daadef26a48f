/* SPDX-License-Identifier: Apache-2.0 */
/* Logic: handles that are handed out, kept, given up. */
#ifndef KVP_LOGIC_GRANTS_H
#define KVP_LOGIC_GRANTS_H

#include "spec/logic/handles.h"

/*@
// A grant says which handle is out in slot s, and its block.
predicate GrantIs(struct kvp_handles h, struct kvp_grant g, integer s, integer kind) =
  0 <= s < h.num_slots && Out(h, s) && g.handle == HandleOf(h, s) && SlotOf(g.handle) == s &&
  g.handle != 0 && g.block == h.block[s] && g.kind == kind;

// grants[k] says which handle is out in some slot, and its block.
predicate GrantOut{L}(struct kvp_handles h, struct kvp_grant *grants, integer k) =
  \let handle = \at(grants[k].handle, L);
  0 <= SlotOf(handle) < h.num_slots && Out(h, SlotOf(handle)) &&
  handle == HandleOf(h, SlotOf(handle)) && \at(grants[k].block, L) == h.block[SlotOf(handle)];

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
*/

#endif
