/* SPDX-License-Identifier: Apache-2.0 */
/* The planner target's inputs, and its second half. */
#ifndef KVP_FUZZ_PLANNER_H
#define KVP_FUZZ_PLANNER_H

#include "fuzz/claim.h"

enum {
  KVP_PLANNER_HEAD = 2, /* bytes of an input's head: both limits */
  KVP_PLANNER_STEP = 2, /* and of each of its steps, an operation and an id */

  KVP_PLANNER_MOST = 96 /* most steps that are looked at */
};

/* A byte says of each of n ids, from the highest on, whether it holds content, leaves, and where
   its content then goes. Moves made at once do what they do one by one. */
void kvp_claim_moves(const uint8_t *ids, uint32_t n);

#endif
