/* SPDX-License-Identifier: Apache-2.0 */
/* What an input can do to a pool: an action is one operation, or a run of one kind. */
#ifndef KVP_ORACLE_ACTIONS_H
#define KVP_ORACLE_ACTIONS_H

#include "src/oracle/decode.h"

enum kvp_action {
  KVP_DO_POP,
  KVP_DO_ALLOCATE,
  KVP_DO_CLAIM,
  KVP_DO_FREE,
  KVP_DO_PUBLISH,
  KVP_DO_LOOKUP,
  KVP_DO_MATCH,
  KVP_DO_MATCH_PREFIX,
  KVP_DO_CLEAR_INDEX,
  KVP_DO_EXTEND,
  KVP_DO_RETIRE_TOP,
  KVP_DO_RESERVE,
  KVP_DO_RELEASE,
  KVP_DO_TAKE,  /* pop, then allocate what it gave */
  KVP_DO_FRESH, /* pop, allocate, publish */
  KVP_DO_ODD,   /* missing buffers and unknown kinds */
  KVP_DO_END    /* of the batch */
};

/* Whether there is no room for one more operation of any kind. */
int kvp_batch_is_full(const struct kvp_batch *batch);

/* Adds the action's operations, some n, to the batch and applies them to the model; stops where
   the batch is full, which it is not at first. */
void kvp_push_action(struct kvp_decoder *decoder, struct kvp_batch *batch, enum kvp_action action,
                     uint32_t n);

#endif
