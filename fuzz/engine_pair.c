/* SPDX-License-Identifier: Apache-2.0 */
/* An engine without a thread and its model side by side. */
#include "fuzz/engine_pair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/registry_actions.h"
#include "fuzz/registry_text.h"
#include "src/registry/engine_serve.h"

void kvp_engine_same(struct kvp_engine_pair *pair, const char *what, uint32_t index,
                     uint64_t judged, uint64_t asked)
{
  kvp_pair_same(&pair->registries, what, index, judged, asked);
}

void kvp_same_status(struct kvp_engine_pair *pair, const char *what, uint32_t index,
                     enum kvp_status judged, enum kvp_status asked)
{
  kvp_engine_same(pair, what, index, (uint64_t)judged, (uint64_t)asked);
}

uint32_t kvp_seat_number(const struct kvp_engine_pair *pair, const struct kvp_seat *seat)
{
  return seat == &pair->aside ? KVP_SEATS : (uint32_t)(seat - pair->seats);
}

static void *copy(struct kvp_seat *seat, const void *list, size_t size)
{
  void *bytes = list == NULL ? NULL : kvp_arena_take(&seat->arena, size);
  if (bytes != NULL)
    memcpy(bytes, list, size);
  return bytes;
}

static void *rubbish(struct kvp_seat *seat, size_t size)
{
  void *bytes = kvp_arena_take(&seat->arena, size);
  if (bytes != NULL)
    memset(bytes, 0x5A, size);
  return bytes;
}

void kvp_seat_place(struct kvp_seat *seat, const struct kvp_registry_op *op)
{
  struct kvp_registry_op *asked = &seat->asked.op, *judged = &seat->judged.op;
  const size_t grants = kvp_room_for_grants(op) * sizeof *op->grants;
  const size_t events = kvp_room_for_events(op) * sizeof *op->events;
  kvp_arena_reset(&seat->arena);
  *asked = *op;
  asked->handles = copy(seat, op->handles, op->count * sizeof *op->handles);
  asked->hashes = copy(seat, op->hashes, op->count * sizeof *op->hashes);
  asked->tokens = copy(seat, op->tokens, op->length * sizeof *op->tokens);
  *judged = *asked;
  asked->grants = rubbish(seat, grants);
  judged->grants = rubbish(seat, grants);
  asked->events = rubbish(seat, events);
  judged->events = rubbish(seat, events);
}

struct kvp_seat *kvp_free_seat(struct kvp_engine_pair *pair)
{
  for (uint32_t i = 0; i < KVP_SEATS; i++)
    if (!pair->seats[i].under_way)
      return &pair->seats[i];
  return NULL;
}

enum kvp_status kvp_judged_poll(const struct kvp_engine_pair *pair, const struct kvp_seat *seat)
{
  enum kvp_status status = kvp_engine_model_poll(&pair->model, &seat->judged);
  return status == KVP_OK && seat->judged.serial == 0 ? KVP_STATE : status;
}

static void tell_answer(struct kvp_engine_pair *pair, const struct kvp_seat *seat)
{
  if (!pair->registries.tells)
    return;
  fprintf(stderr, "   %u answered as number %u: ", (unsigned)kvp_seat_number(pair, seat),
          (unsigned)seat->judged.serial);
  kvp_print_registry_result(stderr, &seat->judged.result);
  fputc('\n', stderr);
}

void kvp_same_ticket(struct kvp_engine_pair *pair, struct kvp_seat *seat)
{
  tell_answer(pair, seat);
  kvp_pair_same_answer(&pair->registries, &seat->judged.op, &seat->judged.result, &seat->asked.op,
                       &seat->asked.result);
  kvp_play_note(&pair->play, &seat->judged.op, &seat->judged.result);
  seat->under_way = 0;
}

/* The one under way that the model answered first, or NULL. */
static struct kvp_seat *answered_first(struct kvp_engine_pair *pair)
{
  struct kvp_seat *first = NULL;
  for (uint32_t i = 0; i < KVP_SEATS; i++) {
    struct kvp_seat *seat = &pair->seats[i];
    if (seat->under_way && kvp_judged_poll(pair, seat) == KVP_OK
        && (first == NULL || seat->judged.serial < first->judged.serial))
      first = seat;
  }
  return first;
}

void kvp_engine_pair_settle(struct kvp_engine_pair *pair)
{
  struct kvp_seat *seat;
  kvp_engine_same(pair, "tellings", 0, pair->num_heard, pair->num_tellings);
  pair->num_heard = pair->num_tellings = 0;
  for (uint32_t i = 0; i < KVP_SEATS; i++)
    kvp_same_status(pair, "poll of ticket", i, kvp_judged_poll(pair, &pair->seats[i]),
                    kvp_ticket_poll(&pair->seats[i].asked));
  while ((seat = answered_first(pair)) != NULL) {
    kvp_engine_same(pair, "serial of ticket", kvp_seat_number(pair, seat), seat->judged.serial,
                    seat->asked.serial);
    kvp_same_ticket(pair, seat);
  }
  if (pair->engine != NULL)
    kvp_pair_same_state(&pair->registries);
  pair->registries.num_ops++;
}

/* Whatever waits for the engine answers STATE to its listener. */
static void refuses_listener(struct kvp_engine_pair *pair)
{
  struct kvp_engine *engine = pair->engine;
  struct kvp_registry_counts counts;
  struct kvp_block_view view;
  struct kvp_registry_result result;
  const struct kvp_registry_op op = {.kind = KVP_REGISTRY_RESET};
  const enum kvp_status answers[] = {kvp_engine_apply(engine, &op, &result),
                                     kvp_engine_call(engine, &pair->aside.asked),
                                     kvp_engine_wait(engine, &pair->seats[0].asked, NULL),
                                     kvp_engine_step(engine),
                                     kvp_engine_counts(engine, &counts),
                                     kvp_engine_view(engine, 0, &view, NULL),
                                     kvp_engine_close(engine),
                                     kvp_engine_free(engine)};
  for (uint32_t i = 0; i < sizeof answers / sizeof answers[0]; i++)
    kvp_same_status(pair, "call of the listener", i, KVP_STATE, answers[i]);
}

/* The engine's listener. What it does, the model's does at the same moment of its own time. */
static void listen(void *context, const struct kvp_event *events, uint32_t count, uint64_t dropped)
{
  struct kvp_engine_pair *pair = context;
  struct kvp_telling *telling = &pair->tellings[pair->num_tellings];
  kvp_engine_same(pair, "telling too many", 0, 0, pair->num_tellings > KVP_SEATS);
  kvp_engine_same(pair, "more events told than can wait", 0, 0, count > KVP_PLAY_EVENTS);
  pair->num_tellings++;
  *telling = (struct kvp_telling){.count = count, .dropped = dropped};
  if (count != 0)
    memcpy(telling->events, events, count * sizeof *events);
  for (uint32_t i = 0; i < KVP_SEATS; i++)
    telling->polled[i] = kvp_ticket_poll(&pair->seats[i].asked);
  refuses_listener(pair);
  pair->inside = telling;
  if (kvp_take_byte(&pair->play.step) % 4 == 1) /* not at the step's end */
    kvp_registry_act(&pair->play);
  pair->inside = NULL;
}

/* The model's. */
static void hear(void *context, const struct kvp_event *events, uint32_t count, uint64_t dropped)
{
  struct kvp_engine_pair *pair = context;
  const struct kvp_telling *told = &pair->tellings[pair->num_heard];
  kvp_engine_same(pair, "telling missing", 0, 1, pair->num_heard < pair->num_tellings);
  pair->num_heard++;
  kvp_engine_same(pair, "events told", 0, count, told->count);
  kvp_engine_same(pair, "loss told", 0, dropped, told->dropped);
  kvp_pair_same_events(&pair->registries, count, events, told->events);
  for (uint32_t i = 0; i < KVP_SEATS; i++)
    kvp_same_status(pair, "listener's poll of ticket", i, kvp_judged_poll(pair, &pair->seats[i]),
                    told->polled[i]);
  for (uint32_t i = 0; i < told->num_submitted; i++)
    kvp_same_status(pair, "listener's submit", i,
                    kvp_engine_model_submit(&pair->model, &told->submitted[i]->judged),
                    told->answered[i]);
}

/* A field at a time: nobody may touch the arenas. */
static void clear(struct kvp_engine_pair *pair)
{
  for (uint32_t i = 0; i < KVP_SEATS; i++) {
    pair->seats[i].asked = pair->seats[i].judged = (struct kvp_ticket){0};
    pair->seats[i].under_way = 0;
  }
  pair->aside.asked = pair->aside.judged = (struct kvp_ticket){0};
  pair->num_tellings = pair->num_heard = 0;
  pair->inside = NULL;
  pair->engine = NULL;
}

void kvp_engine_pair_open(struct kvp_engine_pair *pair, struct kvp_bytes head, int tells,
                          void (*apply)(struct kvp_play *play, const struct kvp_registry_op *op))
{
  int listens = kvp_take_byte(&head) % 2 != 0;
  const struct kvp_engine_shape shape = {.registry = kvp_draw_shape(&head),
                                         .manual = 1,
                                         .listener = listens ? listen : NULL,
                                         .listener_context = pair};
  clear(pair);
  pair->model = (struct kvp_engine_model){.registry = kvp_registry_model_new(&shape.registry),
                                          .listener = listens ? hear : NULL,
                                          .listener_context = pair,
                                          .max_events = shape.registry.max_events};
  if (kvp_engine_new(&shape, &pair->engine) != KVP_OK) {
    fprintf(stderr, "the engine does not open\n");
    abort();
  }
  kvp_pair_begin(&pair->registries, &shape.registry, tells, pair->model.registry,
                 pair->engine->registry);
  pair->play =
    (struct kvp_play){.swarm = kvp_take_byte(&head), .pair = &pair->registries, .apply = apply};
}

void kvp_engine_pair_close(struct kvp_engine_pair *pair)
{
  kvp_same_status(pair, "free", 0, KVP_OK, kvp_engine_free(pair->engine));
  pair->engine = NULL;
  kvp_engine_model_close(&pair->model);
  kvp_engine_pair_settle(pair);
  kvp_registry_model_free(pair->model.registry);
}
