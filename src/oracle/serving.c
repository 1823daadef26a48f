/* SPDX-License-Identifier: Apache-2.0 */
/* The serving loop. Each operation goes straight to the reference, and to the batch of the
   followers where there are any. */
#include "src/oracle/serving.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <kvpool/pool.h>

/* A request that runs: its number, and how many entries of its table row it has. */
struct run {
  uint64_t number;
  uint32_t length;
};

/* Those that run stand in consecutive rows of a ring, the oldest first; the row after the newest
   is always free, and the next request is tried in it. */
struct engine {
  const struct kvp_serving *serving;
  struct kvp_pool *pool;
  struct kvp_lockstep *followers;
  struct kvp_serving_counts *counts;
  enum kvp_outcome outcome;
  char *message;
  size_t size;
  uint64_t number; /* of the request at hand */
  uint32_t rows, width, oldest, running;
  struct run *runs; /* [rows] */
  uint32_t *table;  /* [rows][width]: the blocks of each; KVP_NONE past its length */
};

static const struct kvp_result nothing = {.block = KVP_NONE, .moved_to = KVP_NONE};

/* Nothing that the loop asks for may be refused, save to retire. */
static void refused(struct engine *engine, enum kvp_status status, const char *what)
{
  if (engine->outcome != KVP_AGREED)
    return;
  engine->outcome = KVP_FAILED;
  snprintf(engine->message, engine->size, "request %" PRIu64 ": the reference refused to %s: %s",
           engine->number, what, kvp_strerror(status));
}

static inline void count_operation(struct engine *engine, enum kvp_status status, const char *what)
{
  engine->counts->operations++;
  if (status != KVP_OK)
    refused(engine, status, what);
}

static void heed(struct engine *engine, enum kvp_outcome outcome)
{
  if (outcome == KVP_AGREED || engine->outcome != KVP_AGREED)
    return;
  engine->outcome = outcome;
  engine->counts->divergences += outcome == KVP_DIVERGED;
  snprintf(engine->message, engine->size, "request %" PRIu64 ": %s", engine->number,
           kvp_lockstep_message(engine->followers));
}

static void record(struct engine *engine, const struct kvp_op *op, const struct kvp_result *result)
{
  heed(engine, kvp_lockstep_record(engine->followers, op, result));
}

static uint32_t look_up(struct engine *engine, uint64_t hash)
{
  uint32_t block = kvp_pool_lookup(engine->pool, hash);

  count_operation(engine, KVP_OK, "look up");
  engine->counts->lookups++;
  if (engine->followers != NULL)
    record(engine, &(struct kvp_op){.kind = KVP_LOOKUP, .hash = hash},
           &(struct kvp_result){.block = block, .moved_to = KVP_NONE});
  return block;
}

static void claim(struct engine *engine, uint32_t block)
{
  count_operation(engine, kvp_pool_claim(engine->pool, block), "claim");
  if (engine->followers != NULL)
    record(engine, &(struct kvp_op){.kind = KVP_CLAIM, .block = block, .owner = engine->number},
           &nothing);
}

static void give_back(struct engine *engine, uint32_t block, uint64_t owner)
{
  count_operation(engine, kvp_pool_free(engine->pool, block), "free");
  if (engine->followers != NULL)
    record(engine, &(struct kvp_op){.kind = KVP_FREE, .block = block, .owner = owner}, &nothing);
}

/* Pop, allocate and publish: a fresh block with this content. */
static uint32_t compute(struct engine *engine, uint64_t hash)
{
  uint32_t block = KVP_NONE;
  struct kvp_evicted taken = {0}, published = {0};

  count_operation(engine, kvp_pool_pop(engine->pool, &block), "pop");
  if (block == KVP_NONE)
    return block;
  count_operation(engine, kvp_pool_allocate(engine->pool, block, &taken), "allocate");
  count_operation(engine, kvp_pool_publish(engine->pool, block, hash, NULL, 0, &published),
                  "publish");
  engine->counts->evictions += taken.count + published.count;
  if (engine->followers == NULL)
    return block;
  record(engine, &(struct kvp_op){.kind = KVP_POP},
         &(struct kvp_result){.block = block, .moved_to = KVP_NONE});
  record(engine, &(struct kvp_op){.kind = KVP_ALLOCATE, .block = block, .owner = engine->number},
         &(struct kvp_result){.block = KVP_NONE, .moved_to = KVP_NONE, .evicted = taken});
  record(engine, &(struct kvp_op){.kind = KVP_PUBLISH, .block = block, .hash = hash},
         &(struct kvp_result){.block = KVP_NONE, .moved_to = KVP_NONE, .evicted = published});
  return block;
}

/* 0 where the pool refuses. */
static int retire(struct engine *engine)
{
  const struct kvp_retirement none = {.retired = KVP_NONE, .moved_to = KVP_NONE};
  struct kvp_retirement out;
  enum kvp_status status = kvp_pool_retire_top(engine->pool, &out);

  count_operation(engine, KVP_OK, "retire");
  if (status != KVP_OK)
    out = none;
  if (engine->followers != NULL)
    record(
      engine, &(struct kvp_op){.kind = KVP_RETIRE_TOP},
      &(struct kvp_result){
        .status = status, .block = out.retired, .moved_to = out.moved_to, .evicted = out.evicted});
  if (status != KVP_OK)
    return 0;
  engine->counts->retired++;
  engine->counts->evictions += out.evicted.count;
  if (out.moved_to == KVP_NONE)
    return 1;
  engine->counts->moved++;
  for (size_t i = 0; i < (size_t)engine->rows * engine->width; i++) {
    if (engine->table[i] == out.retired)
      engine->table[i] = out.moved_to;
  }
  return 1;
}

static void extend(struct engine *engine, uint32_t count)
{
  uint32_t taken = kvp_pool_extend(engine->pool, count);

  count_operation(engine, KVP_OK, "extend");
  engine->counts->grown += taken;
  if (engine->followers != NULL)
    record(engine, &(struct kvp_op){.kind = KVP_EXTEND, .count = count},
           &(struct kvp_result){.block = KVP_NONE, .moved_to = KVP_NONE, .count = taken});
}

/* Last first, so that a prefix outlives what follows it. Their entries become KVP_NONE. */
static void give_back_all(struct engine *engine, uint32_t *blocks, uint32_t count, uint64_t owner)
{
  while (count > 0) {
    give_back(engine, blocks[--count], owner);
    blocks[count] = KVP_NONE;
  }
}

static void finish_oldest(struct engine *engine)
{
  const struct run *run = &engine->runs[engine->oldest];
  uint32_t first = engine->oldest * engine->width;

  give_back_all(engine, &engine->table[first], run->length, run->number);
  if (engine->followers != NULL)
    heed(engine,
         kvp_lockstep_write_table(engine->followers, first, run->length, &engine->table[first]));
  engine->oldest = (engine->oldest + 1) % engine->rows;
  engine->running--;
}

/* Claims the blocks of the longest prefix that the pool holds; returns its length. */
static uint32_t claim_prefix(struct engine *engine, const uint64_t *ids, uint32_t count,
                             uint32_t *blocks)
{
  uint32_t hits = 0;

  while (hits < count) {
    uint32_t block = look_up(engine, kvp_content_hash(ids[hits]));
    if (block == KVP_NONE)
      break;
    claim(engine, block);
    blocks[hits++] = block;
  }
  return hits;
}

static void admit(struct engine *engine, const uint64_t *ids, uint32_t count)
{
  uint32_t row, held;
  uint32_t *blocks;

  for (;;) {
    row = (engine->oldest + engine->running) % engine->rows;
    blocks = &engine->table[(size_t)row * engine->width];
    held = claim_prefix(engine, ids, count, blocks);
    if (engine->outcome != KVP_AGREED)
      return;
    if (engine->running < engine->serving->concurrency
        && kvp_pool_has_free(engine->pool, count - held))
      break;
    give_back_all(engine, blocks, held, engine->number);
    if (engine->running == 0) {
      refused(engine, KVP_FULL, "admit it though no other runs");
      return;
    }
    finish_oldest(engine);
  }
  engine->counts->hits += held;
  for (; held < count; held++)
    blocks[held] = compute(engine, kvp_content_hash(ids[held]));
  engine->runs[row] = (struct run){engine->number, count};
  engine->running++;
  if (engine->followers != NULL)
    heed(engine, kvp_lockstep_write_table(engine->followers, row * engine->width, count, blocks));
}

/* A batch of its own, which the payload needs: see kvp_lockstep_flush. */
static void resize(struct engine *engine)
{
  struct kvp_resize step;
  size_t cursor = 0;

  if (engine->serving->plan == NULL)
    return;
  while (kvp_resize_next(engine->serving->plan, engine->number, &cursor, &step)) {
    if (engine->followers != NULL)
      heed(engine, kvp_lockstep_flush(engine->followers));
    if (step.grow)
      extend(engine, step.count);
    for (uint32_t i = 0; !step.grow && i < step.count && retire(engine); i++)
      continue;
  }
}

static void compare(struct engine *engine)
{
  if (engine->followers == NULL || engine->outcome != KVP_AGREED)
    return;
  heed(engine, kvp_lockstep_flush(engine->followers));
  if (engine->outcome == KVP_AGREED)
    heed(engine, kvp_lockstep_compare(engine->followers, engine->table));
}

static void serve_all(struct engine *engine)
{
  const struct kvp_workload *workload = engine->serving->workload;
  size_t all = workload->num_requests;

  for (size_t i = 0; i < all && engine->outcome == KVP_AGREED; i++) {
    const uint64_t *ids = &workload->ids[workload->first[i]];
    uint32_t count = (uint32_t)(workload->first[i + 1] - workload->first[i]);
    engine->number = i + 1;
    engine->counts->requests++;
    if (count > engine->pool->num_blocks) {
      engine->counts->skipped++;
    } else {
      admit(engine, ids, count);
      resize(engine);
      compare(engine);
    }
    if (engine->serving->progress != NULL && (i % 64 == 63 || i + 1 == all))
      engine->serving->progress(i + 1, all);
  }
}

/* At the end those that still run finish, oldest first. */
static void drain(struct engine *engine)
{
  struct kvp_serving_counts unused = *engine->counts, *counts = engine->counts;

  engine->counts = &unused;
  while (engine->running > 0 && engine->outcome == KVP_AGREED)
    finish_oldest(engine);
  compare(engine);
  engine->counts = counts;
  counts->divergences = unused.divergences;
}

static uint32_t width_of(const struct kvp_workload *workload, uint32_t max_blocks)
{
  return workload->longest < max_blocks ? workload->longest : max_blocks;
}

static uint32_t rows_of(const struct kvp_workload *workload, uint32_t concurrency)
{
  uint64_t most = workload->num_requests < concurrency ? workload->num_requests : concurrency;

  return most < UINT32_MAX ? (uint32_t)most + 1 : UINT32_MAX;
}

enum kvp_status kvp_serving_table(const struct kvp_workload *workload, uint32_t max_blocks,
                                  uint32_t concurrency, uint32_t *entries)
{
  uint64_t product = (uint64_t)width_of(workload, max_blocks) * rows_of(workload, concurrency);

  if (product > UINT32_MAX)
    return KVP_OVERFLOW;
  *entries = (uint32_t)product;
  return KVP_OK;
}

static double seconds_now(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

enum kvp_outcome kvp_serve(const struct kvp_serving *serving, struct kvp_serving_counts *counts,
                           char *message, size_t size)
{
  struct kvp_pool *pool = serving->reference->self;
  struct engine engine = {.serving = serving,
                          .pool = pool,
                          .followers = serving->followers,
                          .counts = counts,
                          .message = message,
                          .size = size,
                          .width = width_of(serving->workload, pool->max_blocks),
                          .rows = rows_of(serving->workload, serving->concurrency)};
  uint32_t entries = 0;
  double start;

  memset(counts, 0, sizeof *counts);
  if (kvp_serving_table(serving->workload, pool->max_blocks, serving->concurrency, &entries)
      == KVP_OK) {
    engine.runs = calloc(engine.rows, sizeof *engine.runs);
    engine.table = malloc(((size_t)entries + 1) * sizeof *engine.table);
  }
  if (engine.runs != NULL && engine.table != NULL) {
    memset(engine.table, 0xff, entries * sizeof *engine.table);
    start = seconds_now();
    serve_all(&engine);
    counts->seconds = seconds_now() - start;
    drain(&engine);
  } else {
    engine.outcome = KVP_FAILED;
    snprintf(message, size, "no memory for the tables of the running requests");
  }
  free(engine.runs);
  free(engine.table);
  return engine.outcome;
}
