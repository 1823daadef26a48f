/* SPDX-License-Identifier: Apache-2.0 */
/* Events that wait to be polled, in a ring. */
#include "src/registry/events.h"

void kvp_events_init(struct kvp_events *events, uint32_t max_events)
{
  events->max_events = max_events;
  events->first = 0;
  events->count = 0;
  events->last = 0;
  events->dropped = 0;
}

/* Where the k-th waiting event stands, or will. */
/*@ requires valid: \valid_read(events);
    requires events: Events(*events);
    requires k: k <= events->max_events && 0 < events->max_events;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures place: \result == EventPlace(*events, k);
    ensures inside: \result < events->max_events;
*/
static inline uint32_t place(const struct kvp_events *events, uint32_t k)
{
  uint32_t left = events->max_events - events->first;
  return k < left ? events->first + k : k - left;
}

void kvp_events_push(struct kvp_events *events, enum kvp_event_kind kind, uint32_t position,
                     uint64_t block_hash, uint64_t hash, uint64_t parent)
{
  events->last++;
  if (events->count == events->max_events) {
    events->dropped++;
    if (events->count == 0)
      return;
    events->first = place(events, 1);
    events->count--;
  }
  uint32_t p = place(events, events->count);
  events->count++;
  events->kind[p] = (uint8_t)kind;
  events->position[p] = position;
  events->block_hash[p] = block_hash;
  events->hash[p] = hash;
  events->parent[p] = parent;
}

uint32_t kvp_events_poll(struct kvp_events *events, uint32_t count, struct kvp_event *out)
{
  uint32_t n = count < events->count ? count : events->count;
  /*@ loop invariant range: 0 <= k <= n;
      loop invariant written: \forall integer j; 0 <= j < k ==>
        out[j].number == EventNumber(*events, j) &&
        EventIs(*events, EventPlace(*events, j), out[j].kind, out[j].position,
                out[j].block_hash, out[j].hash, out[j].parent);
      loop assigns k, out[0 .. n - 1];
      loop variant n - k; */
  for (uint32_t k = 0; k < n; k++) {
    uint32_t p = place(events, k);
    out[k].number = events->last - events->count + 1 + k;
    out[k].kind = events->kind[p];
    out[k].position = events->position[p];
    out[k].block_hash = events->block_hash[p];
    out[k].hash = events->hash[p];
    out[k].parent = events->parent[p];
  }
  if (n < events->count)
    events->first = place(events, n);
  events->count -= n;
  return n;
}

uint64_t kvp_events_take_dropped(struct kvp_events *events)
{
  uint64_t dropped = events->dropped;
  events->dropped = 0;
  return dropped;
}
