/* SPDX-License-Identifier: Apache-2.0 */
/* A pool of 1,000,003 blocks beside the reference: every kind in runs of thousands, so that sums
   and searches go over all groups and more than one stride of them. */
#include <kvpool/layout.h>

#include "tests/device/harness.h"

#define BLOCKS 1000003u
#define JOINED 997u
#define STEP 618041u /* prime to BLOCKS: i * STEP % BLOCKS goes everywhere */
#define PART 65537u  /* operations of a batch */

struct vector {
  uint32_t n;
  struct kvp_op *ops; /* [room] */
  struct kvp_result *results;
};

static const uint32_t tokens[2] = {3, 4};

static void open_large(struct harness *harness, struct vector *vector)
{
  const struct kvp_device_shape shape = {.num_blocks = BLOCKS,
                                         .max_blocks = BLOCKS + JOINED,
                                         .block_size = 1,
                                         .num_planes = 2,
                                         .block_bytes = 16,
                                         .table_entries = 1000};
  const struct kvp_device_options options = {
    .backend = backend, .order_seed = 1, .fill_on_publish = 1};

  open_harness_with(harness, &shape, &options);
  *vector = (struct vector){.ops = calloc(PART, sizeof *vector->ops),
                            .results = calloc(PART, sizeof *vector->results)};
  assert_true(vector->ops != NULL && vector->results != NULL);
}

static void close_large(struct harness *harness, struct vector *vector)
{
  close_harness(harness);
  free(vector->ops);
  free(vector->results);
}

static void flush(struct harness *harness, struct vector *vector)
{
  assert_int_equal(try_batch(harness, vector->ops, vector->n, vector->results), KVP_OK);
  vector->n = 0;
}

static void add(struct harness *harness, struct vector *vector, const struct kvp_op *op)
{
  if (vector->n == PART)
    flush(harness, vector);
  vector->ops[vector->n++] = *op;
}

static void add_kind(struct harness *harness, struct vector *vector, enum kvp_kind kind,
                     uint32_t block)
{
  add(harness, vector,
      &(struct kvp_op){
        .kind = kind, .block = block, .hash = block * 3ull, .tokens = tokens, .length = block % 2});
}

/* The block that is released i-th of all. */
static uint32_t released(uint32_t i) { return (uint32_t)((uint64_t)i * 7 * STEP % BLOCKS); }

/* Takes and publishes all and releases two of three, all over the pool. */
static void use_all(struct harness *harness, struct vector *vector)
{
  for (uint32_t block = 0; block < BLOCKS; block++) {
    add_kind(harness, vector, KVP_POP, 0);
    add_kind(harness, vector, KVP_ALLOCATE, block);
  }
  for (uint32_t i = 0; i < BLOCKS; i++)
    add_kind(harness, vector, KVP_PUBLISH, (uint32_t)((uint64_t)i * STEP % BLOCKS));
  for (uint32_t i = 0; i < BLOCKS; i++)
    if (i % 3 != 0)
      add_kind(harness, vector, KVP_FREE, released(i));
  flush(harness, vector);
  assert_same_state(harness);
}

/* The oldest cached blocks are claimed, so that pop must look far for those that are left. */
static void look_far(struct harness *harness, struct vector *vector)
{
  for (uint32_t i = 0; i < 60000; i++)
    if (i % 3 != 0)
      add_kind(harness, vector, KVP_CLAIM, released(i));
  for (uint32_t i = 0; i < 9; i++)
    add_kind(harness, vector, KVP_POP, 0);
  flush(harness, vector);
  assert_int_equal(vector->results[40000].block, released(60001));
  assert_same_state(harness);
}

/* What a step of an engine does, thousands of times over. */
static void every_kind_by_thousands(void **state)
{
  (void)state;
  struct harness harness;
  struct vector vector;
  static struct kvp_unit units[3][9999];
  uint32_t entries[1000];

  if (BLOCKS + JOINED > KVP_CAPACITY) {
    printf("SKIPPED: this build's pools have at most %d blocks\n", KVP_CAPACITY);
    skip();
  }
  open_large(&harness, &vector);
  use_all(&harness, &vector);
  look_far(&harness, &vector);
  for (uint32_t i = 0; i < 1000; i++)
    entries[i] = BLOCKS - 1 - i * 13;
  name_entries(&harness, 0, 1000, entries);
  for (uint32_t i = 0; i < 10000; i++)
    add_kind(&harness, &vector, KVP_RETIRE_TOP, 0);
  flush(&harness, &vector);
  assert_same_state(&harness);
  for (uint32_t i = 0; i < 12; i++)
    add(&harness, &vector, &(struct kvp_op){.kind = KVP_EXTEND, .count = JOINED});
  for (uint32_t i = 0; i < 3; i++)
    add(&harness, &vector,
        &(struct kvp_op){.kind = KVP_RESERVE, .owner = 1 + i, .count = 9999, .units = units[i]});
  for (uint32_t i = 0; i < 20000; i++) {
    uint32_t block = (uint32_t)((uint64_t)i * 5 * STEP % BLOCKS);
    add_kind(&harness, &vector, i < 9000 ? KVP_LOOKUP : KVP_CLAIM, block);
  }
  flush(&harness, &vector);
  assert_same_state(&harness);
  add(&harness, &vector,
      &(struct kvp_op){.kind = KVP_RELEASE, .owner = 2, .count = 9999, .units = units[1]});
  for (uint32_t i = 0; i < 50000; i++)
    add_kind(&harness, &vector, KVP_POP, 0);
  add_kind(&harness, &vector, KVP_CLEAR_INDEX, 0);
  for (uint32_t i = 0; i < 5000; i++)
    add_kind(&harness, &vector, i % 2 == 0 ? KVP_POP : KVP_LOOKUP, i);
  flush(&harness, &vector);
  assert_same_state(&harness);
  close_large(&harness, &vector);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_kind_by_thousands)};
  choose_backend(argc, argv);
  return run_on_backends("large", tests, sizeof tests / sizeof *tests);
}
