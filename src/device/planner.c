/* SPDX-License-Identifier: Apache-2.0 */
/* Runs begin where their kind shows; what begins none joins the serial run before it, so that a
   stretch of mixed operations costs one launch. */
#include "src/device/planner.h"

/* The run that an operation can be in, where it is no half of a pair. */
static enum kvp_run_kind run_of(const struct kvp_op *op)
{
  switch (op->kind) {
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

static int is_pair(const struct kvp_op *ops, uint32_t n, uint32_t at)
{
  return n - at >= 2 && ops[at].kind == KVP_POP && ops[at + 1].kind == KVP_ALLOCATE;
}

static uint32_t count_pairs(const struct kvp_op *ops, uint32_t n, uint32_t first)
{
  uint32_t end = first;
  while (end < n && is_pair(ops, n, end))
    end += 2;
  return end - first;
}

/* Operations of the first one's run, up to a pop that begins a pair. */
static uint32_t count_alike(const struct kvp_op *ops, uint32_t n, uint32_t first)
{
  enum kvp_run_kind kind = run_of(&ops[first]);
  uint32_t end = first + 1;
  while (end < n && run_of(&ops[end]) == kind && !is_pair(ops, n, end))
    end++;
  return end - first;
}

static int is_cut(enum kvp_run_kind kind)
{
  return kind == KVP_RUN_SERIAL || kind == KVP_RUN_ALLOCATES || kind == KVP_RUN_CLAIMS
         || kind == KVP_RUN_FREES || kind == KVP_RUN_PUBLISHES;
}

/* The longest run of one kind that begins here, however short. */
static struct kvp_run begin_run(const struct kvp_op *ops, uint32_t n, uint32_t first,
                                uint32_t longest)
{
  struct kvp_run run = {run_of(&ops[first]), first, 0};

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
  while (first + run.n < n && run.n < limits->longest) {
    struct kvp_run next = begin_run(ops, n, first + run.n, limits->longest);
    if (is_parallel(&next, limits->parallel_min))
      break;
    run.n += next.n;
  }
  if (run.n > limits->longest)
    run.n = limits->longest;
  return run;
}
