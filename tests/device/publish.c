/* SPDX-License-Identifier: Apache-2.0 */
/* Hazards of the index: hashes that change hands within a run, evictions in their order, and
   contents that nobody holds when the index is cleared. */
#include "tests/device/batch.h"

static void publish(struct batch *batch, uint32_t block, uint64_t hash, uint32_t content)
{
  add_content(batch, KVP_PUBLISH, block, hash, content);
}

static void look_up(struct batch *batch, uint64_t hash)
{
  add(batch, &(struct kvp_op){.kind = KVP_LOOKUP, .hash = hash});
}

/* Two blocks that have content, one that has none, one that is not held; their hashes and a new
   one: every sequence of four publishes. */
static void every_four_publishes(void **state)
{
  (void)state;
  static const uint64_t hashes[] = {100, 101, 7};
  uint32_t kinds = 4 * 3, ways = kinds * kinds * kinds * kinds;
  uint32_t step = strcmp(backend, "host") == 0 ? 7 : 991;

  for (uint32_t way = 0; way < ways; way += step) {
    struct harness harness;
    struct batch batch = {0};
    open_vacant(&harness, 4, 4, way);
    for (uint32_t block = 0; block < 3; block++)
      add_pair(&batch, block);
    add_publish(&batch, 0);
    add_publish(&batch, 1);
    run(&harness, &batch);
    for (uint32_t i = 0, rest = way; i < 4; i++, rest /= kinds)
      publish(&batch, rest % kinds / 3, hashes[rest % 3], i);
    for (uint32_t i = 0; i < 3; i++)
      look_up(&batch, hashes[i]);
    run(&harness, &batch);
    close_harness(&harness);
  }
}

/* The last one has it; each gave its own up, in order. */
static void one_hash_on_many_blocks(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 200, seed);
    for (uint32_t i = 0; i < 200; i++)
      publish(&batch, i * 7 % 200, 5, i);
    look_up(&batch, 5);
    run(&harness, &batch);
    assert_int_equal(batch.results[200].block, 199 * 7 % 200);
    for (uint32_t i = 0; i < 200; i++)
      assert_int_equal(batch.results[i].evicted.hash, hash_of(i * 7 % 200));
    for (uint32_t i = 0; i < 200; i++)
      publish(&batch, i, 5, i + 1);
    run(&harness, &batch);
    close_harness(&harness);
  }
}

/* Each evicts the hash before, in order. */
static void many_hashes_on_one_block(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 3, seed);
    for (uint32_t i = 0; i < 150; i++)
      publish(&batch, 1, 1000 + i / 2, i);
    run(&harness, &batch);
    assert_int_equal(batch.results[0].evicted.hash, hash_of(1));
    for (uint32_t i = 1; i < 150; i++)
      assert_int_equal(batch.results[i].evicted.count, i % 2 == 0);
    close_harness(&harness);
  }
}

static void two_blocks_that_swap_hashes(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 20, seed);
    for (uint32_t block = 0; block < 20; block++)
      publish(&batch, block, hash_of(block ^ 1), 4);
    for (uint32_t block = 0; block < 20; block++)
      look_up(&batch, hash_of(block));
    run(&harness, &batch);
    for (uint32_t block = 0; block < 20; block++) {
      assert_int_equal(batch.results[block].evicted.count, block % 2 == 0);
      assert_int_equal(batch.results[20 + block].block, block ^ 1);
    }
    close_harness(&harness);
  }
}

static void a_hash_taken_over_and_back(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 20, seed);
    publish(&batch, 1, hash_of(0), 3); /* 0 is an orphan now; evicts 1's */
    publish(&batch, 0, hash_of(0), 4); /* 1 is; nothing leaves the index */
    publish(&batch, 1, 55, 2);         /* an orphan's hash is not reported */
    publish(&batch, 2, hash_of(0), 2);
    publish(&batch, 0, 56, 1);
    publish(&batch, 2, 57, 1); /* has it, and reports it */
    run(&harness, &batch);
    const uint32_t evicted[] = {1, 0, 0, 1, 0, 1};
    for (uint32_t i = 0; i < 6; i++)
      assert_int_equal(batch.results[i].evicted.count, evicted[i]);
    assert_int_equal(batch.results[5].evicted.hash, hash_of(0));
    close_harness(&harness);
  }
}

static void a_hash_published_again_with_other_tokens(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 20, seed);
    for (uint32_t i = 0; i < 100; i++)
      publish(&batch, i % 20, hash_of(i % 20), i * 3 + 4);
    for (uint32_t block = 0; block < 20; block++) {
      add_content(&batch, KVP_MATCH, 0, hash_of(block), block);
      add_content(&batch, KVP_MATCH, 0, hash_of(block), (80 + block) * 3 + 4);
    }
    run(&harness, &batch);
    for (uint32_t block = 0; block < 20; block++)
      assert_int_equal(batch.results[100 + 2 * block + 1].block, block);
    close_harness(&harness);
  }
}

static void publishes_that_are_refused_among_others(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 30, seed);
    add_kind(&batch, KVP_FREE, 4);
    add_kind(&batch, KVP_FREE, 5);
    add_kind(&batch, KVP_POP, 0);
    for (uint32_t i = 0; i < 300; i++) {
      publish(&batch, i * 7 % 34, i % 23 == 0 ? UINT64_MAX : i * 5 % 12, i);
      struct kvp_op *op = &batch.ops[batch.n - 1];
      if (i % 11 == 3)
        op->length = BLOCK_SIZE + 1;
      if (i % 13 == 5)
        op->tokens = NULL; /* refused unless its length is 0 */
      if (i % 31 == 6)
        op->length = UINT32_MAX;
    }
    run(&harness, &batch);
    close_harness(&harness);
  }
}

/* What a run of publishes leaves is what the next run finds, whichever kind it is of. */
static void publishes_between_other_runs(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 24, seed);
    for (uint32_t round = 0; round < 5; round++) {
      for (uint32_t i = 0; i < 30; i++)
        publish(&batch, (i * 5 + round) % 24, (i + round) % 9, i);
      for (uint32_t block = 0; block < 24; block += 2 + round % 2)
        add_kind(&batch, KVP_FREE, block);
      for (uint32_t i = 0; i < 9; i++)
        look_up(&batch, i);
      for (uint32_t block = 0; block < 24; block += 3)
        add_kind(&batch, KVP_ALLOCATE, block);
      if (round == 2)
        add_kind(&batch, KVP_CLEAR_INDEX, 0);
      add_kind(&batch, KVP_RETIRE_TOP, 0);
    }
    run(&harness, &batch);
    close_harness(&harness);
  }
}

/* Each publish leaves a removed slot behind; a probe must find an end all the same. */
static void an_index_filled_with_removed_entries(void **state)
{
  (void)state;
  struct harness harness;
  struct batch batch = {0};
  open_full(&harness, 3, 1);
  for (uint64_t hash = 0; hash < 600; hash++) {
    publish(&batch, (uint32_t)(hash % 3), hash << 20, 0);
    look_up(&batch, (hash - hash % 5) << 20);
    if (batch.n == 120)
      run(&harness, &batch);
  }
  run(&harness, &batch);
  close_harness(&harness);
}

/* All blocks at once, over and over: as many live entries as there can be, and rebuilds. */
static void an_index_as_full_as_can_be(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 64, seed);
    for (uint64_t round = 0; round < 8; round++) {
      for (uint32_t block = 0; block < 64; block++)
        publish(&batch, block, (round * 64 + block) << (8 * round), block);
      for (uint32_t block = 0; block < 64; block++)
        look_up(&batch, (round * 64 + block) << (8 * round));
    }
    run(&harness, &batch);
    close_harness(&harness);
  }
}

/* Used blocks keep their content as orphans; cached and reserved ones lose it. */
static void clear_with_blocks_of_every_class(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    static struct kvp_unit units[5];
    open_full(&harness, 70, seed);
    for (uint32_t i = 0; i < 40; i++)
      add_kind(&batch, KVP_FREE, i * 3 % 70);
    for (uint32_t i = 0; i < 10; i++)
      add_kind(&batch, KVP_POP, 0);
    add_units(&batch, KVP_RESERVE, 3, 5, units);
    add_kind(&batch, KVP_CLEAR_INDEX, 0);
    add_kind(&batch, KVP_CLEAR_INDEX, 0);
    for (uint32_t block = 0; block < 70; block++)
      look_up(&batch, hash_of(block));
    run(&harness, &batch);
    for (uint32_t i = 0; i < 26; i++) /* one more than are free, by id now */
      add_kind(&batch, KVP_POP, 0);
    for (uint32_t block = 0; block < 70; block++)
      publish(&batch, block, hash_of(69 - block), block);
    add_kind(&batch, KVP_CLEAR_INDEX, 0);
    publish(&batch, 68, hash_of(1), 1);
    run(&harness, &batch);
    assert_int_equal(batch.results[25].status, KVP_EMPTY);
    close_harness(&harness);
  }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_four_publishes),
    cmocka_unit_test(one_hash_on_many_blocks),
    cmocka_unit_test(many_hashes_on_one_block),
    cmocka_unit_test(two_blocks_that_swap_hashes),
    cmocka_unit_test(a_hash_taken_over_and_back),
    cmocka_unit_test(a_hash_published_again_with_other_tokens),
    cmocka_unit_test(publishes_that_are_refused_among_others),
    cmocka_unit_test(publishes_between_other_runs),
    cmocka_unit_test(an_index_filled_with_removed_entries),
    cmocka_unit_test(an_index_as_full_as_can_be),
    cmocka_unit_test(clear_with_blocks_of_every_class),
  };
  choose_backend(argc, argv);
  return run_on_backends("publish", tests, sizeof tests / sizeof *tests);
}
