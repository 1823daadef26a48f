/* SPDX-License-Identifier: Apache-2.0 */
/* What goes wrong when operations that follow each other are done at once, each by its name. */
#include "tests/device/harness.h"

#define MOST 400 /* operations of a batch here */

/* A batch that is being written. */
struct batch {
  uint32_t n;
  struct kvp_op ops[MOST];
  struct kvp_result results[MOST];
};

static const uint32_t tokens[4] = {1, 2, 3, 4};

static void add(struct batch *batch, const struct kvp_op *op)
{
  assert_true(batch->n < MOST);
  batch->ops[batch->n++] = *op;
}

static void add_kind(struct batch *batch, enum kvp_kind kind, uint32_t block)
{
  add(batch, &(struct kvp_op){.kind = kind, .block = block});
}

static void add_pair(struct batch *batch, uint32_t block)
{
  add_kind(batch, KVP_POP, 0);
  add_kind(batch, KVP_ALLOCATE, block);
}

static void add_publish(struct batch *batch, uint32_t block)
{
  add(batch, &(struct kvp_op){.kind = KVP_PUBLISH,
                              .block = block,
                              .hash = 100 + block,
                              .tokens = tokens,
                              .length = block % 5});
}

static void run(struct harness *harness, struct batch *batch)
{
  apply_batch(harness, batch->ops, batch->n, batch->results);
  batch->n = 0;
}

/* A pool of that many blocks, all used, published and filled; the table names each twice. */
static void open_pool(struct harness *harness, uint32_t blocks, uint64_t seed,
                      uint32_t parallel_min)
{
  const struct kvp_device_shape shape = {.num_blocks = blocks,
                                         .max_blocks = blocks + 8,
                                         .block_size = 4,
                                         .block_bytes = 4112,
                                         .table_entries = 2 * blocks};
  struct batch *batch = calloc(1, sizeof *batch);

  open_harness(harness, &shape, seed, parallel_min);
  for (uint32_t block = 0; block < blocks; block++)
    add_pair(batch, block);
  run(harness, batch);
  for (uint32_t block = 0; block < blocks; block++)
    add_publish(batch, block);
  run(harness, batch);
  free(batch);
  for (uint32_t block = 0; block < blocks; block++) {
    fill_block(harness, block, block);
    name_entries(harness, block, 1, &block);
    name_entries(harness, 2 * blocks - 1 - block, 1, &block);
  }
}

static void open_full(struct harness *harness, uint32_t blocks, uint64_t seed)
{
  open_pool(harness, blocks, seed, 1);
}

static void chained_moves(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 12, seed);
    const uint32_t freed[] = {10, 9, 7, 2};
    for (int i = 0; i < 4; i++)
      add_kind(&batch, KVP_FREE, freed[i]);
    run(&harness, &batch); /* pop would take them in this order */
    for (int i = 0; i < 5; i++)
      add_kind(&batch, KVP_RETIRE_TOP, 0);
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

static void a_destination_that_was_a_source(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 8, seed);
    add_kind(&batch, KVP_FREE, 3);
    add_kind(&batch, KVP_RETIRE_TOP, 0); /* 7 to 3 */
    add(&batch, &(struct kvp_op){.kind = KVP_EXTEND, .count = 2});
    add_pair(&batch, 7);
    add_pair(&batch, 8);
    add_publish(&batch, 8);
    add_kind(&batch, KVP_FREE, 7);
    add_kind(&batch, KVP_RETIRE_TOP, 0); /* 8 to 7 */
    add_kind(&batch, KVP_FREE, 0);
    add_kind(&batch, KVP_RETIRE_TOP, 0); /* 7 to 0 */
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
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 8, seed);
    add_kind(&batch, KVP_FREE, 5);
    add_kind(&batch, KVP_FREE, 2);
    add_kind(&batch, KVP_FREE, 4);
    add_kind(&batch, KVP_RETIRE_TOP, 0);
    add_kind(&batch, KVP_RETIRE_TOP, 0);
    run(&harness, &batch);
    assert_int_equal(batch.results[3].moved_to, 5);
    assert_int_equal(batch.results[4].moved_to, 2);
    close_harness(&harness);
  }
}

static void tables_shared_by_sequences(void **state)
{
  (void)state;
  const uint32_t entries[] = {7, 6, 7, 7, KVP_NONE, 6, 2, 0, 9, 7};
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 8, seed);
    name_entries(&harness, 3, 10, entries);
    add_kind(&batch, KVP_FREE, 6); /* though entries name it: those follow what moves there */
    add_kind(&batch, KVP_FREE, 2);
    add_kind(&batch, KVP_RETIRE_TOP, 0);
    add_kind(&batch, KVP_RETIRE_TOP, 0);
    run(&harness, &batch);
    for (uint32_t i = 0; i < 10; i++)
      assert_int_equal(harness.table[3 + i], entries[i] == 7 || entries[i] == 6 ? 2 : entries[i]);
    close_harness(&harness);
  }
}

static void retire_past_a_reserved_block(void **state)
{
  (void)state;
  struct harness harness;
  struct batch batch = {0};
  open_full(&harness, 8, 1);
  add_kind(&batch, KVP_FREE, 5);
  add_kind(&batch, KVP_POP, 0);
  add_kind(&batch, KVP_FREE, 1);
  add_kind(&batch, KVP_FREE, 2);
  for (int i = 0; i < 5; i++)
    add_kind(&batch, KVP_RETIRE_TOP, 0);
  run(&harness, &batch);
  assert_int_equal(batch.results[5].moved_to, 2);
  assert_int_equal(batch.results[6].status, KVP_BUSY);
  assert_int_equal(batch.results[8].status, KVP_BUSY);
  close_harness(&harness);
}

static void frees_of_one_block_and_errors_among_them(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
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

/* Pairs as the caller expects them, until one that is not what pop gives. */
static void pairs_that_allocate_another_block(void **state)
{
  (void)state;
  for (uint32_t at = 0; at < 40; at += 13) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 64, at);
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
  for (uint64_t seed = 0; seed < 3; seed++) {
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

/* At every size around words of the bitmap and groups: all blocks taken, given back, taken out. */
static void pools_around_word_and_group_borders(void **state)
{
  (void)state;
  const uint32_t sizes[] = {0, 1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    struct harness harness;
    struct batch batch = {0};
    uint32_t blocks = sizes[k];
    open_full(&harness, blocks, k);
    for (uint32_t block = 0; block <= blocks; block++)
      add_kind(&batch, KVP_FREE, blocks - block);
    run(&harness, &batch);
    for (uint32_t i = 0; i <= blocks; i++)
      add_pair(&batch, blocks == 0 ? 0 : blocks - 1 - i % blocks);
    run(&harness, &batch);
    add_kind(&batch, KVP_FREE, 0);
    for (uint32_t i = 0; i <= blocks; i++)
      add_kind(&batch, KVP_RETIRE_TOP, 0);
    run(&harness, &batch);
    add(&batch, &(struct kvp_op){.kind = KVP_EXTEND, .count = UINT32_MAX});
    add_kind(&batch, KVP_POP, 0);
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

/* One at a time over several words, so that where pop looks first must come down again. */
static void a_block_freed_below_where_pop_looked_last(void **state)
{
  (void)state;
  struct harness harness;
  struct batch batch = {0};
  open_pool(&harness, 100, 1, MOST);
  add_pair(&batch, KVP_NONE);
  add(&batch, &(struct kvp_op){.kind = KVP_EXTEND, .count = 2});
  add_pair(&batch, 100);
  add_kind(&batch, KVP_FREE, 40);
  add(&batch, &(struct kvp_op){.kind = KVP_CLEAR_INDEX});
  add_pair(&batch, 40);
  add_kind(&batch, KVP_FREE, 40);
  add_kind(&batch, KVP_POP, 0);
  run(&harness, &batch);
  assert_int_equal(batch.results[10].block, 40);
  close_harness(&harness);
}

/* Each publish leaves a removed slot behind; a probe must find an end all the same. */
static void an_index_filled_with_removed_entries(void **state)
{
  (void)state;
  struct harness harness;
  struct batch batch = {0};
  open_full(&harness, 3, 1);
  for (uint64_t hash = 0; hash < 600; hash++) {
    add(&batch,
        &(struct kvp_op){.kind = KVP_PUBLISH, .block = (uint32_t)(hash % 3), .hash = hash << 20});
    add(&batch, &(struct kvp_op){.kind = KVP_LOOKUP, .hash = (hash - hash % 5) << 20});
    if (batch.n == 120)
      run(&harness, &batch);
  }
  close_harness(&harness);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(chained_moves),
    cmocka_unit_test(a_destination_that_was_a_source),
    cmocka_unit_test(a_move_into_a_block_freed_in_the_same_step),
    cmocka_unit_test(tables_shared_by_sequences),
    cmocka_unit_test(retire_past_a_reserved_block),
    cmocka_unit_test(frees_of_one_block_and_errors_among_them),
    cmocka_unit_test(pairs_that_allocate_another_block),
    cmocka_unit_test(batches_larger_than_a_group),
    cmocka_unit_test(pools_around_word_and_group_borders),
    cmocka_unit_test(an_empty_batch),
    cmocka_unit_test(the_log_of_releases_is_compacted),
    cmocka_unit_test(a_block_freed_below_where_pop_looked_last),
    cmocka_unit_test(an_index_filled_with_removed_entries),
  };
  return run_on_backends("hazards", tests, sizeof tests / sizeof *tests);
}
