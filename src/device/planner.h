/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts a batch into runs of operations that are done in parallel, and the rest between them. */
#ifndef KVP_DEVICE_PLANNER_H
#define KVP_DEVICE_PLANNER_H

#include "src/device/plan.h"

#ifdef __FRAMAC__
#include "spec/logic/plan.h"
#endif

/* The run that begins at `first`; first < n, both limits are 1 or more. 1 or more operations. */
/*@ requires ops: \valid_read(ops + (first .. n - 1));
    requires first: first < n;
    requires limits: \valid_read(limits) && 1 <= limits->parallel_min && 1 <= limits->longest;
    terminates \true;
    exits \false;
    assigns \nothing;
    KVP_ENSURES_RUN;
    ensures cut: Cut(\result.kind) ==> \result.n <= limits->longest;
    ensures long: \result.kind != KVP_RUN_SERIAL && \result.kind != KVP_RUN_RETIRES ==>
      limits->parallel_min <= \result.n;
*/
struct kvp_run kvp_plan_run(const struct kvp_op *ops, uint32_t n, uint32_t first,
                            const struct kvp_plan_limits *limits);

#endif
