/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of inputs and their shrinking: they keep to their room, keep steps whole, and get small
   what can be small. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "src/oracle/mutate.h"
#include "src/oracle/shrink.h"

#define CHANGES 200000
#define ROOM 64
#define GUARD 0x5A

static const struct kvp_format format = {5, 4};

struct guarded {
  uint8_t before[16], bytes[ROOM], after[16];
};

static void guard(struct guarded *guarded) { memset(guarded, GUARD, sizeof *guarded); }

static void check_guards(const struct guarded *guarded, size_t most)
{
  for (size_t i = 0; i < 16; i++)
    if (guarded->before[i] != GUARD || guarded->after[i] != GUARD)
      fail_msg("a byte outside was written");
  for (size_t i = most; i < ROOM; i++)
    if (guarded->bytes[i] != GUARD)
      fail_msg("a byte past the room of %zu was written", most);
}

static void keeps_to_room_of(const struct kvp_format *of, size_t most)
{
  uint64_t random = 1;
  size_t size = 0;
  struct guarded input;
  guard(&input);
  for (int n = 0; n < CHANGES / ROOM; n++) {
    size = kvp_mutate(of, input.bytes, size, most, &random);
    assert_in_range(size, most != 0, most);
    assert_true(size <= of->head || (size - of->head) % of->step == 0);
    check_guards(&input, most);
  }
}

static void keeps_to_its_room(void **state)
{
  static const struct kvp_format formats[] = {{5, 4}, {1, 1}, {7, 6}, {7, 64}};
  (void)state;
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    for (size_t most = 0; most <= ROOM; most++)
      keeps_to_room_of(&formats[i], most);
}

/* Small inputs as well as full ones come about. */
static void changes_the_length(void **state)
{
  uint64_t random = 1;
  uint8_t bytes[ROOM] = {0};
  size_t size = 20, shorter = 0, longer = 0, equal = 0;
  (void)state;
  for (int n = 0; n < CHANGES; n++) {
    size_t now = kvp_mutate(&format, bytes, size, ROOM, &random);
    shorter += now < size;
    longer += now > size;
    equal += now == size;
    size = now;
  }
  assert_in_range(shorter, CHANGES / 10, CHANGES);
  assert_in_range(longer, CHANGES / 10, CHANGES);
  assert_in_range(equal, CHANGES / 10, CHANGES);
}

/* A cross begins as the first and ends as the second, at steps of both. */
static void crosses_at_steps(void **state)
{
  uint64_t random = 1;
  uint8_t first[25], second[45];
  (void)state;
  memset(first, 1, sizeof first);
  memset(second, 2, sizeof second);
  for (int n = 0; n < CHANGES; n++) {
    struct guarded out;
    size_t most = (size_t)n % (ROOM + 1), of_first = 0;
    guard(&out);
    size_t size =
      kvp_cross(&format, first, sizeof first, second, sizeof second, out.bytes, most, &random);
    assert_in_range(size, 0, most);
    check_guards(&out, most);
    while (of_first < size && out.bytes[of_first] == 1)
      of_first++;
    for (size_t i = of_first; i < size; i++)
      assert_int_equal(out.bytes[i], 2);
    assert_true(of_first == most || (of_first - format.head) % format.step == 0);
  }
}

/* Fails where a step with a 7 comes before one with a 9, in a pool of at least 3. */
static int seven_before_nine(void *context, const uint8_t *bytes, size_t size)
{
  int seven = 0;
  ++*(size_t *)context;
  if (size == 0 || bytes[0] < 3)
    return 0;
  for (size_t i = format.head; i < size; i += format.step) {
    seven |= bytes[i] % 32 == 7;
    if (seven && bytes[i] % 32 == 9)
      return 1;
  }
  return 0;
}

static void shrinks_to_the_cause(void **state)
{
  static const uint8_t want[] = {3, 0, 0, 0, 0, 7, 0, 0, 0, 9};
  size_t runs = 0;
  struct kvp_shrinker shrinker = {format, seven_before_nine, &runs, 100000};
  uint8_t bytes[ROOM + 1];
  (void)state;
  memset(bytes, 200, sizeof bytes);
  bytes[format.head + 4 * format.step] = 7 + 64;
  bytes[format.head + 9 * format.step] = 9 + 32;
  size_t size = kvp_shrink(&shrinker, bytes, sizeof bytes);
  assert_in_range(size, sizeof want, sizeof want + format.step - 1);
  assert_memory_equal(bytes, want, sizeof want);
}

static void gives_up_when_told(void **state)
{
  size_t runs = 0;
  struct kvp_shrinker shrinker = {format, seven_before_nine, &runs, 5};
  uint8_t bytes[ROOM];
  (void)state;
  memset(bytes, 7, sizeof bytes);
  bytes[format.head + 9 * format.step] = 9;
  assert_true(seven_before_nine(&runs, bytes, kvp_shrink(&shrinker, bytes, sizeof bytes)));
  assert_int_equal(runs, 6);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(keeps_to_its_room),  cmocka_unit_test(changes_the_length),
    cmocka_unit_test(crosses_at_steps),   cmocka_unit_test(shrinks_to_the_cause),
    cmocka_unit_test(gives_up_when_told),
  };
  return cmocka_run_group_tests_name("mutate", tests, NULL, NULL);
}
