/* SPDX-License-Identifier: Apache-2.0 */
/* The engine's owner at work: apply, tell the listener, answer. */
#include "src/registry/engine_serve.h"

#include <unistd.h>

#include <kvpool/registry.h>

/* Its address names a thread. */
static _Thread_local const char self;

int kvp_engine_is_owner(struct kvp_engine *engine)
{
  return atomic_load_explicit(&engine->owner, memory_order_relaxed) == &self;
}

int kvp_engine_is_owned(struct kvp_engine *engine)
{
  return atomic_load_explicit(&engine->owner, memory_order_relaxed) != NULL;
}

static void own(struct kvp_engine *engine, const char *who)
{
  atomic_store_explicit(&engine->owner, who, memory_order_relaxed);
}

void kvp_engine_enter(struct kvp_engine *engine)
{
  pthread_mutex_lock(&engine->lock);
  own(engine, &self);
}

int kvp_engine_try_enter(struct kvp_engine *engine)
{
  if (pthread_mutex_trylock(&engine->lock) != 0)
    return 0;
  own(engine, &self);
  return 1;
}

void kvp_engine_leave(struct kvp_engine *engine)
{
  kvp_engine_queue_leave(&engine->queue);
  own(engine, NULL);
  pthread_mutex_unlock(&engine->lock);
}

struct kvp_engine_bed *kvp_engine_bed_of(struct kvp_engine *engine, const struct kvp_ticket *ticket)
{
  return &engine->beds[(uintptr_t)ticket / sizeof *ticket % KVP_ENGINE_BEDS];
}

static int makes_events(enum kvp_registry_kind kind)
{
  return kind == KVP_REGISTRY_ALLOCATE || kind == KVP_REGISTRY_REGISTER
         || kind == KVP_REGISTRY_RESET;
}

static void tell_listener(struct kvp_engine *engine)
{
  const struct kvp_engine_shape *shape = &engine->shape;
  struct kvp_registry_op op = {
    .kind = KVP_REGISTRY_POLL, .count = shape->registry.max_events, .events = engine->events};
  struct kvp_registry_result result;
  kvp_registry_apply(engine->registry, &op, &result);
  if (result.count != 0 || result.dropped != 0)
    shape->listener(shape->listener_context, engine->events, result.count, result.dropped);
}

static void notify(int eventfd)
{
  const uint64_t one = 1;
  /* Fails on a descriptor that the caller has closed, who then does not want to know. */
  ssize_t written = write(eventfd, &one, sizeof one);
  (void)written;
}

/* The ticket may be gone as soon as its state says that it is answered. */
static void answer(struct kvp_engine *engine, struct kvp_ticket *ticket)
{
  int eventfd = ticket->eventfd;
  struct kvp_engine_bed *bed = kvp_engine_bed_of(engine, ticket);
  if (atomic_exchange(&ticket->state, KVP_TICKET_ANSWERED) == KVP_TICKET_AWAITED)
    kvp_engine_bed_wake(bed);
  if (eventfd > 0)
    notify(eventfd);
}

static void finish(struct kvp_engine *engine, struct kvp_ticket *ticket)
{
  ticket->serial = ++engine->serial;
  if (engine->shape.listener != NULL && makes_events(ticket->op.kind))
    tell_listener(engine);
  answer(engine, ticket);
}

static void apply(struct kvp_engine *engine, struct kvp_ticket *ticket)
{
  kvp_registry_apply(engine->registry, &ticket->op, &ticket->result);
}

/* Every return that was submitted until now. 0 if there was none. */
static int serve_returns(struct kvp_engine *engine)
{
  struct kvp_ticket *ticket;
  int any = 0;
#ifndef KVP_PLANT_ENGINE_BUG /* a canary: returns of the next round are of no help */
  kvp_engine_queue_take(&engine->queue);
#endif
  while ((ticket = kvp_engine_queue_next_return(&engine->queue)) != NULL) {
    apply(engine, ticket);
    finish(engine, ticket);
    any = 1;
  }
  return any;
}

/* Only a lack of blocks or handles says what was requested. */
static int is_lack(const struct kvp_registry_result *result)
{
  return result->status == KVP_FULL && result->requested != 0;
}

int kvp_engine_serve(struct kvp_engine *engine)
{
  struct kvp_ticket *ticket = kvp_engine_queue_next(&engine->queue);
  if (ticket == NULL)
    return 0;
  apply(engine, ticket);
  /* A refusal changes nothing, so the request may be tried again. */
  if (is_lack(&ticket->result) && serve_returns(engine))
    apply(engine, ticket);
  finish(engine, ticket);
  return 1;
}
