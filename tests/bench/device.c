/* SPDX-License-Identifier: Apache-2.0 */
/* How fast a device is, in ratios of the same run: moved payload against the backend's own copy,
   retiring against the pool's size, look-ups against the reference. The argument names a device. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "src/device/address.h"
#include "src/device/state.h"
#include "src/oracle/appliers.h"
#include "src/oracle/workload.h"

#include <kvpool/pool.h>

#define ROUNDS 11 /* of which the median counts */
#define LEAST 0   /* where a sorted list of times has its least, and its median */
#define MEDIAN (ROUNDS / 2)

static const char *name; /* of the device */

static double seconds_now(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare_doubles(const void *left, const void *right)
{
  double a = *(const double *)left, b = *(const double *)right;

  return (a > b) - (a < b);
}

static void sort(double *times) { qsort(times, ROUNDS, sizeof *times, compare_doubles); }

/* NULL after a line that says why. */
static struct kvp_device *open_device(const struct kvp_device_shape *shape)
{
  const struct kvp_device_options options = {.backend = name};
  struct kvp_device *device;
  char message[1024];

  if (kvp_device_open(shape, &options, &device, message, sizeof message) != KVP_OK)
    fprintf(stderr, "bench: %s: %s\n", name, message);
  return device;
}

/* A batch of one kind on blocks, or of hashes, from `first` on. 0 unless each is KVP_OK. */
static int apply(struct kvp_device *device, enum kvp_kind kind, uint32_t first, uint32_t n)
{
  struct kvp_op *ops = calloc(n, sizeof *ops);
  struct kvp_result *results = calloc(n, sizeof *results);
  int good = ops != NULL && results != NULL;

  for (uint32_t i = 0; good && i < n; i++)
    ops[i] = (struct kvp_op){
      .kind = kind, .block = first + i, .hash = kvp_content_hash(first + i), .count = n};
  good = good && kvp_device_apply(device, ops, kind == KVP_EXTEND ? 1 : n, results) == KVP_OK;
  for (uint32_t i = 0; good && i < (kind == KVP_EXTEND ? 1 : n); i++)
    good = results[i].status == KVP_OK;
  if (!good)
    fprintf(stderr, "bench: %s: kind %d: %s\n", name, (int)kind, kvp_device_error(device));
  free(ops);
  free(results);
  return good;
}

/* Retires the upper n blocks of the pool, all held; their contents go to its lowest ids. Then puts
   everything back. The seconds of the retiring, or a number below 0. */
static double time_retire(struct kvp_device *device, uint32_t blocks, uint32_t n)
{
  double start, seconds;

  if (!apply(device, KVP_ALLOCATE, blocks - n, n))
    return -1;
  start = seconds_now();
  if (!apply(device, KVP_RETIRE_TOP, 0, n))
    return -1;
  seconds = seconds_now() - start;
  return apply(device, KVP_FREE, 0, n) && apply(device, KVP_EXTEND, 0, n) ? seconds : -1;
}

/* The same bytes by the backend's own means, as one copy. */
static double time_copy(struct kvp_device *device, size_t bytes)
{
  double start = seconds_now();

  if (device->backend->copy(device->self, ARRAY_payload, 0, bytes, bytes) != KVP_OK
      || device->backend->wait(device->self) != KVP_OK)
    return -1;
  return seconds_now() - start;
}

/* 64 MiB in blocks of this size, from the upper half of the pool to the lower. */
static int bench_moves(uint32_t block_bytes, uint32_t num_planes)
{
  const uint32_t n = (64u << 20) / block_bytes;
  const struct kvp_device_shape shape = {.num_blocks = 2 * n,
                                         .max_blocks = 2 * n,
                                         .num_planes = num_planes,
                                         .block_bytes = block_bytes / num_planes};
  double moves[ROUNDS], copies[ROUNDS];
  struct kvp_device *device = open_device(&shape);
  int good = device != NULL && time_retire(device, 2 * n, n) >= 0;

  for (int i = 0; good && i < ROUNDS; i++) {
    copies[i] = time_copy(device, (size_t)n * block_bytes);
    moves[i] = time_retire(device, 2 * n, n);
    good = copies[i] >= 0 && moves[i] >= 0;
  }
  kvp_device_close(device);
  if (!good)
    return 0;
  sort(moves);
  sort(copies);
  printf("  %7u KiB in %2u planes  %7.2f ms, a copy %7.2f ms: %5.2f of its speed (best %5.2f)\n",
         block_bytes / 1024, num_planes, 1e3 * moves[MEDIAN], 1e3 * copies[MEDIAN],
         copies[MEDIAN] / moves[MEDIAN], copies[LEAST] / moves[LEAST]);
  return 1;
}

#define RETIRED 10000

/* The seconds of retiring RETIRED blocks of 64 bytes, or a number below 0. */
static double bench_retire(uint32_t blocks, uint32_t table_entries)
{
  const struct kvp_device_shape shape = {
    .num_blocks = blocks, .max_blocks = blocks, .block_bytes = 64, .table_entries = table_entries};
  double times[ROUNDS];
  struct kvp_device *device = open_device(&shape);
  int good = device != NULL && time_retire(device, blocks, RETIRED) >= 0;

  for (int i = 0; good && i < ROUNDS; i++) {
    times[i] = time_retire(device, blocks, RETIRED);
    good = times[i] >= 0;
  }
  kvp_device_close(device);
  if (!good)
    return -1;
  sort(times);
  return times[MEDIAN];
}

/* The same moves out of a larger pool, and then with tables that name each of its blocks: every
   entry is looked at. */
static int bench_retires(void)
{
  double small = bench_retire(100000, RETIRED), large = -1, named = -1;

  if (small >= 0)
    large = bench_retire(1000000, RETIRED);
  if (large >= 0)
    named = bench_retire(1000000, 1000000);
  if (named < 0)
    return 0;
  printf(
    "  %d blocks of 64 bytes out of 100,000: %.2f ms; out of 1,000,000: %.2f ms, %.2f times as "
    "long;\n  with tables of 1,000,000 entries, not 10,000: %.2f ms, %.2f times as long\n",
    RETIRED, 1e3 * small, 1e3 * large, large / small, 1e3 * named, named / small);
  return 1;
}

#define CONTENTS 50000

struct lookups {
  struct kvp_device *device;
  struct kvp_applier reference;
  struct kvp_op ops[65536]; /* every other one hits */
  struct kvp_result results[65536];
};

static int fill_pools(struct lookups *lookups)
{
  struct kvp_evicted evicted;
  int good = apply(lookups->device, KVP_ALLOCATE, 0, CONTENTS)
             && apply(lookups->device, KVP_PUBLISH, 0, CONTENTS);

  for (uint32_t i = 0; good && i < CONTENTS; i++)
    good = kvp_pool_allocate(lookups->reference.self, i, &evicted) == KVP_OK
           && kvp_pool_publish(lookups->reference.self, i, kvp_content_hash(i), NULL, 0, &evicted)
                == KVP_OK;
  for (uint32_t i = 0; i < 65536; i++)
    lookups->ops[i] = (struct kvp_op){
      .kind = KVP_LOOKUP, .hash = kvp_content_hash((i * UINT64_C(2654435761)) % (2 * CONTENTS))};
  return good;
}

/* Nanoseconds for each look-up of a batch of n, on the device and on the reference; 0 if the
   device failed or if the two do not agree. */
static int time_lookups(struct lookups *lookups, uint32_t n, double *device, double *reference)
{
  double here[ROUNDS], there[ROUNDS];

  for (int round = 0; round < ROUNDS; round++) {
    uint32_t differ = 0;
    double start = seconds_now(), between;
    if (kvp_device_apply(lookups->device, lookups->ops, n, lookups->results) != KVP_OK)
      return 0;
    between = seconds_now();
    for (uint32_t i = 0; i < n; i++)
      differ +=
        kvp_pool_lookup(lookups->reference.self, lookups->ops[i].hash) != lookups->results[i].block;
    there[round] = between - start;
    here[round] = seconds_now() - between;
    if (differ != 0)
      return 0;
  }
  sort(here);
  sort(there);
  *device = 1e9 * there[MEDIAN] / n;
  *reference = 1e9 * here[MEDIAN] / n;
  return 1;
}

static int print_lookups(struct lookups *lookups)
{
  uint32_t wins_from = 0;

  for (uint32_t n = 1; n <= 65536; n *= 16) {
    double device, reference;
    if (!time_lookups(lookups, n, &device, &reference))
      return 0;
    printf("  batches of %5" PRIu32 ": %9.1f ns each, one by one on the reference %6.1f ns: %.3f "
           "of its speed\n",
           n, device, reference, reference / device);
    if (device >= reference)
      wins_from = 0;
    else if (wins_from == 0)
      wins_from = n;
  }
  if (wins_from == 0)
    printf("  the device does not win at any of these sizes\n");
  else
    printf("  the device wins from batches of %" PRIu32 " on\n", wins_from);
  return 1;
}

static int bench_lookups(void)
{
  const struct kvp_device_shape shape = {.num_blocks = 2 * CONTENTS, .max_blocks = 2 * CONTENTS};
  struct lookups *lookups = calloc(1, sizeof *lookups);
  int good = lookups != NULL;

  if (good) {
    lookups->device = open_device(&shape);
    good = lookups->device != NULL
           && kvp_open_reference(2 * CONTENTS, 2 * CONTENTS, 0, &lookups->reference) == KVP_OK;
    good = good && fill_pools(lookups) && print_lookups(lookups);
    kvp_close_reference(&lookups->reference);
    kvp_device_close(lookups->device);
  }
  free(lookups);
  return good;
}

int main(int argc, char **argv)
{
  int good = 1;

  name = argc > 1 ? argv[1] : "opencl";
  printf("%s: 64 MiB moved by retiring, against one plain copy of as much\n", name);
  for (uint32_t bytes = 65536; good && bytes <= 1048576; bytes *= 4)
    good = bench_moves(bytes, 1) && bench_moves(bytes, 64);
  printf("%s: retiring held blocks\n", name);
  good = good && bench_retires();
  printf("%s: look-ups, half of them hits, among %d contents\n", name, CONTENTS);
  good = good && bench_lookups();
  if (!good)
    fprintf(stderr, "bench: %s failed, or was wrong\n", name);
  return good ? 0 : 1;
}
