/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target of the engine: any bytes become calls of a single thread to an engine without
   one, so that the input alone decides who is next; the engine's model is the judge. A call is a
   step: three bits say what, five how; its request follows. A divergence is told as a story on
   stderr, and is a crash. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/engine_pair.h"
#include "fuzz/registry_actions.h"
#include "fuzz/one_input.h"
#include "fuzz/registry_text.h"

/* How an operation is given to the engine. The listener submits. */
enum manner { SUBMIT, CALL, APPLY };

static struct kvp_engine_pair pair;
static enum manner manner;

static void say(const char *what, uint32_t number)
{
  if (pair.registries.tells)
    fprintf(stderr, "%zu: %s %u\n", pair.registries.num_ops, what, (unsigned)number);
}

static void say_request(const char *what, const struct kvp_seat *seat)
{
  if (!pair.registries.tells)
    return;
  fprintf(stderr, "%zu: %s%s %u: ", pair.registries.num_ops,
          pair.inside != NULL ? "the listener: " : "", what,
          (unsigned)kvp_seat_number(&pair, seat));
  kvp_print_registry_op(stderr, &seat->judged.op);
  fputc('\n', stderr);
}

static void serve_up_to(const struct kvp_seat *seat)
{
  while (kvp_engine_model_poll(&pair.model, &seat->judged) == KVP_BUSY)
    kvp_engine_model_step(&pair.model);
}

static void submit(struct kvp_seat *seat)
{
  say_request("submit", seat);
  enum kvp_status status = kvp_engine_submit(pair.engine, &seat->asked);
  seat->under_way = status == KVP_OK;
  if (pair.inside != NULL) {
    pair.inside->submitted[pair.inside->num_submitted] = seat;
    pair.inside->answered[pair.inside->num_submitted++] = status;
    return;
  }
  kvp_same_status(&pair, "submit", 0, kvp_engine_model_submit(&pair.model, &seat->judged), status);
  kvp_engine_pair_settle(&pair);
}

static void call(struct kvp_seat *seat)
{
  say_request("call", seat);
  seat->under_way = 1;
  enum kvp_status status = kvp_engine_call(pair.engine, &seat->asked);
  enum kvp_status judged = kvp_engine_model_submit(&pair.model, &seat->judged);
  kvp_same_status(&pair, "call", 0, judged, status);
  seat->under_way = judged == KVP_OK;
  serve_up_to(seat);
  kvp_engine_pair_settle(&pair);
}

static void apply_aside(void)
{
  struct kvp_seat *seat = &pair.aside;
  say_request("apply", seat);
  memset(&seat->asked.result, 0x5A, sizeof seat->asked.result);
  enum kvp_status status = kvp_engine_apply(pair.engine, &seat->asked.op, &seat->asked.result);
  enum kvp_status judged = kvp_engine_model_submit(&pair.model, &seat->judged);
  if (judged == KVP_OK)
    serve_up_to(seat);
  else
    seat->judged.result = (struct kvp_registry_result){.status = judged};
  kvp_same_status(&pair, "apply", 0, seat->judged.result.status, status);
  kvp_engine_pair_settle(&pair);
  kvp_same_ticket(&pair, seat);
}

/* A ticket under way is refused, and stays as it is. */
static void submit_again(struct kvp_seat *seat)
{
  say_request("submit again", seat);
  kvp_same_status(&pair, "submit again", 0, KVP_STATE,
                  kvp_engine_submit(pair.engine, &seat->asked));
  kvp_same_status(&pair, "call again", 0, KVP_STATE, kvp_engine_call(pair.engine, &seat->asked));
  kvp_engine_pair_settle(&pair);
}

/* The listener has the free seats only, and each of them once. */
static void submit_inside(const struct kvp_registry_op *op)
{
  struct kvp_seat *seat = kvp_free_seat(&pair);
  if (seat == NULL || pair.inside->num_submitted == KVP_SEATS)
    return;
  kvp_seat_place(seat, op);
  submit(seat);
}

static void apply(struct kvp_play *play, const struct kvp_registry_op *op)
{
  struct kvp_seat *seat = manner == APPLY ? &pair.aside : kvp_free_seat(&pair);
  (void)play;
  if (pair.inside != NULL) {
    submit_inside(op);
    return;
  }
  if (seat == NULL) {
    submit_again(&pair.seats[pair.registries.num_ops % KVP_SEATS]);
    return;
  }
  kvp_seat_place(seat, op);
  switch (manner) {
  case SUBMIT: submit(seat); return;
  case CALL: call(seat); return;
  case APPLY: apply_aside(); return;
  }
}

static void give(enum manner how)
{
  manner = how;
  kvp_registry_act(&pair.play);
}

static void step(uint32_t times)
{
  for (uint32_t n = 0; n < times; n++) {
    say("step", n);
    enum kvp_status status = kvp_engine_step(pair.engine);
    kvp_same_status(&pair, "step", 0, kvp_engine_model_step(&pair.model), status);
    kvp_engine_pair_settle(&pair);
  }
}

/* Whoever serves alone is done before he looks at a deadline. */
static void wait_for(struct kvp_seat *seat, uint32_t deadline)
{
  static const struct timespec past = {0}, wrong = {.tv_nsec = 1000000000};
  const struct timespec *const deadlines[] = {NULL, NULL, NULL, &past, &past, &wrong};
  enum kvp_status judged = kvp_judged_poll(&pair, seat);
  say("wait for", kvp_seat_number(&pair, seat));
  enum kvp_status status = kvp_engine_wait(pair.engine, &seat->asked, deadlines[deadline]);
  if (deadlines[deadline] == &wrong) {
    judged = KVP_ARGUMENT;
  } else if (judged == KVP_BUSY) {
    serve_up_to(seat);
    judged = KVP_OK;
  }
  kvp_same_status(&pair, "wait", 0, judged, status);
  kvp_engine_pair_settle(&pair);
}

static void same_view(uint32_t block)
{
  uint32_t tokens[KVP_PLAY_TOKENS] = {0}, *room = block % 2 == 0 ? tokens : NULL;
  struct kvp_block_view view = {0}, judged = {0};
  enum kvp_status status = KVP_CLOSED;
  if (!pair.model.closed)
    status = kvp_registry_model_view(pair.model.registry, block, &judged);
  kvp_same_status(&pair, "view", block, status, kvp_engine_view(pair.engine, block, &view, room));
  kvp_engine_same(&pair, "view's state", block, judged.state, view.state);
  kvp_engine_same(&pair, "view's hash", block, judged.hash, view.hash);
  kvp_engine_same(&pair, "whether view's tokens are in their place", block, 1,
                  view.tokens == (judged.tokens == NULL ? NULL : room));
  for (uint32_t i = 0; view.tokens != NULL && i < judged.length; i++)
    kvp_engine_same(&pair, "view's token", i, judged.tokens[i], view.tokens[i]);
}

/* How the state is shown; the state itself is compared after each call. */
static void look(uint32_t block)
{
  struct kvp_registry_counts counts = {0}, judged = {0};
  say("look at", block);
  if (!pair.model.closed)
    kvp_registry_model_counts(pair.model.registry, &judged);
  kvp_same_status(&pair, "counts", 0, pair.model.closed ? KVP_CLOSED : KVP_OK,
                  kvp_engine_counts(pair.engine, &counts));
  kvp_engine_same(&pair, "whether counts differ", 0, 0,
                  memcmp(&counts, &judged, sizeof counts) != 0);
  same_view(block);
  kvp_engine_pair_settle(&pair);
}

static void close_engine(void)
{
  say("close", 0);
  kvp_same_status(&pair, "close", 0, KVP_OK, kvp_engine_close(pair.engine));
  kvp_engine_model_close(&pair.model);
  kvp_engine_pair_settle(&pair);
}

static void act(void)
{
  uint8_t byte = kvp_take_byte(&pair.play.step), how = byte / 8;
  switch (byte % 8) {
  case 0:
  case 1:
  case 2: give(SUBMIT); return;
  case 3: give(CALL); return;
  case 4: give(APPLY); return;
  case 5: step(1 + how % 4); return;
  case 6: wait_for(&pair.seats[how % KVP_SEATS], how / KVP_SEATS); return;
  default:
    if (how < 30)
      look(how % (KVP_PLAY_BLOCKS + 2));
    else
      close_engine();
  }
}

size_t kvp_run_input(struct kvp_bytes input, int tells)
{
  kvp_engine_pair_open(&pair, kvp_take_step(&input, KVP_ENGINE_HEAD), tells, apply);
  while (input.left != 0) {
    pair.play.step = kvp_take_step(&input, KVP_ENGINE_STEP);
    act();
  }
  kvp_engine_pair_close(&pair);
  return pair.registries.num_ops;
}
