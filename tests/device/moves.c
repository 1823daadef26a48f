/* SPDX-License-Identifier: Apache-2.0 */
/* Hazards of retire_top: blocks that move more than once, victims that leave the pool, and the
   payload and tables that must follow. */
#include "tests/device/batch.h"

static void retire(struct batch *batch, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    add_kind(batch, KVP_RETIRE_TOP, 0);
}

static void chained_moves(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 12, seed);
    const uint32_t freed[] = {10, 9, 7, 2};
    for (int i = 0; i < 4; i++)
      add_kind(&batch, KVP_FREE, freed[i]);
    run(&harness, &batch); /* pop would take them in this order */
    retire(&batch, 5);
    run(&harness, &batch);
    assert_int_equal(batch.results[0].moved_to, 10);
    assert_int_equal(batch.results[1].moved_to, 9);
    assert_int_equal(batch.results[2].moved_to, 7);
    assert_int_equal(batch.results[3].moved_to, 2);
    assert_int_equal(batch.results[4].status, KVP_FULL);
    assert_int_equal(harness.table[11], 7);
    close_harness(&harness);
  }
}

/* 100 moves of one content, each to the id below. */
static void a_chain_longer_than_a_group(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 102, seed);
    for (uint32_t block = 100; block > 0; block--)
      add_kind(&batch, KVP_FREE, block);
    run(&harness, &batch);
    retire(&batch, 101);
    run(&harness, &batch);
    for (uint32_t i = 0; i < 100; i++)
      assert_int_equal(batch.results[i].moved_to, 100 - i);
    assert_int_equal(batch.results[100].status, KVP_FULL);
    assert_int_equal(harness.table[101], 1);
    close_harness(&harness);
  }
}

static void a_destination_that_was_a_source(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 8, seed);
    add_kind(&batch, KVP_FREE, 3);
    retire(&batch, 1); /* 7 to 3 */
    add_count(&batch, KVP_EXTEND, 2);
    add_pair(&batch, 7);
    add_pair(&batch, 8);
    add_publish(&batch, 8);
    add_kind(&batch, KVP_FREE, 7);
    retire(&batch, 1); /* 8 to 7 */
    add_kind(&batch, KVP_FREE, 0);
    retire(&batch, 1); /* 7 to 0 */
    run(&harness, &batch);
    assert_int_equal(batch.results[1].moved_to, 3);
    assert_int_equal(batch.results[9].moved_to, 7);
    assert_int_equal(batch.results[11].moved_to, 0);
    close_harness(&harness);
  }
}

static void a_move_into_a_block_freed_in_the_same_step(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 8, seed);
    add_kind(&batch, KVP_FREE, 5);
    add_kind(&batch, KVP_FREE, 2);
    add_kind(&batch, KVP_FREE, 4);
    retire(&batch, 2);
    run(&harness, &batch);
    assert_int_equal(batch.results[3].moved_to, 5);
    assert_int_equal(batch.results[4].moved_to, 2);
    close_harness(&harness);
  }
}

/* Content that was published, moved and published again within one batch. */
static void a_fill_and_a_move_of_one_block_in_a_step(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 8, seed);
    add_kind(&batch, KVP_FREE, 1);
    add_content(&batch, KVP_PUBLISH, 7, 5, 3);
    retire(&batch, 1); /* 7 to 1 */
    add_content(&batch, KVP_PUBLISH, 1, 6, 2);
    add_content(&batch, KVP_PUBLISH, 6, 5, 2);
    add_kind(&batch, KVP_FREE, 0);
    retire(&batch, 1); /* 6 to 0 */
    run(&harness, &batch);
    assert_int_equal(batch.results[2].moved_to, 1);
    assert_int_equal(batch.results[6].moved_to, 0);
    assert_int_equal(harness.contents[1].seed, 6);
    assert_int_equal(harness.contents[0].seed, 5);
    close_harness(&harness);
  }
}

static void tables_shared_by_sequences(void **state)
{
  (void)state;
  const uint32_t entries[] = {7, 6, 7, 7, KVP_NONE, 6, 2, 0, 9, 7};
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 8, seed);
    name_entries(&harness, 3, 10, entries);
    add_kind(&batch, KVP_FREE, 6); /* though entries name it: those follow what moves there */
    add_kind(&batch, KVP_FREE, 2);
    retire(&batch, 2);
    run(&harness, &batch);
    for (uint32_t i = 0; i < 10; i++)
      assert_int_equal(harness.table[3 + i], entries[i] == 7 || entries[i] == 6 ? 2 : entries[i]);
    close_harness(&harness);
  }
}

static void a_prefix_that_500_sequences_share(void **state)
{
  (void)state;
  struct harness harness;
  struct batch batch = {0};
  uint32_t entries[500];
  open_full(&harness, 260, 1);
  for (uint32_t i = 0; i < 500; i++)
    entries[i] = i % 2 == 0 ? 259 : 255 + i % 5;
  name_entries(&harness, 7, 500, entries);
  add_kind(&batch, KVP_FREE, 9);
  add_kind(&batch, KVP_FREE, 4);
  retire(&batch, 2);
  run(&harness, &batch);
  assert_int_equal(harness.table[7], 9);
  assert_int_equal(harness.table[7 + 3], 4);
  close_harness(&harness);
}

/* More entries than there are work-items in a launch, so that each item has several. */
static void a_table_longer_than_a_launch(void **state)
{
  (void)state;
  enum { n = 300000 };
  const struct kvp_device_shape shape = {
    .num_blocks = 50, .max_blocks = 50, .block_size = 1, .table_entries = n};
  uint32_t *entries = malloc(n * sizeof *entries);
  struct harness harness;
  struct batch batch = {0};

  assert_non_null(entries);
  open_harness(&harness, &shape, 1, 1);
  for (uint32_t block = 0; block < 50; block++)
    add_pair(&batch, block);
  run(&harness, &batch);
  for (uint32_t i = 0; i < n; i++)
    entries[i] = i % 53 < 50 ? i % 53 : KVP_NONE;
  name_entries(&harness, 0, n, entries);
  for (uint32_t block = 0; block < 10; block += 2)
    add_kind(&batch, KVP_FREE, block);
  retire(&batch, 5);
  run(&harness, &batch);
  assert_int_equal(harness.table[5000 * 53 + 49], 0);
  close_harness(&harness);
  free(entries);
}

static void retire_past_a_reserved_block(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 8, seed);
    add_kind(&batch, KVP_FREE, 5);
    add_kind(&batch, KVP_POP, 0);
    add_kind(&batch, KVP_FREE, 1);
    add_kind(&batch, KVP_FREE, 2);
    retire(&batch, 5);
    run(&harness, &batch);
    assert_int_equal(batch.results[4].moved_to, 1);
    assert_int_equal(batch.results[5].moved_to, 2);
    assert_int_equal(batch.results[6].status, KVP_BUSY);
    assert_int_equal(batch.results[8].status, KVP_BUSY);
    close_harness(&harness);
  }
}

static void retire_past_a_unit(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    struct kvp_unit units[2];
    open_full(&harness, 40, seed);
    add_kind(&batch, KVP_FREE, 30);
    add_kind(&batch, KVP_FREE, 3);
    add_units(&batch, KVP_RESERVE, 9, 2, units);
    for (uint32_t block = 10; block < 20; block++)
      add_kind(&batch, KVP_FREE, block);
    retire(&batch, 12);
    run(&harness, &batch);
    assert_int_equal(batch.results[13 + 8].moved_to, 18);
    assert_int_equal(batch.results[13 + 9].status, KVP_BUSY);
    add_units(&batch, KVP_RELEASE, 9, 2, units);
    retire(&batch, 3);
    run(&harness, &batch);
    assert_int_equal(batch.results[1].status, KVP_OK);
    close_harness(&harness);
  }
}

/* The k-th way to draw some of n blocks, one after the other: 0 when there is none. */
static uint32_t draw_order(uint32_t k, uint32_t n, uint32_t *order)
{
  uint32_t length = 0, ways = 1, left = 0;

  for (; k >= ways; length++) {
    if (length == n)
      return 0;
    k -= ways;
    ways *= n - length;
  }
  for (uint32_t i = 0; i < length; i++) {
    uint32_t skip = k % (n - i);
    k /= n - i;
    for (left = 0;; left++) {
      uint32_t used = 0;
      for (uint32_t j = 0; j < i; j++)
        used |= order[j] == left;
      if (!used && skip-- == 0)
        break;
    }
    order[i] = left;
  }
  return length;
}

/* Some of six blocks are freed, in every order; blocks from `published` on have no content, so
   those are vacant, the others cached. Then `retired` ids leave at once: cached blocks among them
   before or after the pool is down to them. */
static void retire_after_frees(uint32_t way, uint32_t published, uint32_t retired)
{
  struct harness harness;
  struct batch batch = {0};
  uint32_t order[6], n = draw_order(way, 6, order);

  open_vacant(&harness, 6, 7, 1 + way);
  for (uint32_t block = 0; block < 6; block++)
    add_pair(&batch, block);
  for (uint32_t block = 0; block < published; block++)
    add_publish(&batch, block);
  for (uint32_t i = 0; i < n; i++)
    add_kind(&batch, KVP_FREE, order[i]);
  run(&harness, &batch);
  name_all(&harness, 6);
  retire(&batch, retired);
  run(&harness, &batch);
  close_harness(&harness);
}

static void victims_that_retire_before_or_after_they_are_taken(void **state)
{
  (void)state;
  uint32_t order[6], step = strcmp(backend, "host") == 0 ? 1 : 41;
  for (uint32_t way = 1; draw_order(way, 6, order) != 0; way += step) {
    retire_after_frees(way, 6, 6);
    retire_after_frees(way, 4, 1 + way % 6);
  }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(chained_moves),
    cmocka_unit_test(a_chain_longer_than_a_group),
    cmocka_unit_test(a_destination_that_was_a_source),
    cmocka_unit_test(a_move_into_a_block_freed_in_the_same_step),
    cmocka_unit_test(a_fill_and_a_move_of_one_block_in_a_step),
    cmocka_unit_test(tables_shared_by_sequences),
    cmocka_unit_test(a_prefix_that_500_sequences_share),
    cmocka_unit_test(a_table_longer_than_a_launch),
    cmocka_unit_test(retire_past_a_reserved_block),
    cmocka_unit_test(retire_past_a_unit),
    cmocka_unit_test(victims_that_retire_before_or_after_they_are_taken),
  };
  choose_backend(argc, argv);
  return run_on_backends("moves", tests, sizeof tests / sizeof *tests);
}
