/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that name one block more than once: which of the operations on it is the one that is
   refused, and what the others leave. */
#include <kvpool/pool.h>

#include "src/device/transfer.h"
#include "tests/device/batch.h"

#define HOLDERS_MOST UINT32_MAX

/* Blocks of every class, and an id outside: 0 to 3 used, 4 to 6 cached, 7 vacant, 8 reserved, 9 a
   unit. */
static void open_classes(struct harness *harness, uint64_t seed)
{
  struct batch batch = {0};
  static struct kvp_unit unit;

  open_vacant(harness, 10, 12, seed);
  for (uint32_t block = 0; block < 9; block++)
    add_pair(&batch, block);
  add_units(&batch, KVP_RESERVE, 5, 1, &unit);
  for (uint32_t block = 1; block < 7; block++)
    add_publish(&batch, block);
  for (uint32_t i = 0; i < 5; i++)
    add_kind(&batch, KVP_FREE, 8 - i);
  add_kind(&batch, KVP_POP, 0);
  add_kind(&batch, KVP_POP, 0);
  add_kind(&batch, KVP_ALLOCATE, 7);
  add_kind(&batch, KVP_FREE, 7);
  run(harness, &batch);
  assert_int_equal(unit.block, 9);
}

/* Every sequence of four operations of a kind over some ids. */
static void try_sequences(enum kvp_kind kind, const uint32_t *ids, uint32_t n)
{
  uint32_t ways = n * n * n * n, step = strcmp(backend, "host") == 0 ? 1 : 37;

  for (uint32_t way = 0; way < ways; way += step) {
    struct harness harness;
    struct batch batch = {0};
    open_classes(&harness, way);
    for (uint32_t i = 0, rest = way; i < 4; i++, rest /= n)
      add_kind(&batch, kind, ids[rest % n]);
    run(&harness, &batch);
    close_harness(&harness);
  }
}

static void every_four_allocates(void **state)
{
  (void)state;
  static const uint32_t ids[] = {2, 5, 7, 8, 9, 10};
  try_sequences(KVP_ALLOCATE, ids, 6);
}

static void every_four_claims(void **state)
{
  (void)state;
  static const uint32_t ids[] = {2, 4, 6, 7, 8, 11};
  try_sequences(KVP_CLAIM, ids, 6);
}

static void every_four_frees(void **state)
{
  (void)state;
  static const uint32_t ids[] = {0, 2, 3, 5, 9, 10};
  try_sequences(KVP_FREE, ids, 6);
}

static void frees_of_one_block_and_errors_among_them(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 40, seed);
    for (uint32_t i = 0; i < 60; i++)
      add_kind(&batch, KVP_CLAIM, i % 7);
    run(&harness, &batch);
    for (uint32_t i = 0; i < 150; i++)
      add_kind(&batch, KVP_FREE, i % 50 == 49 ? KVP_NONE : i * 5 % 47);
    run(&harness, &batch);
    close_harness(&harness);
  }
}

/* The free that gives the last hold back is the one that is too many less one, in any group. */
static void more_frees_than_holds(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 4, seed);
    for (uint32_t i = 0; i < 199; i++)
      add_kind(&batch, KVP_CLAIM, 2);
    for (uint32_t i = 0; i < 210; i++)
      add_kind(&batch, KVP_FREE, i == 100 ? 1 : 2);
    run(&harness, &batch);
    assert_int_equal(batch.results[199 + 200].status, KVP_OK);
    assert_int_equal(batch.results[199 + 201].status, KVP_STATE);
    assert_int_equal(harness.judge.next_cached(harness.judge.self, 1), 2);
    close_harness(&harness);
  }
}

/* Blocks of one to six holders, given back to the last by turns: the last free of each says where
   it stands in the order of release. */
static void as_many_frees_as_holds(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 60, seed);
    for (uint32_t holders = 1; holders < 6; holders++)
      for (uint32_t block = holders; block < 60; block++)
        if (block % 6 >= holders)
          add_kind(&batch, KVP_CLAIM, block);
    for (uint32_t holders = 0; holders < 6; holders++)
      for (uint32_t i = 0; i < 60; i++) {
        uint32_t block = (i * 7 + 11 * holders) % 60;
        if (block % 6 >= holders)
          add_kind(&batch, KVP_FREE, block);
      }
    run(&harness, &batch);
    assert_int_equal(harness.judge.next_cached(harness.judge.self, KVP_NONE), 0);
    close_harness(&harness);
  }
}

/* A run of any kind on blocks 0 to 7, each named more than once, in another order each round. */
static void add_twenty(struct batch *batch, enum kvp_kind kind, uint32_t round)
{
  static struct kvp_unit units[MOST];

  for (uint32_t i = 0; i < 20; i++) {
    add_content(batch, kind, (i * 3 + round) % 8, hash_of(i * 5 % 7), i + round);
    struct kvp_op *op = &batch->ops[batch->n - 1];
    op->owner = 5;
    op->count = kind == KVP_RESERVE ? i % 2 : kind == KVP_EXTEND ? i / 19 : 0;
    op->units = &units[batch->n];
  }
  for (uint32_t i = 0; i < 20 && (kind == KVP_ALLOCATE || kind == KVP_POP); i++)
    add_kind(batch, KVP_FREE, i * 5 % 8);
}

/* Runs of two kinds by turns on the same few blocks: what one notes of them, the other must not
   find. */
static void every_kind_after_every_other(void **state)
{
  (void)state;
  const uint32_t n = KVP_NUM_KINDS;
  uint32_t step = strcmp(backend, "host") == 0 ? 1 : 9;

  for (uint32_t way = 0; way < n * n; way += step) {
    struct harness harness;
    struct batch batch = {0};
    open_classes(&harness, 1 + way);
    for (uint32_t round = 0; round < 6; round++)
      add_twenty(&batch, (enum kvp_kind)(round % 2 == 0 ? way % n : way / n), round);
    run(&harness, &batch);
    close_harness(&harness);
  }
}

/* The first claim takes it out of the order of release, the rest add holders. */
static void claims_of_one_cached_block(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    struct kvp_view view;
    open_full(&harness, 40, seed);
    for (uint32_t block = 0; block < 30; block++)
      add_kind(&batch, KVP_FREE, block);
    for (uint32_t i = 0; i < 300; i++)
      add_kind(&batch, KVP_CLAIM, i % 3 == 0 ? i % 48 : 17);
    run(&harness, &batch);
    assert_int_equal(kvp_device_view(harness.device, 17, &view), KVP_OK);
    assert_int_equal(view.ref_count, 200);
    close_harness(&harness);
  }
}

/* Runs of claims and frees by turns: each sees what the one before left. */
static void claims_and_frees_by_turns(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 20, seed);
    for (uint32_t round = 0; round < 12; round++) {
      for (uint32_t i = 0; i < 24; i++)
        add_kind(&batch, KVP_FREE, (i * 3 + round) % 21);
      for (uint32_t i = 0; i < 24; i++)
        add_kind(&batch, KVP_CLAIM, (i * 5 + round) % 22);
    }
    run(&harness, &batch);
    close_harness(&harness);
  }
}

/* One of them succeeds; what it evicts is reported once. */
static void allocates_of_one_block(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 90, seed);
    for (uint32_t block = 0; block < 90; block += 2)
      add_kind(&batch, KVP_FREE, block);
    for (uint32_t i = 0; i < 300; i++)
      add_kind(&batch, KVP_ALLOCATE, i % 5 == 4 ? 44 : i * 7 % 93);
    run(&harness, &batch);
    assert_int_equal(batch.results[45 + 4].evicted.hash, hash_of(44));
    assert_int_equal(batch.results[45 + 9].status, KVP_BUSY);
    close_harness(&harness);
  }
}

/* Holders that no test could add one by one, written to device and reference alike. */
static void set_holders(struct harness *harness, uint32_t block, uint32_t holders)
{
  struct kvp_pool *pool = harness->judge.self;

  pool->ref_count[block] = holders;
  assert_int_equal(kvp_device_upload(harness->device, ARRAY_ref_count, block * sizeof holders,
                                     sizeof holders, &holders),
                   KVP_OK);
  assert_int_equal(kvp_device_wait(harness->device), KVP_OK);
  kvp_snapshot_forget(&harness->device->snapshot);
  assert_same_state(harness);
}

static void open_beside_reference(struct harness *harness, uint64_t seed)
{
  const struct kvp_device_shape shape = {.num_blocks = 3, .max_blocks = 3, .block_size = 1};
  const struct kvp_device_options options = {
    .backend = backend, .order_seed = seed, .parallel_min = seed == 0 ? SERIAL : 1};
  struct kvp_device *device;
  struct batch batch = {0};

  assert_int_equal(kvp_device_open(&shape, &options, &device, NULL, 0), KVP_OK);
  attach_harness(harness, device, &shape, 0, 0);
  for (uint32_t block = 0; block < 3; block++)
    add_pair(&batch, block);
  run(harness, &batch);
}

static void claims_past_the_most_holders(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_beside_reference(&harness, seed);
    set_holders(&harness, 1, HOLDERS_MOST - 40);
    for (uint32_t i = 0; i < 100; i++)
      add_kind(&batch, KVP_CLAIM, i % 2);
    run(&harness, &batch);
    assert_int_equal(batch.results[2 * 39 + 1].status, KVP_OK);
    assert_int_equal(batch.results[2 * 40 + 1].status, KVP_OVERFLOW);
    assert_int_equal(batch.results[99].status, KVP_OVERFLOW);
    for (uint32_t i = 0; i < 30; i++)
      add_kind(&batch, KVP_FREE, 1);
    for (uint32_t i = 0; i < 40; i++)
      add_kind(&batch, KVP_CLAIM, 1);
    run(&harness, &batch);
    assert_int_equal(batch.results[30 + 29].status, KVP_OK);
    assert_int_equal(batch.results[30 + 30].status, KVP_OVERFLOW);
    close_harness(&harness);
  }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_four_allocates),
    cmocka_unit_test(every_four_claims),
    cmocka_unit_test(every_four_frees),
    cmocka_unit_test(frees_of_one_block_and_errors_among_them),
    cmocka_unit_test(more_frees_than_holds),
    cmocka_unit_test(as_many_frees_as_holds),
    cmocka_unit_test(every_kind_after_every_other),
    cmocka_unit_test(claims_of_one_cached_block),
    cmocka_unit_test(claims_and_frees_by_turns),
    cmocka_unit_test(allocates_of_one_block),
    cmocka_unit_test(claims_past_the_most_holders),
  };
  choose_backend(argc, argv);
  return run_on_backends("repeats", tests, sizeof tests / sizeof *tests);
}
