/* SPDX-License-Identifier: Apache-2.0 */
/* The engine's listener: what it is told and when, what it may call, and what it holds up. */
#include "tests/engine.h"

#include <sched.h>

/* What a listener saw, and what it does while the engine is in its hands. */
struct seen {
  struct kvp_engine *engine;
  const struct kvp_ticket *ticket; /* whose events it is told */
  int holds;                       /* it keeps the engine until it may let go */
  atomic_int inside;
  atomic_int let_go;
  uint32_t calls, stored, removed, cleared;
  uint64_t last, dropped;
  struct asked inner;
};

static void listen(void *context, const struct kvp_event *events, uint32_t count, uint64_t dropped)
{
  struct seen *seen = context;
  seen->calls++;
  seen->dropped += dropped;
  seen->last += dropped;
  for (uint32_t i = 0; i < count; i++) {
    assert_true(events[i].number == ++seen->last);
    seen->stored += events[i].kind == KVP_EVENT_STORED;
    seen->removed += events[i].kind == KVP_EVENT_REMOVED;
    seen->cleared += events[i].kind == KVP_EVENT_CLEARED;
  }
  if (seen->ticket != NULL)
    assert_int_equal(kvp_ticket_poll(seen->ticket), KVP_BUSY);
  atomic_store(&seen->inside, 1);
  while (seen->holds && !atomic_load(&seen->let_go))
    sched_yield();
}

static struct kvp_engine *new_heard(struct seen *seen, kvp_engine_listener *listener,
                                    uint32_t max_events, int manual)
{
  const struct kvp_engine_shape shape = {.registry = {.num_blocks = 4,
                                                      .max_blocks = 4,
                                                      .block_size = PAGE,
                                                      .max_handles = 16,
                                                      .max_events = max_events},
                                         .manual = (uint8_t)manual,
                                         .listener = listener,
                                         .listener_context = seen};
  assert_int_equal(kvp_engine_new(&shape, &seen->engine), KVP_OK);
  return seen->engine;
}

static void listener_before_answer(void **state)
{
  (void)state;
  for (int manual = 0; manual < 2; manual++) {
    struct seen seen = {0};
    struct kvp_engine *engine = new_heard(&seen, listen, 8, manual);
    struct kvp_event event;
    struct asked asked;
    uint64_t handle;
    assert_int_equal(do_now(engine, KVP_REGISTRY_ALLOCATE, 0, &handle), KVP_OK);
    assert_int_equal(do_now(engine, KVP_REGISTRY_WRITE, handle, NULL), KVP_OK);
    assert_int_equal(seen.calls, 0);
    seen.ticket = ask(&asked, KVP_REGISTRY_REGISTER, handle);
    assert_int_equal(kvp_engine_call(engine, &asked.ticket), KVP_OK);
    assert_int_equal(seen.stored, 1);
    ask(&asked, KVP_REGISTRY_POLL, 0)->op.events = &event;
    assert_int_equal(kvp_engine_call(engine, &asked.ticket), KVP_OK);
    assert_int_equal(asked.ticket.result.count, 0);
    assert_int_equal(do_now(engine, KVP_REGISTRY_RESET, 0, NULL), KVP_BUSY);
    assert_int_equal(do_now(engine, KVP_REGISTRY_MATCH, HASH, &handle), KVP_OK);
    assert_int_equal(seen.calls, 1);
    kvp_engine_free(engine);
  }
}

static void listener_told_of_loss(void **state)
{
  (void)state;
  for (uint32_t max_events = 0; max_events < 2; max_events++) {
    struct seen seen = {0};
    struct kvp_engine *engine = new_heard(&seen, listen, max_events, 1);
    uint64_t handle = registered_block(engine);
    assert_int_equal(do_now(engine, KVP_REGISTRY_RELEASE, handle, NULL), KVP_OK);
    assert_int_equal(do_now(engine, KVP_REGISTRY_RESET, 0, NULL), KVP_OK);
    assert_int_equal(seen.calls, 2);
    assert_int_equal(seen.stored, max_events);
    assert_int_equal(seen.cleared, max_events);
    assert_true(seen.dropped == 2 - 2 * max_events);
    kvp_engine_free(engine);
  }
}

static void listen_and_call(void *context, const struct kvp_event *events, uint32_t count,
                            uint64_t dropped)
{
  struct seen *seen = context;
  struct kvp_registry_counts counts;
  struct kvp_registry_result result;
  struct kvp_block_view view;
  struct kvp_ticket *ticket = ask(&seen->inner, KVP_REGISTRY_MATCH, HASH);
  (void)events, (void)count, (void)dropped;
  assert_int_equal(kvp_engine_apply(seen->engine, &ticket->op, &result), KVP_STATE);
  assert_int_equal(result.status, KVP_STATE);
  assert_int_equal(kvp_engine_call(seen->engine, ticket), KVP_STATE);
  assert_int_equal(kvp_engine_counts(seen->engine, &counts), KVP_STATE);
  assert_int_equal(kvp_engine_view(seen->engine, 0, &view, NULL), KVP_STATE);
  assert_int_equal(kvp_engine_step(seen->engine), KVP_STATE);
  assert_int_equal(kvp_engine_close(seen->engine), KVP_STATE);
  assert_int_equal(kvp_engine_free(seen->engine), KVP_STATE);
  assert_int_equal(kvp_engine_submit(seen->engine, ticket), KVP_OK);
  assert_int_equal(kvp_engine_wait(seen->engine, ticket, NULL), KVP_STATE);
  seen->calls++;
}

static void listener_calls(void **state)
{
  (void)state;
  for (int manual = 0; manual < 2; manual++) {
    struct seen seen = {0};
    struct kvp_engine *engine = new_heard(&seen, listen_and_call, 8, manual);
    registered_block(engine);
    assert_int_equal(seen.calls, 1);
    assert_int_equal(kvp_engine_wait(engine, &seen.inner.ticket, NULL), KVP_OK);
    assert_int_equal(seen.inner.ticket.result.count, 1);
    kvp_engine_free(engine);
  }
}

static struct timespec soon(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  now.tv_nsec += 20000000;
  if (now.tv_nsec >= 1000000000) {
    now.tv_sec++;
    now.tv_nsec -= 1000000000;
  }
  return now;
}

/* A deadline passes while another thread serves; the ticket is answered later all the same. */
static void deadline(void **state)
{
  struct seen seen = {.holds = 1};
  struct kvp_engine *engine = new_heard(&seen, listen, 8, 0);
  struct asked slow, late;
  struct timespec end = soon(), now;
  uint64_t handle;
  (void)state;
  assert_int_equal(do_now(engine, KVP_REGISTRY_ALLOCATE, 0, &handle), KVP_OK);
  assert_int_equal(do_now(engine, KVP_REGISTRY_WRITE, handle, NULL), KVP_OK);
  assert_int_equal(kvp_engine_submit(engine, ask(&slow, KVP_REGISTRY_REGISTER, handle)), KVP_OK);
  while (!atomic_load(&seen.inside))
    sched_yield();
  assert_int_equal(kvp_engine_submit(engine, ask(&late, KVP_REGISTRY_MATCH, HASH)), KVP_OK);
  assert_int_equal(kvp_engine_wait(engine, &late.ticket, &end), KVP_BUSY);
  clock_gettime(CLOCK_MONOTONIC, &now);
  assert_true(now.tv_sec > end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec >= end.tv_nsec));
  assert_int_equal(kvp_ticket_poll(&late.ticket), KVP_BUSY);
  assert_int_equal(kvp_engine_wait(engine, &late.ticket, &(struct timespec){0}), KVP_BUSY);
  atomic_store(&seen.let_go, 1);
  assert_int_equal(kvp_engine_wait(engine, &late.ticket, NULL), KVP_OK);
  assert_int_equal(late.ticket.result.count, 1);
  assert_int_equal(kvp_ticket_poll(&slow.ticket), KVP_OK);
  kvp_engine_free(engine);
}

int main(void)
{
  static const struct CMUnitTest tests[] = {
    {"the listener is told before the answer, and polling finds nothing", listener_before_answer,
     NULL, NULL, NULL},
    {"the listener is told of lost events", listener_told_of_loss, NULL, NULL, NULL},
    {"the listener may submit, and nothing else locks up", listener_calls, NULL, NULL, NULL},
    {"a wait ends at its deadline, and the ticket is answered later", deadline, NULL, NULL, NULL},
  };
  return cmocka_run_group_tests_name("listener of the engine", tests, NULL, NULL);
}
