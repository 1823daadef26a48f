/* SPDX-License-Identifier: Apache-2.0 */
/* How fast the registry's parts are, in a single thread. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "src/registry/order.h"

#define BLOCKS 100000
#define ROUNDS 5000000

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

int main(void)
{
  int good = bench_order(1, "order of 100,000: least out and back:");

  good = bench_order(0, "order of 100,000: any out and back:") && good;
  if (!good)
    fprintf(stderr, "bench: the order refused\n");
  return good ? 0 : 1;
}
