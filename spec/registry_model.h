/* SPDX-License-Identifier: Apache-2.0 */
/* The executable registry: spec/registry.md by scans over plain arrays, to be checked by eye. It
   is the judge of every other registry here and shares no code with any of them. */
#ifndef KVP_SPEC_REGISTRY_MODEL_H
#define KVP_SPEC_REGISTRY_MODEL_H

#include <kvpool/registry_op.h>

struct kvp_registry_model;

/* NULL if the shape is out of range or if memory is short. */
struct kvp_registry_model *kvp_registry_model_new(const struct kvp_registry_shape *shape);
void kvp_registry_model_free(struct kvp_registry_model *model);

void kvp_registry_model_apply(struct kvp_registry_model *model, const struct kvp_registry_op *op,
                              struct kvp_registry_result *result);

/* State as in registry_op.h. A view's tokens stay valid until the model is next changed. KVP_RANGE
   unless block < num_blocks. */
void kvp_registry_model_counts(const struct kvp_registry_model *model,
                               struct kvp_registry_counts *counts);
enum kvp_status kvp_registry_model_view(const struct kvp_registry_model *model, uint32_t block,
                                        struct kvp_block_view *view);

/* The empty block that is allocated next after `block`, or the first one for KVP_NONE; KVP_NONE
   after the last, and for a block that is not empty. */
uint32_t kvp_registry_model_next_empty(const struct kvp_registry_model *model, uint32_t block);

/* The cached block that would be evicted now, or KVP_NONE. */
uint32_t kvp_registry_model_victim(const struct kvp_registry_model *model);

#endif
