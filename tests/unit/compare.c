/* SPDX-License-Identifier: Apache-2.0 */
/* The comparer must see every difference: a single number is altered on one side, and it has to
   be found, named and told in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "src/oracle/compare.h"
#include "src/oracle/text.h"

#define NUM(array) (sizeof(array) / sizeof((array)[0]))
#define BLOCKS 2

/* One side: answers, and an applier that shows whatever stands here. */
struct side {
  struct kvp_op ops[3];
  struct kvp_result results[3];
  struct kvp_unit units[2];
  struct kvp_counts counts;
  enum kvp_status view_status;
  struct kvp_view views[BLOCKS];
  uint32_t tokens[2];
  uint32_t order[3]; /* first, after block 0, after block 1 */
  uint32_t payload[BLOCKS * 2];
  uint32_t table[2];
};

static void show_counts(void *self, struct kvp_counts *counts)
{
  *counts = ((struct side *)self)->counts;
}

static enum kvp_status show_view(void *self, uint32_t block, struct kvp_view *view)
{
  struct side *side = self;
  *view = side->views[block];
  if (view->length != 0)
    view->tokens = side->tokens;
  return block == 1 ? side->view_status : KVP_OK;
}

static uint32_t show_next_cached(void *self, uint32_t block)
{
  return ((struct side *)self)->order[block == KVP_NONE ? 0 : block + 1];
}

static void set_up(struct side *side)
{
  *side = (struct side){
    .ops = {{.kind = KVP_POP}, {.kind = KVP_RESERVE, .count = 2}, {.kind = KVP_RETIRE_TOP}},
    .results = {{.block = 3, .moved_to = KVP_NONE}, {.block = KVP_NONE}, {.block = 4}},
    .units = {{.block = 1}, {.block = 2}},
    .views = {{.first = KVP_NONE}, {.first = KVP_NONE, .has_hash = 1, .length = 2}},
    .order = {0, 1, KVP_NONE},
  };
}

/* What one side differs in, and what must be said of it. */
static const struct alteration {
  size_t at; /* of the number within struct side */
  size_t size;
  enum kvp_place place;
  const char *words;
} alterations[] = {
#define ALTERED(field, place, words)                                                               \
  {                                                                                                \
    offsetof(struct side, field), sizeof((struct side *)0)->field, place, words                    \
  }
  ALTERED(results[0].block, KVP_IN_RESULT, "operation 0: pop: block: model 3, other 2\n"),
  ALTERED(results[0].status, KVP_IN_RESULT,
          "operation 0: pop: status: model ok, other no block to take\n"),
  ALTERED(results[0].moved_to, KVP_IN_RESULT,
          "operation 0: pop: moved_to: model none, other 4294967294\n"),
  ALTERED(results[1].count, KVP_IN_RESULT, "operation 1: reserve: count: model 0, other 1\n"),
  ALTERED(results[2].evicted.count, KVP_IN_RESULT,
          "operation 2: retire_top: evicted.count: model 0, other 1\n"),
  ALTERED(results[2].evicted.hash, KVP_IN_RESULT,
          "operation 2: retire_top: evicted.hash: model 0x0, other 0x1\n"),
  ALTERED(units[1].block, KVP_IN_UNIT, "operation 1: reserve: unit 1: block: model 2, other 3\n"),
  ALTERED(units[0].evicted.count, KVP_IN_UNIT,
          "operation 1: reserve: unit 0: evicted.count: model 0, other 1\n"),
  ALTERED(units[0].evicted.hash, KVP_IN_UNIT,
          "operation 1: reserve: unit 0: evicted.hash: model 0x0, other 0x1\n"),
  ALTERED(counts.num_blocks, KVP_IN_COUNTS, "counts: num_blocks: model 0, other 1\n"),
  ALTERED(counts.num_free, KVP_IN_COUNTS, "counts: num_free: model 0, other 1\n"),
  ALTERED(counts.num_used, KVP_IN_COUNTS, "counts: num_used: model 0, other 1\n"),
  ALTERED(counts.num_reserved, KVP_IN_COUNTS, "counts: num_reserved: model 0, other 1\n"),
  ALTERED(counts.num_indexed, KVP_IN_COUNTS, "counts: num_indexed: model 0, other 1\n"),
  ALTERED(view_status, KVP_IN_VIEW, "block 1: status: model ok, other no block to take\n"),
  ALTERED(views[0].state, KVP_IN_VIEW, "block 0: state: model vacant, other cached\n"),
  ALTERED(views[1].ref_count, KVP_IN_VIEW, "block 1: ref_count: model 0, other 1\n"),
  ALTERED(views[0].has_hash, KVP_IN_VIEW, "block 0: has_hash: model 0, other 1\n"),
  ALTERED(views[1].indexed, KVP_IN_VIEW, "block 1: indexed: model 0, other 1\n"),
  ALTERED(views[1].hash, KVP_IN_VIEW, "block 1: hash: model 0x0, other 0x1\n"),
  ALTERED(views[0].length, KVP_IN_VIEW, "block 0: length: model 0, other 1\n"),
  ALTERED(views[0].owner, KVP_IN_VIEW, "block 0: owner: model 0, other 1\n"),
  ALTERED(views[0].first, KVP_IN_VIEW, "block 0: first: model none, other 4294967294\n"),
  ALTERED(views[0].left, KVP_IN_VIEW, "block 0: left: model 0, other 1\n"),
  ALTERED(tokens[1], KVP_IN_TOKEN, "block 1: token 1: model 0, other 1\n"),
  ALTERED(order[0], KVP_IN_ORDER, "cached order: position 0: model 0, other 1\n"),
  ALTERED(order[1], KVP_IN_ORDER, "cached order: position 1: model 1, other 0\n"),
  ALTERED(order[2], KVP_IN_ORDER, "cached order: position 2: model none, other 4294967294\n"),
  ALTERED(payload[2], KVP_IN_PAYLOAD, "payload of block 1: word 0: model 0x0, other 0x1\n"),
  ALTERED(table[1], KVP_IN_TABLE, "table entry 1: model 0, other 1\n"),
};

/* The first difference by whichever comparison sees one; 0 if none does. */
static int compare(struct side *left, struct side *right, struct kvp_difference *difference)
{
  struct kvp_applier a = {"model", left, NULL, show_counts, show_view, show_next_cached};
  struct kvp_applier b = {"other", right, NULL, show_counts, show_view, show_next_cached};
  left->ops[1].units = left->units;
  right->ops[1].units = right->units;
  return kvp_results_differ(left->ops, left->results, right->ops, right->results,
                            NUM(left->results), difference)
         || kvp_states_differ(&a, &b, BLOCKS, difference)
         || kvp_payloads_differ(left->payload, right->payload, BLOCKS, 2, difference)
         || kvp_tables_differ(left->table, right->table, NUM(left->table), difference);
}

/* Flips the lowest bit of a little number; a status becomes KVP_EMPTY. */
static void alter(struct side *side, const struct alteration *alteration)
{
  unsigned char *number = (unsigned char *)side + alteration->at;
  uint64_t wide;
  uint32_t narrow;

  if (strstr(alteration->words, "status:") != NULL) {
    enum kvp_status status = KVP_EMPTY;
    memcpy(number, &status, sizeof status);
  } else if (alteration->size == sizeof wide) {
    memcpy(&wide, number, sizeof wide);
    wide ^= 1;
    memcpy(number, &wide, sizeof wide);
  } else {
    memcpy(&narrow, number, sizeof narrow);
    narrow ^= 1;
    memcpy(number, &narrow, sizeof narrow);
  }
}

static void same_sides(void **state)
{
  struct side left, right;
  struct kvp_difference difference;
  (void)state;
  set_up(&left);
  set_up(&right);
  assert_false(compare(&left, &right, &difference));
}

static void every_alteration(void **state)
{
  int good = 1;
  (void)state;
  for (size_t i = 0; i < NUM(alterations); i++) {
    struct side left, right;
    struct kvp_difference difference = {0};
    char words[256] = "nothing\n";
    set_up(&left);
    set_up(&right);
    alter(&right, &alterations[i]);
    if (compare(&left, &right, &difference)) {
      FILE *out = fmemopen(words, sizeof words, "w");
      assert_non_null(out);
      kvp_print_difference(out, &difference, "model", "other", left.ops);
      fclose(out);
    }
    if (strcmp(words, alterations[i].words) != 0 || difference.place != alterations[i].place) {
      print_error("  wanted: %s  got: %s", alterations[i].words, words);
      good = 0;
    }
  }
  assert_true(good);
}

/* A refused reserve leaves its units unwritten, so they are not compared. */
static void units_of_a_refusal(void **state)
{
  struct side left, right;
  struct kvp_difference difference;
  (void)state;
  set_up(&left);
  set_up(&right);
  left.results[1].status = right.results[1].status = KVP_FULL;
  right.units[0].block = 7;
  assert_false(compare(&left, &right, &difference));
}

static void every_name(void **state)
{
  (void)state;
  for (int kind = 0; kind < KVP_NUM_KINDS; kind++)
    assert_string_not_equal(kvp_kind_name((enum kvp_kind)kind), "unknown kind");
  for (int class = 0; class < KVP_NUM_CLASSES; class ++)
    assert_string_not_equal(kvp_class_name((enum kvp_class) class), "unknown class");
  for (int status = KVP_CLOSED; status <= KVP_OK; status++)
    assert_string_not_equal(kvp_strerror((enum kvp_status)status), "unknown status");
  assert_string_equal(kvp_kind_name((enum kvp_kind)KVP_NUM_KINDS), "unknown kind");
  assert_string_equal(kvp_class_name((enum kvp_class)KVP_NUM_CLASSES), "unknown class");
  assert_string_equal(kvp_strerror((enum kvp_status)(KVP_CLOSED - 1)), "unknown status");
  assert_string_equal(kvp_strerror((enum kvp_status)1), "unknown status");
}

int main(void)
{
  static const struct CMUnitTest tests[] = {
    {"equal sides show no difference", same_sides, NULL, NULL, NULL},
    {"any one altered number is found, named and told", every_alteration, NULL, NULL, NULL},
    {"the units of a refused reserve are not compared", units_of_a_refusal, NULL, NULL, NULL},
    {"every kind, class and status has a name, and no other number", every_name, NULL, NULL, NULL},
  };
  return cmocka_run_group_tests_name("the comparer", tests, NULL, NULL);
}
