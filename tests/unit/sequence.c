/* SPDX-License-Identifier: Apache-2.0 */
/* Sequences of token blocks, cut as soon as a block is full: the seed's tests as tables, and long
   random runs. After each step the whole sequence is held to one made anew from its tokens. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include <kvpool/hash.h>
#include <kvpool/tokens.h>

#define NUM(array) (sizeof(array) / sizeof((array)[0]))
#define GUARD UINT32_C(0xDEADBEEF)
#define SALT 1337
#define MOST_BLOCKS 8
#define MOST_TOKENS 64

/* A sequence in memory of its own, with a guard after each array's end. */
struct fixture {
  struct kvp_sequence sequence;
  uint32_t tokens[MOST_TOKENS + 1];
  uint64_t block_hashes[MOST_BLOCKS + 1], sequence_hashes[MOST_BLOCKS + 1];
};

static void make(struct fixture *fixture, uint32_t block_size, uint32_t max_blocks)
{
  memset(fixture, 0, sizeof *fixture);
  fixture->tokens[max_blocks * block_size] = GUARD;
  fixture->block_hashes[max_blocks] = fixture->sequence_hashes[max_blocks] = GUARD;
  assert_int_equal(kvp_sequence_init(&fixture->sequence, block_size, max_blocks, SALT,
                                     fixture->tokens, fixture->block_hashes,
                                     fixture->sequence_hashes),
                   KVP_OK);
}

/* That the sequence holds just these tokens, and the hashes of the blocks that they fill. */
static void holds(const struct fixture *fixture, const uint32_t *tokens, size_t length)
{
  const struct kvp_sequence *sequence = &fixture->sequence;
  const uint32_t size = sequence->block_size;
  uint64_t parent = 0;

  assert_int_equal(sequence->length, length);
  assert_memory_equal(sequence->tokens, tokens, length * sizeof *tokens);
  assert_int_equal(sequence->num_blocks, length / size);
  assert_int_equal(sequence->open, length % size);
  assert_int_equal(kvp_sequence_room(sequence), sequence->max_blocks * size - length);
  for (uint32_t b = 0; b < sequence->num_blocks; b++) {
    struct kvp_token_block block;
    uint64_t hash;
    kvp_hash_block(tokens + (size_t)b * size, size, SALT, &hash);
    assert_int_equal(kvp_sequence_block(sequence, b, &block), KVP_OK);
    assert_true(block.block_hash == hash);
    assert_true(block.has_parent == (b > 0) && block.parent == parent);
    parent = b == 0 ? hash : kvp_hash_sequence(parent, hash, SALT);
    assert_true(block.sequence_hash == parent);
  }
  assert_int_equal(fixture->tokens[sequence->max_blocks * size], GUARD);
  assert_true(fixture->block_hashes[sequence->max_blocks] == GUARD);
  assert_true(fixture->sequence_hashes[sequence->max_blocks] == GUARD);
}

enum kind { END, APPEND, EXTEND, TRUNCATE, UNWIND, POP };

/* An operation on a sequence whose tokens are 1, 2, 3, ..., what it answers, and the length then.
   What it gives are the next numbers. */
struct step {
  enum kind kind;
  size_t count;
  enum kvp_status status;
  size_t length;
  uint32_t first, finished; /* blocks that it finished */
};

static enum kvp_status take(struct kvp_sequence *sequence, const struct step *step,
                            const uint32_t *numbers, struct kvp_block_range *finished)
{
  enum kvp_status status;
  uint32_t index = KVP_NONE, token = 0;
  size_t length = sequence->length;

  switch (step->kind) {
  case EXTEND: return kvp_sequence_extend(sequence, numbers + length, step->count, finished);
  case APPEND:
    status = kvp_sequence_append(sequence, numbers[length], &index);
    if (index != KVP_NONE)
      *finished = (struct kvp_block_range){index, 1};
    return status;
  case TRUNCATE: kvp_sequence_truncate(sequence, step->count); return KVP_OK;
  case UNWIND: return kvp_sequence_unwind(sequence, step->count);
  case POP:
    status = kvp_sequence_pop(sequence, &token);
    assert_int_equal(token, status == KVP_OK ? numbers[length - 1] : 0);
    return status;
  default: return KVP_ARGUMENT;
  }
}

static void walk(uint32_t block_size, uint32_t max_blocks, const struct step *steps)
{
  uint32_t numbers[MOST_TOKENS];
  struct fixture fixture;

  for (uint32_t i = 0; i < MOST_TOKENS; i++)
    numbers[i] = i + 1;
  make(&fixture, block_size, max_blocks);
  for (; steps->kind != END; steps++) {
    struct kvp_sequence before = fixture.sequence;
    struct kvp_block_range finished = {0, 0};
    assert_int_equal(take(&fixture.sequence, steps, numbers, &finished), steps->status);
    if (steps->status != KVP_OK)
      assert_memory_equal(&fixture.sequence, &before, sizeof before);
    assert_int_equal(finished.count, steps->finished);
    if (finished.count > 0)
      assert_int_equal(finished.first, steps->first);
    holds(&fixture, numbers, steps->length);
  }
}

#define MOST_STEPS 16
struct walks {
  const struct step steps[MOST_STEPS];
};

static void walk_all(const struct walks *walks, size_t count)
{
  for (size_t i = 0; i < count; i++)
    walk(4, MOST_BLOCKS, walks[i].steps);
}

static void appends_finish_a_block_at_once(void **state)
{
  static const struct step steps[] = {
    {EXTEND, 10, KVP_OK, 10, 0, 2}, {APPEND, 1, KVP_OK, 11, 0, 0}, {APPEND, 1, KVP_OK, 12, 2, 1},
    {APPEND, 1, KVP_OK, 13, 0, 0},  {END, 0, KVP_OK, 0, 0, 0},
  };
  (void)state;
  walk(4, MOST_BLOCKS, steps);
}

static void extends_finish_every_full_block(void **state)
{
  static const struct walks walks[] = {
    {{{EXTEND, 0, KVP_OK, 0, 0, 0}}},
    {{{EXTEND, 2, KVP_OK, 2, 0, 0}}},
    {{{EXTEND, 4, KVP_OK, 4, 0, 1}}},
    {{{EXTEND, 5, KVP_OK, 5, 0, 1}}},
    {{{EXTEND, 6, KVP_OK, 6, 0, 1}}},
    {{{EXTEND, 8, KVP_OK, 8, 0, 2}}},
    {{{EXTEND, 9, KVP_OK, 9, 0, 2}}},
    {{{EXTEND, 2, KVP_OK, 2, 0, 0},
      {EXTEND, 3, KVP_OK, 5, 0, 1},
      {EXTEND, 5, KVP_OK, 10, 1, 1},
      {EXTEND, 0, KVP_OK, 10, 0, 0}}},
    {{{EXTEND, 2, KVP_OK, 2, 0, 0}, {EXTEND, 2, KVP_OK, 4, 0, 1}, {EXTEND, 9, KVP_OK, 13, 1, 2}}},
  };
  (void)state;
  walk_all(walks, NUM(walks));
}

static void truncating_keeps_whole_blocks(void **state)
{
#define TEN                                                                                        \
  {                                                                                                \
    EXTEND, 10, KVP_OK, 10, 0, 2                                                                   \
  }
  static const struct walks walks[] = {
    {{TEN, {TRUNCATE, 9, KVP_OK, 9, 0, 0}}},
    {{TEN, {TRUNCATE, 8, KVP_OK, 8, 0, 0}}},
    {{TEN, {TRUNCATE, 7, KVP_OK, 7, 0, 0}, {APPEND, 1, KVP_OK, 8, 1, 1}}},
    {{TEN, {TRUNCATE, 4, KVP_OK, 4, 0, 0}}},
    {{TEN, {TRUNCATE, 3, KVP_OK, 3, 0, 0}}},
    {{TEN, {TRUNCATE, 0, KVP_OK, 0, 0, 0}, {EXTEND, 4, KVP_OK, 4, 0, 1}}},
    {{TEN, {TRUNCATE, 11, KVP_OK, 10, 0, 0}, {TRUNCATE, 10, KVP_OK, 10, 0, 0}}},
    {{TEN, {TRUNCATE, SIZE_MAX, KVP_OK, 10, 0, 0}}},
    {{{TRUNCATE, 0, KVP_OK, 0, 0, 0}, {TRUNCATE, 5, KVP_OK, 0, 0, 0}}},
    {{{EXTEND, 8, KVP_OK, 8, 0, 2},
      {TRUNCATE, 4, KVP_OK, 4, 0, 0},
      {TRUNCATE, 3, KVP_OK, 3, 0, 0}}},
  };
  (void)state;
  walk_all(walks, NUM(walks));
}

static void unwinding_takes_no_more_than_there_is(void **state)
{
  static const struct walks walks[] = {
    {{TEN, {UNWIND, 0, KVP_OK, 10, 0, 0}}},
    {{TEN, {UNWIND, 1, KVP_OK, 9, 0, 0}}},
    {{TEN, {UNWIND, 3, KVP_OK, 7, 0, 0}}},
    {{TEN, {UNWIND, 10, KVP_OK, 0, 0, 0}}},
    {{TEN, {UNWIND, 11, KVP_RANGE, 10, 0, 0}}},
    {{{UNWIND, 1, KVP_RANGE, 0, 0, 0}, {UNWIND, 0, KVP_OK, 0, 0, 0}}},
    {{TEN, {UNWIND, SIZE_MAX, KVP_RANGE, 10, 0, 0}}},
  };
  (void)state;
  walk_all(walks, NUM(walks));
}

static void pops_go_down_to_nothing(void **state)
{
  static const struct walks walks[] = {
    {{TEN,
      {POP, 1, KVP_OK, 9, 0, 0},
      {POP, 1, KVP_OK, 8, 0, 0},
      {POP, 1, KVP_OK, 7, 0, 0},
      {POP, 1, KVP_OK, 6, 0, 0},
      {POP, 1, KVP_OK, 5, 0, 0},
      {POP, 1, KVP_OK, 4, 0, 0},
      {POP, 1, KVP_OK, 3, 0, 0},
      {POP, 1, KVP_OK, 2, 0, 0},
      {POP, 1, KVP_OK, 1, 0, 0},
      {POP, 1, KVP_OK, 0, 0, 0},
      {POP, 1, KVP_EMPTY, 0, 0, 0},
      {EXTEND, 4, KVP_OK, 4, 0, 1}}},
  };
  (void)state;
  walk_all(walks, NUM(walks));
}

static void a_full_sequence_refuses_more(void **state)
{
  static const struct step steps[] = {
    {EXTEND, 7, KVP_FULL, 0, 0, 0}, {EXTEND, 5, KVP_OK, 5, 0, 1},
    {EXTEND, 2, KVP_FULL, 5, 0, 0}, {EXTEND, SIZE_MAX, KVP_FULL, 5, 0, 0},
    {APPEND, 1, KVP_OK, 6, 1, 1},   {APPEND, 1, KVP_FULL, 6, 0, 0},
    {EXTEND, 0, KVP_OK, 6, 0, 0},   {POP, 1, KVP_OK, 5, 0, 0},
    {APPEND, 1, KVP_OK, 6, 1, 1},   {END, 0, KVP_OK, 0, 0, 0},
  };
  static const struct step no_room[] = {
    {APPEND, 1, KVP_FULL, 0, 0, 0}, {EXTEND, 0, KVP_OK, 0, 0, 0}, {END, 0, KVP_OK, 0, 0, 0}};
  (void)state;
  walk(3, 2, steps);
  walk(3, 0, no_room);
}

/* The golden values of the seed, by whatever route the tokens come. */
static void routes_give_the_golden_hashes(void **state)
{
  static const uint64_t hashes[] = {UINT64_C(14643705804678351452), UINT64_C(4945711292740353085),
                                    UINT64_C(12583592247330656132), UINT64_C(1921452330601040443)};
  uint32_t numbers[16];
  (void)state;
  for (uint32_t i = 0; i < 16; i++)
    numbers[i] = i + 1;
  for (size_t part = 1; part <= 16; part++) {
    struct fixture fixture;
    make(&fixture, 4, 4);
    for (size_t n = 0; n < 16; n += part) {
      struct kvp_block_range finished;
      kvp_sequence_extend(&fixture.sequence, numbers + n, part < 16 - n ? part : 16 - n, &finished);
    }
    assert_memory_equal(fixture.sequence_hashes, hashes, sizeof hashes);
  }
}

/* With a model that is a plain array: what it does is done to the sequence. */
static void long_runs_hold_what_an_array_holds(void **state)
{
  uint64_t seed = 1;
  (void)state;
  for (uint32_t run = 0; run < 200; run++) {
    const uint32_t size = 1 + run % 7, most = run % (MOST_BLOCKS + 1);
    uint32_t model[MOST_TOKENS], given[MOST_TOKENS], index, token;
    size_t length = 0, room;
    struct kvp_block_range finished;
    struct fixture fixture;
    make(&fixture, size, most);
    for (int step = 0; step < 100; step++) {
      seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
      const size_t n = (size_t)(seed >> 33) % (3 * size);
      room = most * size - length;
      for (size_t i = 0; i < n; i++)
        given[i] = (uint32_t)(seed >> 40) % 3 + (uint32_t)i;
      switch ((seed >> 60) % 5) {
      case 0:
        assert_int_equal(kvp_sequence_append(&fixture.sequence, 5, &index),
                         room > 0 ? KVP_OK : KVP_FULL);
        if (room > 0)
          model[length++] = 5;
        break;
      case 1:
        kvp_sequence_truncate(&fixture.sequence, n);
        length = n < length ? n : length;
        break;
      case 2:
        assert_int_equal(kvp_sequence_pop(&fixture.sequence, &token),
                         length > 0 ? KVP_OK : KVP_EMPTY);
        length -= length > 0;
        break;
      default:
        assert_int_equal(kvp_sequence_extend(&fixture.sequence, given, n, &finished),
                         n <= room ? KVP_OK : KVP_FULL);
        if (n <= room)
          memcpy(model + length, given, n * sizeof *given), length += n;
      }
      holds(&fixture, model, length);
    }
  }
}

static void what_makes_no_sequence_is_refused(void **state)
{
  static const struct {
    uint32_t block_size, max_blocks;
    int missing; /* which array, counted from 1 */
    enum kvp_status status;
  } cases[] = {
    {0, 1, 0, KVP_ARGUMENT}, {0, 0, 0, KVP_ARGUMENT}, {4, 1, 1, KVP_ARGUMENT},
    {4, 1, 2, KVP_ARGUMENT}, {4, 1, 3, KVP_ARGUMENT}, {UINT32_MAX, UINT32_MAX, 0, KVP_OVERFLOW},
    {4, 0, 1, KVP_OK},
  };
  struct fixture fixture;
  (void)state;
  make(&fixture, 4, 2);
  for (size_t i = 0; i < NUM(cases); i++) {
    struct kvp_sequence sequence, before;
    memset(&sequence, 7, sizeof sequence);
    before = sequence;
    assert_int_equal(kvp_sequence_init(&sequence, cases[i].block_size, cases[i].max_blocks, SALT,
                                       cases[i].missing == 1 ? NULL : fixture.tokens,
                                       cases[i].missing == 2 ? NULL : fixture.block_hashes,
                                       cases[i].missing == 3 ? NULL : fixture.sequence_hashes),
                     cases[i].status);
    if (cases[i].status != KVP_OK)
      assert_memory_equal(&sequence, &before, sizeof sequence);
  }
}

static void what_is_not_there_is_refused(void **state)
{
  struct fixture fixture;
  struct kvp_token_block block;
  struct kvp_block_range finished = {7, 7};
  (void)state;
  make(&fixture, 2, 2);
  assert_int_equal(kvp_sequence_extend(&fixture.sequence, NULL, 1, &finished), KVP_ARGUMENT);
  assert_int_equal(finished.first, 7);
  assert_int_equal(kvp_sequence_extend(&fixture.sequence, NULL, 0, &finished), KVP_OK);
  assert_int_equal(finished.count, 0);
  assert_int_equal(kvp_sequence_block(&fixture.sequence, 0, &block), KVP_RANGE);
  kvp_sequence_extend(&fixture.sequence, (const uint32_t[]){1, 2, 3}, 3, &finished);
  assert_int_equal(kvp_sequence_block(&fixture.sequence, 0, &block), KVP_OK);
  assert_int_equal(kvp_sequence_block(&fixture.sequence, 1, &block), KVP_RANGE);
}

int main(void)
{
  static const struct CMUnitTest tests[] = {
    {"appends finish a block at once", appends_finish_a_block_at_once, NULL, NULL, NULL},
    {"extends finish every full block", extends_finish_every_full_block, NULL, NULL, NULL},
    {"truncating keeps whole blocks", truncating_keeps_whole_blocks, NULL, NULL, NULL},
    {"unwinding takes no more than there is", unwinding_takes_no_more_than_there_is, NULL, NULL,
     NULL},
    {"pops go down to nothing", pops_go_down_to_nothing, NULL, NULL, NULL},
    {"a full sequence refuses more", a_full_sequence_refuses_more, NULL, NULL, NULL},
    {"every route gives the golden hashes", routes_give_the_golden_hashes, NULL, NULL, NULL},
    {"long runs hold what an array holds", long_runs_hold_what_an_array_holds, NULL, NULL, NULL},
    {"what makes no sequence is refused", what_makes_no_sequence_is_refused, NULL, NULL, NULL},
    {"what is not there is refused", what_is_not_there_is_refused, NULL, NULL, NULL},
  };
  return cmocka_run_group_tests_name("sequences of token blocks", tests, NULL, NULL);
}
