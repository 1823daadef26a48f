/* SPDX-License-Identifier: Apache-2.0 */
/* The invariants and laws of the pool, in every state that three blocks can reach and for every
   operation in it; then on a long walk, since what a pool hides may depend on how it came to a
   state. The model and the reference must agree on the way. */
#include "tests/laws.h"

#define MOST_STATES 40000
#define WALK 200000 /* operations */

/* The laws by their names, and what came of them. */

static struct law {
  const char *claim;
  enum verdict (*of_state)(const struct kvp_applier *subject, const struct snapshot *state);
  enum verdict (*of_transition)(const struct transition *transition);
  uint64_t held, broken;
} laws[] = {
  {"I1: every id is in one class, and the counts add up", one_class, NULL, 0, 0},
  {"I2: the class is a function of holders and content", class_is_a_function, NULL, 0, 0},
  {"I3: the index maps a hash to a block in the pool that has it", index_is_coherent, NULL, 0, 0},
  {"I4: the order lists the cached blocks, each once", order_lists_the_cached, NULL, 0, 0},
  {"I5: the retired hold nothing", retired_hold_nothing, NULL, 0, 0},
  {"units of a reservation are whole and count down", reservations_are_whole, NULL, 0, 0},
  {"free undoes allocate of a vacant block", free_undoes_allocate, NULL, 0, 0},
  {"free undoes claim of a used block", free_undoes_claim, NULL, 0, 0},
  {"release undoes reserve of vacant blocks", release_undoes_reserve, NULL, 0, 0},
  {"retire_top undoes extend by one", retire_undoes_extend, NULL, 0, 0},
  {"retires lower num_blocks by as many as succeed", retires_are_counted, NULL, 0, 0},
  {"pops give the vacant in order of id, then the cached of release", pops_in_order, NULL, 0, 0},
  {"a refusal changes nothing and answers nothing", NULL, refusal_is_nothing, 0, 0},
  {"pop only reserves, and what it takes is the choice", NULL, pop_takes_the_choice, 0, 0},
  {"the index loses exactly the hashes that are reported", NULL, index_loses_the_reported, 0, 0},
  {"an eviction hits no block with a holder", NULL, evicted_was_not_held, 0, 0},
  {"a look-up after publish finds it", NULL, published_is_found, 0, 0},
  {"a move is invisible but for the id", NULL, move_is_invisible, 0, 0},
  {"other blocks stay as they are", NULL, others_stay, 0, 0},
  {"the cached order is that of release", NULL, order_is_of_release, 0, 0},
};

#define NUM_LAWS (sizeof laws / sizeof laws[0])

static struct world world;
static uint64_t num_transitions, num_disagreements;

/* Where the subjects stand: at a node, or somewhere on the walk if that is KVP_NONE. */
struct position {
  uint32_t node;
  struct snapshot state;
};

static void tell_way(const struct position *at)
{
  if (at->node == KVP_NONE)
    fprintf(stderr, "    a walk of %llu operations\n", (unsigned long long)num_transitions);
  else
    print_path(&world, at->node);
}

/* Notes a verdict; the first breach of each law is told by its story. */
static void note(struct law *law, enum verdict verdict, const char *subject,
                 const struct position *at, const struct transition *t)
{
  law->held += verdict == HOLDS;
  law->broken += verdict == BROKEN;
  if (verdict != BROKEN || law->broken > 1)
    return;
  fprintf(stderr, "  broken: %s\n  by the %s after\n", law->claim, subject);
  tell_way(at);
  if (t != NULL) {
    fprintf(stderr, "  at ");
    kvp_print_op(stderr, t->op);
    fprintf(stderr, ": ");
    kvp_print_result(stderr, t->result);
    fprintf(stderr, "\n");
    snapshot_print_difference(t->before, t->after);
  }
}

static void disagree(const struct position *at, const struct kvp_op *op,
                     const struct snapshot *model, const struct snapshot *reference)
{
  if (num_disagreements++ > 0)
    return;
  fprintf(stderr, "  model and reference disagree after\n");
  tell_way(at);
  fprintf(stderr, "  at ");
  kvp_print_op(stderr, op);
  fprintf(stderr, "\n");
  snapshot_print_difference(model, reference);
}

static void check_state(const struct position *at)
{
  for (size_t k = 0; k < NUM_LAWS; k++) {
    if (laws[k].of_state == NULL)
      continue;
    stand(&world, at->node);
    for (int i = 0; i < NUM_SUBJECTS; i++) {
      const struct kvp_applier *subject = &world.subjects.of[i];
      note(&laws[k], laws[k].of_state(subject, &at->state), subject->name, at, NULL);
    }
  }
}

/* Makes a move on both subjects and answers the state that the model shows after it; *same
   answers whether both then show the state they stood in. */
static struct snapshot check_move(const struct position *at, const struct move *move, int *same)
{
  struct kvp_unit units[NUM_SUBJECTS][WORLD_UNITS];
  struct kvp_result results[NUM_SUBJECTS];
  struct snapshot after[NUM_SUBJECTS];
  struct kvp_op op = move->op;

  num_transitions++;
  for (int i = 0; i < NUM_SUBJECTS; i++) {
    const struct kvp_applier *subject = &world.subjects.of[i];
    results[i] = make_move(subject, move, units[i]);
    after[i] = snapshot_of(subject);
    op.units = units[i];
    const struct transition t = {&at->state, &after[i], &op, &results[i]};
    for (size_t k = 0; k < NUM_LAWS; k++)
      if (laws[k].of_transition != NULL)
        note(&laws[k], laws[k].of_transition(&t), subject->name, at, &t);
  }
  if (!result_equal(&results[MODEL], &results[REFERENCE])
      || (op.kind == KVP_RESERVE && results[MODEL].status == KVP_OK
          && !units_equal(units[MODEL], units[REFERENCE], op.count))
      || !snapshot_equal(&after[MODEL], &after[REFERENCE]))
    disagree(at, &op, &after[MODEL], &after[REFERENCE]);
  *same =
    snapshot_equal(&after[MODEL], &at->state) && snapshot_equal(&after[REFERENCE], &at->state);
  return after[MODEL];
}

static void explore(void)
{
  struct move moves[MOST_MOVES];
  struct position at;

  for (at.node = 0; at.node < world.num_nodes; at.node++) {
    int standing = 0;
    at.state = world.nodes[at.node].state;
    check_state(&at);
    size_t n = moves_in(&at.state, moves);
    for (size_t i = 0; i < n; i++) {
      if (!standing)
        stand(&world, at.node);
      struct snapshot after = check_move(&at, &moves[i], &standing);
      meet(&world, &after, at.node, &moves[i]);
    }
  }
}

/* The walk's numbers: xorshift, the same in every run. */
static uint32_t draw(uint64_t *seed, size_t below)
{
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return (uint32_t)(*seed % below);
}

static void wander(void)
{
  struct move moves[MOST_MOVES];
  struct position at = {KVP_NONE, world.nodes[0].state};
  uint64_t seed = 1;
  int same;

  stand(&world, 0);
  for (int i = 0; i < WALK; i++) {
    size_t n = moves_in(&at.state, moves);
    at.state = check_move(&at, &moves[draw(&seed, n)], &same);
    assert_true(*place_of(&world, &at.state) != KVP_NONE);
  }
}

static int run(void **state)
{
  (void)state;
  world_open(&world, MOST_STATES);
  explore();
  print_message("  %u states, %llu operations in them\n", world.num_nodes,
                (unsigned long long)num_transitions);
  wander();
  world_close(&world);
  return 0;
}

static void never_disagree(void **state)
{
  (void)state;
  assert_true(num_transitions > 1000000);
  assert_int_equal(num_disagreements, 0);
}

static void law_holds(void **state)
{
  const struct law *law = *state;
  assert_true(law->held > 0);
  assert_int_equal(law->broken, 0);
}

int main(void)
{
  struct CMUnitTest tests[NUM_LAWS + 1];
  for (size_t k = 0; k < NUM_LAWS; k++)
    tests[k] = (struct CMUnitTest){laws[k].claim, law_holds, NULL, NULL, &laws[k]};
  tests[NUM_LAWS] = (struct CMUnitTest){"model and reference agree in every state on every move",
                                        never_disagree, NULL, NULL, NULL};
  return cmocka_run_group_tests_name("laws", tests, run, NULL);
}
