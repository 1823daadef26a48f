/* SPDX-License-Identifier: Apache-2.0 */
/* Two registries side by side: the model is the judge, and the reference must answer and look the
   same after each operation. */
#ifndef KVP_FUZZ_REGISTRY_PAIR_H
#define KVP_FUZZ_REGISTRY_PAIR_H

#include <stddef.h>

#include <kvpool/registry_op.h>

#include "src/oracle/arena.h"

struct kvp_pair {
  struct kvp_registry_shape shape;
  void *judge, *other;
  size_t num_ops;
  int tells; /* on stderr, each operation before it runs, and the judge's answer */
  const struct kvp_registry_op *op;
  struct kvp_arena arena; /* buffers of the operation, until the next one is begun */
};

/* Of registries that are open already, of which the judge is a model and the other a reference. */
void kvp_pair_begin(struct kvp_pair *pair, const struct kvp_registry_shape *shape, int tells,
                    void *judge, void *other);

/* Ends the process if a registry does not open. */
void kvp_pair_open(struct kvp_pair *pair, const struct kvp_registry_shape *shape, int tells);
void kvp_pair_close(struct kvp_pair *pair);

/* Grants and events of the operation, if it has any, are the judge's; the other writes to its own.
   The first difference is told, for which the input is run once more, and ends the process. */
void kvp_pair_apply(struct kvp_pair *pair, const struct kvp_registry_op *op,
                    struct kvp_registry_result *result);

/* The parts of that comparison, and a number that both sides have of their own. */
void kvp_pair_same(struct kvp_pair *pair, const char *what, uint32_t index, uint64_t left,
                   uint64_t right);
void kvp_pair_same_answer(struct kvp_pair *pair, const struct kvp_registry_op *op,
                          const struct kvp_registry_result *result,
                          const struct kvp_registry_op *other_op,
                          const struct kvp_registry_result *other_result);
void kvp_pair_same_events(struct kvp_pair *pair, uint32_t count, const struct kvp_event *left,
                          const struct kvp_event *right);
void kvp_pair_same_state(struct kvp_pair *pair);

/* How many of these an operation has room for. */
uint32_t kvp_room_for_grants(const struct kvp_registry_op *op);
uint32_t kvp_room_for_events(const struct kvp_registry_op *op);

#endif
