/* SPDX-License-Identifier: Apache-2.0 */
/* Pools and runs of every kind at each size around words of the bitmap and around groups, which
   are of 16 work-items on the host and of 64 to 256 elsewhere; and what is wrong is at a border. */
#include "tests/device/batch.h"

static const uint32_t sizes[] = {0,  1,  2,  15, 16,  17,  31,  32,  33,  47,
                                 48, 63, 64, 65, 127, 128, 129, 255, 256, 257};
#define NUM_SIZES (sizeof sizes / sizeof *sizes)

static struct kvp_unit units[300];

/* A run of n, with one operation at `wrong` that names no block. */
static void run_kind(struct harness *harness, enum kvp_kind kind, uint32_t n, uint32_t wrong)
{
  struct batch batch = {0};

  for (uint32_t i = 0; i < n; i++) {
    add_content(&batch, kind, i == wrong ? KVP_NONE : i, hash_of(i), i == wrong ? 3 : i);
    struct kvp_op *op = &batch.ops[i];
    op->owner = 1;
    if (kind == KVP_RESERVE || kind == KVP_RELEASE || kind == KVP_EXTEND)
      op->count = 1;
    if (kind == KVP_RESERVE || kind == KVP_RELEASE)
      op->units = i == wrong ? NULL : &units[i];
    if (kind == KVP_MATCH_PREFIX) {
      op->count = 1;
      op->hashes = &op->hash;
    }
  }
  run(harness, &batch);
}

static void run_pairs(struct harness *harness, uint32_t n, uint32_t wrong)
{
  struct batch batch = {0};

  for (uint32_t i = 0; i < n; i++)
    add_pair(&batch, i == wrong ? KVP_NONE : i);
  run(harness, &batch);
}

/* All that n blocks can go through, n operations of a kind at a time. */
static void run_every_kind(uint32_t n, uint32_t wrong, uint64_t seed)
{
  static const enum kvp_kind kinds[] = {
    KVP_PUBLISH, KVP_LOOKUP,  KVP_MATCH,      KVP_MATCH_PREFIX, KVP_CLAIM,       KVP_FREE,
    KVP_FREE,    KVP_CLAIM,   KVP_FREE,       KVP_LOOKUP,       KVP_POP,         KVP_ALLOCATE,
    KVP_FREE,    KVP_RESERVE, KVP_RELEASE,    KVP_POP,          KVP_CLEAR_INDEX, KVP_ALLOCATE,
    KVP_PUBLISH, KVP_FREE,    KVP_RETIRE_TOP, KVP_EXTEND};
  struct harness harness;

  open_vacant(&harness, n, n + n / 2 + 1, seed);
  run_pairs(&harness, n, wrong);
  for (uint32_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    run_kind(&harness, kinds[i], n, wrong);
    name_all(&harness, n);
  }
  close_harness(&harness);
}

static void every_kind_at_every_size(void **state)
{
  (void)state;
  for (size_t k = 0; k < NUM_SIZES; k++) {
    run_every_kind(sizes[k], KVP_NONE, 1 + k);
    run_every_kind(sizes[k], sizes[k] - 1, 1 + k);
    if (strcmp(backend, "host") != 0)
      continue;
    run_every_kind(sizes[k], 0, 1 + k);
    run_every_kind(sizes[k], 16, 1 + k);
    run_every_kind(sizes[k], KVP_NONE, 0);
  }
}

/* One operation over that many: a chain, a reservation, a growth. */
static void one_operation_of_every_size(void **state)
{
  (void)state;
  static uint64_t chain_hashes[300];
  static uint32_t chain_tokens[300];
  for (size_t k = 0; k < NUM_SIZES; k++) {
    struct harness harness;
    struct batch batch = {0};
    uint32_t n = sizes[k];
    open_full(&harness, n, 1 + k);
    for (uint32_t i = 0; i < n; i++) {
      add_content(&batch, KVP_PUBLISH, i, chain_hashes[i] = i * 77, 1);
      chain_tokens[i] = tokens[1];
    }
    add(&batch, &(struct kvp_op){.kind = KVP_MATCH_PREFIX,
                                 .count = n,
                                 .hashes = chain_hashes,
                                 .tokens = chain_tokens,
                                 .length = 1});
    for (uint32_t i = 0; i < n; i++)
      add_kind(&batch, KVP_FREE, n - 1 - i);
    add_units(&batch, KVP_RESERVE, 4, n + 1, units);
    add_units(&batch, KVP_RESERVE, 4, n, units);
    run(&harness, &batch);
    assert_int_equal(batch.results[n].count, n);
    assert_int_equal(batch.results[2 * n + 2].status, KVP_OK);
    add_units(&batch, KVP_RELEASE, 4, n, units);
    add_count(&batch, KVP_EXTEND, n);
    add_kind(&batch, KVP_POP, 0);
    run(&harness, &batch);
    assert_int_equal(batch.results[1].count, n < 8 ? n : 8);
    close_harness(&harness);
  }
}

/* All blocks taken, given back, taken again and taken out. */
static void pools_of_every_size(void **state)
{
  (void)state;
  for (size_t k = 0; k < NUM_SIZES; k++) {
    struct harness harness;
    struct batch batch = {0};
    uint32_t blocks = sizes[k];
    open_full(&harness, blocks, 1 + k);
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
    add_count(&batch, KVP_EXTEND, UINT32_MAX);
    add_kind(&batch, KVP_POP, 0);
    run(&harness, &batch);
    close_harness(&harness);
  }
}

/* No id at all, and no place for one. */
static void a_pool_that_never_has_a_block(void **state)
{
  (void)state;
  static const uint64_t hashes[2];
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_vacant(&harness, 0, 0, seed);
    for (int kind = 0; kind <= KVP_NUM_KINDS; kind++)
      for (uint32_t i = 0; i < 20; i++)
        add(&batch, &(struct kvp_op){.kind = (enum kvp_kind)kind,
                                     .owner = 1,
                                     .count = i % 3,
                                     .length = i % 2,
                                     .hashes = hashes,
                                     .tokens = tokens,
                                     .units = units + 3 * i});
    run(&harness, &batch);
    close_harness(&harness);
  }
}

/* Payload in several planes, of slots smaller and larger than what a group copies at a time. */
static void moves_of_slots_of_every_size(void **state)
{
  (void)state;
  static const uint32_t words[] = {4, 12, 16, 20, 60, 64, 68, 256, 260, 1020, 1024, 1028, 4100, 0};
  for (uint32_t k = 0; k < sizeof words / sizeof *words; k++) {
    const struct kvp_device_shape shape = {.num_blocks = 9,
                                           .max_blocks = 9,
                                           .block_size = 1,
                                           .num_planes = k % 4,
                                           .block_bytes = words[k] * 4,
                                           .table_entries = 9};
    struct harness harness;
    struct batch batch = {0};
    open_harness(&harness, &shape, k, 1);
    for (uint32_t block = 0; block < 9; block++)
      add_pair(&batch, block);
    run(&harness, &batch);
    for (uint32_t block = 0; block < 9; block++)
      fill_block(&harness, block, block);
    for (uint32_t i = 0; i < 4; i++)
      add_kind(&batch, KVP_FREE, 2 * i);
    for (uint32_t i = 0; i < 4; i++)
      add_kind(&batch, KVP_RETIRE_TOP, 0);
    run(&harness, &batch);
    assert_int_equal(batch.results[4].moved_to, 0);
    assert_int_equal(batch.results[7].moved_to, 4);
    close_harness(&harness);
  }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_kind_at_every_size),     cmocka_unit_test(one_operation_of_every_size),
    cmocka_unit_test(pools_of_every_size),          cmocka_unit_test(a_pool_that_never_has_a_block),
    cmocka_unit_test(moves_of_slots_of_every_size),
  };
  choose_backend(argc, argv);
  return run_on_backends("borders", tests, sizeof tests / sizeof *tests);
}
