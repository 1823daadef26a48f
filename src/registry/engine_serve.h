/* SPDX-License-Identifier: Apache-2.0 */
/* The engine from inside: what it holds, and how its owner, the one thread that has its lock,
   serves the requests. */
#ifndef KVP_ENGINE_SERVE_H
#define KVP_ENGINE_SERVE_H

#include <pthread.h>

#include <kvpool/engine.h>

#include "src/registry/engine_bed.h"
#include "src/registry/engine_queue.h"

#define KVP_ENGINE_BEDS 16

/* A ticket's state. */
enum kvp_ticket_state {
  KVP_TICKET_IDLE, /* was never submitted */
  KVP_TICKET_QUEUED,
  KVP_TICKET_AWAITED, /* queued, and somebody may sleep until it is answered */
  KVP_TICKET_ANSWERED
};

struct kvp_engine {
  struct kvp_engine_shape shape;
  struct kvp_engine_queue queue;
  pthread_mutex_t lock;
  _Atomic(const char *) owner; /* who holds the lock: an address that names the thread */

  /* Only for the owner. */
  uint64_t serial; /* of the request served last */
  struct kvp_registry *registry;
  uint32_t *plane;          /* the registry's tokens */
  struct kvp_event *events; /* room for all that can wait, for the listener */

  struct kvp_engine_bed beds[KVP_ENGINE_BEDS]; /* of those who wait for a ticket, by its address */
  pthread_t thread;
  atomic_int thread_sleeps; /* 1: it does, or is about to */
  struct kvp_engine_bed thread_bed;
  pthread_mutex_t closing;
  int thread_runs; /* until it was joined; under `closing` */
};

/* Whether the calling thread is the owner, which it is only while it is in the listener. */
int kvp_engine_is_owner(struct kvp_engine *engine);

/* Whether a thread is, or was a moment ago. */
int kvp_engine_is_owned(struct kvp_engine *engine);

void kvp_engine_enter(struct kvp_engine *engine);
int kvp_engine_try_enter(struct kvp_engine *engine);
void kvp_engine_leave(struct kvp_engine *engine);

struct kvp_engine_bed *kvp_engine_bed_of(struct kvp_engine *engine,
                                         const struct kvp_ticket *ticket);

void kvp_engine_wake_thread(struct kvp_engine *engine);
void *kvp_engine_run_thread(void *engine);

/* For the owner only: serves one request. 0 if none waits. */
int kvp_engine_serve(struct kvp_engine *engine);

#endif
