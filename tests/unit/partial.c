/* SPDX-License-Identifier: Apache-2.0 */
/* Token blocks being filled: every operation of the seed's test as a table, and what they become.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include <kvpool/tokens.h>

#define NUM(array) (sizeof(array) / sizeof((array)[0]))
#define GUARD UINT32_C(0xDEADBEEF)
#define BLOCK1 UINT64_C(14643705804678351452)
#define BLOCK2 UINT64_C(16777012769546811212)
#define SEQUENCE2 UINT64_C(4945711292740353085)

enum kind { PUSH, PUSH_MANY, POP, POP_MANY, COMMIT };

/* What is done to a block, what it answers, and what the block holds then. */
struct step {
  enum kind kind;
  uint32_t count;     /* tokens given or taken away */
  uint32_t tokens[4]; /* given */
  enum kvp_status status;
  uint32_t taken; /* of those given to PUSH_MANY */
  uint32_t length;
  uint32_t holds[3];
};

static enum kvp_status take(struct kvp_partial *partial, const struct step *step, uint32_t *taken,
                            struct kvp_token_block *block)
{
  switch (step->kind) {
  case PUSH: return kvp_partial_push(partial, step->tokens[0]);
  case PUSH_MANY: return kvp_partial_push_many(partial, step->tokens, step->count, taken);
  case POP: return kvp_partial_pop(partial);
  case POP_MANY: return kvp_partial_pop_many(partial, step->count);
  case COMMIT: return kvp_partial_commit(partial, block);
  }
  return KVP_ARGUMENT;
}

static void operations_of_a_partial_block(void **state)
{
  static const struct step steps[] = {
    {POP_MANY, 0, {0}, KVP_OK, 0, 0, {0}},
    {COMMIT, 0, {0}, KVP_STATE, 0, 0, {0}},
    {PUSH, 1, {1}, KVP_OK, 0, 1, {1}},
    {PUSH_MANY, 3, {2, 3, 4}, KVP_OK, 2, 3, {1, 2, 3}},
    {PUSH, 1, {9}, KVP_FULL, 0, 3, {1, 2, 3}},
    {PUSH_MANY, 1, {5}, KVP_OK, 0, 3, {1, 2, 3}},
    {POP_MANY, 4, {0}, KVP_RANGE, 0, 3, {1, 2, 3}},
    {POP, 1, {0}, KVP_OK, 0, 2, {1, 2}},
    {POP_MANY, 2, {0}, KVP_OK, 0, 0, {0}},
    {POP, 1, {0}, KVP_EMPTY, 0, 0, {0}},
    {POP_MANY, 1, {0}, KVP_RANGE, 0, 0, {0}},
    {PUSH, 1, {10}, KVP_OK, 0, 1, {10}},
    {COMMIT, 0, {0}, KVP_STATE, 0, 1, {10}},
    {PUSH, 1, {11}, KVP_OK, 0, 2, {10, 11}},
    {PUSH, 1, {12}, KVP_OK, 0, 3, {10, 11, 12}},
    {COMMIT, 0, {0}, KVP_OK, 0, 0, {0}},
    {PUSH, 1, {13}, KVP_OK, 0, 1, {13}},
  };
  uint32_t tokens[4] = {0, 0, 0, GUARD};
  struct kvp_partial partial, before;
  (void)state;

  memset(&partial, 0, sizeof partial);
  assert_int_equal(kvp_partial_init(&partial, 3, tokens, 1337), KVP_OK);
  for (size_t i = 0; i < NUM(steps); i++) {
    struct kvp_token_block block, untouched;
    uint32_t taken = 77;
    memset(&block, 1, sizeof block);
    untouched = block;
    before = partial;
    assert_int_equal(take(&partial, &steps[i], &taken, &block), steps[i].status);
    if (steps[i].status != KVP_OK) {
      assert_memory_equal(&partial, &before, sizeof partial);
      assert_memory_equal(&block, &untouched, sizeof block);
    }
    assert_int_equal(taken, steps[i].kind == PUSH_MANY ? steps[i].taken : 77);
    assert_int_equal(partial.length, steps[i].length);
    assert_int_equal(kvp_partial_remaining(&partial), 3 - steps[i].length);
    assert_memory_equal(tokens, steps[i].holds, steps[i].length * sizeof *tokens);
    assert_int_equal(tokens[3], GUARD);
    if (steps[i].kind == COMMIT && steps[i].status == KVP_OK) {
      struct kvp_token_block same;
      kvp_token_block_root((const uint32_t[]){10, 11, 12}, 3, 1337, &same);
      assert_true(block.block_hash == same.block_hash);
      assert_true(block.sequence_hash == same.block_hash && !block.has_parent);
      assert_true(partial.has_parent && partial.parent == block.sequence_hash);
    }
  }
}

static void push_many_leaves_what_does_not_fit(void **state)
{
  static const uint32_t given[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  uint32_t tokens[5] = {0, 0, 0, 0, GUARD}, taken = 77;
  struct kvp_partial partial;
  (void)state;

  kvp_partial_init(&partial, 4, tokens, 0);
  assert_int_equal(kvp_partial_push_many(&partial, NULL, 1, &taken), KVP_ARGUMENT);
  assert_int_equal(taken, 77);
  assert_int_equal(kvp_partial_push_many(&partial, NULL, 0, &taken), KVP_OK);
  assert_int_equal(taken, 0);
  assert_int_equal(kvp_partial_push_many(&partial, given, 10, &taken), KVP_OK);
  assert_int_equal(taken, 4);
  assert_memory_equal(tokens, given, 4 * sizeof *tokens);
  assert_int_equal(tokens[4], GUARD);
}

/* Tokens 1 .. 8 with salt 1337: the second block alone, after the first, and after itself. */
static void a_child_hashes_after_its_parent(void **state)
{
  static const uint32_t second[] = {5, 6, 7, 8};
  struct kvp_token_block block;
  struct kvp_partial partial;
  uint32_t tokens[4], taken;
  (void)state;

  assert_int_equal(kvp_token_block_root(second, 4, 1337, &block), KVP_OK);
  assert_true(block.sequence_hash == BLOCK2 && block.block_hash == BLOCK2 && !block.has_parent);
  assert_int_equal(kvp_token_block_after(BLOCK1, second, 4, 1337, &block), KVP_OK);
  assert_true(block.sequence_hash == SEQUENCE2 && block.block_hash == BLOCK2);
  assert_true(block.has_parent && block.parent == BLOCK1);

  kvp_partial_init_after(&partial, 4, tokens, 1337, BLOCK1);
  kvp_partial_push_many(&partial, second, 4, &taken);
  assert_int_equal(kvp_partial_commit(&partial, &block), KVP_OK);
  assert_true(block.sequence_hash == SEQUENCE2 && block.parent == BLOCK1 && block.has_parent);
  kvp_partial_push_many(&partial, (const uint32_t[]){9, 10, 11, 12}, 4, &taken);
  assert_int_equal(kvp_partial_commit(&partial, &block), KVP_OK);
  assert_true(block.sequence_hash == UINT64_C(12583592247330656132) && block.parent == SEQUENCE2);
}

/* A parent of 0 is a parent. */
static void a_parent_of_any_value_counts(void **state)
{
  static const uint32_t tokens[] = {1, 2, 3, 4};
  struct kvp_token_block root, child, filled;
  struct kvp_partial partial;
  uint32_t memory[4], taken;
  (void)state;
  kvp_token_block_root(tokens, 4, 0, &root);
  kvp_token_block_after(0, tokens, 4, 0, &child);
  assert_true(root.parent == child.parent && root.has_parent != child.has_parent);
  assert_true(root.block_hash == child.block_hash && root.sequence_hash != child.sequence_hash);
  kvp_partial_init_after(&partial, 4, memory, 0, 0);
  kvp_partial_push_many(&partial, tokens, 4, &taken);
  assert_int_equal(kvp_partial_commit(&partial, &filled), KVP_OK);
  assert_true(filled.has_parent && filled.sequence_hash == child.sequence_hash);
}

static void signed_tokens_keep_their_bits(void **state)
{
  static const int32_t given[] = {-1, 0, INT32_MIN, INT32_MAX};
  uint32_t tokens[4];
  struct kvp_token_block block;
  struct kvp_partial partial;
  (void)state;
  kvp_partial_init(&partial, 4, tokens, UINT64_MAX);
  for (size_t i = 0; i < NUM(given); i++)
    kvp_partial_push(&partial, (uint32_t)given[i]);
  assert_true(tokens[0] == UINT32_C(4294967295));
  kvp_partial_commit(&partial, &block);
  assert_true(block.block_hash == UINT64_C(7513840411266176039));
}

static void what_makes_no_block_is_refused(void **state)
{
  uint32_t tokens[1] = {0};
  struct kvp_partial partial, before;
  struct kvp_token_block block, untouched;
  (void)state;

  memset(&partial, 7, sizeof partial);
  memset(&block, 7, sizeof block);
  before = partial, untouched = block;
  assert_int_equal(kvp_partial_init(&partial, 0, tokens, 0), KVP_ARGUMENT);
  assert_int_equal(kvp_partial_init(&partial, 1, NULL, 0), KVP_ARGUMENT);
  assert_int_equal(kvp_partial_init_after(&partial, 0, tokens, 0, 1), KVP_ARGUMENT);
  assert_int_equal(kvp_partial_init_after(&partial, 1, NULL, 0, 1), KVP_ARGUMENT);
  assert_int_equal(kvp_token_block_root(tokens, 0, 0, &block), KVP_ARGUMENT);
  assert_int_equal(kvp_token_block_root(NULL, 1, 0, &block), KVP_ARGUMENT);
  assert_int_equal(kvp_token_block_after(1, tokens, 0, 0, &block), KVP_ARGUMENT);
  assert_int_equal(kvp_token_block_after(1, NULL, 1, 0, &block), KVP_ARGUMENT);
  assert_memory_equal(&partial, &before, sizeof partial);
  assert_memory_equal(&block, &untouched, sizeof block);
}

int main(void)
{
  static const struct CMUnitTest tests[] = {
    {"every operation answers as the seed's", operations_of_a_partial_block, NULL, NULL, NULL},
    {"push_many leaves what does not fit", push_many_leaves_what_does_not_fit, NULL, NULL, NULL},
    {"a child hashes after its parent", a_child_hashes_after_its_parent, NULL, NULL, NULL},
    {"a parent of any value counts", a_parent_of_any_value_counts, NULL, NULL, NULL},
    {"signed tokens keep their bits", signed_tokens_keep_their_bits, NULL, NULL, NULL},
    {"what makes no block is refused", what_makes_no_block_is_refused, NULL, NULL, NULL},
  };
  return cmocka_run_group_tests_name("partial token blocks", tests, NULL, NULL);
}
