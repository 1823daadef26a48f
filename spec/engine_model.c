/* SPDX-License-Identifier: Apache-2.0 */
/* The executable engine: spec/engine.md for a single thread, to be checked by eye. */
#include "spec/engine_model.h"

#include <stddef.h>

enum line { REQUESTS, CONTROL, RETURNS };

static enum line line_of(const struct kvp_ticket *ticket)
{
  enum kvp_registry_kind kind = ticket->op.kind;
  int is_control = kind == KVP_REGISTRY_ADD_BLOCKS || kind == KVP_REGISTRY_SET_PRIORITY
                   || kind == KVP_REGISTRY_PIN || kind == KVP_REGISTRY_UNPIN
                   || kind == KVP_REGISTRY_RESET || kind == KVP_REGISTRY_POLL;
  return kind == KVP_REGISTRY_RELEASE ? RETURNS : is_control ? CONTROL : REQUESTS;
}

/* All that waits and is of no round yet becomes the next one. */
static void take(struct kvp_engine_model *model)
{
  model->round++;
  for (uint32_t i = 0; i < model->num_waiting; i++)
    if (model->waiting[i]->round == 0)
      model->waiting[i]->round = model->round;
}

/* The one to be served before all others from that line on: of the earliest round, of those the
   first line, of those the first submitted. NULL if all of them are of no round yet. */
static struct kvp_ticket *first(const struct kvp_engine_model *model, enum line from)
{
  struct kvp_ticket *best = NULL;
  for (uint32_t i = 0; i < model->num_waiting; i++) {
    struct kvp_ticket *ticket = model->waiting[i];
    if (ticket->round == 0 || line_of(ticket) < from)
      continue;
    if (best == NULL || ticket->round < best->round
        || (ticket->round == best->round && line_of(ticket) < line_of(best)))
      best = ticket;
  }
  return best;
}

static void apply(struct kvp_engine_model *model, struct kvp_ticket *ticket)
{
  kvp_registry_model_apply(model->registry, &ticket->op, &ticket->result);
}

static void tell(struct kvp_engine_model *model)
{
  struct kvp_event events[KVP_ENGINE_MODEL_ROOM];
  struct kvp_registry_op poll = {
    .kind = KVP_REGISTRY_POLL, .count = model->max_events, .events = events};
  struct kvp_registry_result result;
  if (model->listener == NULL)
    return;
  kvp_registry_model_apply(model->registry, &poll, &result);
  if (result.count != 0 || result.dropped != 0)
    model->listener(model->listener_context, events, result.count, result.dropped);
}

/* Its serial, its events, and last its answer. */
static void finish(struct kvp_engine_model *model, struct kvp_ticket *ticket)
{
  uint32_t kept = 0;
  ticket->serial = ++model->serial;
  tell(model);
  for (uint32_t i = 0; i < model->num_waiting; i++)
    if (model->waiting[i] != ticket)
      model->waiting[kept++] = model->waiting[i];
  model->num_waiting = kept;
}

static int lacks(const struct kvp_ticket *ticket)
{
  enum kvp_registry_kind kind = ticket->op.kind;
  return ticket->result.status == KVP_FULL
         && (kind == KVP_REGISTRY_ALLOCATE || kind == KVP_REGISTRY_REGISTER
             || kind == KVP_REGISTRY_MATCH || kind == KVP_REGISTRY_SHARE);
}

enum kvp_status kvp_engine_model_poll(const struct kvp_engine_model *model,
                                      const struct kvp_ticket *ticket)
{
  for (uint32_t i = 0; i < model->num_waiting; i++)
    if (model->waiting[i] == ticket)
      return KVP_BUSY;
  return KVP_OK;
}

enum kvp_status kvp_engine_model_submit(struct kvp_engine_model *model, struct kvp_ticket *ticket)
{
  if (kvp_engine_model_poll(model, ticket) == KVP_BUSY)
    return KVP_STATE;
  if (model->closed)
    return KVP_CLOSED;
  ticket->round = 0;
  model->waiting[model->num_waiting++] = ticket;
  return KVP_OK;
}

enum kvp_status kvp_engine_model_step(struct kvp_engine_model *model)
{
  struct kvp_ticket *ticket = first(model, REQUESTS), *given_back;
  if (ticket == NULL) {
    take(model);
    ticket = first(model, REQUESTS);
  }
  if (ticket == NULL)
    return model->closed ? KVP_CLOSED : KVP_EMPTY;
  apply(model, ticket);
  if (lacks(ticket)) {
    take(model);
    while ((given_back = first(model, RETURNS)) != NULL) {
      apply(model, given_back);
      finish(model, given_back);
    }
    apply(model, ticket);
  }
  finish(model, ticket);
  return KVP_OK;
}

void kvp_engine_model_close(struct kvp_engine_model *model)
{
  model->closed = 1;
  while (kvp_engine_model_step(model) == KVP_OK)
    ;
}
