/* SPDX-License-Identifier: Apache-2.0 */
/* Handles. Three things change them: a slot leaves the ready ones, stands for another block, is
   ready again. */
#include "src/registry/handles.h"

#include "src/pool/lists.h"

/* All nodes in one list, the lowest first. */
/*@ requires valid: \valid(ready);
    requires nodes: num_nodes <= KVP_CAPACITY;
    terminates \true;
    exits \false;
    assigns *ready;
    ensures lists: Lists(*ready);
    ensures sizes: ready->num_nodes == num_nodes && ready->num_lists == 1;
    ensures listed: \forall integer i; 0 <= i < num_nodes ==>
      Listed(*ready, i) && ready->stamp[i] == i;
    ensures clock: ready->clock == num_nodes;
    ensures count: MappedCount(*ready, num_nodes) == num_nodes;
*/
static void line_up(struct kvp_lists *ready, uint32_t num_nodes)
{
  kvp_lists_init(ready, num_nodes, 1);
  /*@ loop invariant range: 0 <= i <= num_nodes;
      loop invariant lists: Lists(*ready);
      loop invariant sizes: ready->num_nodes == num_nodes && ready->num_lists == 1;
      loop invariant listed: \forall integer k; 0 <= k < i ==>
        Listed(*ready, k) && ready->stamp[k] == k;
      loop invariant others: \forall integer k; i <= k < num_nodes ==> !Listed(*ready, k);
      loop invariant clock: ready->clock == i;
      loop assigns i, *ready;
      loop variant num_nodes - i; */
  for (uint32_t i = 0; i < num_nodes; i++)
    kvp_lists_append(ready, 0, i);
  /*@ ghost
      /@ loop invariant range: 0 <= i <= num_nodes;
         loop invariant count: MappedCount(*ready, i) == i;
         loop assigns i;
         loop variant num_nodes - i; @/
      for (uint32_t i = 0; i < num_nodes; i++)
        ;
  */
}

void kvp_handles_init(struct kvp_handles *handles, uint32_t num_slots, uint32_t num_blocks,
                      uint8_t tag)
{
  handles->num_slots = num_slots;
  handles->num_blocks = num_blocks;
  handles->num_out = 0;
  handles->num_ready = num_slots;
  handles->tag = tag;
  line_up(&handles->ready, num_slots);
  /*@ loop invariant range: 0 <= s <= num_slots;
      loop invariant usable: \forall integer i; 0 <= i < s ==>
        handles->block[i] == KVP_NONE && handles->generation[i] == 0;
      loop assigns s, handles->block[0 .. num_slots - 1], handles->generation[0 .. num_slots - 1];
      loop variant num_slots - s; */
  for (uint32_t s = 0; s < num_slots; s++) {
    handles->block[s] = KVP_NONE;
    handles->generation[s] = 0;
  }
  /*@ loop invariant range: 0 <= b <= num_blocks;
      loop invariant none: \forall integer i; 0 <= i < b ==> handles->shares[i] == 0;
      loop assigns b, handles->shares[0 .. num_blocks - 1];
      loop variant num_blocks - b; */
  for (uint32_t b = 0; b < num_blocks; b++)
    handles->shares[b] = 0;
  /*@ ghost
      /@ loop invariant range: 0 <= i <= num_slots;
         loop invariant none: ShareCount(*handles, KVP_NONE, i) == i;
         loop invariant shares: \forall integer b; 0 <= b < num_blocks ==>
           ShareCount(*handles, b, i) == 0;
         loop assigns i;
         loop variant num_slots - i; @/
      for (uint32_t i = 0; i < num_slots; i++)
        ;
  */
}

uint32_t kvp_handles_find(const struct kvp_handles *handles, uint64_t handle)
{
  uint32_t slot = (uint32_t)(handle % KVP_HANDLE_SLOTS);
  if (slot >= handles->num_slots || handles->block[slot] == KVP_NONE
      || handle != KVP_HANDLE(handles->tag, handles->generation[slot], slot))
    return KVP_NONE;
  return slot;
}

int kvp_handles_all_out(const struct kvp_handles *handles, struct kvp_seen *seen,
                        const uint64_t *list, uint32_t count)
{
  /*@ loop invariant range: 0 <= i <= count;
      loop invariant out: \forall integer k; 0 <= k < i ==> IsOut(*handles, list[k]);
      loop invariant seen: \forall integer k; 0 <= k < i ==> seen->place[SlotOf(list[k])] == k;
      loop invariant distinct: \forall integer j, k; 0 <= j < k < i ==> list[j] != list[k];
      loop assigns i, seen->place[0 .. handles->num_slots - 1];
      loop variant count - i; */
  for (uint32_t i = 0; i < count; i++) {
    uint32_t slot = kvp_handles_find(handles, list[i]);
    if (slot == KVP_NONE)
      return 0;
    uint32_t before = seen->place[slot];
    if (before < i && list[before] == list[i])
      return 0;
    seen->place[slot] = i;
  }
  return 1;
}

uint64_t kvp_handles_of(const struct kvp_handles *handles, uint32_t slot)
{
  return KVP_HANDLE(handles->tag, handles->generation[slot], slot);
}

/* A slot stands for `block`, or, for KVP_NONE, for none, from now on, under this generation. */
/*@ requires valid: \valid(handles);
    requires sizes: handles->num_slots <= KVP_CAPACITY && handles->num_blocks <= KVP_CAPACITY;
    requires known: HandlesKnown(*handles);
    requires shared: HandlesShared(*handles);
    requires shares: HandlesShares(*handles);
    requires counted: HandlesCounted(*handles);
    requires slot: slot < handles->num_slots;
    requires block: block < handles->num_blocks ||
      (block == KVP_NONE && Out(*handles, slot));
    requires generation: block != KVP_NONE ==> 1 <= generation;
    terminates \true;
    exits \false;
    assigns handles->num_out, handles->block[slot], handles->generation[slot],
            handles->shares[0 .. handles->num_blocks - 1];
    ensures known: HandlesKnown(*handles);
    ensures shared: HandlesShared(*handles);
    ensures shares: HandlesShares(*handles);
    ensures counted: HandlesCounted(*handles);
    ensures block: handles->block[slot] == block;
    ensures generation: handles->generation[slot] == generation;
    ensures moved: SharesMoved(\old(*handles), *handles, \old(handles->block[slot]), block);
    ensures out: handles->num_out == \old(handles->num_out) +
      (block == KVP_NONE ? 0 : 1) - (\old(handles->block[slot]) == KVP_NONE ? 0 : 1);
*/
static inline void stand_for(struct kvp_handles *handles, uint32_t slot, uint32_t block,
                             uint32_t generation)
{
  uint32_t before = handles->block[slot];
  /*@ ghost
      /@ loop invariant range: 0 <= i <= handles->num_slots;
         loop invariant bounds: \forall integer b; 0 <= ShareCount(*handles, b, i) <= i;
         loop invariant member: slot < i ==> 1 <= ShareCount(*handles, before, i);
         loop invariant absent: slot < i ==> before != KVP_NONE ==>
           ShareCount(*handles, KVP_NONE, i) < i;
         loop assigns i;
         loop variant handles->num_slots - i; @/
      for (uint32_t i = 0; i < handles->num_slots; i++)
        ;
  */
  handles->block[slot] = block;
  handles->generation[slot] = generation;
  if (before == KVP_NONE)
    handles->num_out++;
  else
    handles->shares[before]--;
  if (block == KVP_NONE)
    handles->num_out--;
  else
    handles->shares[block]++;
  /*@ ghost
      /@ loop invariant range: 0 <= i <= handles->num_slots;
         loop invariant moved: \forall integer b; ShareCount(*handles, b, i) ==
           ShareCount(\at(*handles, Pre), b, i) +
             (slot < i ? (b == block ? 1 : 0) - (b == before ? 1 : 0) : 0);
         loop invariant natural: \forall integer b; 0 <= ShareCount(*handles, b, i);
         loop invariant known: \forall integer s; 0 <= s < i ==>
           1 <= ShareCount(*handles, handles->block[s], i);
         loop invariant shared: \forall integer s, t; 0 <= s < t < i ==>
           handles->block[s] == handles->block[t] ==>
           2 <= ShareCount(*handles, handles->block[s], i);
         loop assigns i;
         loop variant handles->num_slots - i; @/
      for (uint32_t i = 0; i < handles->num_slots; i++)
        ;
  */
}

/* The slot that has been ready for longest. There must be one. */
/*@ requires valid: \valid_read(handles);
    requires handles: Handles(*handles);
    requires ready: 0 < handles->num_ready;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures slot: \result < handles->num_slots && Listed(handles->ready, \result);
    ensures oldest: \forall integer s; 0 <= s < handles->num_slots ==>
      Listed(handles->ready, s) ==> s != \result ==>
        handles->ready.stamp[\result] < handles->ready.stamp[s];
*/
static inline uint32_t next_ready(const struct kvp_handles *handles)
{
  uint32_t slot = kvp_lists_first(&handles->ready, 0);
  /*@ ghost
      /@ loop invariant range: 0 <= i <= handles->num_slots;
         loop invariant none: slot == KVP_NONE ==> MappedCount(handles->ready, i) == 0;
         loop assigns i;
         loop variant handles->num_slots - i; @/
      for (uint32_t i = 0; i < handles->num_slots; i++)
        ;
  */
  return slot;
}

/* A slot is ready no longer. */
/*@ requires valid: \valid(handles);
    requires shape: HandlesShape(*handles);
    requires lists: Lists(handles->ready);
    requires shares: HandlesShares(*handles);
    requires counted: HandlesCounted(*handles);
    requires slot: slot < handles->num_slots && Listed(handles->ready, slot);
    terminates \true;
    exits \false;
    assigns handles->num_ready, handles->ready;
    ensures sizes: handles->ready.num_nodes == handles->num_slots && handles->ready.num_lists == 1;
    ensures lists: Lists(handles->ready);
    ensures shares: HandlesShares(*handles);
    ensures counted: HandlesCounted(*handles);
    ensures gone: !Listed(handles->ready, slot);
    ensures count: handles->num_ready == \old(handles->num_ready) - 1;
    ensures clock: handles->ready.clock == \old(handles->ready.clock);
    ensures rest: ListsRest(\old(handles->ready), handles->ready, slot);
*/
static inline void leave_ready(struct kvp_handles *handles, uint32_t slot)
{
  /*@ ghost
      /@ loop invariant range: 0 <= i <= handles->num_slots;
         loop invariant natural: 0 <= MappedCount(handles->ready, i) <= i;
         loop invariant member: slot < i ==> 1 <= MappedCount(handles->ready, i);
         loop assigns i;
         loop variant handles->num_slots - i; @/
      for (uint32_t i = 0; i < handles->num_slots; i++)
        ;
  */
  kvp_lists_remove(&handles->ready, slot);
  handles->num_ready--;
  /*@ ghost
      /@ loop invariant range: 0 <= i <= handles->num_slots;
         loop invariant shares: \forall integer b;
           ShareCount(*handles, b, i) == ShareCount(\at(*handles, Pre), b, i);
         loop invariant ready: MappedCount(handles->ready, i) ==
           MappedCount(\at(handles->ready, Pre), i) - (slot < i ? 1 : 0);
         loop assigns i;
         loop variant handles->num_slots - i; @/
      for (uint32_t i = 0; i < handles->num_slots; i++)
        ;
  */
}

/* A slot is ready, behind all others. */
/*@ requires valid: \valid(handles);
    requires shape: HandlesShape(*handles);
    requires lists: Lists(handles->ready);
    requires shares: HandlesShares(*handles);
    requires counted: HandlesCounted(*handles);
    requires slot: slot < handles->num_slots && !Listed(handles->ready, slot);
    requires clock: handles->ready.clock < UINT64_MAX;
    terminates \true;
    exits \false;
    assigns handles->num_ready, handles->ready;
    ensures sizes: handles->ready.num_nodes == handles->num_slots && handles->ready.num_lists == 1;
    ensures lists: Lists(handles->ready);
    ensures shares: HandlesShares(*handles);
    ensures counted: HandlesCounted(*handles);
    ensures listed: Listed(handles->ready, slot);
    ensures last: handles->ready.stamp[slot] == \old(handles->ready.clock);
    ensures count: handles->num_ready == \old(handles->num_ready) + 1;
    ensures clock: handles->ready.clock == \old(handles->ready.clock) + 1;
    ensures rest: ListsRest(\old(handles->ready), handles->ready, slot);
*/
static inline void enter_ready(struct kvp_handles *handles, uint32_t slot)
{
  kvp_lists_append(&handles->ready, 0, slot);
  handles->num_ready++;
  /*@ ghost
      /@ loop invariant range: 0 <= i <= handles->num_slots;
         loop invariant natural: 0 <= MappedCount(handles->ready, i) <= i;
         loop invariant shares: \forall integer b;
           ShareCount(*handles, b, i) == ShareCount(\at(*handles, Pre), b, i);
         loop invariant ready: MappedCount(handles->ready, i) ==
           MappedCount(\at(handles->ready, Pre), i) + (slot < i ? 1 : 0);
         loop assigns i;
         loop variant handles->num_slots - i; @/
      for (uint32_t i = 0; i < handles->num_slots; i++)
        ;
  */
}

uint32_t kvp_handles_grant(struct kvp_handles *handles, uint32_t block)
{
  uint32_t slot = next_ready(handles);
  leave_ready(handles, slot);
  stand_for(handles, slot, block, handles->generation[slot] + 1);
  return slot;
}

void kvp_handles_regrant(struct kvp_handles *handles, uint32_t slot, uint32_t block)
{
  stand_for(handles, slot, block, handles->generation[slot] + 1);
}

void kvp_handles_give_up(struct kvp_handles *handles, uint32_t slot)
{
  stand_for(handles, slot, KVP_NONE, handles->generation[slot]);
  if (handles->generation[slot] < UINT32_MAX - 1)
    enter_ready(handles, slot);
}
