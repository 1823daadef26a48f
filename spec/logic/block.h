/* SPDX-License-Identifier: Apache-2.0 */
/* Logic: a block of the registry as whoever has a handle sees it: its state, what it holds. */
#ifndef KVP_LOGIC_BLOCK_H
#define KVP_LOGIC_BLOCK_H

#include <kvpool/registry_layout.h>

#include "spec/logic/handles.h"
#include "spec/logic/tokens.h"

/*@
// What a handle that is out stands for.
logic integer BlockOf(struct kvp_handles h, integer handle) = h.block[SlotOf(handle)];

// An enum kvp_block_state; an absent block is empty.
logic integer StateOf(struct kvp_registry r, integer b) =
  r.store.classes.state[b] == KVP_PLACE_HELD ? r.content.stage[b] :
  r.store.classes.state[b] == KVP_PLACE_ACTIVE ? KVP_BLOCK_ACTIVE :
  r.store.classes.state[b] == KVP_PLACE_READY ? KVP_BLOCK_CACHED :
  r.store.classes.state[b] == KVP_PLACE_BLOCKED ? KVP_BLOCK_CACHED : KVP_BLOCK_EMPTY;
logic integer StateAt(struct kvp_registry r, integer handle) =
  StateOf(r, BlockOf(r.handles, handle));
// How an operation answers that wants the block of a handle in this state.
logic integer Access(struct kvp_registry r, integer handle, integer state) =
  r.handles.num_slots <= SlotOf(handle) ? KVP_RANGE :
  r.handles.block[SlotOf(handle)] == KVP_NONE ? KVP_RANGE :
  HandleOf(r.handles, SlotOf(handle)) != handle ? KVP_RANGE :
  StateAt(r, handle) != state ? KVP_STATE : KVP_OK;

// Block b has this salt and this place in a sequence.
predicate Begun(struct kvp_registry r, integer b, integer salt, integer position, integer parent) =
  r.content.salt[b] == salt && r.store.lineage.position[b] == position &&
  r.store.lineage.parent[b] == (position == 0 ? 0 : parent);
// These are the hashes of block b. A root's are one.
predicate Hashed(struct kvp_registry r, integer b, integer block_hash, integer hash) =
  r.content.block_hash[b] == block_hash && r.store.index.hash[b] == hash &&
  (r.store.lineage.position[b] == 0 ==> hash == block_hash);
*/

/* The block that `handle` stands for, and how many tokens it has. */
#define KVP_ITS_BLOCK BlockOf(registry->handles, handle)
#define KVP_ITS_LENGTH registry->content.length[KVP_ITS_BLOCK]

/* Block b is held, in this stage. */
#define KVP_HOLDS(b, s)                                                                        \
  (b < registry->store.max_blocks && registry->store.classes.state[b] == KVP_PLACE_HELD &&     \
   registry->content.stage[b] == s)

/* In the row of block b: from token `from` on stand tokens[0 .. n); the first n tokens are as they
   were. All other rows, or all rows, are as they were. */
#define KVP_ROW_TOKENS(b, from, n)                                                             \
  \forall integer k; Row(b, registry->block_size) + from <= k <                                \
      Row(b, registry->block_size) + from + n ==>                                              \
    registry->plane[k] == tokens[k - Row(b, registry->block_size) - from]
#define KVP_ROW_KEPT_TO(b, n)                                                                  \
  \forall integer k; Row(b, registry->block_size) <= k < Row(b, registry->block_size) + n ==>  \
    registry->plane[k] == \old(registry->plane[k])
#define KVP_ROWS_KEPT(b)                                                                       \
  \forall integer i; 0 <= i < registry->store.max_blocks ==> i != b ==>                        \
    RowKept{Pre, Post}(registry->plane, registry->block_size, i)
#define KVP_PLANE_KEPT                                                                         \
  \forall integer k; 0 <= k < Row(registry->store.max_blocks, registry->block_size) ==>         \
    registry->plane[k] == \old(registry->plane[k])

#endif
