/* SPDX-License-Identifier: Apache-2.0 */
/* How batches are cut into runs: a letter an operation, and the runs that come of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "src/device/planner.h"

/* Operations: p pop, a allocate, f free, r retire_top, l lookup. Runs: S serial, P pops,
   A pairs, F frees, R retires, each with its length. */
struct plan {
  const char *ops;
  uint32_t parallel_min, longest_frees;
  const char *runs;
};

static const struct plan plans[] = {
  {"l", 1, 64, "S1"},          {"papapa", 6, 64, "A6"},       {"papapa", 7, 64, "S6"},
  {"pppp", 2, 64, "P4"},       {"ppppa", 2, 64, "P3 A2"},     {"ppppa", 3, 64, "P3 S2"},
  {"ap", 1, 64, "S1 P1"},      {"ap", 2, 64, "S2"},           {"ffff", 4, 64, "F4"},
  {"fff", 4, 64, "S3"},        {"lffflf", 4, 64, "S6"},       {"lfffflf", 4, 64, "S1 F4 S2"},
  {"fffff", 2, 2, "F2 F2 S1"}, {"fffff", 3, 2, "S5"},         {"r", 8, 64, "R1"},
  {"lrl", 8, 64, "S1 R1 S1"},  {"lrrffp", 8, 64, "S1 R2 S3"}, {"paparf", 2, 64, "A4 R1 S1"},
};

static enum kvp_kind kind_of(char letter)
{
  switch (letter) {
  case 'p': return KVP_POP;
  case 'a': return KVP_ALLOCATE;
  case 'f': return KVP_FREE;
  case 'r': return KVP_RETIRE_TOP;
  default: return KVP_LOOKUP;
  }
}

static void runs_are_cut_where_their_kind_begins(void **state)
{
  (void)state;
  for (size_t k = 0; k < sizeof plans / sizeof *plans; k++) {
    const struct kvp_plan_limits limits = {plans[k].parallel_min, plans[k].longest_frees};
    uint32_t n = (uint32_t)strlen(plans[k].ops);
    struct kvp_op ops[16] = {{0}};
    char runs[64] = "";
    for (uint32_t i = 0; i < n; i++)
      ops[i].kind = kind_of(plans[k].ops[i]);
    for (uint32_t at = 0; at < n;) {
      struct kvp_run run = kvp_plan_run(ops, n, at, &limits);
      size_t end = strlen(runs);
      assert_int_equal(run.first, at);
      snprintf(runs + end, sizeof runs - end, "%s%c%u", at == 0 ? "" : " ", "SPAFR"[run.kind],
               run.n);
      at += run.n;
    }
    assert_string_equal(runs, plans[k].runs);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(runs_are_cut_where_their_kind_begins)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
