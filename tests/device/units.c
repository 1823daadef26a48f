/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of reserve and of release: some refused among others, reservations given back twice, in
   part, in another order or by another owner. */
#include "tests/device/batch.h"

#define RESERVATIONS 120

static struct kvp_unit units[RESERVATIONS][64];

static void reserve(struct batch *batch, uint64_t owner, uint32_t count, uint32_t into)
{
  add_units(batch, KVP_RESERVE, owner, count, units[into]);
}

static void release(struct batch *batch, uint64_t owner, uint32_t count, struct kvp_unit *from)
{
  add_units(batch, KVP_RELEASE, owner, count, from);
}

/* A reserve that is refused leaves what there is to the next, smaller one. */
static void reserves_that_partly_fail(void **state)
{
  (void)state;
  static const uint32_t counts[] = {3, 9, 3, 0, 5, 3, 1, 1, UINT32_MAX, 0, 1};
  enum { n = sizeof counts / sizeof *counts };
  const enum kvp_status wanted[n] = {KVP_OK, KVP_FULL, KVP_OK,   KVP_OK, KVP_FULL, KVP_OK,
                                     KVP_OK, KVP_FULL, KVP_FULL, KVP_OK, KVP_FULL};
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 40, seed);
    for (uint32_t block = 0; block < 10; block++)
      add_kind(&batch, KVP_FREE, block * 3);
    for (uint32_t i = 0; i < n; i++)
      reserve(&batch, 1 + i % 2, counts[i], i);
    run(&harness, &batch);
    for (uint32_t i = 0; i < n; i++)
      assert_int_equal(batch.results[10 + i].status, wanted[i]);
    assert_int_equal(units[6][0].evicted.hash, hash_of(27));
    close_harness(&harness);
  }
}

static void reserves_without_owner_or_buffer(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_vacant(&harness, 40, 40, seed);
    for (uint32_t i = 0; i < 20; i++) {
      reserve(&batch, i % 4 == 1 ? 0 : UINT64_MAX - i, i % 3, i);
      if (i % 5 == 2)
        batch.ops[i].units = NULL;
    }
    for (uint32_t i = 0; i < 20; i++)
      add_units(&batch, KVP_RELEASE, i % 2, i % 4, NULL);
    run(&harness, &batch);
    close_harness(&harness);
  }
}

/* Over vacant and cached blocks, larger and smaller than a group, and what taking them evicts. */
static void reserves_of_many_sizes(void **state)
{
  (void)state;
  static const uint32_t counts[] = {1, 64, 63, 17, 16, 2, 0, 33, 32, 31, 1, 40, 5};
  enum { n = sizeof counts / sizeof *counts };
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 300, seed);
    for (uint32_t i = 0; i < 299; i++)
      add_kind(&batch, KVP_FREE, i * 7 % 300);
    add_count(&batch, KVP_EXTEND, 6);
    for (uint32_t i = 0; i < n; i++)
      reserve(&batch, 1 + i, counts[i], i);
    run(&harness, &batch);
    for (uint32_t i = 0; i < n; i++)
      release(&batch, n - i, counts[n - 1 - i], units[n - 1 - i]);
    for (uint32_t i = 0; i < 300; i++)
      add_kind(&batch, KVP_POP, 0);
    run(&harness, &batch);
    close_harness(&harness);
  }
}

/* 40 reservations of three units, of two owners by turns. */
static void open_reserved(struct harness *harness, uint64_t seed)
{
  struct batch batch = {0};

  open_vacant(harness, 130, 140, seed);
  for (uint32_t i = 0; i < 40; i++)
    reserve(&batch, 1 + i % 2, 3, i);
  run(harness, &batch);
}

static void releases_of_one_reservation(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_reserved(&harness, seed);
    for (uint32_t i = 0; i < 80; i++)
      release(&batch, 1 + i * 3 % 40 % 2, 3, units[i * 3 % 40]);
    run(&harness, &batch);
    for (uint32_t i = 0; i < 80; i++)
      assert_int_equal(batch.results[i].status, i < 40 ? KVP_OK : KVP_STATE);
    close_harness(&harness);
  }
}

/* What is nearly reservation i: units, and how many. */
static uint32_t spoil(uint32_t way, uint32_t i, struct kvp_unit *spoilt)
{
  static const struct kvp_unit outside = {.block = 135}, far = {.block = KVP_NONE};

  memcpy(spoilt, units[i], 3 * sizeof *spoilt);
  switch (way) {
  case 0: return 2; /* a part */
  case 1: memcpy(spoilt, units[i] + 1, 2 * sizeof *spoilt); return 2;
  case 2: spoilt[0] = units[i][1], spoilt[1] = units[i][0]; return 3;
  case 3: spoilt[2] = units[i][1]; return 3; /* an id twice */
  case 4: spoilt[2] = units[(i + 2) % 40][2]; return 3;
  case 5: memcpy(spoilt + 3, units[(i + 2) % 40], 3 * sizeof *spoilt); return 6; /* two in one */
  case 6: spoilt[1] = outside; return 3;
  case 7: spoilt[0] = far; return 3;
  case 8: spoilt[3] = units[i][0]; return 4;
  default: spoilt[1].block = 125; return 3; /* vacant */
  }
}

#define WAYS 10

/* Among good ones, before and after them: no bad one does anything, nor spoils its neighbour. */
static void releases_that_are_refused_among_others(void **state)
{
  (void)state;
  static struct kvp_unit spoilt[2 * RESERVATIONS][6];
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_reserved(&harness, seed);
    for (uint32_t i = 0; i < 40; i++) {
      uint32_t count = spoil(i % WAYS, i, spoilt[2 * i]);
      release(&batch, 1 + i % 2, count, spoilt[2 * i]);
      release(&batch, 2 - i % 2, 3, units[i]); /* by the other owner */
      if (i % 4 != 3)
        release(&batch, 1 + i % 2, 3, units[i]);
      count = spoil((i + 3) % WAYS, i, spoilt[2 * i + 1]);
      release(&batch, 1 + i % 2, count, spoilt[2 * i + 1]);
      release(&batch, 1 + i % 2, 0, units[i]);
    }
    run(&harness, &batch);
    assert_int_equal(batch.results[1].status, KVP_STATE);
    assert_int_equal(batch.results[2].status, KVP_OK);
    for (uint32_t i = 0; i < 40; i++) /* those that were left, then */
      release(&batch, 1 + i % 2, 3, units[i]);
    run(&harness, &batch);
    for (uint32_t i = 0; i < 40; i++)
      assert_int_equal(batch.results[i].status, i % 4 == 3 ? KVP_OK : KVP_STATE);
    close_harness(&harness);
  }
}

/* One id of a reservation larger than any group is not the one that was given. */
static void a_long_release_that_is_wrong_at_one_unit(void **state)
{
  (void)state;
  static const uint32_t wrong[] = {0, 1, 15, 16, 63, 64, 127, 128, 255, 256, 299};
  static struct kvp_unit held[300], spoilt[300];
  struct harness harness;
  struct batch batch = {0};

  open_vacant(&harness, 303, 303, 1);
  add_units(&batch, KVP_RESERVE, 1, 300, held);
  run(&harness, &batch);
  for (uint32_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    memcpy(spoilt, held, sizeof held);
    spoilt[wrong[k]] = held[(wrong[k] + 1) % 300];
    add_units(&batch, KVP_RELEASE, 1, 300, spoilt);
    run(&harness, &batch);
    assert_int_equal(batch.results[0].status, KVP_STATE);
  }
  add_units(&batch, KVP_RELEASE, 1, 300, held);
  run(&harness, &batch);
  assert_int_equal(batch.results[0].status, KVP_OK);
  close_harness(&harness);
}

/* More ids than the pool has: the buffer is that long, and every id in it is good. */
static void a_release_of_more_units_than_blocks(void **state)
{
  (void)state;
  static struct kvp_unit many[64];
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_vacant(&harness, 20, 20, seed);
    reserve(&batch, 1, 20, 0);
    run(&harness, &batch);
    for (uint32_t i = 0; i < 64; i++)
      many[i] = units[0][i % 20];
    release(&batch, 1, 64, many);
    release(&batch, 1, 20, many);
    release(&batch, 1, 21, many);
    run(&harness, &batch);
    assert_int_equal(batch.results[0].status, KVP_STATE);
    assert_int_equal(batch.results[1].status, KVP_OK);
    close_harness(&harness);
  }
}

/* Runs of both by turns; a reservation is released in the batch after. */
static void reserves_and_releases_by_turns(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < seeds(); seed++) {
    struct harness harness;
    struct batch batch = {0};
    open_full(&harness, 120, seed);
    for (uint32_t block = 0; block < 100; block++)
      add_kind(&batch, KVP_FREE, block * 7 % 120);
    run(&harness, &batch);
    for (uint32_t round = 0; round < 8; round++) {
      for (uint32_t i = 0; i < 20; i++)
        reserve(&batch, 1 + i % 3, (i + round) % 7, i + 20 * (round % 2));
      if (round != 0)
        for (uint32_t i = 0; i < 20; i++) {
          uint32_t held = 19 - i + 20 * ((round + 1) % 2);
          release(&batch, 1 + (19 - i) % 3, (19 - i + round - 1) % 7, units[held]);
        }
      run(&harness, &batch);
    }
    close_harness(&harness);
  }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(reserves_that_partly_fail),
    cmocka_unit_test(reserves_without_owner_or_buffer),
    cmocka_unit_test(reserves_of_many_sizes),
    cmocka_unit_test(releases_of_one_reservation),
    cmocka_unit_test(releases_that_are_refused_among_others),
    cmocka_unit_test(a_long_release_that_is_wrong_at_one_unit),
    cmocka_unit_test(a_release_of_more_units_than_blocks),
    cmocka_unit_test(reserves_and_releases_by_turns),
  };
  choose_backend(argc, argv);
  return run_on_backends("units", tests, sizeof tests / sizeof *tests);
}
