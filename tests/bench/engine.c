/* SPDX-License-Identifier: Apache-2.0 */
/* How fast the engine is: a request's way there and back, and what 8 threads do in all against
   one. A round is a match and a release of one block of 100,000. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <kvpool/engine.h>

#define BLOCKS 100000
#define PAGE 16        /* tokens of a block */
#define TRIPS 100000   /* measured one by one */
#define ROUNDS 1000000 /* of all threads together */
#define MOST_THREADS 8

static int64_t now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int compare(const void *a, const void *b)
{
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* Makes the block `b` known; answers its hash, or 0. */
static uint64_t make_block(struct kvp_engine *engine, uint32_t b)
{
  uint32_t tokens[PAGE] = {b};
  struct kvp_grant grant;
  struct kvp_registry_result result;
  struct kvp_registry_op op = {
    .kind = KVP_REGISTRY_ALLOCATE, .count = 1, .grants = &grant, .handles = &op.handle};
  if (kvp_engine_apply(engine, &op, &result) != KVP_OK)
    return 0;
  op.handle = grant.handle;
  op.kind = KVP_REGISTRY_WRITE;
  op.tokens = tokens;
  op.length = PAGE;
  if (kvp_engine_apply(engine, &op, &result) != KVP_OK)
    return 0;
  uint64_t hash = result.hash;
  op.kind = KVP_REGISTRY_REGISTER;
  if (kvp_engine_apply(engine, &op, &result) != KVP_OK)
    return 0;
  op.handle = grant.handle;
  op.kind = KVP_REGISTRY_RELEASE;
  return kvp_engine_apply(engine, &op, &result) == KVP_OK ? hash : 0;
}

static uint64_t hashes[BLOCKS];

struct worker {
  struct kvp_engine *engine;
  pthread_t thread;
  uint32_t first, rounds;
  int good;
};

static void *work(void *argument)
{
  struct worker *worker = argument;
  worker->good = 1;
  for (uint32_t n = 0; n < worker->rounds && worker->good; n++) {
    struct kvp_grant grant;
    struct kvp_registry_result result;
    struct kvp_registry_op match = {.kind = KVP_REGISTRY_MATCH,
                                    .count = 1,
                                    .hashes = &hashes[(worker->first + n * 7919) % BLOCKS],
                                    .grants = &grant};
    struct kvp_registry_op release = {
      .kind = KVP_REGISTRY_RELEASE, .count = 1, .handles = &grant.handle};
    worker->good = kvp_engine_apply(worker->engine, &match, &result) == KVP_OK && result.count == 1
                   && kvp_engine_apply(worker->engine, &release, &result) == KVP_OK;
  }
  return NULL;
}

/* Rounds a second of that many threads in all, or 0. */
static double throughput(struct kvp_engine *engine, uint32_t num_threads)
{
  struct worker workers[MOST_THREADS];
  int64_t start = now();
  int good = 1;
  for (uint32_t i = 0; i < num_threads; i++) {
    workers[i] = (struct worker){
      .engine = engine, .first = i * (BLOCKS / num_threads), .rounds = ROUNDS / num_threads};
    if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
      return 0;
  }
  for (uint32_t i = 0; i < num_threads; i++)
    good &= pthread_join(workers[i].thread, NULL) == 0 && workers[i].good;
  return good ? 1e9 * ROUNDS / (double)(now() - start) : 0;
}

/* A request that the caller waits for, which he serves himself if nobody else does; or one that
   the engine's thread serves, while the caller sleeps on an eventfd. */
static int one_trip(struct kvp_engine *engine, int eventfd, uint32_t n)
{
  struct kvp_ticket ticket = {
    .op = {.kind = KVP_REGISTRY_TOUCH, .count = 1, .hashes = &hashes[n * 7919 % BLOCKS]},
    .eventfd = eventfd};
  uint64_t value;
  if (eventfd == 0)
    return kvp_engine_call(engine, &ticket) == KVP_OK && ticket.result.count == 1;
  return kvp_engine_submit(engine, &ticket) == KVP_OK
         && read(eventfd, &value, sizeof value) == sizeof value && ticket.result.count == 1;
}

static int bench_trips(struct kvp_engine *engine, int eventfd, const char *what)
{
  static int64_t taken[TRIPS];
  for (uint32_t n = 0; n < TRIPS; n++) {
    int64_t start = now();
    if (!one_trip(engine, eventfd, n))
      return 0;
    taken[n] = now() - start;
  }
  qsort(taken, TRIPS, sizeof taken[0], compare);
  printf("%-42s %8d trips  %7.2f us median, %.2f us 99th of 100\n", what, TRIPS,
         1e-3 * (double)taken[TRIPS / 2], 1e-3 * (double)taken[TRIPS / 100 * 99]);
  return 1;
}

struct trips {
  struct kvp_engine *engine;
  int eventfd, good;
};

/* From a thread that is neither the engine's nor the one that made it. */
static void *travel(void *argument)
{
  struct trips *trips = argument;
  trips->good = bench_trips(trips->engine, 0, "engine: touch, waited for:")
                && bench_trips(trips->engine, trips->eventfd, "engine: touch, by an eventfd:");
  return NULL;
}

static int bench(struct kvp_engine *engine)
{
  struct trips trips = {engine, eventfd(0, 0), 0};
  pthread_t thread;
  for (uint32_t b = 0; b < BLOCKS; b++)
    if ((hashes[b] = make_block(engine, b)) == 0)
      return 0;
  if (trips.eventfd <= 0 || pthread_create(&thread, NULL, travel, &trips) != 0
      || pthread_join(thread, NULL) != 0 || !trips.good)
    return 0;
  double one = throughput(engine, 1), all = throughput(engine, MOST_THREADS);
  if (one == 0 || all == 0)
    return 0;
  printf("%-42s %8d rounds %7.0f ns each of 1 thread, %.0f ns of %d: %.2f as many a second\n",
         "engine: match and release:", ROUNDS, 1e9 / one, 1e9 / all, MOST_THREADS, all / one);
  return 1;
}

int main(void)
{
  const struct kvp_engine_shape shape = {.registry = {.num_blocks = BLOCKS,
                                                      .max_blocks = BLOCKS,
                                                      .block_size = PAGE,
                                                      .max_handles = 1024,
                                                      .max_events = 1024}};
  struct kvp_engine *engine;
  int good = kvp_engine_new(&shape, &engine) == KVP_OK && bench(engine);
  if (!good)
    fprintf(stderr, "bench: the engine refused\n");
  return good ? 0 : 1;
}
