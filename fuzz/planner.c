/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target of the planner: any bytes become a batch, whose cut is what the words of plan.h
   and planner.h mean, wherever it begins. Ids of a pool that leave it become moves. */
#include "src/device/planner.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz/planner.h"

/* How the plan is meant. An operation's class is the run that it can be in; half of a pair that
   begins at or after the run's first operation is of class PAIRS. A stretch is a longest row of one
   class. A stretch begins a run if it is long enough; what stands before is serial. */

static const enum kvp_run_kind classes[KVP_NUM_KINDS] = {
  [KVP_POP] = KVP_RUN_POPS,           [KVP_ALLOCATE] = KVP_RUN_ALLOCATES,
  [KVP_CLAIM] = KVP_RUN_CLAIMS,       [KVP_FREE] = KVP_RUN_FREES,
  [KVP_PUBLISH] = KVP_RUN_PUBLISHES,  [KVP_LOOKUP] = KVP_RUN_LOOKUPS,
  [KVP_MATCH] = KVP_RUN_LOOKUPS,      [KVP_MATCH_PREFIX] = KVP_RUN_PREFIXES,
  [KVP_CLEAR_INDEX] = KVP_RUN_CLEARS, [KVP_EXTEND] = KVP_RUN_EXTENDS,
  [KVP_RETIRE_TOP] = KVP_RUN_RETIRES, [KVP_RESERVE] = KVP_RUN_RESERVES,
  [KVP_RELEASE] = KVP_RUN_RELEASES};

/* Runs whose cost grows faster than they do, so that they are no longer than the limit. */
static const int limited[KVP_RUN_RELEASES + 1] = {[KVP_RUN_SERIAL] = 1,
                                                  [KVP_RUN_ALLOCATES] = 1,
                                                  [KVP_RUN_CLAIMS] = 1,
                                                  [KVP_RUN_FREES] = 1,
                                                  [KVP_RUN_PUBLISHES] = 1};

/* The classes of operations first .. n - 1. */
static void classify(const struct kvp_op *ops, uint32_t n, uint32_t first, enum kvp_run_kind *class)
{
  for (uint32_t i = first; i < n; i++)
    class[i] = ops[i].kind < KVP_NUM_KINDS ? classes[ops[i].kind] : KVP_RUN_SERIAL;
  for (uint32_t i = first; i + 1 < n; i++) {
    if (ops[i].kind == KVP_POP && ops[i + 1].kind == KVP_ALLOCATE)
      class[i] = class[i + 1] = KVP_RUN_PAIRS;
  }
}

/* The run that the stretch at `first` begins, or one of no operations. */
static struct kvp_run begin(const enum kvp_run_kind *class, uint32_t n, uint32_t first,
                            const struct kvp_plan_limits *limits)
{
  struct kvp_run run = {class[first], first, 0};
  while (first + run.n < n && class[first + run.n] == run.kind)
    run.n++;
  if (limited[run.kind] && run.n > limits->longest)
    run.n = limits->longest;
  if (run.kind == KVP_RUN_SERIAL || (run.kind != KVP_RUN_RETIRES && run.n < limits->parallel_min))
    run.n = 0;
  return run;
}

static struct kvp_run judge(const struct kvp_op *ops, uint32_t n, uint32_t first,
                            const struct kvp_plan_limits *limits)
{
  enum kvp_run_kind class[KVP_PLANNER_MOST];
  classify(ops, n, first, class);
  struct kvp_run run = begin(class, n, first, limits);
  if (run.n != 0)
    return run;
  run.kind = KVP_RUN_SERIAL;
  for (run.n = 1; first + run.n < n && run.n < limits->longest; run.n++) {
    uint32_t at = first + run.n;
    if (class[at] != class[at - 1] && begin(class, n, at, limits).n != 0)
      break;
  }
  return run;
}

/* Small ones, and far more than any batch has. */
static uint32_t limit_of(uint8_t byte)
{
  return byte < 240 ? 1 + byte % 16u : UINT32_MAX - byte + 240;
}

/* Kinds, and now and then a number that is no kind. */
static enum kvp_kind kind_of(uint8_t byte)
{
  return byte % 16 < KVP_NUM_KINDS ? byte % 16
         : byte < 128              ? KVP_POP + byte % 2
                                   : byte * 0x01010101u;
}

static void claim_plan(const struct kvp_op *ops, uint32_t n, const struct kvp_plan_limits *limits)
{
  kvp_tell("parallel from %u, at most %u", (unsigned)limits->parallel_min,
           (unsigned)limits->longest);
  for (uint32_t i = 0; i < n; i++)
    kvp_tell("%u: kind %u", (unsigned)i, (unsigned)ops[i].kind);
  for (uint32_t first = 0; first < n; first++) {
    struct kvp_run judged = judge(ops, n, first, limits);
    struct kvp_run run = kvp_plan_run(ops, n, first, limits);
    kvp_claim("kind of the run at", first, judged.kind, run.kind);
    kvp_claim("first of the run at", first, first, run.first);
    kvp_claim("operations of the run at", first, judged.n, run.n);
  }
}

size_t kvp_run_claims(struct kvp_bytes input)
{
  uint8_t ids[KVP_PLANNER_MOST];
  struct kvp_plan_limits limits;
  limits.parallel_min = limit_of(kvp_take_byte(&input));
  limits.longest = limit_of(kvp_take_byte(&input));
  size_t steps = (input.left + KVP_PLANNER_STEP - 1) / KVP_PLANNER_STEP;
  uint32_t n = steps < KVP_PLANNER_MOST ? (uint32_t)steps : KVP_PLANNER_MOST;
  struct kvp_op *ops = malloc((n == 0 ? 1 : n) * sizeof *ops);
  if (ops == NULL)
    abort();
  memset(ops, 0x5A, n * sizeof *ops); /* a plan hangs on kinds only */
  for (uint32_t i = 0; i < n; i++) {
    ops[i].kind = kind_of(kvp_take_byte(&input));
    ids[i] = kvp_take_byte(&input);
  }
  claim_plan(ops, n, &limits);
  free(ops);
  kvp_claim_moves(ids, n);
  return n;
}
