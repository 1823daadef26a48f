/* SPDX-License-Identifier: Apache-2.0 */
/* The other forms of the content hashes: the block hash fed in parts, and the second scheme, held
   to values that libxxhash gave for bytes laid out by Python's struct module. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include <kvpool/hash.h>

#define NUM(array) (sizeof(array) / sizeof((array)[0]))
#define MOST_TOKENS 1100

/* Parts of every size up to past a chunk, and hashes asked for on the way. */
static void parts_hash_as_the_whole(void **state)
{
  static const size_t parts[] = {1, 2, 3, 16, 61, 255, 256, 257, 1000};
  static const uint64_t salts[] = {0, 1337, UINT64_MAX};
  uint32_t tokens[MOST_TOKENS];
  (void)state;

  for (uint32_t i = 0; i < MOST_TOKENS; i++)
    tokens[i] = i * UINT32_C(2654435761);
  for (size_t s = 0; s < NUM(salts); s++)
    for (size_t p = 0; p < NUM(parts); p++) {
      struct kvp_hash_stream stream;
      kvp_hash_start(&stream, salts[s]);
      for (size_t n = 0; n < MOST_TOKENS; n += parts[p]) {
        uint64_t whole;
        size_t more = MOST_TOKENS - n < parts[p] ? MOST_TOKENS - n : parts[p];
        assert_int_equal(kvp_hash_update(&stream, tokens + n, more), KVP_OK);
        assert_int_equal(kvp_hash_block(tokens, n + more, salts[s], &whole), KVP_OK);
        assert_true(kvp_hash_finish(&stream) == whole);
      }
    }
}

static void a_stream_may_be_copied_and_be_empty(void **state)
{
  static const uint32_t tokens[] = {1, 2, 3, 4};
  struct kvp_hash_stream first, second;
  (void)state;

  kvp_hash_start(&first, 1337);
  assert_true(kvp_hash_finish(&first) == UINT64_C(15128690059815094969));
  assert_int_equal(kvp_hash_update(&first, NULL, 1), KVP_ARGUMENT);
  assert_int_equal(kvp_hash_update(&first, NULL, 0), KVP_OK);
  assert_true(kvp_hash_finish(&first) == UINT64_C(15128690059815094969));
  kvp_hash_update(&first, tokens, 2);
  second = first;
  memset(&first, 0, sizeof first);
  kvp_hash_update(&second, tokens + 2, 2);
  assert_true(kvp_hash_finish(&second) == UINT64_C(14643705804678351452));
}

/* The tokens are first, first + step, ...; a block has size of them. */
static void chains_of_the_second_scheme(void **state)
{
  static const struct {
    size_t size;
    uint32_t first, step;
    uint64_t hashes[4]; /* 0 = no more */
  } chains[] = {
    {4,
     1,
     1,
     {UINT64_C(8356527653647720045), UINT64_C(610383040053763902), UINT64_C(7686319586970571425),
      UINT64_C(16535955671094423847)}},
    {4,
     0,
     0,
     {UINT64_C(17791961111430638837), UINT64_C(2346684412157303519), UINT64_C(10534902751993557932),
      UINT64_C(15107266056808863924)}},
    {2,
     1,
     1,
     {UINT64_C(5411092459628516524), UINT64_C(18009611256552032037), UINT64_C(6819537917740899289),
      0}},
    {256,
     0,
     1,
     {UINT64_C(5218229187174952702), UINT64_C(1422405182635600221), UINT64_C(15278566279231231297),
      UINT64_C(9095847053064536984)}},
    {300, 0, 1, {UINT64_C(5983096932757519801), UINT64_C(14311948033871495860), 0, 0}},
  };
  (void)state;

  for (size_t i = 0; i < NUM(chains); i++) {
    uint32_t tokens[300], next = chains[i].first;
    uint64_t hash = 0;
    for (size_t k = 0; k < 4 && chains[i].hashes[k] != 0; k++) {
      uint64_t parent = hash;
      for (size_t t = 0; t < chains[i].size; t++, next += chains[i].step)
        tokens[t] = next;
      assert_int_equal(kvp_hash_chain(k == 0 ? NULL : &parent, tokens, chains[i].size, &hash),
                       KVP_OK);
      assert_true(hash == chains[i].hashes[k]);
    }
  }
}

static void borders_of_the_second_scheme(void **state)
{
  static const uint32_t extremes[] = {UINT32_MAX, 0, 0x80000000, 0x7FFFFFFF};
  const uint64_t zero = 0, largest = UINT64_MAX;
  uint64_t hash = 42;
  (void)state;

  assert_int_equal(kvp_hash_chain(NULL, NULL, 1, &hash), KVP_ARGUMENT);
  assert_int_equal(kvp_hash_chain(&zero, NULL, 1, &hash), KVP_ARGUMENT);
  assert_true(hash == 42);
  kvp_hash_chain(NULL, NULL, 0, &hash);
  assert_true(hash == UINT64_C(17241709254077376921));
  kvp_hash_chain(&largest, NULL, 0, &hash);
  assert_true(hash == UINT64_C(9642548396912002761));
  kvp_hash_chain(NULL, extremes, NUM(extremes), &hash);
  assert_true(hash == UINT64_C(10951838753182137701));
  kvp_hash_chain(&largest, extremes, NUM(extremes), &hash);
  assert_true(hash == UINT64_C(14476937202037170547));
}

/* Of the first two blocks of the first chain. */
static void second_scheme_is_not_the_mistakes(void **state)
{
  static const uint32_t first[] = {1, 2, 3, 4}, second[] = {5, 6, 7, 8};
  static const uint64_t of_first[] = {
    UINT64_C(2877822695146591398), /* tokens of 4 bytes */
    UINT64_C(5444969996393301713), /* big-endian tokens */
    UINT64_C(186839722550042692),  /* a seed */
  };
  static const uint64_t of_second[] = {
    UINT64_C(5949638623569444757),  /* a big-endian parent */
    UINT64_C(4866429870093293986),  /* the parent last */
    UINT64_C(15290973870868887534), /* no parent */
    UINT64_C(17604407886773768188), /* a parent of 0 */
  };
  const uint64_t zero = 0;
  uint64_t parent, hash;
  (void)state;

  kvp_hash_chain(NULL, first, 4, &parent);
  for (size_t i = 0; i < NUM(of_first); i++)
    assert_true(parent != of_first[i]);
  kvp_hash_chain(&parent, second, 4, &hash);
  for (size_t i = 0; i < NUM(of_second); i++)
    assert_true(hash != of_second[i]);
  kvp_hash_chain(NULL, second, 4, &hash);
  assert_true(hash == of_second[2]);
  kvp_hash_chain(&zero, second, 4, &hash);
  assert_true(hash == of_second[3]);
}

int main(void)
{
  static const struct CMUnitTest tests[] = {
    {"a block hash fed in parts is that of the whole", parts_hash_as_the_whole, NULL, NULL, NULL},
    {"a stream may be copied, and be empty", a_stream_may_be_copied_and_be_empty, NULL, NULL, NULL},
    {"the second scheme chains parent and tokens", chains_of_the_second_scheme, NULL, NULL, NULL},
    {"the second scheme is right for any parent and tokens", borders_of_the_second_scheme, NULL,
     NULL, NULL},
    {"the second scheme keeps its order, sizes and seed", second_scheme_is_not_the_mistakes, NULL,
     NULL, NULL},
  };
  return cmocka_run_group_tests_name("forms of the content hashes", tests, NULL, NULL);
}
