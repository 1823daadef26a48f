/* SPDX-License-Identifier: Apache-2.0 */
/* Runs begin where their kind shows; what begins none joins the serial run before it, so that a
   stretch of mixed operations costs one launch. */
#include "src/device/planner.h"

/* The run that an operation can be in, where it is no half of a pair. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures run: \result == RunOf(kind);
*/
static enum kvp_run_kind run_of(enum kvp_kind kind)
{
  switch (kind) {
  case KVP_POP: return KVP_RUN_POPS;
  case KVP_ALLOCATE: return KVP_RUN_ALLOCATES;
  case KVP_CLAIM: return KVP_RUN_CLAIMS;
  case KVP_FREE: return KVP_RUN_FREES;
  case KVP_PUBLISH: return KVP_RUN_PUBLISHES;
  case KVP_LOOKUP: return KVP_RUN_LOOKUPS;
  case KVP_MATCH: return KVP_RUN_LOOKUPS;
  case KVP_MATCH_PREFIX: return KVP_RUN_PREFIXES;
  case KVP_CLEAR_INDEX: return KVP_RUN_CLEARS;
  case KVP_EXTEND: return KVP_RUN_EXTENDS;
  case KVP_RETIRE_TOP: return KVP_RUN_RETIRES;
  case KVP_RESERVE: return KVP_RUN_RESERVES;
  case KVP_RELEASE: return KVP_RUN_RELEASES;
  }
  return KVP_RUN_SERIAL; /* an operation of no kind */
}

/*@ requires ops: \valid_read(ops + (at .. n - 1));
    requires at: at < n;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures pair: \result != 0 <==> Pair(ops, n, at);
*/
static int is_pair(const struct kvp_op *ops, uint32_t n, uint32_t at)
{
  return n - at >= 2 && ops[at].kind == KVP_POP && ops[at + 1].kind == KVP_ALLOCATE;
}

/*@ requires ops: \valid_read(ops + (first .. n - 1));
    requires pair: Pair(ops, n, first);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures range: 2 <= \result <= n - first;
    ensures pairs: Pairs(ops, first, first + \result);
*/
static uint32_t count_pairs(const struct kvp_op *ops, uint32_t n, uint32_t first)
{
  uint32_t end = first;
  /*@ loop invariant range: first <= end <= n;
      loop invariant pairs: Pairs(ops, first, end);
      loop assigns end;
      loop variant n - end; */
  while (end < n && is_pair(ops, n, end))
    end += 2;
  return end - first;
}

/* Operations of the first one's run, up to a pop that begins a pair. */
/*@ requires ops: \valid_read(ops + (first .. n - 1));
    requires first: first < n && !Pair(ops, n, first);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures range: 1 <= \result <= n - first;
    ensures alike: Alike(ops, n, RunOf(ops[first].kind), first, first + \result);
*/
static uint32_t count_alike(const struct kvp_op *ops, uint32_t n, uint32_t first)
{
  enum kvp_run_kind kind = run_of(ops[first].kind);
  uint32_t end = first + 1;
  /*@ loop invariant range: first < end <= n;
      loop invariant alike: Alike(ops, n, RunOf(ops[first].kind), first, end);
      loop assigns end;
      loop variant n - end; */
  while (end < n && run_of(ops[end].kind) == kind && !is_pair(ops, n, end))
    end++;
  return end - first;
}

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures cut: \result != 0 <==> Cut(kind);
*/
static int is_cut(enum kvp_run_kind kind)
{
  return kind == KVP_RUN_SERIAL || kind == KVP_RUN_ALLOCATES || kind == KVP_RUN_CLAIMS
         || kind == KVP_RUN_FREES || kind == KVP_RUN_PUBLISHES;
}

/* The longest run of one kind that begins here, however short. */
/*@ requires ops: \valid_read(ops + (first .. n - 1));
    requires first: first < n;
    requires longest: 1 <= longest;
    terminates \true;
    exits \false;
    assigns \nothing;
    KVP_ENSURES_RUN;
    ensures cut: Cut(\result.kind) ==> \result.n <= longest;
*/
static struct kvp_run begin_run(const struct kvp_op *ops, uint32_t n, uint32_t first,
                                uint32_t longest)
{
  struct kvp_run run = {run_of(ops[first].kind), first, 0};

  if (is_pair(ops, n, first)) {
    run.kind = KVP_RUN_PAIRS;
    run.n = count_pairs(ops, n, first);
  } else {
    run.n = count_alike(ops, n, first);
    if (is_cut(run.kind) && run.n > longest)
      run.n = longest;
  }
  return run;
}

/*@ requires valid: \valid_read(run);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures parallel: \result != 0 <==> run->kind == KVP_RUN_RETIRES ||
      (run->kind != KVP_RUN_SERIAL && parallel_min <= run->n);
*/
static int is_parallel(const struct kvp_run *run, uint32_t parallel_min)
{
  return run->kind == KVP_RUN_RETIRES || (run->kind != KVP_RUN_SERIAL && run->n >= parallel_min);
}

struct kvp_run kvp_plan_run(const struct kvp_op *ops, uint32_t n, uint32_t first,
                            const struct kvp_plan_limits *limits)
{
  struct kvp_run run = begin_run(ops, n, first, limits->longest);

  if (is_parallel(&run, limits->parallel_min))
    return run;
  run.kind = KVP_RUN_SERIAL;
  /*@ loop invariant range: 1 <= run.n <= n - first;
      loop invariant serial: NoRetire(ops, first, first + run.n);
      loop assigns run.n;
      loop variant n - first - run.n; */
  while (first + run.n < n && run.n < limits->longest) {
    struct kvp_run next = begin_run(ops, n, first + run.n, limits->longest);
    if (is_parallel(&next, limits->parallel_min))
      break;
    run.n += next.n;
  }
#ifndef KVP_PLANT_PLANNER_BUG /* a canary: stretches that begin no run are not cut */
  if (run.n > limits->longest)
    run.n = limits->longest;
#endif
  return run;
}
