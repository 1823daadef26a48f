/* SPDX-License-Identifier: Apache-2.0 */
/* The eviction order against a plain scan: all short sequences of changes, long random ones, and
   the errors. After each change membership, keys and least are compared. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "src/registry/order.h"

#define RANDOM_CHANGES 200000
#define MOST_IDS 70

/* What the order should be, ids in no order at all. */
struct scan {
  uint32_t num_ids;
  uint32_t in[MOST_IDS], priority[MOST_IDS];
  uint64_t tick[MOST_IDS];
};

static struct kvp_order order, before;

static int goes_first(const struct scan *scan, uint32_t a, uint32_t b)
{
  if (scan->priority[a] != scan->priority[b])
    return scan->priority[a] < scan->priority[b];
  return scan->tick[a] != scan->tick[b] ? scan->tick[a] < scan->tick[b] : a < b;
}

static uint32_t least(const struct scan *scan)
{
  uint32_t found = KVP_NONE;

  for (uint32_t i = 0; i < scan->num_ids; i++)
    if (scan->in[i] && (found == KVP_NONE || goes_first(scan, i, found)))
      found = i;
  return found;
}

static void start(struct scan *scan, uint32_t num_ids)
{
  memset(scan, 0, sizeof *scan);
  scan->num_ids = num_ids;
  assert_int_equal(kvp_order_init(&order, num_ids), KVP_OK);
}

static void compare(const struct scan *scan)
{
  assert_int_equal(kvp_order_least(&order), least(scan));
  for (uint32_t i = 0; i < scan->num_ids; i++) {
    assert_int_equal(kvp_order_contains(&order, i), scan->in[i]);
    if (scan->in[i]) {
      assert_int_equal(order.priority[i], scan->priority[i]);
      assert_true(order.tick[i] == scan->tick[i]);
    }
  }
}

static void insert(struct scan *scan, uint32_t id, uint32_t priority, uint64_t tick)
{
  enum kvp_status want = id >= scan->num_ids ? KVP_RANGE : scan->in[id] ? KVP_STATE : KVP_OK;

  assert_int_equal(kvp_order_insert(&order, id, priority, tick), want);
  if (want == KVP_OK) {
    scan->in[id] = 1;
    scan->priority[id] = priority;
    scan->tick[id] = tick;
  }
}

static void take(struct scan *scan, uint32_t id)
{
  enum kvp_status want = id >= scan->num_ids ? KVP_RANGE : scan->in[id] ? KVP_OK : KVP_STATE;

  assert_int_equal(kvp_order_remove(&order, id), want);
  if (want == KVP_OK)
    scan->in[id] = 0;
}

/* Change number c of 5 for an id: take it, or put it in under one of four keys. */
static void change(struct scan *scan, uint32_t id, uint32_t c)
{
  static const uint32_t priorities[] = {0, 0, 1, UINT32_MAX};
  static const uint64_t ticks[] = {1, UINT64_MAX, 0, 1};

  if (c == 4)
    take(scan, id);
  else
    insert(scan, id, priorities[c], ticks[c]);
}

/* Every sequence of up to `changes` changes to ids 0 .. num_ids - 1. */
static void all_sequences(uint32_t num_ids, uint32_t changes)
{
  uint32_t kinds = 5 * num_ids, sequences = 1;
  struct scan scan;

  for (uint32_t k = 0; k < changes; k++)
    sequences *= kinds;
  for (uint32_t number = 0; number < sequences; number++) {
    start(&scan, num_ids);
    compare(&scan);
    for (uint32_t k = 0, rest = number; k < changes; k++, rest /= kinds) {
      change(&scan, rest % kinds / 5, rest % 5);
      compare(&scan);
    }
  }
}

static void every_short_sequence(void **state)
{
  (void)state;
  all_sequences(1, 6);
  all_sequences(2, 5);
  all_sequences(3, 4);
  all_sequences(4, 4);
  all_sequences(5, 3);
}

/* Every order of arrival and of departure of equal and of different keys. */
static void ids_leave_least_first_however_they_came(void **state)
{
  static const uint32_t priorities[] = {2, 1, 1, 1, 0};
  static const uint64_t ticks[] = {0, 7, 7, UINT64_C(1) << 32, UINT64_MAX};
  static const uint32_t leave[] = {4, 1, 2, 3, 0};
  struct scan scan;

  (void)state;
  for (uint32_t number = 0; number < 3125; number++) {
    start(&scan, 5);
    for (uint32_t k = 0, rest = number; k < 5; k++, rest /= 5)
      insert(&scan, rest % 5, priorities[rest % 5], ticks[rest % 5]);
    for (uint32_t k = 0; k < 5; k++)
      if (scan.in[leave[k]]) {
        assert_int_equal(kvp_order_least(&order), leave[k]);
        take(&scan, leave[k]);
      }
    assert_int_equal(kvp_order_least(&order), KVP_NONE);
  }
}

static uint32_t draw(uint64_t *number, uint32_t below)
{
  *number = *number * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*number >> 33) % below;
}

/* Few keys, so that ties are common; ids out of range; blocks that come back under their tick. */
static void long_random_sequences(void **state)
{
  static const uint32_t sizes[] = {1, 2, 3, 7, 8, 9, 33, MOST_IDS};
  uint64_t number = 1;
  struct scan scan;

  (void)state;
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    start(&scan, sizes[s]);
    for (uint32_t k = 0; k < RANDOM_CHANGES / sizes[s]; k++) {
      uint32_t id = draw(&number, sizes[s] + 1), what = draw(&number, 4);
      if (what == 0)
        insert(&scan, id, draw(&number, 3), draw(&number, 20));
      else if (what == 1 && id < sizes[s])
        insert(&scan, id, order.priority[id], order.tick[id]);
      else if (what == 2)
        take(&scan, id);
      else if (least(&scan) != KVP_NONE && draw(&number, 4) == 0)
        take(&scan, least(&scan));
      compare(&scan);
    }
  }
}

/* Byte for byte, as the error says that nothing changed. */
static void an_error_changes_nothing(void **state)
{
  (void)state;
  assert_int_equal(kvp_order_init(&order, 5), KVP_OK);
  assert_int_equal(kvp_order_insert(&order, 2, 3, 4), KVP_OK);
  memcpy(&before, &order, sizeof order);
  assert_int_equal(kvp_order_init(&order, KVP_CAPACITY + 1), KVP_RANGE);
  assert_int_equal(kvp_order_insert(&order, 5, 0, 0), KVP_RANGE);
  assert_int_equal(kvp_order_insert(&order, KVP_NONE, 0, 0), KVP_RANGE);
  assert_int_equal(kvp_order_insert(&order, 2, 0, 0), KVP_STATE);
  assert_int_equal(kvp_order_remove(&order, 5), KVP_RANGE);
  assert_int_equal(kvp_order_remove(&order, KVP_NONE), KVP_RANGE);
  assert_int_equal(kvp_order_remove(&order, 1), KVP_STATE);
  assert_memory_equal(&before, &order, sizeof order);
}

static void no_ids_is_a_size(void **state)
{
  (void)state;
  assert_int_equal(kvp_order_init(&order, 1), KVP_OK);
  assert_int_equal(kvp_order_insert(&order, 0, 0, 0), KVP_OK);
  assert_int_equal(kvp_order_init(&order, 0), KVP_OK);
  assert_int_equal(kvp_order_least(&order), KVP_NONE);
  assert_int_equal(kvp_order_contains(&order, 0), 0);
  assert_int_equal(kvp_order_insert(&order, 0, 0, 0), KVP_RANGE);
}

static void the_most_ids_have_room(void **state)
{
  const uint32_t last = KVP_CAPACITY - 1;

  (void)state;
  assert_int_equal(kvp_order_init(&order, KVP_CAPACITY), KVP_OK);
  assert_int_equal(kvp_order_insert(&order, last, 0, 1), KVP_OK);
  assert_int_equal(kvp_order_insert(&order, 0, 0, 2), KVP_OK);
  assert_int_equal(kvp_order_least(&order), last);
  assert_int_equal(kvp_order_remove(&order, last), KVP_OK);
  assert_int_equal(kvp_order_least(&order), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_short_sequence),
    cmocka_unit_test(ids_leave_least_first_however_they_came),
    cmocka_unit_test(long_random_sequences),
    cmocka_unit_test(an_error_changes_nothing),
    cmocka_unit_test(no_ids_is_a_size),
    cmocka_unit_test(the_most_ids_have_room),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
