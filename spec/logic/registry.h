/* SPDX-License-Identifier: Apache-2.0 */
/* Logic: the registry's invariant, and what an operation leaves as it was. */
#ifndef KVP_LOGIC_REGISTRY_H
#define KVP_LOGIC_REGISTRY_H

#include <kvpool/registry_layout.h>

#include "spec/logic/events.h"
#include "spec/logic/grants.h"
#include "spec/logic/handles.h"
#include "spec/logic/store.h"
#include "spec/logic/tokens.h"

/* Block i is registered under a hash. */
#define KVP_UNDER(index, i, key) (KVP_KNOWN(index, i) && index.hash[i] == key)

/* Block i is active under a hash. */
#define KVP_ACTIVE_UNDER(store, i, key)                                                        \
  (i < store.num_blocks && KVP_UNDER(store.index, i, key) &&                                   \
   store.classes.state[i] == KVP_PLACE_ACTIVE)

/* Block i has its key, or is cached and was returned after a tick. */
#define KVP_TOUCH_REST(o, s, i, tick)                                                          \
  (s.keys.priority[i] == o.keys.priority[i] &&                                                 \
   (s.keys.returned[i] == o.keys.returned[i] ||                                                \
    (KVP_IN_CACHE(s.classes, i) && tick < s.keys.returned[i])))

/* Slot s has the block and the generation that it had. */
#define KVP_SAME_SLOT(o, h, s) (h.block[s] == o.block[s] && h.generation[s] == o.generation[s])

/* What allocate can take: block i is empty or ready; and what it makes of it: i is reset. */
#define KVP_IS_FREE(c, i) (c.state[i] == KVP_PLACE_EMPTY || c.state[i] == KVP_PLACE_READY)
#define KVP_RESET_FROM(o, c, content, i)                                                       \
  (i < c.num_ids && KVP_IS_FREE(o, i) && c.state[i] == KVP_PLACE_HELD &&                       \
   content.stage[i] == KVP_BLOCK_RESET)

/* Of what allocating changes, nothing changed about block i. */
#define KVP_KEPT_BLOCK(o, r, i)                                                                \
  (r.store.classes.state[i] == o.store.classes.state[i] &&                                     \
   r.content.stage[i] == o.content.stage[i] && r.content.length[i] == o.content.length[i] &&   \
   r.content.acquired[i] == o.content.acquired[i] &&                                           \
   r.store.keys.priority[i] == o.store.keys.priority[i])

/*@
predicate RegistryShape(struct kvp_registry r) =
  0 < r.block_size && r.keep_duplicates <= 1 && r.handles.num_blocks == r.store.max_blocks;

// A held block has one handle, an active one some, another none.
predicate RegistryShares(struct kvp_handles h, struct kvp_classes c) =
  \forall integer i; 0 <= i < c.num_ids ==>
    (c.state[i] == KVP_PLACE_HELD ==> h.shares[i] == 1) &&
    (c.state[i] == KVP_PLACE_ACTIVE ==> 1 <= h.shares[i]) &&
    (c.state[i] != KVP_PLACE_HELD ==> c.state[i] != KVP_PLACE_ACTIVE ==> h.shares[i] == 0);
// The handle of a held block can be regranted.
predicate RegistryYoung(struct kvp_handles h, struct kvp_classes c) =
  \forall integer s; 0 <= s < h.num_slots ==> h.block[s] != KVP_NONE ==>
    c.state[h.block[s]] == KVP_PLACE_HELD ==> h.generation[s] < UINT32_MAX;
predicate RegistryContent(struct kvp_content k, struct kvp_classes c, integer block_size) =
  \forall integer i; 0 <= i < c.num_ids ==> c.state[i] == KVP_PLACE_HELD ==>
    KVP_BLOCK_RESET <= k.stage[i] <= KVP_BLOCK_COMPLETE && k.length[i] <= block_size &&
    (k.stage[i] == KVP_BLOCK_RESET ==> k.length[i] == 0) &&
    (k.stage[i] == KVP_BLOCK_COMPLETE ==> k.length[i] == block_size);

predicate Registry(struct kvp_registry r) =
  RegistryShape(r) && Store(r.store) && Handles(r.handles) && Events(r.events) &&
  RegistryShares(r.handles, r.store.classes) && RegistryYoung(r.handles, r.store.classes) &&
  RegistryContent(r.content, r.store.classes, r.block_size);

// What a handle stands for is there.
predicate Stands(struct kvp_registry r, integer handle, integer place) =
  r.store.classes.state[r.handles.block[SlotOf(handle)]] == place;

// No block is registered under a hash; the one that is has so many pins.
predicate Unregistered(struct kvp_index x, integer hash) =
  \forall integer i; 0 <= i < x.chains.num_nodes ==> KVP_KNOWN(x, i) ==> x.hash[i] != hash;
predicate PinsUnder(struct kvp_store s, integer hash, integer pins) =
  \forall integer i; 0 <= i < s.max_blocks ==> KVP_UNDER(s.index, i, hash) ==>
    s.pins.count[i] == pins;

// What allocate can take, and how many.
predicate Free(struct kvp_classes c, integer i) = KVP_IS_FREE(c, i);
logic integer Available(struct kvp_registry r) =
  \min(r.store.classes.count[KVP_PLACE_EMPTY] + r.store.classes.count[KVP_PLACE_READY],
       r.handles.num_ready);

// That holds of every block but b.
predicate KeptBut(struct kvp_registry o, struct kvp_registry r, integer b) =
  \forall integer i; 0 <= i < o.store.max_blocks ==> i != b ==> KVP_KEPT_BLOCK(o, r, i);

// Every block is kept or was free and is held.
predicate AllocationRest(struct kvp_registry o, struct kvp_registry r) =
  \forall integer i; 0 <= i < o.store.max_blocks ==>
    KVP_KEPT_BLOCK(o, r, i) ||
    (KVP_IS_FREE(o.store.classes, i) && r.store.classes.state[i] == KVP_PLACE_HELD);

// Of hashes[0 .. count) the first n are registered, and the one after them is not.
predicate Leading{L}(struct kvp_index x, uint64_t *hashes, integer n, integer count) =
  (\forall integer k; 0 <= k < n ==> !Unregistered(x, \at(hashes[k], L))) &&
  (n < count ==> Unregistered(x, \at(hashes[n], L)));
// No place changed but that cached blocks became active; ready and blocked are one to a user.
predicate Activated(struct kvp_classes o, struct kvp_classes c) =
  \forall integer i; 0 <= i < o.num_ids ==>
    c.state[i] == o.state[i] ||
    (KVP_IN_CACHE(o, i) && KVP_PLACE_ACTIVE <= c.state[i] <= KVP_PLACE_BLOCKED);
// A block that is cached under a hash was returned after a tick.
predicate Touched(struct kvp_registry r, integer hash, integer tick) =
  \forall integer i; 0 <= i < r.store.max_blocks ==> KVP_UNDER(r.store.index, i, hash) ==>
    KVP_IN_CACHE(r.store.classes, i) ==> tick < r.store.keys.returned[i];

// Slot s is that of one of list[0 .. n).
predicate InList{L}(uint64_t *list, integer n, integer s) =
  \exists integer k; 0 <= k < n && SlotOf(\at(list[k], L)) == s;
// Blocks without a handle left are given back: active ones to the cache, held ones to the empty.
predicate GivenBack(struct kvp_classes o, struct kvp_classes c, struct kvp_handles h) =
  \forall integer i; 0 <= i < o.num_ids ==>
    c.state[i] == o.state[i] || (KVP_IN_CACHE(o, i) && KVP_IN_CACHE(c, i)) ||
    (h.shares[i] == 0 && o.state[i] == KVP_PLACE_ACTIVE && KVP_IN_CACHE(c, i)) ||
    (h.shares[i] == 0 && o.state[i] == KVP_PLACE_HELD && c.state[i] == KVP_PLACE_EMPTY);

// No place changed but that held blocks became active or empty, cached ones active, and ready ones
// are blocked or blocked ones ready.
predicate Registered(struct kvp_classes o, struct kvp_classes c) =
  \forall integer i; 0 <= i < o.num_ids ==>
    c.state[i] == o.state[i] ||
    (KVP_IN_CACHE(o, i) && KVP_PLACE_ACTIVE <= c.state[i] <= KVP_PLACE_BLOCKED) ||
    (o.state[i] == KVP_PLACE_HELD &&
      (c.state[i] == KVP_PLACE_ACTIVE || c.state[i] == KVP_PLACE_EMPTY));
// Every handle that is out but that of slot s is so still.
predicate OthersKept(struct kvp_handles o, struct kvp_handles h, integer s) =
  HandlesSame(o, h) &&
  \forall integer i; 0 <= i < o.num_slots ==> i != s ==> o.block[i] != KVP_NONE ==>
    h.block[i] == o.block[i] && h.generation[i] == o.generation[i];
lemma GrantOthersKept: \forall struct kvp_handles o, h; \forall integer s, handle, block;
  OthersKept(o, h, s) ==> SlotOf(handle) != s ==> GrantIs(o, handle, block) ==>
  GrantIs(h, handle, block);

// No block lost its hash.
predicate HashesKept(struct kvp_index o, struct kvp_index x) =
  \forall integer i; 0 <= i < o.chains.num_nodes ==> x.hash[i] == o.hash[i] &&
    (KVP_KNOWN(o, i) ==> KVP_KNOWN(x, i));
// A handle of a complete block.
predicate OfComplete(struct kvp_registry r, integer handle) =
  IsOut(r.handles, handle) &&
  r.store.classes.state[r.handles.block[SlotOf(handle)]] == KVP_PLACE_HELD &&
  r.content.stage[r.handles.block[SlotOf(handle)]] == KVP_BLOCK_COMPLETE;
// The hash of the block of a handle.
logic integer HashOf(struct kvp_registry r, integer handle) =
  r.store.index.hash[r.handles.block[SlotOf(handle)]];

// No block is held or active; none is pinned.
predicate Idle(struct kvp_classes c) =
  \forall integer i; 0 <= i < c.num_ids ==>
    c.state[i] != KVP_PLACE_HELD && c.state[i] != KVP_PLACE_ACTIVE;
predicate Unpinned(struct kvp_store s) =
  \forall integer i; 0 <= i < s.num_blocks ==> s.pins.count[i] == 0;

// All that means something is as it was.
predicate Unchanged(struct kvp_registry o, struct kvp_registry r) =
  r.block_size == o.block_size && r.keep_duplicates == o.keep_duplicates && r.plane == o.plane &&
  r.tick == o.tick && r.content == o.content && r.store == o.store && r.handles == o.handles &&
  r.events == o.events;

// No clock has passed a bound.
predicate Clocks(struct kvp_registry r, integer bound) =
  r.tick <= bound && r.events.last <= bound && r.handles.ready.clock <= bound &&
  r.store.empty.clock <= bound && r.store.index.chains.clock <= bound &&
  r.store.calm.clock <= bound && r.store.blocking.clock <= bound &&
  r.store.orphans.clock <= bound;
// No clock has passed 2^63.
predicate Fresh(struct kvp_registry r) = Clocks(r, 9223372036854775808);
// No clock went further than one operation on one block may.
predicate Paced(struct kvp_registry o, struct kvp_registry r) =
  r.tick <= o.tick + KVP_CLOCK_STEP && r.events.last <= o.events.last + KVP_CLOCK_STEP &&
  r.handles.ready.clock <= o.handles.ready.clock + KVP_CLOCK_STEP &&
  r.store.empty.clock <= o.store.empty.clock + KVP_CLOCK_STEP &&
  r.store.index.chains.clock <= o.store.index.chains.clock + KVP_CLOCK_STEP &&
  r.store.calm.clock <= o.store.calm.clock + KVP_CLOCK_STEP &&
  r.store.blocking.clock <= o.store.blocking.clock + KVP_CLOCK_STEP &&
  r.store.orphans.clock <= o.store.orphans.clock + KVP_CLOCK_STEP;
*/

#define KVP_REGISTRY(K)                                                                        \
  K shape: RegistryShape(*registry);                                                           \
  K store: Store(registry->store);                                                             \
  K handles: Handles(registry->handles);                                                       \
  K events: Events(registry->events);                                                          \
  K shares: RegistryShares(registry->handles, registry->store.classes);                        \
  K young: RegistryYoung(registry->handles, registry->store.classes);                          \
  K content: RegistryContent(registry->content, registry->store.classes, registry->block_size)

#define KVP_REQUIRES_REGISTRY requires valid: \valid(registry); KVP_REGISTRY(requires)
#define KVP_ENSURES_REGISTRY KVP_REGISTRY(ensures)

/* The token plane's memory, apart from the registry's. */
#define KVP_TOKEN_PLANE                                                                        \
  registry->plane + (0 .. Row(registry->store.max_blocks, registry->block_size) - 1)
#define KVP_REQUIRES_TOKEN_PLANE                                                               \
  requires plane: 0 < Row(registry->store.max_blocks, registry->block_size) ==>                \
    \valid(KVP_TOKEN_PLANE);                                                                   \
  requires plane_apart: \separated(registry, KVP_TOKEN_PLANE)

#endif
