/* SPDX-License-Identifier: Apache-2.0 */
/* A test as a table: steps that are applied to every subject, each with what it must answer. */
#ifndef KVP_TESTS_SCRIPT_H
#define KVP_TESTS_SCRIPT_H

#include "src/oracle/text.h"
#include "tests/run_scripts.h"
#include "tests/snapshot.h"

enum step_check { STEP_ANSWER, STEP_CLASS, STEP_CONTENT, STEP_COUNTS, STEP_CACHED_ORDER };

struct step {
  enum step_check check;
  int line;         /* where it stands in its table */
  struct kvp_op op; /* of STEP_ANSWER; a reserve gets a buffer when it runs */
  struct kvp_result want;
  const struct kvp_unit *want_units; /* [op.count] of a reserve */
  uint32_t block;                    /* what it must look like; see the macros below */
  struct kvp_view view;
  uint32_t token;
  struct kvp_counts counts;
  const uint32_t *order; /* [order_length] */
  size_t order_length;
};

struct script {
  const char *claim;
  uint32_t num_blocks, max_blocks;
  const struct step *steps; /* [num_steps] */
  size_t num_steps;
};

#define SCRIPT_UNITS 16 /* most units of a reserve in a script */

/* clang-format would take an initializer's braces for those of a block. */
/* clang-format off */

/* The steps. Content is a hash and one token. A macro with a suffix is the step's other answer. */
#define NOTHING 0, 0
#define ANSWER(block, moved_to, count, ...)                                                        \
  .line = __LINE__, .want = {KVP_OK, block, moved_to, count, {__VA_ARGS__}}
#define DONE ANSWER(KVP_NONE, KVP_NONE, 0, NOTHING)

#define POP(b) {.op = {.kind = KVP_POP}, ANSWER(b, KVP_NONE, 0, NOTHING)}
#define ALLOCATE(b) {.op = {.kind = KVP_ALLOCATE, .block = b}, DONE}
#define ALLOCATE_EVICTS(b, h)                                                                      \
  {.op = {.kind = KVP_ALLOCATE, .block = b}, ANSWER(KVP_NONE, KVP_NONE, 0, 1, h)}
#define TAKE(b) POP(b), ALLOCATE(b)
#define TAKE_EVICTS(b, h) POP(b), ALLOCATE_EVICTS(b, h)
#define CLAIM(b) {.op = {.kind = KVP_CLAIM, .block = b}, DONE}
#define FREE(b) {.op = {.kind = KVP_FREE, .block = b}, DONE}
#define PUBLISH_OP(b, h, t)                                                                        \
  .op = {.kind = KVP_PUBLISH, .block = b, .hash = h, .length = 1, .tokens = (const uint32_t[]){t}}
#define PUBLISH(b, h, t) {PUBLISH_OP(b, h, t), DONE}
#define PUBLISH_EVICTS(b, h, t, former)                                                            \
  {PUBLISH_OP(b, h, t), ANSWER(KVP_NONE, KVP_NONE, 0, 1, former)}
#define LOOKUP(h, b) {.op = {.kind = KVP_LOOKUP, .hash = h}, ANSWER(b, KVP_NONE, 0, NOTHING)}
#define MATCH(h, t, b)                                                                             \
  {.op = {.kind = KVP_MATCH, .hash = h, .length = 1, .tokens = (const uint32_t[]){t}},             \
   ANSWER(b, KVP_NONE, 0, NOTHING)}
#define CLEAR_INDEX {.op = {.kind = KVP_CLEAR_INDEX}, DONE}
#define EXTEND(n, taken)                                                                           \
  {.op = {.kind = KVP_EXTEND, .count = n}, ANSWER(KVP_NONE, KVP_NONE, taken, NOTHING)}
#define RETIRE(top) {.op = {.kind = KVP_RETIRE_TOP}, ANSWER(top, KVP_NONE, 0, NOTHING)}
#define RETIRE_EVICTS(top, h) {.op = {.kind = KVP_RETIRE_TOP}, ANSWER(top, KVP_NONE, 0, 1, h)}
#define RETIRE_MOVES(top, to) {.op = {.kind = KVP_RETIRE_TOP}, ANSWER(top, to, 0, NOTHING)}
#define RETIRE_MOVES_EVICTS(top, to, h)                                                            \
  {.op = {.kind = KVP_RETIRE_TOP}, ANSWER(top, to, 0, 1, h)}
/* Units are written U(block), or UE(block, hash) where taking it evicts. */
#define U(b) {.block = b}
#define UE(b, h) {b, {1, h}}
#define UNITS(...) (const struct kvp_unit[]){__VA_ARGS__}
#define NUM_UNITS(...) (uint32_t)(sizeof(UNITS(__VA_ARGS__)) / sizeof(struct kvp_unit))
#define RESERVE(who, ...)                                                                          \
  {.op = {.kind = KVP_RESERVE, .owner = who, .count = NUM_UNITS(__VA_ARGS__)},                     \
   DONE,                                                                                           \
   .want_units = UNITS(__VA_ARGS__)}
#define RELEASE_OP(who, ...)                                                                       \
  .op = {.kind = KVP_RELEASE,                                                                      \
         .owner = who,                                                                             \
         .count = NUM_UNITS(__VA_ARGS__),                                                          \
         .units = (struct kvp_unit[]){__VA_ARGS__}}
#define RELEASE(who, ...) {RELEASE_OP(who, __VA_ARGS__), DONE}

/* An operation that must be refused with this status; nothing may change. */
#define ERROR(status) .line = __LINE__, .want = {status, KVP_NONE, KVP_NONE, 0, {0, 0}}
#define REFUSED(why, ...) {.op = {__VA_ARGS__}, ERROR(why)}
#define PUBLISH_REFUSED(why, b, h, t) {PUBLISH_OP(b, h, t), ERROR(why)}
#define RELEASE_REFUSED(why, who, ...) {RELEASE_OP(who, __VA_ARGS__), ERROR(why)}

/* What a block, or the pool, must look like. */
#define CHECK(what) .check = what, .line = __LINE__
#define IS(b, class, holders)                                                                      \
  {CHECK(STEP_CLASS), .block = b, .view = {.state = class, .ref_count = holders}}
#define HOLDS(b, h, t, is_indexed)                                                                 \
  {CHECK(STEP_CONTENT),                                                                            \
   .block = b,                                                                                     \
   .view = {.has_hash = 1, .indexed = is_indexed, .hash = h, .length = 1},                         \
   .token = t}
#define HOLDS_NOTHING(b) {CHECK(STEP_CONTENT), .block = b}
#define COUNTS(...) {CHECK(STEP_COUNTS), .counts = {__VA_ARGS__}}
#define CACHED_ORDER(...)                                                                          \
  {CHECK(STEP_CACHED_ORDER),                                                                       \
   .order = (const uint32_t[]){__VA_ARGS__},                                                       \
   .order_length = sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)}

#define SCRIPT(claim, num_blocks, max_blocks, steps)                                               \
  {claim, num_blocks, max_blocks, steps, sizeof(steps) / sizeof((steps)[0])}

/* clang-format on */

static inline void result_print(const char *word, const struct kvp_result *result)
{
  fprintf(stderr, "  %s: ", word);
  kvp_print_result(stderr, result);
  fprintf(stderr, "\n");
}

/* Applies a step's operation: the answer must be the wanted one, and a refusal changes nothing. */
static inline int step_answers(const struct kvp_applier *subject, const struct step *step)
{
  struct kvp_unit units[SCRIPT_UNITS];
  struct kvp_op op = step->op;
  struct snapshot before = snapshot_of(subject), after;
  int good = 1;

  memset(units, 0x5A, sizeof units); /* rubbish, as in apply_one */
  if (step->want_units != NULL) {
    assert_true(op.count <= SCRIPT_UNITS);
    op.units = units;
  }
  struct kvp_result got = apply_one(subject, op);
  if (!result_equal(&got, &step->want)) {
    result_print("wanted", &step->want);
    result_print("got", &got);
    good = 0;
  }
  if (got.status == KVP_OK && step->want_units != NULL
      && !units_equal(step->want_units, units, op.count)) {
    fprintf(stderr, "  other units than wanted\n");
    good = 0;
  }
  after = snapshot_of(subject);
  if (step->want.status != KVP_OK && !snapshot_equal(&before, &after)) {
    fprintf(stderr, "  refused, yet the pool changed:\n");
    snapshot_print_difference(&before, &after);
    good = 0;
  }
  return good;
}

/* The rest of the pool's numbers are the snapshot's own, so only what the step names is checked. */
static inline int step_holds(const struct kvp_applier *subject, const struct step *step)
{
  struct snapshot got = snapshot_of(subject), want = got;
  uint64_t *row = want.block[step->block];
  uint64_t next = got.pool[FIRST_CACHED];
  size_t i = 0;

  switch (step->check) {
  case STEP_ANSWER: return step_answers(subject, step);
  case STEP_CLASS:
    row[STATE] = step->view.state;
    row[REF_COUNT] = step->view.ref_count;
    break;
  case STEP_CONTENT:
    row[HAS_HASH] = step->view.has_hash;
    row[INDEXED] = step->view.indexed;
    row[HASH] = step->view.hash;
    row[LENGTH] = step->view.length;
    row[TOKEN] = step->token;
    break;
  case STEP_COUNTS:
    want.pool[NUM_BLOCKS] = step->counts.num_blocks;
    want.pool[NUM_FREE] = step->counts.num_free;
    want.pool[NUM_USED] = step->counts.num_used;
    want.pool[NUM_RESERVED] = step->counts.num_reserved;
    want.pool[NUM_INDEXED] = step->counts.num_indexed;
    break;
  case STEP_CACHED_ORDER:
    for (; i < step->order_length && next == step->order[i]; i++)
      next = got.block[next][NEXT_CACHED];
    if (i == step->order_length && next == KVP_NONE)
      return 1;
    fprintf(stderr, "  cached block %zu in order of release: %llu\n", i, (unsigned long long)next);
    return 0;
  }
  if (snapshot_equal(&want, &got))
    return 1;
  snapshot_print_difference(&want, &got);
  return 0;
}

/* Runs n steps; says which one failed, on whom. */
static inline int steps_hold(const struct kvp_applier *subject, const struct step *steps, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (!step_holds(subject, &steps[i])) {
      fprintf(stderr, "  by the %s, at line %d of the test\n", subject->name, steps[i].line);
      return 0;
    }
  return 1;
}

/* A test of cmocka, whose state is a script. */
static inline void run_script(void **state)
{
  const struct script *script = *state;
  struct subjects subjects;
  int good = 1;

  subjects_open(&subjects, script->num_blocks, script->max_blocks, 1);
  for (int i = 0; i < NUM_SUBJECTS; i++)
    good &= steps_hold(&subjects.of[i], script->steps, script->num_steps);
  subjects_close(&subjects);
  assert_true(good);
}

#endif
