/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that wait: a stack that any thread pushes on without a lock, and the lines into which
   the engine's owner sorts what was pushed. All taken at once is a round; rounds are served in
   order, and of a round requests before control before returns, each as they came. */
#ifndef KVP_ENGINE_QUEUE_H
#define KVP_ENGINE_QUEUE_H

#include <kvpool/engine.h>

#define KVP_ENGINE_LINES 3

struct kvp_engine_queue {
  _Atomic(struct kvp_ticket *) pushed; /* the newest, NULL, or a mark of closure */
  atomic_int left;                     /* 1: the last owner left somebody in the lines */
  struct kvp_ticket *first[KVP_ENGINE_LINES], *last[KVP_ENGINE_LINES];
  uint64_t round;
};

/* 0 if the queue is closed. */
int kvp_engine_queue_push(struct kvp_engine_queue *queue, struct kvp_ticket *ticket);

/* Whether anybody waits whom no owner has in hand. Whoever pushes after a look in vain sees all
   that the looker did before it. */
int kvp_engine_queue_look(struct kvp_engine_queue *queue);

int kvp_engine_queue_is_closed(const struct kvp_engine_queue *queue);

/* The rest is for the owner only. */

/* Sorts what was pushed into the lines, as one round. */
void kvp_engine_queue_take(struct kvp_engine_queue *queue);

/* The last take: whatever is pushed later is refused. */
void kvp_engine_queue_close(struct kvp_engine_queue *queue);

/* Who is next leaves his line; takes if all lines are empty. NULL if nobody waits. */
struct kvp_ticket *kvp_engine_queue_next(struct kvp_engine_queue *queue);

/* The same of the returns alone, without taking. */
struct kvp_ticket *kvp_engine_queue_next_return(struct kvp_engine_queue *queue);

/* Before the owner ceases to be it. */
void kvp_engine_queue_leave(struct kvp_engine_queue *queue);

#endif
