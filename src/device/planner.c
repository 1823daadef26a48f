/* SPDX-License-Identifier: Apache-2.0 */
/* Runs begin where their kind shows; what begins none joins the serial run before it, so that a
   stretch of mixed operations costs one launch. */
#include "src/device/planner.h"

static uint32_t count_kind(const struct kvp_op *ops, uint32_t n, uint32_t first)
{
  uint32_t end = first + 1;
  while (end < n && ops[end].kind == ops[first].kind)
    end++;
  return end - first;
}

static int is_pair(const struct kvp_op *ops, uint32_t n, uint32_t at)
{
  return n - at >= 2 && ops[at].kind == KVP_POP && ops[at + 1].kind == KVP_ALLOCATE;
}

static uint32_t count_pairs(const struct kvp_op *ops, uint32_t n, uint32_t first)
{
  uint32_t end = first;
  while (is_pair(ops, n, end))
    end += 2;
  return end - first;
}

/* Pops up to one that begins a pair. */
static uint32_t count_pops(const struct kvp_op *ops, uint32_t n, uint32_t first)
{
  uint32_t end = first;
  while (end < n && ops[end].kind == KVP_POP && !is_pair(ops, n, end))
    end++;
  return end - first;
}

/* The longest run of one kind that begins here, however short; a serial one is 1 operation. */
static struct kvp_run begin_run(const struct kvp_op *ops, uint32_t n, uint32_t first,
                                uint32_t longest_frees)
{
  struct kvp_run run = {KVP_RUN_SERIAL, first, 1};

  if (ops[first].kind == KVP_RETIRE_TOP) {
    run.kind = KVP_RUN_RETIRES;
    run.n = count_kind(ops, n, first);
  } else if (ops[first].kind == KVP_FREE) {
    uint32_t frees = count_kind(ops, n, first);
    run.kind = KVP_RUN_FREES;
    run.n = frees < longest_frees ? frees : longest_frees;
  } else if (is_pair(ops, n, first)) {
    run.kind = KVP_RUN_PAIRS;
    run.n = count_pairs(ops, n, first);
  } else if (ops[first].kind == KVP_POP) {
    run.kind = KVP_RUN_POPS;
    run.n = count_pops(ops, n, first);
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
  struct kvp_run run = begin_run(ops, n, first, limits->longest_frees);

  if (is_parallel(&run, limits->parallel_min))
    return run;
  run.kind = KVP_RUN_SERIAL;
  while (first + run.n < n) {
    struct kvp_run next = begin_run(ops, n, first + run.n, limits->longest_frees);
    if (is_parallel(&next, limits->parallel_min))
      break;
    run.n += next.n;
  }
  return run;
}
