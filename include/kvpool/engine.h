/* SPDX-License-Identifier: Apache-2.0 */
/* The engine: a registry that any number of threads use at once. Every request takes effect at one
   moment, as if there were only one caller; `serial` tells the order. Semantics: spec/engine.md.

   No call but kvp_engine_new and kvp_engine_free takes or gives back memory. Any argument may be
   NULL: KVP_ARGUMENT. */
#ifndef KVPOOL_ENGINE_H
#define KVPOOL_ENGINE_H

#include <stdatomic.h>
#include <time.h>

#include <kvpool/registry_op.h>

struct kvp_engine;

/* Is given the events of an operation, and how many were lost before the first of them, ahead of
   the operation's answer, by the thread that serves. It may submit and poll. Every other call to
   its engine answers KVP_STATE, and it must wait for nothing that waits for the engine. */
typedef void kvp_engine_listener(void *context, const struct kvp_event *events, uint32_t count,
                                 uint64_t dropped);

struct kvp_engine_shape {
  struct kvp_registry_shape registry;
  uint8_t manual;                /* 1: no thread; submitted requests wait for step, wait or close */
  kvp_engine_listener *listener; /* gets all events, so that polling finds none; or NULL */
  void *listener_context;
};

/* A request, in the caller's memory, where it stays with the buffers that `op` names until it is
   answered. All zero at first; may be used again once it is answered. */
struct kvp_ticket {
  struct kvp_registry_op op;         /* what is asked */
  struct kvp_registry_result result; /* the answer */
  uint64_t serial; /* 1, 2, 3 …: when it took effect, of all requests of the engine */
  int eventfd;     /* gets 1 added after the answer, and must be open until then; 0 for none */

  struct kvp_engine *engine; /* from here on the engine's */
  struct kvp_ticket *next;
  uint64_t round;
  atomic_int state;
};

/* KVP_RANGE and KVP_OVERFLOW as kvp_registry_memory, KVP_MEMORY if memory or a thread is refused.
 *engine is written on KVP_OK only. */
enum kvp_status kvp_engine_new(const struct kvp_engine_shape *shape, struct kvp_engine **engine);

/* Stops admission, serves all that was admitted, and ends the thread. Any thread may close, at any
   time and more than once; each returns when it is done. From then on every call answers
   KVP_CLOSED, but close, free, and poll or wait for what was submitted before. */
enum kvp_status kvp_engine_close(struct kvp_engine *engine);

/* Closes if need be. No other call may be in progress, or come later: end the threads that make
   them first. KVP_OK for NULL. */
enum kvp_status kvp_engine_free(struct kvp_engine *engine);

/* A blocking request. Answers `result->status`, which is also KVP_CLOSED, or KVP_STATE to the
   listener. `result` is always written. */
enum kvp_status kvp_engine_apply(struct kvp_engine *engine, const struct kvp_registry_op *op,
                                 struct kvp_registry_result *result);

/* A blocking request with a ticket, faster than submit and wait. KVP_OK once it is answered, with
   whatever result. KVP_STATE for a ticket that is already under way. */
enum kvp_status kvp_engine_call(struct kvp_engine *engine, struct kvp_ticket *ticket);

/* Leaves the request with the engine. KVP_STATE for a ticket that is already under way. */
enum kvp_status kvp_engine_submit(struct kvp_engine *engine, struct kvp_ticket *ticket);

/* KVP_OK if it is answered, KVP_BUSY if not yet, KVP_STATE if it was never submitted. Never waits.
 */
enum kvp_status kvp_ticket_poll(const struct kvp_ticket *ticket);

/* Waits for the answer, and serves meanwhile if nobody does. KVP_BUSY at the deadline, an instant
   of CLOCK_MONOTONIC or NULL for never; the ticket stays under way. KVP_STATE if it was never
   submitted, KVP_ARGUMENT if it was to another engine. */
enum kvp_status kvp_engine_wait(struct kvp_engine *engine, struct kvp_ticket *ticket,
                                const struct timespec *deadline);

/* Of a manual engine: serves the request that is next. KVP_EMPTY if none waits, KVP_STATE if the
   engine has a thread. */
enum kvp_status kvp_engine_step(struct kvp_engine *engine);

/* What can be seen between two requests; none is served for it. */
enum kvp_status kvp_engine_counts(struct kvp_engine *engine, struct kvp_registry_counts *counts);

/* KVP_RANGE unless block < num_blocks. The block's tokens are copied to `tokens`, room for
   block_size of them, where view->tokens points then; if that is NULL, view->tokens is. */
enum kvp_status kvp_engine_view(struct kvp_engine *engine, uint32_t block,
                                struct kvp_block_view *view, uint32_t *tokens);

#endif
