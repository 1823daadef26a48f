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

// What allocate can take: a block that is empty or ready. How many it could give.
predicate Free(struct kvp_classes c, integer i) =
  c.state[i] == KVP_PLACE_EMPTY || c.state[i] == KVP_PLACE_READY;
logic integer Available(struct kvp_registry r) =
  \min(r.store.classes.count[KVP_PLACE_EMPTY] + r.store.classes.count[KVP_PLACE_READY],
       r.handles.num_ready);

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
