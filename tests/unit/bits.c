/* SPDX-License-Identifier: Apache-2.0 */
/* The lowest set bit: what the compiler's builtin answers, which the proof does not cover, must be
   what the proved loop answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/pool/bits.h"

#define RANDOM_WORDS 1000000

static void agree(uint64_t word)
{
  uint32_t want = kvp_lowest_bit_loop(word), got = kvp_lowest_bit(word);
  if (want != got)
    fail_msg("lowest bit of %llx: %u, not %u", (unsigned long long)word, got, want);
}

static void no_bit(void **state)
{
  (void)state;
  assert_int_equal(kvp_lowest_bit_loop(0), 64);
  assert_int_equal(kvp_lowest_bit(0), 64);
}

/* Every word of one bit and of two. */
static void one_bit_and_two(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < 64; i++)
    for (uint32_t j = i; j < 64; j++) {
      uint64_t word = (uint64_t)1 << i | (uint64_t)1 << j;
      assert_int_equal(kvp_lowest_bit(word), i);
      agree(word);
    }
}

/* Every unbroken run of ones. */
static void runs_of_ones(void **state)
{
  (void)state;
  for (uint32_t low = 0; low < 64; low++)
    for (uint32_t high = low; high < 64; high++)
      agree(UINT64_MAX << low & UINT64_MAX >> (63 - high));
}

/* Random words; shifted, too, as a random word alone rarely has many low zeros. */
static void random_words(void **state)
{
  (void)state;
  uint64_t word = UINT64_C(88172645463325252);
  for (uint32_t k = 0; k < RANDOM_WORDS; k++) {
    word ^= word << 13;
    word ^= word >> 7;
    word ^= word << 17;
    agree(word);
    agree(word << k % 64);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(no_bit),
    cmocka_unit_test(one_bit_and_two),
    cmocka_unit_test(runs_of_ones),
    cmocka_unit_test(random_words),
  };
  return cmocka_run_group_tests_name("bits", tests, NULL, NULL);
}
