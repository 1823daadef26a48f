/* SPDX-License-Identifier: Apache-2.0 */
/* Events that wait to be polled: the newest max_events of all there were, numbered 1, 2, 3 … */
#ifndef KVP_REGISTRY_EVENTS_H
#define KVP_REGISTRY_EVENTS_H

#include <kvpool/registry_layout.h>

#ifdef __FRAMAC__
#include "spec/logic/events.h"
#endif

/* None waits; there was none. O(1). */
/*@ requires valid: \valid(events);
    requires size: max_events <= KVP_CAPACITY;
    terminates \true;
    exits \false;
    assigns events->max_events, events->first, events->count, events->last, events->dropped;
    ensures events: Events(*events);
    ensures size: events->max_events == max_events;
    ensures none: events->count == 0 && events->last == 0 && events->dropped == 0;
*/
void kvp_events_init(struct kvp_events *events, uint32_t max_events);

/* One event more, the newest. If there is no room the oldest is dropped for it, or, of a ring of
   no room at all, itself. O(1). */
/*@ requires valid: \valid(events);
    requires events: Events(*events);
    requires number: events->last < UINT64_MAX;
    requires kind: kind <= KVP_EVENT_CLEARED;
    terminates \true;
    exits \false;
    assigns events->first, events->count, events->last, events->dropped,
            events->kind[0 .. events->max_events - 1],
            events->position[0 .. events->max_events - 1],
            events->block_hash[0 .. events->max_events - 1],
            events->hash[0 .. events->max_events - 1],
            events->parent[0 .. events->max_events - 1];
    ensures events: Events(*events);
    ensures size: events->max_events == \old(events->max_events);
    ensures last: events->last == \old(events->last) + 1;
    ensures newest: 0 < events->max_events ==> 0 < events->count &&
      EventIs(*events, EventPlace(*events, events->count - 1), kind, position, block_hash, hash,
              parent);
    ensures room: \old(events->count) < events->max_events ==>
      events->count == \old(events->count) + 1 && events->dropped == \old(events->dropped) &&
      EventsKept(\old(*events), *events, 0, events->count - 1);
    ensures full: \old(events->count) == events->max_events ==>
      events->count == events->max_events && events->dropped == \old(events->dropped) + 1 &&
      EventsKept(\old(*events), *events, 1, events->count - 1);
*/
void kvp_events_push(struct kvp_events *events, enum kvp_event_kind kind, uint32_t position,
                     uint64_t block_hash, uint64_t hash, uint64_t parent);

/* The oldest events, at most count, go to out[0 …]; returns how many. O(count). */
/*@ requires valid: \valid(events);
    requires out: count > 0 ==> \valid(out + (0 .. count - 1));
    requires apart: \separated(events, out + (0 .. count - 1));
    requires events: Events(*events);
    terminates \true;
    exits \false;
    assigns events->first, events->count, out[0 .. count - 1];
    ensures events: Events(*events);
    ensures number: \result == \min(count, \old(events->count));
    ensures gone: events->count == \old(events->count) - \result;
    ensures same: EventsKept(\old(*events), *events, \result, events->count);
    ensures written: \forall integer k; 0 <= k < \result ==>
      out[k].number == EventNumber(\old(*events), k) &&
      EventIs(\old(*events), EventPlace(\old(*events), k), out[k].kind, out[k].position,
              out[k].block_hash, out[k].hash, out[k].parent);
    ensures rest: \forall integer k; \result <= k < count ==> out[k] == \old(out[k]);
*/
uint32_t kvp_events_poll(struct kvp_events *events, uint32_t count, struct kvp_event *out);

/* How many were dropped since this was last asked. All of them are older than those that wait. */
/*@ requires valid: \valid(events);
    requires events: Events(*events);
    terminates \true;
    exits \false;
    assigns events->dropped;
    ensures events: Events(*events);
    ensures dropped: \result == \old(events->dropped) && events->dropped == 0;
*/
uint64_t kvp_events_take_dropped(struct kvp_events *events);

#endif
