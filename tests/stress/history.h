/* SPDX-License-Identifier: Apache-2.0 */
/* Judges a history of requests from many threads: whether it is linearizable, with the engine's
   serials as witness, against the sequential model of spec/registry.md.

   It is if the serials are 1, 2, 3 …; if no request has a lower serial than one that had been
   answered before it was made; and if the model, given the requests by serial, answers the same. */
#ifndef KVP_STRESS_HISTORY_H
#define KVP_STRESS_HISTORY_H

#include <inttypes.h>
#include <stdio.h>

#include "spec/registry_model.h"
#include "tests/stress/requests.h"

/* What the listener was told, in order. */
struct told {
  struct kvp_event *events; /* [room] */
  uint64_t *dropped;        /* [room], of the call that the event was the first of */
  uint32_t room, count;
};

struct history {
  struct kvp_registry_model *model;
  uint32_t max_events;
  uint64_t num_served; /* requests of earlier rounds */
  uint64_t refused, overlapping, num_events, lost;
};

static inline int violation(const char *what, const struct request *request)
{
  fprintf(stderr, "stress: %s: serial %" PRIu64 ", kind %d, status %d\n", what,
          request->ticket.serial, (int)request->ticket.op.kind, (int)request->ticket.result.status);
  return 0;
}

/* Puts the requests in the order of their serials. */
static inline int sort_by_serial(const struct history *history, struct request *requests,
                                 uint32_t count, struct request **sorted)
{
  memset(sorted, 0, count * sizeof(struct request *));
  for (uint32_t i = 0; i < count; i++) {
    uint64_t serial = requests[i].ticket.serial;
    if (serial <= history->num_served || serial > history->num_served + count)
      return violation("a serial out of range", &requests[i]);
    if (sorted[serial - history->num_served - 1] != NULL)
      return violation("a serial given twice", &requests[i]);
    sorted[serial - history->num_served - 1] = &requests[i];
  }
  return 1;
}

/* From the last serial back: when the first of the later ones was answered, and when the first
   return of them was with the engine. */
static inline int is_in_real_time(struct history *history, struct request *const *sorted,
                                  uint32_t count)
{
  int64_t answered = INT64_MAX, given_back = INT64_MAX;
  for (uint32_t i = count; i-- > 0;) {
    const struct request *request = sorted[i];
    const struct kvp_registry_result *result = &request->ticket.result;
    if (answered < request->invoked)
      return violation("took effect before one that had been answered", request);
    if (result->status == KVP_FULL && result->requested != 0 && given_back < request->invoked)
      return violation("refused while a return waited", request);
    if (request->answered < answered)
      answered = request->answered;
    if (request->ticket.op.kind == KVP_REGISTRY_RELEASE && request->submitted < given_back)
      given_back = request->submitted;
    history->overlapping += i > 0 && request->invoked < sorted[i - 1]->answered;
  }
  return 1;
}

static inline int same_result(const struct kvp_registry_result *a,
                              const struct kvp_registry_result *b)
{
  return a->status == b->status && a->count == b->count && a->requested == b->requested
         && a->available == b->available && a->dropped == b->dropped
         && a->block_hash == b->block_hash && a->hash == b->hash;
}

static inline int same_grants(const struct kvp_grant *a, const struct kvp_grant *b, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    if (a[i].handle != b[i].handle || a[i].block != b[i].block || a[i].kind != b[i].kind)
      return 0;
  return 1;
}

static inline int same_event(const struct kvp_event *a, const struct kvp_event *b)
{
  return a->number == b->number && a->kind == b->kind && a->position == b->position
         && a->block_hash == b->block_hash && a->hash == b->hash && a->parent == b->parent;
}

/* The model's events of one request against the next ones told; 0 if they differ. */
static inline int same_events(struct history *history, const struct told *told, uint32_t *next)
{
  struct kvp_event events[LIST];
  struct kvp_registry_op poll = {
    .kind = KVP_REGISTRY_POLL, .count = history->max_events, .events = events};
  struct kvp_registry_result result;
  kvp_registry_model_apply(history->model, &poll, &result);
  for (uint32_t i = 0; i < result.count; i++, (*next)++)
    if (*next >= told->count || !same_event(&events[i], &told->events[*next])
        || told->dropped[*next] != (i == 0 ? result.dropped : 0))
      return 0;
  history->num_events += result.count;
  history->lost += result.dropped;
  return 1;
}

static inline int replays(struct history *history, struct request *const *sorted, uint32_t count,
                          const struct told *told)
{
  uint32_t next = 0;
  for (uint32_t i = 0; i < count; i++) {
    const struct request *request = sorted[i];
    struct kvp_registry_op op = request->ticket.op;
    struct kvp_registry_result result;
    struct kvp_grant grants[LIST] = {{0}};
    struct kvp_event event;
    op.grants = grants;
    op.events = &event;
    kvp_registry_model_apply(history->model, &op, &result);
    if (!same_result(&result, &request->ticket.result))
      return violation("answered otherwise than the model", request);
    if (!same_grants(grants, request->grants, count_grants(&op, &result)))
      return violation("grants other than the model's", request);
    if (!same_events(history, told, &next))
      return violation("events other than the model's", request);
    history->refused += result.status != KVP_OK;
  }
  return next == told->count || violation("an event too many", sorted[count - 1]);
}

/* One round: all requests that were made while none was under way before or after. */
static inline int is_linearizable(struct history *history, struct request *requests, uint32_t count,
                                  struct request **sorted, const struct told *told)
{
  if (!sort_by_serial(history, requests, count, sorted) || !is_in_real_time(history, sorted, count)
      || !replays(history, sorted, count, told))
    return 0;
  history->num_served += count;
  return 1;
}

#endif
