/* SPDX-License-Identifier: Apache-2.0 */
/* The executable model: spec/pool.md by linear scans over plain arrays, to be checked by eye.
   It is the judge of every other pool here and shares no code with any of them. */
#ifndef KVP_SPEC_MODEL_H
#define KVP_SPEC_MODEL_H

#include <stdint.h>

#include <kvpool/op.h>
#include <kvpool/view.h>

struct kvp_model;

/* A pool of num_blocks vacant blocks that may grow to max_blocks, with blocks of block_size
   tokens. NULL if num_blocks > max_blocks or if memory is short. */
struct kvp_model *kvp_model_new(uint32_t num_blocks, uint32_t max_blocks, uint32_t block_size);
void kvp_model_free(struct kvp_model *model);

void kvp_model_apply(struct kvp_model *model, const struct kvp_op *op, struct kvp_result *result);

/* State as in view.h. A view's tokens stay valid until the model is next changed. */
void kvp_model_counts(const struct kvp_model *model, struct kvp_counts *counts);
enum kvp_status kvp_model_view(const struct kvp_model *model, uint32_t block,
                               struct kvp_view *view);

/* The cached block freed next after `block`, or the least recently freed one for KVP_NONE;
   KVP_NONE after the last, and for a block that is not cached. */
uint32_t kvp_model_next_cached(const struct kvp_model *model, uint32_t block);

#endif
