/* SPDX-License-Identifier: Apache-2.0 */
/* The engine's calls one by one: order, waiting, eventfds, closing, bad arguments. */
#include "tests/engine.h"

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* Requests, then control, then returns, each in order of submission; a later round after that. */
static void order(void **state)
{
  static const struct {
    enum kvp_registry_kind kind;
    uint64_t serial;
  } rows[] = {
    {KVP_REGISTRY_RELEASE, 7}, {KVP_REGISTRY_PIN, 4},   {KVP_REGISTRY_MATCH, 1},
    {KVP_REGISTRY_COMMIT, 2},  {KVP_REGISTRY_UNPIN, 5}, {KVP_REGISTRY_RELEASE, 8},
    {KVP_REGISTRY_CLEAR, 3},   {KVP_REGISTRY_POLL, 6},
  };
  struct kvp_engine *engine = new_engine(2, 1);
  struct asked asked[8], later;
  (void)state;
  for (int i = 0; i < 8; i++) {
    ask(&asked[i], rows[i].kind, 0)->op.events = NULL;
    assert_int_equal(kvp_engine_submit(engine, &asked[i].ticket), KVP_OK);
  }
  assert_int_equal(kvp_engine_step(engine), KVP_OK);
  assert_int_equal(kvp_engine_submit(engine, ask(&later, KVP_REGISTRY_MATCH, HASH)), KVP_OK);
  while (kvp_engine_step(engine) == KVP_OK)
    ;
  for (int i = 0; i < 8; i++)
    assert_int_equal(asked[i].ticket.serial, rows[i].serial);
  assert_int_equal(later.ticket.serial, 9);
  kvp_engine_free(engine);
}

/* Looking for returns in vain lets the next round in, but not before the rest of this one. */
static void next_round_waits(void **state)
{
  struct kvp_engine *engine = new_engine(0, 1);
  struct asked first, lacking, control, later;
  (void)state;
  kvp_engine_submit(engine, ask(&first, KVP_REGISTRY_MATCH, HASH));
  kvp_engine_submit(engine, ask(&lacking, KVP_REGISTRY_ALLOCATE, 0));
  kvp_engine_submit(engine, ask(&control, KVP_REGISTRY_PIN, HASH));
  assert_int_equal(kvp_engine_step(engine), KVP_OK);
  kvp_engine_submit(engine, ask(&later, KVP_REGISTRY_MATCH, HASH));
  assert_int_equal(kvp_engine_step(engine), KVP_OK);
  assert_int_equal(lacking.ticket.result.status, KVP_FULL);
  assert_int_equal(kvp_engine_wait(engine, &later.ticket, NULL), KVP_OK);
  assert_int_equal(control.ticket.serial, 3);
  assert_int_equal(later.ticket.serial, 4);
  kvp_engine_free(engine);
}

static void poll_and_wait(void **state)
{
  struct asked asked;
  const struct timespec past = {0}, wrong = {.tv_nsec = 1000000000};
  (void)state;
  for (int manual = 0; manual < 2; manual++) {
    struct kvp_engine *engine = new_engine(1, manual), *other = new_engine(1, 1);
    struct kvp_ticket *ticket = ask(&asked, KVP_REGISTRY_MATCH, HASH);
    assert_int_equal(kvp_ticket_poll(ticket), KVP_STATE);
    assert_int_equal(kvp_engine_wait(engine, ticket, NULL), KVP_STATE);
    assert_int_equal(kvp_engine_submit(engine, ticket), KVP_OK);
    if (manual) {
      assert_int_equal(kvp_ticket_poll(ticket), KVP_BUSY);
      assert_int_equal(kvp_engine_submit(engine, ticket), KVP_STATE);
      assert_int_equal(kvp_engine_call(other, ticket), KVP_STATE);
    }
    assert_int_equal(kvp_engine_wait(other, ticket, NULL), KVP_ARGUMENT);
    assert_int_equal(kvp_engine_wait(engine, ticket, &wrong), KVP_ARGUMENT);
    assert_int_equal(kvp_engine_wait(engine, ticket, NULL), KVP_OK);
    assert_int_equal(kvp_engine_wait(engine, ticket, &past), KVP_OK);
    assert_int_equal(kvp_ticket_poll(ticket), KVP_OK);
    /* An answered ticket may be used again. */
    assert_int_equal(kvp_engine_call(engine, ticket), KVP_OK);
    assert_true(ticket->serial == 2);
    kvp_engine_free(engine);
    kvp_engine_free(other);
  }
}

/* The thread serves what nobody waits for. */
static void thread_serves(void **state)
{
  struct kvp_engine *engine = new_engine(1, 0);
  struct asked asked;
  (void)state;
  for (int i = 0; i < 100; i++) {
    assert_int_equal(kvp_engine_submit(engine, ask(&asked, KVP_REGISTRY_MATCH, HASH)), KVP_OK);
    for (int tries = 0; kvp_ticket_poll(&asked.ticket) != KVP_OK; tries++) {
      assert_true(tries < 10000);
      nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
  }
  kvp_engine_free(engine);
}

static void by_eventfd(void **state)
{
  struct asked asked;
  int fd = eventfd(0, 0);
  struct pollfd readable = {.fd = fd, .events = POLLIN};
  uint64_t value;
  (void)state;
  assert_true(fd > 0);
  for (int manual = 0; manual < 2; manual++) {
    struct kvp_engine *engine = new_engine(1, manual);
    ask(&asked, KVP_REGISTRY_MATCH, HASH)->eventfd = fd;
    assert_int_equal(kvp_engine_submit(engine, &asked.ticket), KVP_OK);
    if (manual) {
      assert_int_equal(poll(&readable, 1, 0), 0);
      assert_int_equal(kvp_engine_step(engine), KVP_OK);
    }
    assert_int_equal(poll(&readable, 1, 10000), 1);
    assert_int_equal(read(fd, &value, sizeof value), sizeof value);
    assert_true(value == 1);
    assert_int_equal(kvp_ticket_poll(&asked.ticket), KVP_OK);
    kvp_engine_free(engine);
  }
  close(fd);
}

struct caller {
  struct kvp_engine *engine;
  atomic_long *started;
  int closes;
  int good;
};

static void *call_until_closed(void *argument)
{
  struct caller *caller = argument;
  struct asked asked[2];
  caller->good = 1;
  for (;;) {
    enum kvp_status left =
      kvp_engine_submit(caller->engine, ask(&asked[0], KVP_REGISTRY_TOUCH, HASH));
    enum kvp_status called =
      kvp_engine_call(caller->engine, ask(&asked[1], KVP_REGISTRY_MATCH, HASH));
    /* What was let in is answered, also after the closing. */
    if (left == KVP_OK)
      caller->good &= kvp_engine_wait(caller->engine, &asked[0].ticket, NULL) == KVP_OK;
    atomic_fetch_add(caller->started, 1);
    if (called != KVP_OK) {
      caller->good &= called == KVP_CLOSED;
      break;
    }
  }
  if (caller->closes)
    caller->good &= kvp_engine_close(caller->engine) == KVP_OK;
  return NULL;
}

static void close_races(void **state)
{
  (void)state;
  for (int round = 0; round < 100; round++) {
    struct kvp_engine *engine = new_engine(1, round % 2);
    struct caller callers[4];
    pthread_t threads[4];
    atomic_long started = 0;
    for (int i = 0; i < 4; i++) {
      callers[i] = (struct caller){engine, &started, i < 2, 0};
      assert_int_equal(pthread_create(&threads[i], NULL, call_until_closed, &callers[i]), 0);
    }
    while (atomic_load(&started) < round)
      sched_yield();
    assert_int_equal(kvp_engine_close(engine), KVP_OK);
    assert_int_equal(kvp_engine_close(engine), KVP_OK);
    for (int i = 0; i < 4; i++) {
      assert_int_equal(pthread_join(threads[i], NULL), 0);
      assert_true(callers[i].good);
    }
    kvp_engine_free(engine);
  }
}

static void closed(void **state)
{
  struct kvp_engine *engine = new_engine(1, 1);
  struct kvp_registry_counts counts;
  struct kvp_block_view view;
  struct asked asked;
  (void)state;
  assert_int_equal(do_now(engine, KVP_REGISTRY_MATCH, HASH, NULL), KVP_OK);
  assert_int_equal(kvp_engine_close(engine), KVP_OK);
  assert_int_equal(do_now(engine, KVP_REGISTRY_MATCH, HASH, NULL), KVP_CLOSED);
  assert_int_equal(kvp_engine_call(engine, ask(&asked, KVP_REGISTRY_MATCH, HASH)), KVP_CLOSED);
  assert_int_equal(kvp_ticket_poll(&asked.ticket), KVP_STATE);
  assert_int_equal(kvp_engine_step(engine), KVP_CLOSED);
  assert_int_equal(kvp_engine_counts(engine, &counts), KVP_CLOSED);
  assert_int_equal(kvp_engine_view(engine, 0, &view, NULL), KVP_CLOSED);
  kvp_engine_free(engine);
}

static void bad_arguments(void **state)
{
  struct kvp_engine_shape shape = {.registry = {.num_blocks = 2, .max_blocks = 1, .block_size = 1}};
  struct kvp_engine *engine = NULL, *threaded = new_engine(1, 0);
  struct kvp_registry_counts counts;
  struct kvp_registry_result result;
  struct kvp_block_view view;
  struct kvp_registry_op op = {.kind = (enum kvp_registry_kind)99};
  struct kvp_ticket ticket = {0};
  (void)state;
  assert_int_equal(kvp_engine_new(NULL, &engine), KVP_ARGUMENT);
  assert_int_equal(kvp_engine_new(&shape, NULL), KVP_ARGUMENT);
  assert_int_equal(kvp_engine_new(&shape, &engine), KVP_RANGE);
  assert_null(engine);
  assert_int_equal(kvp_engine_close(NULL), KVP_ARGUMENT);
  assert_int_equal(kvp_engine_free(NULL), KVP_OK);
  assert_int_equal(kvp_engine_step(NULL), KVP_ARGUMENT);
  assert_int_equal(kvp_engine_step(threaded), KVP_STATE);
  assert_int_equal(kvp_engine_call(NULL, &ticket), KVP_ARGUMENT);
  assert_int_equal(kvp_engine_call(threaded, NULL), KVP_ARGUMENT);
  assert_int_equal(kvp_engine_submit(NULL, &ticket), KVP_ARGUMENT);
  assert_int_equal(kvp_engine_submit(threaded, NULL), KVP_ARGUMENT);
  assert_int_equal(kvp_engine_wait(NULL, &ticket, NULL), KVP_ARGUMENT);
  assert_int_equal(kvp_engine_wait(threaded, NULL, NULL), KVP_ARGUMENT);
  assert_int_equal(kvp_ticket_poll(NULL), KVP_ARGUMENT);
  assert_int_equal(kvp_engine_apply(threaded, &op, NULL), KVP_ARGUMENT);
  memset(&result, 0x5A, sizeof result);
  assert_int_equal(kvp_engine_apply(threaded, NULL, &result), KVP_ARGUMENT);
  assert_int_equal(result.status, KVP_ARGUMENT);
  assert_int_equal(result.count, 0);
  assert_int_equal(kvp_engine_apply(NULL, &op, &result), KVP_ARGUMENT);
  assert_int_equal(kvp_engine_apply(threaded, &op, &result), KVP_ARGUMENT);
  assert_int_equal(kvp_engine_counts(NULL, &counts), KVP_ARGUMENT);
  assert_int_equal(kvp_engine_counts(threaded, NULL), KVP_ARGUMENT);
  assert_int_equal(kvp_engine_view(NULL, 0, &view, NULL), KVP_ARGUMENT);
  assert_int_equal(kvp_engine_view(threaded, 0, NULL, NULL), KVP_ARGUMENT);
  assert_int_equal(kvp_engine_view(threaded, 1, &view, NULL), KVP_RANGE);
  kvp_engine_free(threaded);
}

int main(void)
{
  static const struct CMUnitTest tests[] = {
    {"requests before control before returns, round by round", order, NULL, NULL, NULL},
    {"a lack lets nobody of the next round go first", next_round_waits, NULL, NULL, NULL},
    {"a ticket can be polled, waited for, and used again", poll_and_wait, NULL, NULL, NULL},
    {"the thread serves what nobody waits for", thread_serves, NULL, NULL, NULL},
    {"an answer adds 1 to its eventfd", by_eventfd, NULL, NULL, NULL},
    {"closing while others call: each is answered or refused", close_races, NULL, NULL, NULL},
    {"a closed engine refuses every call", closed, NULL, NULL, NULL},
    {"bad arguments are refused", bad_arguments, NULL, NULL, NULL},
  };
  return cmocka_run_group_tests_name("engine", tests, NULL, NULL);
}
