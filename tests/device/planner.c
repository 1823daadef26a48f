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

/* Operations by letter, in the order of enum kvp_kind, and one that is of no kind. */
static const char kinds[] = "pacfulmxkervd?";
/* Runs, in the order of enum kvp_run_kind: Serial, Pops, Taken pairs, Allocates ... */
static const char runs[] = "SPTACFULXKERVD";

struct plan {
  const char *ops;
  uint32_t parallel_min, longest;
  const char *runs; /* each with its length */
};

static const struct plan plans[] = {
  {"?", 1, 64, "S1"},
  {"papapa", 6, 64, "T6"},
  {"papapa", 7, 64, "S6"},
  {"pppp", 2, 64, "P4"},
  {"ppppa", 2, 64, "P3 T2"}, /* the last pop is half of a pair */
  {"ppppa", 3, 64, "P3 S2"},
  {"ap", 1, 64, "A1 P1"},
  {"ap", 2, 64, "S2"},
  {"aapaa", 2, 64, "A2 T2 S1"},
  {"aapaa", 1, 64, "A2 T2 A1"},
  {"ffff", 4, 64, "F4"},
  {"fff", 4, 64, "S3"},
  {"lffflf", 4, 64, "S6"},
  {"efffflf", 4, 64, "S1 F4 S2"},
  {"lmml", 4, 64, "L4"}, /* reads of the index are one run */
  {"lmxxml", 2, 64, "L2 X2 L2"},
  {"ccccc", 2, 2, "C2 C2 S1"}, /* where repeats cost, runs are cut */
  {"fffff", 3, 2, "S2 S2 S1"}, /* and so are serial ones */
  {"aaaaa", 1, 2, "A2 A2 A1"},
  {"uuuuu", 2, 3, "U3 U2"},
  {"ppppp", 2, 2, "P5"},
  {"vvvvv", 2, 2, "V5"},
  {"papapa", 2, 4, "T6"},
  {"kkeeddvv", 2, 64, "K2 E2 D2 V2"},
  {"kedv", 2, 3, "S3 S1"},
  {"kedv", 1, 64, "K1 E1 D1 V1"},
  {"ppf?f", 3, 2, "S2 S2 S1"},
  {"r", 8, 64, "R1"}, /* however short: it has kernels of its own only */
  {"lrl", 8, 64, "S1 R1 S1"},
  {"lrrffp", 8, 64, "S1 R2 S3"},
  {"rrrr", 8, 2, "R4"},
  {"paparf", 2, 64, "T4 R1 S1"},
};

static enum kvp_kind kind_of(char letter) { return (enum kvp_kind)(strchr(kinds, letter) - kinds); }

static void write_plan(const struct plan *plan, char *text, size_t size)
{
  const struct kvp_plan_limits limits = {plan->parallel_min, plan->longest};
  uint32_t n = (uint32_t)strlen(plan->ops);
  struct kvp_op ops[16] = {{0}};

  text[0] = '\0';
  for (uint32_t i = 0; i < n; i++)
    ops[i].kind = kind_of(plan->ops[i]);
  for (uint32_t at = 0; at < n;) {
    struct kvp_run run = kvp_plan_run(ops, n, at, &limits);
    size_t end = strlen(text);
    assert_int_equal(run.first, at);
    assert_in_range(run.n, 1, n - at);
    snprintf(text + end, size - end, "%s%c%u", at == 0 ? "" : " ", runs[run.kind], run.n);
    at += run.n;
  }
}

static void runs_are_cut_where_their_kind_begins(void **state)
{
  (void)state;
  for (size_t k = 0; k < sizeof plans / sizeof *plans; k++) {
    char text[64];
    write_plan(&plans[k], text, sizeof text);
    if (strcmp(text, plans[k].runs) != 0)
      fail_msg("%s, parallel from %u, at most %u: %s, not %s", plans[k].ops, plans[k].parallel_min,
               plans[k].longest, text, plans[k].runs);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(runs_are_cut_where_their_kind_begins)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
