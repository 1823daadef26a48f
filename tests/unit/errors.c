/* SPDX-License-Identifier: Apache-2.0 */
/* The errors of every operation: the status, the empty answer, and that nothing changed. Where
   several errors apply, the order of spec/pool.md decides. */
#include "tests/script.h"

#define A 0xA
#define B 0xB
#define OWNER 5

/* The pool in which an operation is refused. */
struct situation {
  uint32_t num_blocks, max_blocks;
  const struct step *steps;
  size_t num_steps;
};

struct error_case {
  const char *claim;
  const struct situation *situation;
  struct step step;
};

struct operation {
  const char *claim;
  const struct error_case *cases;
  size_t num_cases;
};

/* A row is one thought, not one macro. */
/* clang-format off */

/* A block of every class, each under its own id. */
enum { HELD, BARE, CACHED, RESERVED, UNIT, UNIT2, VACANT, RETIRED };
static const struct step every_class_steps[] = {
  TAKE(HELD), TAKE(BARE), TAKE(CACHED), TAKE(RESERVED), RESERVE(OWNER, U(UNIT), U(UNIT2)),
  PUBLISH(HELD, A, 1), CLAIM(HELD), PUBLISH(CACHED, B, 2), FREE(CACHED),
  FREE(RESERVED), POP(RESERVED),
  IS(HELD, KVP_USED, 2), IS(BARE, KVP_USED, 1), IS(CACHED, KVP_CACHED, 0),
  IS(RESERVED, KVP_RESERVED, 0), IS(UNIT, KVP_UNIT, 1), IS(UNIT2, KVP_UNIT, 1),
  IS(VACANT, KVP_VACANT, 0), IS(RETIRED, KVP_RETIRED, 0),
};

static const struct step held_steps[] = {TAKE(0), TAKE(1), PUBLISH(1, A, 1)};
static const struct step reserved_top_steps[] = {TAKE(0), POP(1)};
static const struct step unit_top_steps[] = {TAKE(0), RESERVE(OWNER, U(1)), FREE(0)};
static const struct step two_free_steps[] = {TAKE(0), PUBLISH(0, A, 1), FREE(0), TAKE(1)};

#define SITUATION(num_blocks, max_blocks, steps)                                                   \
  {num_blocks, max_blocks, steps, sizeof(steps) / sizeof((steps)[0])}
static const struct situation every_class = SITUATION(7, 8, every_class_steps);
static const struct situation all_held = SITUATION(2, 2, held_steps);
static const struct situation reserved_top = SITUATION(2, 2, reserved_top_steps);
static const struct situation unit_top = SITUATION(2, 2, unit_top_steps);
static const struct situation two_free = SITUATION(3, 3, two_free_steps);
static const struct situation no_block = {0, 8, NULL, 0};
static const struct situation no_room = {0, 0, NULL, 0};

static struct kvp_unit room[SCRIPT_UNITS];

static const struct error_case pop_errors[] = {
  {"a pool of no blocks", &no_block, REFUSED(KVP_EMPTY, .kind = KVP_POP)},
  {"a pool with room for none", &no_room, REFUSED(KVP_EMPTY, .kind = KVP_POP)},
  {"every block is held", &all_held, REFUSED(KVP_EMPTY, .kind = KVP_POP)},
};

#define ON(op_kind, id) .kind = op_kind, .block = id
static const struct error_case allocate_errors[] = {
  {"used", &every_class, REFUSED(KVP_BUSY, ON(KVP_ALLOCATE, HELD))},
  {"used without content", &every_class, REFUSED(KVP_BUSY, ON(KVP_ALLOCATE, BARE))},
  {"unit", &every_class, REFUSED(KVP_BUSY, ON(KVP_ALLOCATE, UNIT))},
  {"retired", &every_class, REFUSED(KVP_RANGE, ON(KVP_ALLOCATE, RETIRED))},
  {"max_blocks", &every_class, REFUSED(KVP_RANGE, ON(KVP_ALLOCATE, RETIRED + 1))},
  {"the id that is none", &every_class, REFUSED(KVP_RANGE, ON(KVP_ALLOCATE, KVP_NONE))},
  {"a pool of no blocks", &no_block, REFUSED(KVP_RANGE, ON(KVP_ALLOCATE, 0))},
};

static const struct error_case claim_errors[] = {
  {"vacant", &every_class, REFUSED(KVP_STATE, ON(KVP_CLAIM, VACANT))},
  {"reserved", &every_class, REFUSED(KVP_STATE, ON(KVP_CLAIM, RESERVED))},
  {"unit", &every_class, REFUSED(KVP_STATE, ON(KVP_CLAIM, UNIT))},
  {"retired", &every_class, REFUSED(KVP_RANGE, ON(KVP_CLAIM, RETIRED))},
  {"max_blocks", &every_class, REFUSED(KVP_RANGE, ON(KVP_CLAIM, RETIRED + 1))},
  {"the id that is none", &every_class, REFUSED(KVP_RANGE, ON(KVP_CLAIM, KVP_NONE))},
};

static const struct error_case free_errors[] = {
  {"vacant", &every_class, REFUSED(KVP_STATE, ON(KVP_FREE, VACANT))},
  {"cached", &every_class, REFUSED(KVP_STATE, ON(KVP_FREE, CACHED))},
  {"reserved", &every_class, REFUSED(KVP_STATE, ON(KVP_FREE, RESERVED))},
  {"unit", &every_class, REFUSED(KVP_STATE, ON(KVP_FREE, UNIT))},
  {"retired", &every_class, REFUSED(KVP_RANGE, ON(KVP_FREE, RETIRED))},
  {"max_blocks", &every_class, REFUSED(KVP_RANGE, ON(KVP_FREE, RETIRED + 1))},
  {"the id that is none", &every_class, REFUSED(KVP_RANGE, ON(KVP_FREE, KVP_NONE))},
};

#define MISSING .tokens = NULL, .length = 1
#define TOO_LONG .tokens = (const uint32_t[]){1, 2}, .length = 2
static const struct error_case publish_errors[] = {
  {"vacant", &every_class, PUBLISH_REFUSED(KVP_STATE, VACANT, A, 9)},
  {"cached", &every_class, PUBLISH_REFUSED(KVP_STATE, CACHED, A, 9)},
  {"reserved", &every_class, PUBLISH_REFUSED(KVP_STATE, RESERVED, A, 9)},
  {"unit", &every_class, PUBLISH_REFUSED(KVP_STATE, UNIT, A, 9)},
  {"retired", &every_class, PUBLISH_REFUSED(KVP_RANGE, RETIRED, A, 9)},
  {"the id that is none", &every_class, PUBLISH_REFUSED(KVP_RANGE, KVP_NONE, A, 9)},
  {"too long", &every_class, REFUSED(KVP_RANGE, ON(KVP_PUBLISH, HELD), TOO_LONG)},
  {"missing tokens", &every_class, REFUSED(KVP_ARGUMENT, ON(KVP_PUBLISH, HELD), MISSING)},
  {"missing before out of range", &every_class,
   REFUSED(KVP_ARGUMENT, ON(KVP_PUBLISH, RETIRED), .length = 2)},
  {"too long before the wrong class", &every_class,
   REFUSED(KVP_RANGE, ON(KVP_PUBLISH, VACANT), TOO_LONG)},
};

static const struct error_case match_errors[] = {
  {"too long", &every_class, REFUSED(KVP_RANGE, .kind = KVP_MATCH, .hash = A, TOO_LONG)},
  {"missing tokens", &every_class,
   REFUSED(KVP_ARGUMENT, .kind = KVP_MATCH, .hash = A, MISSING)},
  {"missing before too long", &every_class,
   REFUSED(KVP_ARGUMENT, .kind = KVP_MATCH, .hash = A, .length = UINT32_MAX)},
};

#define CHAIN(n) .kind = KVP_MATCH_PREFIX, .count = n
#define CHAIN_HASHES .hashes = (const uint64_t[]){A, B}
static const struct error_case match_prefix_errors[] = {
  {"too long", &every_class, REFUSED(KVP_RANGE, CHAIN(1), CHAIN_HASHES, TOO_LONG)},
  {"too long, of no elements", &every_class, REFUSED(KVP_RANGE, CHAIN(0), .length = 2)},
  {"missing hashes", &every_class,
   REFUSED(KVP_ARGUMENT, CHAIN(1), .tokens = (const uint32_t[]){1}, .length = 1)},
  {"missing hashes without tokens", &every_class, REFUSED(KVP_ARGUMENT, CHAIN(1))},
  {"missing tokens", &every_class, REFUSED(KVP_ARGUMENT, CHAIN(2), CHAIN_HASHES, MISSING)},
  {"missing before too long", &every_class,
   REFUSED(KVP_ARGUMENT, CHAIN(2), CHAIN_HASHES, .length = 2)},
};

static const struct error_case retire_top_errors[] = {
  {"a pool of no blocks", &no_block, REFUSED(KVP_EMPTY, .kind = KVP_RETIRE_TOP)},
  {"a pool with room for none", &no_room, REFUSED(KVP_EMPTY, .kind = KVP_RETIRE_TOP)},
  {"nowhere to move", &all_held, REFUSED(KVP_FULL, .kind = KVP_RETIRE_TOP)},
  {"reserved, and nowhere to move", &reserved_top, REFUSED(KVP_BUSY, .kind = KVP_RETIRE_TOP)},
  {"unit, with room to move", &unit_top, REFUSED(KVP_BUSY, .kind = KVP_RETIRE_TOP)},
};

#define UNITS_OF(op_kind, who, n) .kind = op_kind, .owner = who, .count = n
static const struct error_case reserve_errors[] = {
  {"no owner", &two_free, REFUSED(KVP_ARGUMENT, UNITS_OF(KVP_RESERVE, 0, 1), .units = room)},
  {"no owner for no units", &two_free, REFUSED(KVP_ARGUMENT, UNITS_OF(KVP_RESERVE, 0, 0))},
  {"missing buffer", &two_free, REFUSED(KVP_ARGUMENT, UNITS_OF(KVP_RESERVE, OWNER, 1))},
  {"one too many", &two_free,
   REFUSED(KVP_FULL, UNITS_OF(KVP_RESERVE, OWNER, 3), .units = room)},
  {"as many as there are numbers", &two_free,
   REFUSED(KVP_FULL, UNITS_OF(KVP_RESERVE, OWNER, UINT32_MAX), .units = room)},
  {"missing before too many", &two_free,
   REFUSED(KVP_ARGUMENT, UNITS_OF(KVP_RESERVE, OWNER, UINT32_MAX))},
  {"none is free", &all_held,
   REFUSED(KVP_FULL, UNITS_OF(KVP_RESERVE, OWNER, 1), .units = room)},
};

static const struct error_case release_errors[] = {
  {"no owner", &every_class, RELEASE_REFUSED(KVP_ARGUMENT, 0, U(UNIT), U(UNIT2))},
  {"missing buffer", &every_class, REFUSED(KVP_ARGUMENT, UNITS_OF(KVP_RELEASE, OWNER, 2))},
  {"no owner before out of range", &every_class, RELEASE_REFUSED(KVP_ARGUMENT, 0, U(RETIRED))},
  {"retired", &every_class, RELEASE_REFUSED(KVP_RANGE, OWNER, U(UNIT), U(RETIRED))},
  {"the id that is none", &every_class, RELEASE_REFUSED(KVP_RANGE, OWNER, U(KVP_NONE))},
  {"out of range before the wrong class", &every_class,
   RELEASE_REFUSED(KVP_RANGE, OWNER, U(HELD), U(RETIRED))},
  {"another owner", &every_class, RELEASE_REFUSED(KVP_STATE, OWNER + 1, U(UNIT), U(UNIT2))},
  {"a part", &every_class, RELEASE_REFUSED(KVP_STATE, OWNER, U(UNIT))},
  {"another order", &every_class, RELEASE_REFUSED(KVP_STATE, OWNER, U(UNIT2), U(UNIT))},
  {"one unit twice", &every_class, RELEASE_REFUSED(KVP_STATE, OWNER, U(UNIT), U(UNIT))},
  {"more than the reservation", &every_class,
   RELEASE_REFUSED(KVP_STATE, OWNER, U(UNIT), U(UNIT2), U(VACANT))},
  {"a used block", &every_class, RELEASE_REFUSED(KVP_STATE, OWNER, U(BARE))},
  {"a vacant block", &every_class, RELEASE_REFUSED(KVP_STATE, OWNER, U(VACANT))},
};

static const struct error_case unknown_kinds[] = {
  {"one past the last", &every_class,
   REFUSED(KVP_ARGUMENT, .kind = (enum kvp_kind)KVP_NUM_KINDS)},
  {"far off", &every_class, REFUSED(KVP_ARGUMENT, .kind = (enum kvp_kind)0x7FFFFFFF)},
  {"all ones", &every_class, REFUSED(KVP_ARGUMENT, .kind = (enum kvp_kind)UINT32_MAX)},
};

/* clang-format on */

#define OPERATION(claim, cases)                                                                    \
  {                                                                                                \
    claim, cases, sizeof(cases) / sizeof((cases)[0])                                               \
  }
static const struct operation operations[] = {
  OPERATION("pop: every refusal changes nothing", pop_errors),
  OPERATION("allocate: every refusal changes nothing", allocate_errors),
  OPERATION("claim: every refusal changes nothing", claim_errors),
  OPERATION("free: every refusal changes nothing", free_errors),
  OPERATION("publish: every refusal changes nothing", publish_errors),
  OPERATION("match: every refusal changes nothing", match_errors),
  OPERATION("match_prefix: every refusal changes nothing", match_prefix_errors),
  OPERATION("retire_top: every refusal changes nothing", retire_top_errors),
  OPERATION("reserve: every refusal changes nothing", reserve_errors),
  OPERATION("release: every refusal changes nothing", release_errors),
  OPERATION("an unknown kind is refused and changes nothing", unknown_kinds),
};

static int case_holds(const struct error_case *error)
{
  const struct situation *s = error->situation;
  struct subjects subjects;
  int good = 1;

  subjects_open(&subjects, s->num_blocks, s->max_blocks, 1);
  for (int i = 0; i < NUM_SUBJECTS; i++)
    if (!steps_hold(&subjects.of[i], s->steps, s->num_steps)
        || !steps_hold(&subjects.of[i], &error->step, 1)) {
      fprintf(stderr, "  in the case: %s\n", error->claim);
      good = 0;
    }
  subjects_close(&subjects);
  return good;
}

static void refuses(void **state)
{
  const struct operation *operation = *state;
  int good = 1;

  for (size_t i = 0; i < operation->num_cases; i++)
    good &= case_holds(&operation->cases[i]);
  assert_true(good);
}

/* The three operations without an error answer OK even in a pool of nothing. */
static void never_refuses(void **state)
{
  static const struct step steps[] = {LOOKUP(A, KVP_NONE), CLEAR_INDEX, EXTEND(1, 0)};
  struct subjects subjects;
  int good = 1;
  (void)state;

  subjects_open(&subjects, 0, 0, 0);
  for (int i = 0; i < NUM_SUBJECTS; i++)
    good &= steps_hold(&subjects.of[i], steps, sizeof steps / sizeof steps[0]);
  subjects_close(&subjects);
  assert_true(good);
}

int main(void)
{
  enum { num_operations = sizeof operations / sizeof operations[0] };
  struct CMUnitTest tests[num_operations + 1];

  for (size_t i = 0; i < num_operations; i++)
    tests[i] = (struct CMUnitTest){operations[i].claim, refuses, NULL, NULL,
                                   (void *)(uintptr_t)&operations[i]};
  tests[num_operations] = (struct CMUnitTest){"lookup, clear_index and extend are never refused",
                                              never_refuses, NULL, NULL, NULL};
  return cmocka_run_group_tests_name("errors", tests, NULL, NULL);
}
