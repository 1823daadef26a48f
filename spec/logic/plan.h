/* SPDX-License-Identifier: Apache-2.0 */
/* Logic: what the runs of a batch hold. */
#ifndef KVP_LOGIC_PLAN_H
#define KVP_LOGIC_PLAN_H

#include "src/device/plan.h"

/*@
// The run that an operation of this kind can be in, where it is no half of a pair.
logic integer RunOf(integer kind) =
  kind == KVP_POP ? KVP_RUN_POPS :
  kind == KVP_ALLOCATE ? KVP_RUN_ALLOCATES :
  kind == KVP_CLAIM ? KVP_RUN_CLAIMS :
  kind == KVP_FREE ? KVP_RUN_FREES :
  kind == KVP_PUBLISH ? KVP_RUN_PUBLISHES :
  kind == KVP_LOOKUP || kind == KVP_MATCH ? KVP_RUN_LOOKUPS :
  kind == KVP_MATCH_PREFIX ? KVP_RUN_PREFIXES :
  kind == KVP_CLEAR_INDEX ? KVP_RUN_CLEARS :
  kind == KVP_EXTEND ? KVP_RUN_EXTENDS :
  kind == KVP_RETIRE_TOP ? KVP_RUN_RETIRES :
  kind == KVP_RESERVE ? KVP_RUN_RESERVES :
  kind == KVP_RELEASE ? KVP_RUN_RELEASES : KVP_RUN_SERIAL;

// A pop and the allocate after it.
predicate Pair{L}(struct kvp_op *ops, integer n, integer at) =
  at + 1 < n && ops[at].kind == KVP_POP && ops[at + 1].kind == KVP_ALLOCATE;

// Runs of these kinds are no longer than a limit.
predicate Cut(integer run) =
  run == KVP_RUN_SERIAL || run == KVP_RUN_ALLOCATES || run == KVP_RUN_CLAIMS ||
  run == KVP_RUN_FREES || run == KVP_RUN_PUBLISHES;

// Operations first .. end - 1, of a batch of n, are: pairs and nothing else, no retire_top,
// of this kind of run (and no pop among them begins a pair).
predicate Pairs{L}(struct kvp_op *ops, integer first, integer end) =
  (end - first) % 2 == 0 &&
  \forall integer k; first <= k < end ==>
    ops[k].kind == ((k - first) % 2 == 0 ? KVP_POP : KVP_ALLOCATE);
predicate NoRetire{L}(struct kvp_op *ops, integer first, integer end) =
  \forall integer k; first <= k < end ==> ops[k].kind != KVP_RETIRE_TOP;
predicate Alike{L}(struct kvp_op *ops, integer n, integer run, integer first, integer end) =
  \forall integer k; first <= k < end ==>
    RunOf(ops[k].kind) == run && (run == KVP_RUN_POPS ==> !Pair(ops, n, k));
*/

/* What a run that begins at `first` holds. */
#define KVP_ENSURES_RUN                                                                        \
  ensures first: \result.first == first;                                                       \
  ensures some: 1 <= \result.n <= n - first;                                                   \
  ensures pairs: \result.kind == KVP_RUN_PAIRS ==>                                             \
    Pairs(ops, first, first + \result.n);                                                      \
  ensures retires: \result.kind != KVP_RUN_RETIRES ==>                                         \
    NoRetire(ops, first, first + \result.n);                                                   \
  ensures alike: \result.kind != KVP_RUN_PAIRS && \result.kind != KVP_RUN_SERIAL ==>           \
    Alike(ops, n, \result.kind, first, first + \result.n)

#endif
