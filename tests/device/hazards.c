/* SPDX-License-Identifier: Apache-2.0 */
/* Hazards of taking blocks and giving them back: which block comes next, in what order blocks were
   released, and where ids join. Those of moves, of contents, of units and of one block named
   twice are in files of those names. */
#include "tests/device/batch.h"

/* Pairs as the caller expects them, until one that is not what pop gives. */
static void pairs_that_allocate_another_block(void **state)
{
  (void)state;
  for (uint32_t at = 0; at < 40; at += 13) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 64, 1 + at);
    for (uint32_t block = 0; block < 40; block++)
      add_kind(&batch, KVP_FREE, 3 * block % 64);
    run(&harness, &batch);
    for (uint32_t i = 0; i < 50; i++)
      add_pair(&batch, 3 * i % 64 + (i == at ? 1 : 0)); /* 10 more than are free */
    run(&harness, &batch);
    close_harness(&harness);
  }
}

static void batches_larger_than_a_group(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 190, seed);
    for (uint32_t block = 0; block < 190; block++)
      add_kind(&batch, KVP_FREE, block * 7 % 190);
    run(&harness, &batch);
    for (uint32_t block = 0; block < 195; block++)
      add_kind(&batch, KVP_POP, 0);
    run(&harness, &batch);
    for (uint32_t block = 0; block < 190; block++)
      add_kind(&batch, KVP_ALLOCATE, block);
    for (uint32_t block = 0; block < 90; block++)
      add_kind(&batch, KVP_FREE, 2 * block);
    run(&harness, &batch);
    for (uint32_t block = 0; block < 195; block++)
      add_kind(&batch, KVP_RETIRE_TOP, 0);
    run(&harness, &batch);
    close_harness(&harness);
  }
}

static void an_empty_batch(void **state)
{
  (void)state;
  struct harness harness;
  open_full(&harness, 1, 1);
  assert_int_equal(kvp_device_apply(harness.device, NULL, 0, NULL), KVP_OK);
  assert_same_state(&harness);
  close_harness(&harness);
}

/* More releases than the log has room for, with live entries that must keep their order. */
static void the_log_of_releases_is_compacted(void **state)
{
  (void)state;
  for (uint32_t length = 1; length <= 40; length += 13) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 70, length);
    for (uint32_t i = 0; i < 500; i++) {
      uint32_t block = i * 11 % 70;
      add_kind(&batch, i % 3 == 0 ? KVP_CLAIM : KVP_FREE, block);
      if (batch.n == length)
        run(&harness, &batch);
    }
    run(&harness, &batch);
    for (uint32_t round = 0; round < 6; round++) {
      for (uint32_t block = 0; block < 70; block++)
        add_kind(&batch, KVP_CLAIM, block);
      run(&harness, &batch);
      for (uint32_t block = 0; block < 70; block++)
        add_kind(&batch, KVP_FREE, (block * 3 + round) % 70);
      run(&harness, &batch);
    }
    close_harness(&harness);
  }
}

/* A block that was cached, claimed and freed again is the newest, wherever it stood. */
static void blocks_claimed_from_the_middle_of_the_order(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 40, seed);
    for (uint32_t block = 0; block < 40; block++)
      add_kind(&batch, KVP_FREE, block);
    for (uint32_t block = 0; block < 40; block += 3)
      add_kind(&batch, KVP_CLAIM, block);
    for (uint32_t block = 0; block < 40; block += 3)
      add_kind(&batch, KVP_FREE, 39 - block);
    for (uint32_t i = 0; i < 41; i++)
      add_kind(&batch, KVP_POP, 0);
    run(&harness, &batch);
    assert_int_equal(batch.results[68].block, 1);
    assert_int_equal(batch.results[68 + 25].block, 38);
    assert_int_equal(batch.results[68 + 26].block, 39);
    close_harness(&harness);
  }
}

/* The entries of claimed blocks are dead; pops, few and many, find the live ones behind them. */
static void many_dead_entries_before_a_live_one(void **state)
{
  (void)state;
  static const uint32_t pops[] = {1, 2, 12, 41};
  for (uint32_t k = 0; k < sizeof pops / sizeof *pops; k++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 330, 1 + k);
    for (uint32_t round = 0; round < 2; round++) {
      for (uint32_t block = 0; block < 330; block++)
        add_kind(&batch, KVP_FREE, 329 - block);
      run(&harness, &batch);
      for (uint32_t block = 40 * round; block < 330; block++)
        add_kind(&batch, KVP_CLAIM, block);
      run(&harness, &batch);
    }
    for (uint32_t i = 0; i < pops[k]; i++)
      add_kind(&batch, KVP_POP, 0);
    run(&harness, &batch);
    assert_int_equal(batch.results[0].block, 39);
    for (uint32_t i = 0; i < 20; i++)
      add_kind(&batch, KVP_RETIRE_TOP, 0);
    run(&harness, &batch);
    close_harness(&harness);
  }
}

/* Half of the blocks stay cached while the other half comes and goes. */
static void live_entries_through_many_compactions(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 160, seed);
    for (uint32_t block = 0; block < 160; block += 2)
      add_kind(&batch, KVP_FREE, block * 7 % 160);
    for (uint32_t round = 0; round < 30; round++) {
      for (uint32_t block = 1; block < 160; block += 2)
        add_kind(&batch, KVP_FREE, (block * 3 + 2 * round) % 160);
      for (uint32_t block = 1; block < 160; block += 2)
        add_kind(&batch, KVP_CLAIM, block);
      run(&harness, &batch);
    }
    for (uint32_t block = 0; block < 160; block++)
      add(&batch, &(struct kvp_op){.kind = KVP_LOOKUP, .hash = hash_of(block)});
    for (uint32_t i = 0; i < 81; i++)
      add_kind(&batch, KVP_POP, 0);
    run(&harness, &batch);
    close_harness(&harness);
  }
}

/* One at a time over several words, so that where pop looks first must come down again. */
static void a_block_freed_below_where_pop_looked_last(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 100, seed);
    add_pair(&batch, KVP_NONE);
    add_count(&batch, KVP_EXTEND, 2);
    add_pair(&batch, 100);
    add_kind(&batch, KVP_FREE, 40);
    add_kind(&batch, KVP_CLEAR_INDEX, 0);
    add_pair(&batch, 40);
    add_kind(&batch, KVP_FREE, 40);
    add_kind(&batch, KVP_POP, 0);
    run(&harness, &batch);
    assert_int_equal(batch.results[10].block, 40);
    close_harness(&harness);
  }
}

/* Vacant blocks first, whenever they were freed; then the cached ones by age. */
static void victims_of_both_classes(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 90, seed);
    for (uint32_t i = 0; i < 60; i++)
      add_kind(&batch, KVP_FREE, 89 - i);
    for (uint32_t i = 0; i < 30; i++)
      add_pair(&batch, 89 - i); /* have no content from now on */
    for (uint32_t i = 0; i < 20; i++)
      add_kind(&batch, KVP_FREE, 60 + i);
    for (uint32_t i = 0; i < 49; i++)
      add_kind(&batch, KVP_POP, 0);
    run(&harness, &batch);
    assert_int_equal(batch.results[140].block, 60);
    assert_int_equal(batch.results[140 + 20].block, 59);
    close_harness(&harness);
  }
}

/* Ids join in order, and none joins past max_blocks. */
static void extends_beyond_the_last_id(void **state)
{
  (void)state;
  static const uint32_t counts[] = {1, 0, 3, 31, 64, 7, 200, UINT32_MAX, 1, 0};
  enum { n = sizeof counts / sizeof *counts };
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_vacant(&harness, 3, 200, seed);
    for (uint32_t i = 0; i < n; i++)
      add_count(&batch, KVP_EXTEND, counts[i]);
    for (uint32_t i = 0; i < 201; i++)
      add_kind(&batch, KVP_POP, 0);
    run(&harness, &batch);
    assert_int_equal(batch.results[5].count, 7);
    assert_int_equal(batch.results[6].count, 200 - 3 - 106);
    assert_int_equal(batch.results[7].count, 0);
    assert_int_equal(batch.results[n + 200].status, KVP_EMPTY);
    close_harness(&harness);
  }
}

/* Down and up again within one batch: an id that comes back is vacant. */
static void ids_that_leave_and_come_back(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 70, seed);
    for (uint32_t round = 1; round < 6; round++) {
      for (uint32_t i = 0; i < 9 * round; i++)
        add_kind(&batch, KVP_FREE, (i * 7 + round) % 70);
      for (uint32_t i = 0; i < 7 * round; i++)
        add_kind(&batch, KVP_RETIRE_TOP, 0);
      for (uint32_t i = 0; i < 5; i++)
        add_count(&batch, KVP_EXTEND, round);
      for (uint32_t i = 0; i < 5 * round; i++)
        add_pair(&batch, 70 - 7 * round + i);
      for (uint32_t i = 0; i < 5 * round; i++)
        add_publish(&batch, 70 - 7 * round + i);
    }
    run(&harness, &batch);
    close_harness(&harness);
  }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(pairs_that_allocate_another_block),
    cmocka_unit_test(batches_larger_than_a_group),
    cmocka_unit_test(an_empty_batch),
    cmocka_unit_test(the_log_of_releases_is_compacted),
    cmocka_unit_test(blocks_claimed_from_the_middle_of_the_order),
    cmocka_unit_test(many_dead_entries_before_a_live_one),
    cmocka_unit_test(live_entries_through_many_compactions),
    cmocka_unit_test(a_block_freed_below_where_pop_looked_last),
    cmocka_unit_test(victims_of_both_classes),
    cmocka_unit_test(extends_beyond_the_last_id),
    cmocka_unit_test(ids_that_leave_and_come_back),
  };
  choose_backend(argc, argv);
  return run_on_backends("hazards", tests, sizeof tests / sizeof *tests);
}
