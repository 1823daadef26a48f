/* SPDX-License-Identifier: Apache-2.0 */
/* The second seed's engine: its three tests of a pool as written there, and its faults, each
   deviation of spec/deviations.md by its number. */
#include "tests/engine.h"

#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>

#define MANY 1000

static struct kvp_registry_result on_block(struct kvp_engine *engine, struct kvp_registry_op op)
{
  struct kvp_registry_result result;
  kvp_engine_apply(engine, &op, &result);
  return result;
}

/* Begins a sequence in the block and fills it with 1, 2, 3, 4; a fifth token fails. */
static void fill_block(struct kvp_engine *engine, uint64_t handle)
{
  struct kvp_registry_op push = {.kind = KVP_REGISTRY_PUSH, .handle = handle, .length = 1};
  struct kvp_registry_op init = {.kind = KVP_REGISTRY_INIT, .handle = handle, .salt = SALT};
  assert_int_equal(on_block(engine, init).status, KVP_OK);
  for (uint32_t token = 1; token <= 5; token++) {
    push.tokens = &token;
    assert_int_equal(on_block(engine, push).status, token <= PAGE ? KVP_OK : KVP_FULL);
  }
}

/* Where the seed's test calls the pool's state, there is no queue: wait serves it at once. */
static void seed_state(void **state)
{
  struct kvp_engine *engine = new_engine(7, 1);
  struct asked drop;
  uint64_t handle;
  (void)state;
  assert_int_equal(available(engine), 7);
  assert_int_equal(do_now(engine, KVP_REGISTRY_ALLOCATE, 0, &handle), KVP_OK);
  assert_int_equal(available(engine), 6);
  assert_int_equal(kvp_engine_submit(engine, ask(&drop, KVP_REGISTRY_RELEASE, handle)), KVP_OK);
  assert_int_equal(kvp_engine_step(engine), KVP_OK);
  assert_int_equal(available(engine), 7);
  assert_int_equal(do_now(engine, KVP_REGISTRY_ALLOCATE, 0, &handle), KVP_OK);
  fill_block(engine, handle);
  assert_int_equal(kvp_engine_free(engine), KVP_OK);
}

struct task {
  struct kvp_engine *engine;
  struct kvp_ticket *ticket;
};

static void *submit_task(void *argument)
{
  const struct task *task = argument;
  return kvp_engine_submit(task->engine, task->ticket) == KVP_OK ? argument : NULL;
}

static void seed_async(void **state)
{
  struct kvp_engine *engine = new_engine(7, 1);
  struct asked take, drop;
  struct task task = {engine, ask(&take, KVP_REGISTRY_ALLOCATE, 0)};
  pthread_t thread;
  void *submitted;
  (void)state;
  assert_int_equal(available(engine), 7);
  assert_int_equal(pthread_create(&thread, NULL, submit_task, &task), 0);
  assert_int_equal(pthread_join(thread, &submitted), 0);
  assert_non_null(submitted);
  assert_int_equal(available(engine), 7);
  assert_int_equal(kvp_ticket_poll(&take.ticket), KVP_BUSY);
  assert_int_equal(kvp_engine_step(engine), KVP_OK);
  assert_int_equal(kvp_ticket_poll(&take.ticket), KVP_OK);
  assert_int_equal(take.ticket.result.status, KVP_OK);
  assert_int_equal(available(engine), 6);
  ask(&drop, KVP_REGISTRY_RELEASE, take.grant.handle);
  assert_int_equal(kvp_engine_submit(engine, &drop.ticket), KVP_OK);
  assert_int_equal(available(engine), 6);
  assert_int_equal(kvp_engine_step(engine), KVP_OK);
  assert_int_equal(available(engine), 7);
  assert_int_equal(kvp_engine_step(engine), KVP_EMPTY);
  assert_int_equal(kvp_engine_free(engine), KVP_OK);
}

static struct kvp_registry_result match_now(struct kvp_engine *engine, struct kvp_grant *grant)
{
  const uint64_t hash = HASH;
  return on_block(engine,
                  (struct kvp_registry_op){
                    .kind = KVP_REGISTRY_MATCH, .count = 1, .hashes = &hash, .grants = grant});
}

static void seed_blocking(void **state)
{
  struct kvp_engine *engine = new_engine(7, 0);
  struct kvp_block_view view;
  struct kvp_grant grant;
  uint32_t tokens[PAGE];
  uint64_t handle;
  (void)state;
  assert_int_equal(match_now(engine, &grant).count, 0);
  assert_int_equal(do_now(engine, KVP_REGISTRY_ALLOCATE, 0, &handle), KVP_OK);
  fill_block(engine, handle);
  struct kvp_registry_result committed =
    on_block(engine, (struct kvp_registry_op){.kind = KVP_REGISTRY_COMMIT, .handle = handle});
  assert_int_equal(committed.status, KVP_OK);
  assert_true(committed.hash == HASH);
  assert_int_equal(kvp_engine_view(engine, 0, &view, tokens), KVP_OK);
  assert_int_equal(view.state, KVP_BLOCK_COMPLETE);
  assert_ptr_equal(view.tokens, tokens);
  assert_int_equal(tokens[3], 4);
  assert_int_equal(do_now(engine, KVP_REGISTRY_REGISTER, handle, &handle), KVP_OK);
  assert_int_equal(kvp_engine_view(engine, 0, &view, tokens), KVP_OK);
  assert_int_equal(view.state, KVP_BLOCK_ACTIVE);
  assert_null(view.tokens);
  assert_true(view.hash == HASH);
  assert_int_equal(do_now(engine, KVP_REGISTRY_RELEASE, handle, NULL), KVP_OK);
  assert_int_equal(match_now(engine, &grant).count, 1);
  assert_int_equal(grant.block, 0);
  assert_int_equal(kvp_engine_free(engine), KVP_OK);
}

/* A release that is queued, in this round or since, is served before an allocation is refused. */
static void returns_that_wait(void **state)
{
  (void)state;
  for (int same_round = 0; same_round < 2; same_round++) {
    struct kvp_engine *engine = new_engine(1, 1);
    struct asked first, drop, second;
    uint64_t handle;
    assert_int_equal(do_now(engine, KVP_REGISTRY_ALLOCATE, 0, &handle), KVP_OK);
    kvp_engine_submit(engine, ask(&first, KVP_REGISTRY_MATCH, HASH));
    kvp_engine_submit(engine, ask(&second, KVP_REGISTRY_ALLOCATE, 0));
    if (!same_round)
      assert_int_equal(kvp_engine_step(engine), KVP_OK);
    kvp_engine_submit(engine, ask(&drop, KVP_REGISTRY_RELEASE, handle));
    if (same_round)
      assert_int_equal(kvp_engine_step(engine), KVP_OK);
    assert_int_equal(kvp_ticket_poll(&first.ticket), KVP_OK);
    assert_int_equal(kvp_engine_step(engine), KVP_OK);
    assert_int_equal(second.ticket.result.status, KVP_OK);
    assert_int_equal(drop.ticket.result.status, KVP_OK);
    assert_true(drop.ticket.serial + 1 == second.ticket.serial);
    assert_int_equal(kvp_engine_step(engine), KVP_EMPTY);
    assert_int_equal(kvp_engine_free(engine), KVP_OK);
  }
}

/* Nothing that was given back makes anything wait, whether its release is served or queued. */
static void nothing_waits(void **state)
{
  struct kvp_engine *engine = new_engine(1, 1);
  struct asked drop, match;
  uint64_t handle = registered_block(engine);
  (void)state;
  kvp_engine_submit(engine, ask(&drop, KVP_REGISTRY_RELEASE, handle));
  kvp_engine_submit(engine, ask(&match, KVP_REGISTRY_MATCH, HASH));
  assert_int_equal(kvp_engine_step(engine), KVP_OK);
  assert_int_equal(kvp_ticket_poll(&match.ticket), KVP_OK);
  assert_int_equal(match.ticket.result.count, 1);
  assert_int_equal(kvp_engine_step(engine), KVP_OK);
  assert_int_equal(drop.ticket.result.status, KVP_OK);
  assert_int_equal(do_now(engine, KVP_REGISTRY_RELEASE, match.grant.handle, NULL), KVP_OK);
  /* Evicted, it is not known any longer, and a match says so at once. */
  assert_int_equal(do_now(engine, KVP_REGISTRY_ALLOCATE, 0, &handle), KVP_OK);
  assert_int_equal(do_now(engine, KVP_REGISTRY_MATCH, HASH, NULL), KVP_OK);
  assert_int_equal(kvp_engine_free(engine), KVP_OK);
}

static int count_threads(void)
{
  DIR *tasks = opendir("/proc/self/task");
  int n = 0;
  assert_non_null(tasks);
  for (const struct dirent *entry = readdir(tasks); entry != NULL; entry = readdir(tasks))
    n += entry->d_name[0] != '.';
  closedir(tasks);
  return n;
}

static void thread_ends(void **state)
{
  int before = count_threads();
  struct kvp_engine *engine = new_engine(7, 0);
  (void)state;
  assert_int_equal(count_threads(), before + 1);
  assert_int_equal(kvp_engine_free(engine), KVP_OK);
  /* The system lists a thread that was joined for an instant longer. */
  for (int tries = 0; tries < 1000 && count_threads() != before; tries++)
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  assert_int_equal(count_threads(), before);
}

static void closing_answers_all(void **state)
{
  struct asked *asked = calloc(MANY, sizeof *asked);
  (void)state;
  assert_non_null(asked);
  for (int manual = 0; manual < 2; manual++) {
    struct kvp_engine *engine = new_engine(7, manual);
    for (int i = 0; i < MANY; i++)
      assert_int_equal(kvp_engine_submit(engine, ask(&asked[i], KVP_REGISTRY_MATCH, HASH)), KVP_OK);
    assert_int_equal(kvp_engine_close(engine), KVP_OK);
    for (int i = 0; i < MANY; i++) {
      assert_int_equal(kvp_ticket_poll(&asked[i].ticket), KVP_OK);
      assert_int_equal(asked[i].ticket.result.status, KVP_OK);
      assert_int_equal(asked[i].ticket.serial, i + 1);
    }
    struct asked late;
    assert_int_equal(kvp_engine_submit(engine, ask(&late, KVP_REGISTRY_MATCH, HASH)), KVP_CLOSED);
    assert_int_equal(kvp_engine_free(engine), KVP_OK);
  }
  free(asked);
}

struct giver {
  struct kvp_engine *engine;
  uint64_t handle;
  enum kvp_status status;
};

static void *give_back(void *argument)
{
  struct giver *giver = argument;
  giver->status = do_now(giver->engine, KVP_REGISTRY_RELEASE, giver->handle, NULL);
  return NULL;
}

/* The last share goes while another thread matches: both are answered, and the match finds it. */
static void match_while_returning(void **state)
{
  struct kvp_engine *engine = new_engine(1, 0);
  uint64_t handle = registered_block(engine);
  (void)state;
  for (int i = 0; i < 1000; i++) {
    struct giver giver = {engine, handle, KVP_BUSY};
    struct kvp_grant grant;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, give_back, &giver), 0);
    assert_int_equal(match_now(engine, &grant).count, 1);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(giver.status, KVP_OK);
    handle = grant.handle;
  }
  assert_int_equal(kvp_engine_free(engine), KVP_OK);
}

int main(void)
{
  static const struct CMUnitTest tests[] = {
    {"the seed's test of a pool's state", seed_state, NULL, NULL, NULL},
    {"the seed's test of asynchronous calls", seed_async, NULL, NULL, NULL},
    {"the seed's test of blocking calls", seed_blocking, NULL, NULL, NULL},
    {"E2: F-02: no allocation is refused while a return waits", returns_that_wait, NULL, NULL,
     NULL},
    {"E4: F-05: no request waits for another", nothing_waits, NULL, NULL, NULL},
    {"E14: F-07: the thread ends with its engine", thread_ends, NULL, NULL, NULL},
    {"E15: F-08: closing answers all that was submitted", closing_answers_all, NULL, NULL, NULL},
    {"E16: F-17: a match and the return of its block do not wait for each other",
     match_while_returning, NULL, NULL, NULL},
  };
  return cmocka_run_group_tests_name("engine of the second seed", tests, NULL, NULL);
}
