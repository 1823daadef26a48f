/* SPDX-License-Identifier: Apache-2.0 */
/* Handles: each is a number that a slot gives out once, and stands for a block until it is given
   up. A block may have many. All but init and all_out are O(1). */
#ifndef KVP_REGISTRY_HANDLES_H
#define KVP_REGISTRY_HANDLES_H

#include <kvpool/registry_layout.h>

#ifdef __FRAMAC__
#include "spec/logic/handles.h"
#endif

/* None is out; the slots are ready, the lowest first. */
/*@ requires valid: \valid(handles);
    requires sizes: num_slots <= KVP_CAPACITY && num_blocks <= KVP_CAPACITY;
    terminates \true;
    exits \false;
    assigns *handles;
    KVP_ENSURES_HANDLES;
    ensures sizes: handles->num_slots == num_slots && handles->num_blocks == num_blocks;
    ensures tag: handles->tag == tag;
    ensures counts: handles->num_out == 0 && handles->num_ready == num_slots;
    ensures usable: \forall integer s; 0 <= s < num_slots ==>
      Usable(*handles, s) && handles->generation[s] == 0;
    ensures order: \forall integer s; 0 <= s < num_slots ==> handles->ready.stamp[s] == s;
    ensures clock: handles->ready.clock == num_slots;
    ensures none: \forall integer b; 0 <= b < num_blocks ==> handles->shares[b] == 0;
*/
void kvp_handles_init(struct kvp_handles *handles, uint32_t num_slots, uint32_t num_blocks,
                      uint8_t tag);

/* The slot of a handle that is out, or KVP_NONE. */
/*@ requires valid: \valid_read(handles);
    requires handles: Handles(*handles);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures out: \result != KVP_NONE <==> IsOut(*handles, handle);
    ensures slot: \result != KVP_NONE ==>
      \result < handles->num_slots && \result == SlotOf(handle) && Out(*handles, \result) &&
      HandleOf(*handles, \result) == handle;
    ensures none: \result == KVP_NONE ==>
      \forall integer s; 0 <= s < handles->num_slots ==> Out(*handles, s) ==>
        HandleOf(*handles, s) != handle;
*/
uint32_t kvp_handles_find(const struct kvp_handles *handles, uint64_t handle);

/* Whether each handle of a list is out and none stands there twice: 1 or 0. What `seen` held does
   not matter. O(count). */
/*@ requires valid: \valid_read(handles) && \valid(seen);
    requires list: count > 0 ==> \valid_read(list + (0 .. count - 1));
    requires apart: \separated(handles, seen, list + (0 .. count - 1));
    requires handles: Handles(*handles);
    terminates \true;
    exits \false;
    assigns seen->place[0 .. handles->num_slots - 1];
    ensures truth: \result == 0 || \result == 1;
    ensures out: \result == 1 ==>
      \forall integer i; 0 <= i < count ==> IsOut(*handles, list[i]);
    ensures distinct: \result == 1 ==>
      \forall integer i, j; 0 <= i < j < count ==> list[i] != list[j];
    ensures fault: \result == 0 ==>
      (\exists integer i; 0 <= i < count && !IsOut(*handles, list[i])) ||
      (\exists integer i, j; 0 <= i < j < count && list[i] == list[j]);
*/
int kvp_handles_all_out(const struct kvp_handles *handles, struct kvp_seen *seen,
                        const uint64_t *list, uint32_t count);

/* The handle that is out in a slot; never 0. */
/*@ requires valid: \valid_read(handles);
    requires handles: Handles(*handles);
    requires slot: slot < handles->num_slots && Out(*handles, slot);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures handle: \result == HandleOf(*handles, slot);
    ensures some: \result != 0;
    ensures slot: SlotOf(\result) == slot && IsOut(*handles, \result);
*/
uint64_t kvp_handles_of(const struct kvp_handles *handles, uint32_t slot);

/* A new handle for a block, in the slot that has been ready for longest, which is returned. It can
   be regranted once. */
/*@ requires valid: \valid(handles);
    requires handles: Handles(*handles);
    requires ready: 0 < handles->num_ready;
    requires block: block < handles->num_blocks;
    terminates \true;
    exits \false;
    assigns handles->num_out, handles->num_ready, handles->block[0 .. handles->num_slots - 1],
            handles->generation[0 .. handles->num_slots - 1],
            handles->shares[0 .. handles->num_blocks - 1], handles->ready;
    KVP_ENSURES_HANDLES;
    ensures same: HandlesSame(\old(*handles), *handles);
    ensures slot: \result < handles->num_slots;
    ensures usable: Usable(\old(*handles), \result);
    ensures oldest: \forall integer s; 0 <= s < handles->num_slots ==>
      Usable(\old(*handles), s) ==> s != \result ==>
        \old(handles->ready).stamp[\result] < \old(handles->ready).stamp[s];
    ensures out: handles->block[\result] == block;
    ensures generation: handles->generation[\result] == \old(*handles).generation[\result] + 1;
    ensures regrant: handles->generation[\result] < UINT32_MAX;
    ensures moved: SharesMoved(\old(*handles), *handles, KVP_NONE, block);
    ensures counts: handles->num_out == \old(handles->num_out) + 1 &&
      handles->num_ready == \old(handles->num_ready) - 1;
    ensures clock: handles->ready.clock == \old(handles->ready.clock);
    ensures rest: HandlesRest(\old(*handles), *handles, \result);
*/
uint32_t kvp_handles_grant(struct kvp_handles *handles, uint32_t block);

/* The handle that is out in a slot is gone; one of the next generation stands for `block`, the
   same or another. */
/*@ requires valid: \valid(handles);
    requires handles: Handles(*handles);
    requires slot: slot < handles->num_slots && Out(*handles, slot);
    requires generation: handles->generation[slot] < UINT32_MAX;
    requires block: block < handles->num_blocks;
    terminates \true;
    exits \false;
    assigns handles->num_out, handles->block[slot], handles->generation[slot],
            handles->shares[0 .. handles->num_blocks - 1];
    KVP_ENSURES_HANDLES;
    ensures same: HandlesSame(\old(*handles), *handles);
    ensures out: handles->block[slot] == block;
    ensures generation: handles->generation[slot] == \old(handles->generation[slot]) + 1;
    ensures moved: SharesMoved(\old(*handles), *handles, \old(handles->block[slot]), block);
    ensures counts: handles->num_out == \old(handles->num_out);
    ensures rest: HandlesRest(\old(*handles), *handles, slot);
*/
void kvp_handles_regrant(struct kvp_handles *handles, uint32_t slot, uint32_t block);

/* The handle that is out in a slot is gone; the slot is ready again, behind all others, unless its
   generations are used up. */
/*@ requires valid: \valid(handles);
    requires handles: Handles(*handles);
    requires slot: slot < handles->num_slots && Out(*handles, slot);
    requires clock: handles->ready.clock < UINT64_MAX;
    terminates \true;
    exits \false;
    assigns handles->num_out, handles->num_ready, handles->ready, handles->block[slot],
            handles->generation[slot], handles->shares[0 .. handles->num_blocks - 1];
    KVP_ENSURES_HANDLES;
    ensures same: HandlesSame(\old(*handles), *handles);
    ensures gone: !Out(*handles, slot);
    ensures generation: handles->generation[slot] == \old(handles->generation[slot]);
    ensures usable: Usable(*handles, slot) <==> handles->generation[slot] < UINT32_MAX - 1;
    ensures last: Usable(*handles, slot) ==>
      handles->ready.stamp[slot] == \old(handles->ready.clock) &&
      handles->ready.clock == \old(handles->ready.clock) + 1 &&
      handles->num_ready == \old(handles->num_ready) + 1;
    ensures worn: !Usable(*handles, slot) ==>
      handles->ready.clock == \old(handles->ready.clock) &&
      handles->num_ready == \old(handles->num_ready);
    ensures moved: SharesMoved(\old(*handles), *handles, \old(handles->block[slot]), KVP_NONE);
    ensures out: handles->num_out == \old(handles->num_out) - 1;
    ensures rest: HandlesRest(\old(*handles), *handles, slot);
*/
void kvp_handles_give_up(struct kvp_handles *handles, uint32_t slot);

#endif
