/* SPDX-License-Identifier: Apache-2.0 */
/* lookup, match and match_prefix of many and of long chains, with one element that is wrong. */
#include "tests/device/batch.h"

#define BLOCKS 300
#define ELEMENTS (2 * BLOCKS)

/* Blocks 0, 1, 2 ... as one long chain, twice over. */
static uint64_t chain_hashes[ELEMENTS];
static uint32_t chain_tokens[ELEMENTS][BLOCK_SIZE];

static void open_chain(struct harness *harness, uint64_t seed)
{
  struct batch batch = {0};

  for (uint32_t i = 0; i < ELEMENTS; i++) {
    uint32_t block = i % BLOCKS;
    chain_hashes[i] = kvp_payload_mix(block / 2) + block % 2; /* neighbours, too */
    for (uint32_t k = 0; k < BLOCK_SIZE; k++)
      chain_tokens[i][k] = block * (k + 1);
  }
  open_vacant(harness, BLOCKS, BLOCKS, seed);
  for (uint32_t block = 0; block < BLOCKS; block++)
    add_pair(&batch, block);
  run(harness, &batch);
  for (uint32_t block = 0; block < BLOCKS; block++)
    add(&batch, &(struct kvp_op){.kind = KVP_PUBLISH,
                                 .block = block,
                                 .hash = chain_hashes[block],
                                 .tokens = chain_tokens[block],
                                 .length = BLOCK_SIZE});
  run(harness, &batch);
}

static void add_chain(struct batch *batch, uint32_t first, uint32_t count)
{
  add(batch, &(struct kvp_op){.kind = KVP_MATCH_PREFIX,
                              .count = count,
                              .hashes = chain_hashes + first,
                              .tokens = chain_tokens[first],
                              .length = BLOCK_SIZE});
}

/* One element at a time is wrong: its hash, or a token. Every chain over it ends there. */
static void chains_that_miss_at_each_element(void **state)
{
  (void)state;
  static const uint32_t counts[] = {1, 2, 15, 16, 17, 63, 64, 65, 127, 128, 129, 300, 0};
  enum { n = sizeof counts / sizeof *counts };
  struct harness harness;
  struct batch batch = {0};

  open_chain(&harness, 1);
  for (uint32_t wrong = 0; wrong < BLOCKS; wrong += 1 + wrong / 20) {
    uint64_t hash = chain_hashes[wrong];
    uint32_t *token = &chain_tokens[wrong][wrong % BLOCK_SIZE];
    if (wrong % 2 == 0)
      chain_hashes[wrong] = ~hash;
    else
      *token ^= 1;
    for (uint32_t i = 0; i < n; i++)
      add_chain(&batch, 0, counts[i]);
    run(&harness, &batch);
    for (uint32_t i = 0; i < n; i++)
      assert_int_equal(batch.results[i].count, counts[i] < wrong ? counts[i] : wrong);
    chain_hashes[wrong] = hash;
    if (wrong % 2 != 0)
      *token ^= 1;
  }
  close_harness(&harness);
}

static void many_chains_at_once(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_chain(&harness, seed);
    for (uint32_t block = 7; block < BLOCKS; block += 41)
      add_content(&batch, KVP_PUBLISH, block, 5, block); /* the last of them has hash 5 */
    for (uint32_t i = 0; i < 400; i++)
      add_chain(&batch, i * 13 % BLOCKS, i * i % BLOCKS);
    run(&harness, &batch);
    assert_int_equal(batch.results[8].count, 0);
    assert_int_equal(batch.results[8 + 3].count, 7 + 41 - 3 * 13);
    close_harness(&harness);
  }
}

/* Each hash, each with a token that is wrong or missing, and as many that nobody has. */
static void lookups_and_matches_of_every_hash(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_chain(&harness, seed);
    for (uint32_t i = 0; i < BLOCKS; i++) {
      add(&batch, &(struct kvp_op){.kind = KVP_LOOKUP, .hash = chain_hashes[i]});
      add(&batch, &(struct kvp_op){.kind = KVP_LOOKUP, .hash = chain_hashes[i] ^ (1ull << i % 64)});
    }
    for (uint32_t i = 0; i < BLOCKS; i++)
      add(&batch, &(struct kvp_op){.kind = KVP_MATCH,
                                   .hash = chain_hashes[i],
                                   .tokens = chain_tokens[i % 3 == 0 ? i + 1 : i],
                                   .length = BLOCK_SIZE - (i % 3 == 1)});
    run(&harness, &batch);
    for (uint32_t i = 0; i < BLOCKS; i++) {
      assert_int_equal(batch.results[2 * i].block, i);
      assert_int_equal(batch.results[2 * BLOCKS + i].block, i % 3 == 2 ? i : KVP_NONE);
    }
    close_harness(&harness);
  }
}

/* A chain that is empty, whose elements are, whose buffers are missing, or that is too long. */
static void chains_that_are_nothing_or_refused(void **state)
{
  (void)state;
  static const struct kvp_op ops[] = {
    {.kind = KVP_MATCH_PREFIX, .hashes = NULL, .tokens = NULL},
    {.kind = KVP_MATCH_PREFIX, .hashes = chain_hashes, .count = 3},
    {.kind = KVP_MATCH_PREFIX, .tokens = chain_tokens[0], .count = 3},
    {.kind = KVP_MATCH_PREFIX, .hashes = chain_hashes, .count = 3, .length = 1},
    {.kind = KVP_MATCH_PREFIX,
     .hashes = chain_hashes,
     .tokens = chain_tokens[0],
     .count = UINT32_MAX,
     .length = BLOCK_SIZE + 1},
    {.kind = KVP_MATCH_PREFIX,
     .hashes = chain_hashes,
     .tokens = chain_tokens[0],
     .count = 3,
     .length = BLOCK_SIZE},
    {.kind = KVP_MATCH, .hash = 9, .length = 1},
    {.kind = KVP_MATCH, .hash = 9, .length = 0},
    {.kind = KVP_MATCH, .hash = 9, .tokens = chain_tokens[0], .length = UINT32_MAX},
    {.kind = KVP_MATCH, .hash = 9, .tokens = chain_tokens[0], .length = BLOCK_SIZE},
  };
  enum { n = sizeof ops / sizeof *ops };
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_chain(&harness, seed);
    add_content(&batch, KVP_PUBLISH, 2, 9, 0); /* without tokens */
    for (uint32_t i = 0; i < 10 * n; i++)
      add(&batch, &ops[i * 7 % n]);
    run(&harness, &batch);
    assert_int_equal(batch.results[1].count, 0);
    assert_int_equal(batch.results[1 + 1].block, 2);
    close_harness(&harness);
  }
}

/* What blocks of every class answer: cached and reserved ones are found, taken ones are not. */
static void lookups_of_blocks_nobody_holds(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_chain(&harness, seed);
    for (uint32_t block = 0; block < 100; block++)
      add_kind(&batch, KVP_FREE, 99 - block);
    for (uint32_t i = 0; i < 40; i++)
      add_kind(&batch, KVP_POP, 0);
    for (uint32_t block = 60; block < 80; block++)
      add_kind(&batch, KVP_ALLOCATE, block);
    for (uint32_t block = 0; block < 100; block++)
      add(&batch, &(struct kvp_op){.kind = KVP_LOOKUP, .hash = chain_hashes[block]});
    add_chain(&batch, 0, BLOCKS);
    add_chain(&batch, 80, BLOCKS - 80);
    run(&harness, &batch);
    assert_int_equal(batch.results[260].count, 60);
    assert_int_equal(batch.results[261].count, BLOCKS - 80);
    close_harness(&harness);
  }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(chains_that_miss_at_each_element),
    cmocka_unit_test(many_chains_at_once),
    cmocka_unit_test(lookups_and_matches_of_every_hash),
    cmocka_unit_test(chains_that_are_nothing_or_refused),
    cmocka_unit_test(lookups_of_blocks_nobody_holds),
  };
  choose_backend(argc, argv);
  return run_on_backends("lookups", tests, sizeof tests / sizeof *tests);
}
