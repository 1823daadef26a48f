/* SPDX-License-Identifier: Apache-2.0 */
/* The engine's calls. Whoever waits for an answer serves, if nobody else does; the thread serves
   what nobody waits for.

   No request is forgotten. Whoever has pushed one tries the lock, or looks whether the thread
   sleeps. If the lock is taken, its holder looks at the queue after leaving it, and serves on or
   wakes the thread; and the thread looks once more after it has said that it sleeps. */
#include <kvpool/engine.h>

#include <sched.h>
#include <string.h>

#include <kvpool/registry.h>

#include "src/registry/engine_serve.h"

#define TURN 64       /* requests served before the lock is given up for a moment */
#define TURNS 16      /* that a caller serves, also for others, before the thread takes over */
#define PATIENCE 1024 /* yields in all, more and more between two looks for the lock */
#define LOOKS 200     /* at a ticket that another thread serves, */
#define YIELDS 32     /* and yields, before the caller sleeps */

static int is_answered(const struct kvp_ticket *ticket)
{
  return atomic_load(&ticket->state) == KVP_TICKET_ANSWERED;
}

void kvp_engine_wake_thread(struct kvp_engine *engine)
{
  if (atomic_load(&engine->thread_sleeps) && atomic_exchange(&engine->thread_sleeps, 0))
    kvp_engine_bed_wake(&engine->thread_bed);
}

static void serve_turn(struct kvp_engine *engine)
{
  for (int n = 0; n < TURN && kvp_engine_serve(engine); n++)
    ;
}

void *kvp_engine_run_thread(void *argument)
{
  struct kvp_engine *engine = argument;
  for (;;) {
    kvp_engine_enter(engine);
    serve_turn(engine);
    kvp_engine_leave(engine);
    atomic_store(&engine->thread_sleeps, 1);
    if (kvp_engine_queue_look(&engine->queue))
      continue;
    if (kvp_engine_queue_is_closed(&engine->queue))
      return NULL;
    kvp_engine_bed_sleep(&engine->thread_bed, &engine->thread_sleeps, 1, NULL);
  }
}

/* Whether the caller owns the engine now. A request served where it was made costs less than one
   that another processor must fetch, so that is worth waiting for a little. */
static int enter_soon(struct kvp_engine *engine)
{
  for (int pause = 1; pause < PATIENCE; pause *= 2) {
    if (!kvp_engine_is_owned(engine) && kvp_engine_try_enter(engine))
      return 1;
    for (int n = 0; n < pause; n++)
      sched_yield();
  }
  return 0;
}

/* Serves all that waits, unless another thread does. */
static void help(struct kvp_engine *engine, int is_owner)
{
  for (int n = 0; n < TURNS; n++) {
    if (!is_owner && !kvp_engine_try_enter(engine))
      return;
    is_owner = 0;
    serve_turn(engine);
    kvp_engine_leave(engine);
    if (!kvp_engine_queue_look(&engine->queue))
      return;
  }
  kvp_engine_wake_thread(engine);
}

/* After a visit that served nothing. */
static void leave_visit(struct kvp_engine *engine)
{
  kvp_engine_leave(engine);
  if (!engine->shape.manual && kvp_engine_queue_look(&engine->queue))
    kvp_engine_wake_thread(engine);
}

static void sleep_until(struct kvp_engine *engine, struct kvp_ticket *ticket,
                        const struct timespec *deadline)
{
  int queued = KVP_TICKET_QUEUED;
  atomic_compare_exchange_strong(&ticket->state, &queued, KVP_TICKET_AWAITED);
  kvp_engine_bed_sleep(kvp_engine_bed_of(engine, ticket), &ticket->state, KVP_TICKET_AWAITED,
                       deadline);
}

static enum kvp_status await(struct kvp_engine *engine, struct kvp_ticket *ticket, int is_owner,
                             const struct timespec *deadline)
{
  if (engine->shape.manual) {
    kvp_engine_enter(engine);
    while (!is_answered(ticket) && kvp_engine_serve(engine))
      ;
    kvp_engine_leave(engine);
  } else {
    help(engine, is_owner);
  }
  for (int n = 0; n < LOOKS + YIELDS; n++) {
    if (is_answered(ticket))
      return KVP_OK;
    if (n >= LOOKS)
      sched_yield();
  }
  sleep_until(engine, ticket, deadline);
  return is_answered(ticket) ? KVP_OK : KVP_BUSY;
}

static enum kvp_status push(struct kvp_engine *engine, struct kvp_ticket *ticket)
{
  int before = atomic_load(&ticket->state);
  do {
    if (before == KVP_TICKET_QUEUED || before == KVP_TICKET_AWAITED)
      return KVP_STATE;
  } while (!atomic_compare_exchange_weak(&ticket->state, &before, KVP_TICKET_QUEUED));
  struct kvp_engine *engine_before = ticket->engine;
  ticket->engine = engine;
  if (kvp_engine_queue_push(&engine->queue, ticket))
    return KVP_OK;
  ticket->engine = engine_before;
  atomic_store(&ticket->state, before);
  return KVP_CLOSED;
}

enum kvp_status kvp_engine_call(struct kvp_engine *engine, struct kvp_ticket *ticket)
{
  if (engine == NULL || ticket == NULL)
    return KVP_ARGUMENT;
  if (kvp_engine_is_owner(engine))
    return KVP_STATE;
  int is_owner = !engine->shape.manual && enter_soon(engine);
  enum kvp_status status = push(engine, ticket);
  if (status == KVP_OK)
    return await(engine, ticket, is_owner, NULL);
  if (is_owner)
    leave_visit(engine);
  return status;
}

enum kvp_status kvp_engine_apply(struct kvp_engine *engine, const struct kvp_registry_op *op,
                                 struct kvp_registry_result *result)
{
  if (result == NULL)
    return KVP_ARGUMENT;
  struct kvp_ticket ticket = {0};
  enum kvp_status status = KVP_ARGUMENT;
  if (op != NULL) {
    ticket.op = *op;
    status = kvp_engine_call(engine, &ticket);
  }
  if (status != KVP_OK)
    ticket.result.status = status;
  *result = ticket.result;
  return result->status;
}

enum kvp_status kvp_engine_submit(struct kvp_engine *engine, struct kvp_ticket *ticket)
{
  if (engine == NULL || ticket == NULL)
    return KVP_ARGUMENT;
  enum kvp_status status = push(engine, ticket);
  if (status == KVP_OK)
    kvp_engine_wake_thread(engine);
  return status;
}

enum kvp_status kvp_ticket_poll(const struct kvp_ticket *ticket)
{
  if (ticket == NULL)
    return KVP_ARGUMENT;
  switch (atomic_load(&ticket->state)) {
  case KVP_TICKET_IDLE: return KVP_STATE;
  case KVP_TICKET_ANSWERED: return KVP_OK;
  default: return KVP_BUSY;
  }
}

enum kvp_status kvp_engine_wait(struct kvp_engine *engine, struct kvp_ticket *ticket,
                                const struct timespec *deadline)
{
  if (engine == NULL || ticket == NULL
      || (deadline != NULL && (deadline->tv_nsec < 0 || deadline->tv_nsec > 999999999)))
    return KVP_ARGUMENT;
  if (kvp_engine_is_owner(engine))
    return KVP_STATE;
  enum kvp_status status = kvp_ticket_poll(ticket);
  if (status == KVP_STATE)
    return KVP_STATE;
  if (ticket->engine != engine)
    return KVP_ARGUMENT;
  return status == KVP_OK ? KVP_OK : await(engine, ticket, 0, deadline);
}

enum kvp_status kvp_engine_step(struct kvp_engine *engine)
{
  if (engine == NULL)
    return KVP_ARGUMENT;
  if (!engine->shape.manual || kvp_engine_is_owner(engine))
    return KVP_STATE;
  kvp_engine_enter(engine);
  int served = kvp_engine_serve(engine);
  kvp_engine_leave(engine);
  if (served)
    return KVP_OK;
  return kvp_engine_queue_is_closed(&engine->queue) ? KVP_CLOSED : KVP_EMPTY;
}

/* As owner, of an engine that is open. KVP_OK: to be left. */
static enum kvp_status visit(struct kvp_engine *engine)
{
  if (kvp_engine_is_owner(engine))
    return KVP_STATE;
  kvp_engine_enter(engine);
  if (!kvp_engine_queue_is_closed(&engine->queue))
    return KVP_OK;
  leave_visit(engine);
  return KVP_CLOSED;
}

enum kvp_status kvp_engine_counts(struct kvp_engine *engine, struct kvp_registry_counts *counts)
{
  if (engine == NULL || counts == NULL)
    return KVP_ARGUMENT;
  enum kvp_status status = visit(engine);
  if (status != KVP_OK)
    return status;
  kvp_registry_counts(engine->registry, counts);
  leave_visit(engine);
  return KVP_OK;
}

enum kvp_status kvp_engine_view(struct kvp_engine *engine, uint32_t block,
                                struct kvp_block_view *view, uint32_t *tokens)
{
  if (engine == NULL || view == NULL)
    return KVP_ARGUMENT;
  enum kvp_status status = visit(engine);
  if (status != KVP_OK)
    return status;
  status = kvp_registry_view(engine->registry, block, view);
  if (status == KVP_OK && view->tokens != NULL) {
    if (tokens != NULL)
      memcpy(tokens, view->tokens, view->length * sizeof *tokens);
    view->tokens = tokens;
  }
  leave_visit(engine);
  return status;
}
