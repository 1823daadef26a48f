/* SPDX-License-Identifier: Apache-2.0 */
/* Two registries side by side: the model is the judge, and the reference must answer and look the
   same after each operation. */
#ifndef KVP_FUZZ_REGISTRY_PAIR_H
#define KVP_FUZZ_REGISTRY_PAIR_H

#include <stddef.h>

#include <kvpool/registry_op.h>

#include "fuzz/arena.h"

struct kvp_pair {
  struct kvp_registry_shape shape;
  void *judge, *other;
  size_t num_ops;
  int tells; /* on stderr, each operation before it runs, and the judge's answer */
  const struct kvp_registry_op *op;
  struct kvp_arena arena; /* buffers of the operation, until the next one is begun */
};

/* Ends the process if a registry does not open. */
void kvp_pair_open(struct kvp_pair *pair, const struct kvp_registry_shape *shape, int tells);
void kvp_pair_close(struct kvp_pair *pair);

/* Grants and events of the operation, if it has any, are the judge's; the other writes to its own.
   The first difference is told if the pair tells, and calls kvp_diverge. */
void kvp_pair_apply(struct kvp_pair *pair, const struct kvp_registry_op *op,
                    struct kvp_registry_result *result);

/* The target's: tells the input once more, or ends the process if it has just been told. */
_Noreturn void kvp_diverge(const struct kvp_pair *pair);

#endif
