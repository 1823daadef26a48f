/* SPDX-License-Identifier: Apache-2.0 */
/* How fast the registry and its eviction order are, in a single thread. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <kvpool/registry.h>

#include "src/registry/order.h"

#define BLOCKS 100000
#define ROUNDS 5000000
#define BLOCK_SIZE 16
#define CHAIN 16    /* blocks of a sequence */
#define BATCH 2000  /* blocks made ready before the clock starts, CHAIN at a time */
#define BATCHES 200 /* that are timed */

static struct kvp_order order;

static double seconds_now(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static uint32_t draw(uint64_t *number, uint32_t below)
{
  *number = *number * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*number >> 33) % below;
}

/* A round takes a block out, the least or any, and puts it back as the newest of its priority. */
static int bench_order(int least, const char *what)
{
  uint64_t number = 1, tick = 0;
  double start;

  if (kvp_order_init(&order, BLOCKS) != KVP_OK)
    return 0;
  for (uint32_t i = 0; i < BLOCKS; i++)
    if (kvp_order_insert(&order, i, draw(&number, 4), tick++) != KVP_OK)
      return 0;
  start = seconds_now();
  for (uint32_t round = 0; round < ROUNDS; round++) {
    uint32_t block = draw(&number, BLOCKS), priority = draw(&number, 4);
    if (least)
      block = kvp_order_least(&order);
    if (kvp_order_remove(&order, block) != KVP_OK
        || kvp_order_insert(&order, block, priority, tick++) != KVP_OK)
      return 0;
  }
  printf("%-42s %10d rounds %7.1f ns each\n", what, ROUNDS, 1e9 * (seconds_now() - start) / ROUNDS);
  return 1;
}

/* A registry at work. */
struct work {
  struct kvp_registry *registry;
  uint64_t number;         /* of draw */
  uint64_t handles[BATCH]; /* complete blocks, or what became of them, */
  uint32_t blocks[BATCH];  /* in these blocks */
  uint64_t hashes[BLOCKS]; /* of a block */
  int good;                /* no operation was refused */
};

static struct work work;
static struct kvp_grant grants[BATCH];

static struct kvp_registry_result apply(const struct kvp_registry_op *op)
{
  struct kvp_registry_result result;

  kvp_registry_apply(work.registry, op, &result);
  work.good &= result.status == KVP_OK;
  return result;
}

static void allocate(uint32_t first)
{
  const struct kvp_registry_op op = {
    .kind = KVP_REGISTRY_ALLOCATE, .count = 1, .grants = &grants[first]};

  apply(&op);
  work.handles[first] = grants[first].handle;
  work.blocks[first] = grants[first].block;
}

static void register_list(uint32_t first, uint32_t n)
{
  const struct kvp_registry_op op = {.kind = KVP_REGISTRY_REGISTER,
                                     .count = n,
                                     .handles = &work.handles[first],
                                     .grants = &grants[first]};

  apply(&op);
}

static void match(const uint64_t *hashes, uint32_t n, struct kvp_grant *to)
{
  const struct kvp_registry_op op = {
    .kind = KVP_REGISTRY_MATCH, .count = n, .hashes = hashes, .grants = to};

  work.good &= apply(&op).count == n;
}

static void release(const uint64_t *handles, uint32_t n)
{
  const struct kvp_registry_op op = {.kind = KVP_REGISTRY_RELEASE, .count = n, .handles = handles};

  apply(&op);
}

static void release_granted(uint32_t first, uint32_t n)
{
  uint64_t handles[CHAIN];

  for (uint32_t i = 0; i < n; i++)
    handles[i] = grants[first + i].handle;
  release(handles, n);
}

/* Writes random tokens; the block comes after `parent` in its sequence, or is a root. */
static void write_block(uint32_t i, uint32_t position, uint64_t parent)
{
  uint32_t tokens[BLOCK_SIZE];
  const struct kvp_registry_op op = {.kind = KVP_REGISTRY_WRITE,
                                     .handle = work.handles[i],
                                     .length = BLOCK_SIZE,
                                     .position = position,
                                     .parent = parent,
                                     .tokens = tokens};

  for (uint32_t k = 0; k < BLOCK_SIZE; k++)
    tokens[k] = draw(&work.number, UINT32_MAX);
  work.hashes[work.blocks[i]] = apply(&op).hash;
}

/* A batch of complete blocks, in sequences. */
static void write_chains(void)
{
  for (uint32_t i = 0; i < BATCH; i++) {
    uint64_t parent = i % CHAIN == 0 ? 0 : work.hashes[work.blocks[i - 1]];
    write_block(i, i % CHAIN, parent);
  }
}

static void allocate_batch(void)
{
  for (uint32_t i = 0; i < BATCH; i++)
    allocate(i);
}

/* Every block in the cache, in sequences. */
static void warm_up(void)
{
  for (uint32_t k = 0; k < BLOCKS / BATCH; k++) {
    allocate_batch();
    write_chains();
    for (uint32_t i = 0; i < BATCH; i += CHAIN) {
      register_list(i, CHAIN);
      release_granted(i, CHAIN);
    }
  }
}

/* The seconds of a batch each, of which the first part is not timed. */

static double evict(void)
{
  double start = seconds_now();

  allocate_batch();
  double seconds = seconds_now() - start;
  write_chains();
  for (uint32_t i = 0; i < BATCH; i += CHAIN) {
    register_list(i, CHAIN);
    release_granted(i, CHAIN);
  }
  return seconds;
}

/* Blocks of their own, in any order. */
static double register_match_release(void)
{
  allocate_batch();
  for (uint32_t i = 0; i < BATCH; i++)
    write_block(i, 0, 0);
  for (uint32_t i = BATCH - 1; i > 0; i--) {
    uint32_t k = draw(&work.number, i + 1), block = work.blocks[i];
    uint64_t handle = work.handles[i];
    work.handles[i] = work.handles[k];
    work.handles[k] = handle;
    work.blocks[i] = work.blocks[k];
    work.blocks[k] = block;
  }
  double start = seconds_now();
  for (uint32_t i = 0; i < BATCH; i++) {
    struct kvp_grant matched;
    uint64_t shares[2];
    register_list(i, 1);
    match(&work.hashes[work.blocks[i]], 1, &matched);
    shares[0] = grants[i].handle;
    shares[1] = matched.handle;
    release(shares, 2);
  }
  return seconds_now() - start;
}

static double match_release(void)
{
  double start = seconds_now();

  for (uint32_t i = 0; i < BATCH; i++) {
    match(&work.hashes[draw(&work.number, BLOCKS)], 1, &grants[0]);
    release(&grants[0].handle, 1);
  }
  return seconds_now() - start;
}

static double register_chains(void)
{
  allocate_batch();
  write_chains();
  double start = seconds_now();
  for (uint32_t i = 0; i < BATCH; i += CHAIN)
    register_list(i, CHAIN);
  double seconds = seconds_now() - start;
  for (uint32_t i = 0; i < BATCH; i += CHAIN)
    release_granted(i, CHAIN);
  return seconds;
}

static double match_release_chains(void)
{
  uint64_t hashes[BATCH];

  allocate_batch();
  write_chains();
  for (uint32_t i = 0; i < BATCH; i += CHAIN) {
    register_list(i, CHAIN);
    release_granted(i, CHAIN);
  }
  for (uint32_t i = 0; i < BATCH; i++)
    hashes[i] = work.hashes[work.blocks[i]];
  double start = seconds_now();
  for (uint32_t i = 0; i < BATCH; i += CHAIN) {
    match(&hashes[i], CHAIN, &grants[i]);
    release_granted(i, CHAIN);
  }
  return seconds_now() - start;
}

static void bench(const char *policy, const char *what, double (*batch)(void))
{
  char line[64];
  double seconds = 0;

  for (uint32_t k = 0; k < BATCHES; k++)
    seconds += batch();
  snprintf(line, sizeof line, "%s: %s:", policy, what);
  printf("%-42s %10d blocks %7.1f ns each\n", line, BATCH * BATCHES,
         1e9 * seconds / (BATCH * BATCHES));
}

static int bench_registry(uint8_t leaf_first, const char *policy)
{
  const struct kvp_registry_shape shape = {.num_blocks = BLOCKS,
                                           .max_blocks = BLOCKS,
                                           .block_size = BLOCK_SIZE,
                                           .max_handles = BLOCKS,
                                           .max_events = 1000,
                                           .leaf_first = leaf_first};
  size_t registry_bytes, plane_bytes;
  uint32_t *plane = NULL;

  if (kvp_registry_memory(&shape, &registry_bytes, &plane_bytes) != KVP_OK)
    return 0;
  work = (struct work){.registry = malloc(registry_bytes), .number = 1};
  plane = malloc(plane_bytes);
  work.good = work.registry != NULL && plane != NULL
              && kvp_registry_init(work.registry, &shape, plane) == KVP_OK;
  if (work.good) {
    warm_up();
    bench(policy, "allocate, with eviction", evict);
    bench(policy, "register a sequence", register_chains);
    bench(policy, "match, release a sequence", match_release_chains);
    bench(policy, "match, release within one", match_release);
    bench(policy, "register, match, release", register_match_release);
  }
  free(plane);
  free(work.registry);
  return work.good;
}

int main(void)
{
  int good = bench_order(1, "order of 100,000: least out and back:");

  good = bench_order(0, "order of 100,000: any out and back:") && good;
  good = bench_registry(0, "by age") && good;
  good = bench_registry(1, "leaf first") && good;
  if (!good)
    fprintf(stderr, "bench: the order or the registry refused\n");
  return good ? 0 : 1;
}
