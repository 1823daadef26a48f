/* SPDX-License-Identifier: Apache-2.0 */
/* The engine's queue: who waits, and who is next. */
#include "src/registry/engine_queue.h"

#include <stddef.h>

enum line { REQUESTS, CONTROL, RETURNS };

static struct kvp_ticket closed;

static enum line line_of(enum kvp_registry_kind kind)
{
  switch (kind) {
  case KVP_REGISTRY_ADD_BLOCKS:
  case KVP_REGISTRY_SET_PRIORITY:
  case KVP_REGISTRY_PIN:
  case KVP_REGISTRY_UNPIN:
  case KVP_REGISTRY_RESET:
  case KVP_REGISTRY_POLL: return CONTROL;
  case KVP_REGISTRY_RELEASE: return RETURNS;
  default: return REQUESTS;
  }
}

int kvp_engine_queue_push(struct kvp_engine_queue *queue, struct kvp_ticket *ticket)
{
  struct kvp_ticket *top = atomic_load(&queue->pushed);
  do {
    if (top == &closed)
      return 0;
    ticket->next = top;
  } while (!atomic_compare_exchange_weak(&queue->pushed, &top, ticket));
  return 1;
}

int kvp_engine_queue_look(struct kvp_engine_queue *queue)
{
  /* Writes NULL over NULL: a later push reads that, so it synchronizes with this thread, where a
     mere load would not. */
  struct kvp_ticket *top = NULL;
  return (!atomic_compare_exchange_strong(&queue->pushed, &top, NULL) && top != &closed)
         || atomic_load(&queue->left);
}

int kvp_engine_queue_is_closed(const struct kvp_engine_queue *queue)
{
  return atomic_load(&queue->pushed) == &closed;
}

static void append(struct kvp_engine_queue *queue, enum line line, struct kvp_ticket *ticket)
{
  ticket->next = NULL;
  if (queue->first[line] == NULL)
    queue->first[line] = ticket;
  else
    queue->last[line]->next = ticket;
  queue->last[line] = ticket;
}

/* From the newest on; the lines begin with the oldest. */
static void sort(struct kvp_engine_queue *queue, struct kvp_ticket *newest)
{
  struct kvp_ticket *oldest = NULL;
  while (newest != NULL) {
    struct kvp_ticket *next = newest->next;
    newest->next = oldest;
    oldest = newest;
    newest = next;
  }
  queue->round++;
  while (oldest != NULL) {
    struct kvp_ticket *next = oldest->next;
    oldest->round = queue->round;
    append(queue, line_of(oldest->op.kind), oldest);
    oldest = next;
  }
}

void kvp_engine_queue_take(struct kvp_engine_queue *queue)
{
  /* Only the owner takes and closes, so what is here stays until the exchange. */
  struct kvp_ticket *top = atomic_load(&queue->pushed);
  if (top != NULL && top != &closed)
    sort(queue, atomic_exchange(&queue->pushed, NULL));
}

void kvp_engine_queue_close(struct kvp_engine_queue *queue)
{
  struct kvp_ticket *newest = atomic_exchange(&queue->pushed, &closed);
  if (newest != &closed)
    sort(queue, newest);
}

static struct kvp_ticket *pop(struct kvp_engine_queue *queue, int line)
{
  struct kvp_ticket *ticket = queue->first[line];
  if (ticket != NULL)
    queue->first[line] = ticket->next;
  return ticket;
}

/* The line whose head is of the earliest round, the first of several. */
static int earliest(const struct kvp_engine_queue *queue)
{
  int best = REQUESTS;
  for (int line = CONTROL; line <= RETURNS; line++)
    if (queue->first[line] != NULL
        && (queue->first[best] == NULL || queue->first[line]->round < queue->first[best]->round))
      best = line;
  return best;
}

struct kvp_ticket *kvp_engine_queue_next(struct kvp_engine_queue *queue)
{
  int line = earliest(queue);
  if (queue->first[line] == NULL) {
    kvp_engine_queue_take(queue);
    line = earliest(queue);
  }
  return pop(queue, line);
}

struct kvp_ticket *kvp_engine_queue_next_return(struct kvp_engine_queue *queue)
{
  return pop(queue, RETURNS);
}

void kvp_engine_queue_leave(struct kvp_engine_queue *queue)
{
  int left = queue->first[earliest(queue)] != NULL;
  if (left != atomic_load_explicit(&queue->left, memory_order_relaxed))
    atomic_store(&queue->left, left);
}
