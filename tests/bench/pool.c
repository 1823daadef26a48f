/* SPDX-License-Identifier: Apache-2.0 */
/* How fast the reference is, in a single thread: a mixed loop, and the serving loop on a trace. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <kvpool/pool.h>

#include "src/oracle/appliers.h"
#include "src/oracle/serving.h"

#define BLOCKS 100000
#define ROUNDS 2000000

static double seconds_now(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void print_speed(const char *what, uint64_t operations, double seconds)
{
  printf("%-42s %10" PRIu64 " operations %7.1f ns each %7.1f M a second\n", what, operations,
         1e9 * seconds / (double)operations, 1e-6 * (double)operations / seconds);
}

/* A round takes one of twice as many contents as there are blocks: claims it if the pool has it,
   else computes it; then frees it. So about half the rounds evict. Counts the operations. */
static uint64_t mix(struct kvp_pool *pool, uint64_t rounds)
{
  uint64_t operations = 0, number = 1;

  for (uint64_t round = 0; round < rounds; round++) {
    struct kvp_evicted evicted;
    uint64_t hash;
    uint32_t block;
    number = number * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    hash = kvp_content_hash((number >> 33) % (2 * BLOCKS));
    block = kvp_pool_lookup(pool, hash);
    if (block != KVP_NONE) {
      operations += 3;
      if (kvp_pool_claim(pool, block) != KVP_OK)
        return 0;
    } else {
      operations += 5;
      if (kvp_pool_pop(pool, &block) != KVP_OK || kvp_pool_allocate(pool, block, &evicted) != KVP_OK
          || kvp_pool_publish(pool, block, hash, NULL, 0, &evicted) != KVP_OK)
        return 0;
    }
    if (kvp_pool_free(pool, block) != KVP_OK)
      return 0;
  }
  return operations;
}

static int bench_mix(void)
{
  struct kvp_applier reference;
  uint64_t operations = 0;
  double seconds = 0;

  if (kvp_open_reference(BLOCKS, BLOCKS, 0, &reference) != KVP_OK)
    return 0;
  if (mix(reference.self, ROUNDS / 10) != 0) { /* once to fill the pool */
    double start = seconds_now();
    operations = mix(reference.self, ROUNDS);
    seconds = seconds_now() - start;
  }
  kvp_close_reference(&reference);
  if (operations != 0)
    print_speed("random contents, 100,000 blocks:", operations, seconds);
  return operations != 0;
}

static int bench_trace(const char *path, const char *what)
{
  const struct kvp_resize_plan plan = {0};
  struct kvp_applier reference;
  struct kvp_workload workload;
  struct kvp_serving serving = {
    .workload = &workload, .plan = &plan, .reference = &reference, .concurrency = 32};
  struct kvp_serving_counts counts = {0};
  char message[1024];
  int good = 0;

  if (kvp_workload_read(path, SIZE_MAX, &workload, message, sizeof message) != KVP_OK)
    return 0;
  if (kvp_open_reference(BLOCKS, BLOCKS, 0, &reference) == KVP_OK) {
    good = kvp_serve(&serving, &counts, message, sizeof message) == KVP_AGREED;
    kvp_close_reference(&reference);
  }
  kvp_workload_release(&workload);
  if (good)
    print_speed(what, counts.operations, counts.seconds);
  return good;
}

int main(void)
{
  int good = bench_mix();

  if (!bench_trace("../shared/data/traces/mooncake_conversation_trace.jsonl",
                   "conversation trace, 100,000 blocks:"))
    good = bench_trace("tests/data/sample.jsonl", "sample trace, 100,000 blocks:") && good;
  if (!good)
    fprintf(stderr, "bench: a pool refused, or no trace could be read\n");
  return good ? 0 : 1;
}
