/* SPDX-License-Identifier: Apache-2.0 */
/* Logic: the events that wait, in a ring: they are the newest ones there were, in order. */
#ifndef KVP_LOGIC_EVENTS_H
#define KVP_LOGIC_EVENTS_H

#include <kvpool/registry_layout.h>

/*@
// Where the k-th waiting event stands, from 0, the oldest; and the number it has.
logic integer EventPlace(struct kvp_events e, integer k) =
  e.first + k < e.max_events ? e.first + k : e.first + k - e.max_events;
logic integer EventNumber(struct kvp_events e, integer k) = e.last - e.count + 1 + k;

predicate Events(struct kvp_events e) =
  e.count <= e.max_events <= KVP_CAPACITY &&
  (e.first < e.max_events || (e.max_events == 0 && e.first == 0)) &&
  e.dropped + e.count <= e.last;

// Place p holds this event.
predicate EventIs(struct kvp_events e, integer p, integer kind, integer position,
                  integer block_hash, integer hash, integer parent) =
  e.kind[p] == kind && e.position[p] == position && e.block_hash[p] == block_hash &&
  e.hash[p] == hash && e.parent[p] == parent;

// The k-th event of e is the one that was number k + n of o.
predicate EventsKept(struct kvp_events o, struct kvp_events e, integer n, integer count) =
  \forall integer k; 0 <= k < count ==>
    EventIs(e, EventPlace(e, k), o.kind[EventPlace(o, k + n)], o.position[EventPlace(o, k + n)],
            o.block_hash[EventPlace(o, k + n)], o.hash[EventPlace(o, k + n)],
            o.parent[EventPlace(o, k + n)]);
*/

#endif
