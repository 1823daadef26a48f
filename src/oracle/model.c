/* SPDX-License-Identifier: Apache-2.0 */
/* The executable model as an applier. */
#include "spec/model.h"
#include "src/oracle/appliers.h"

static enum kvp_status apply(void *self, const struct kvp_op *ops, size_t n,
                             struct kvp_result *results)
{
  for (size_t i = 0; i < n; i++)
    kvp_model_apply(self, &ops[i], &results[i]);
  return KVP_OK;
}

static void counts(void *self, struct kvp_counts *counts) { kvp_model_counts(self, counts); }

static enum kvp_status view(void *self, uint32_t block, struct kvp_view *view)
{
  return kvp_model_view(self, block, view);
}

static uint32_t next_cached(void *self, uint32_t block)
{
  return kvp_model_next_cached(self, block);
}

enum kvp_status kvp_open_model(uint32_t num_blocks, uint32_t max_blocks, uint32_t block_size,
                               struct kvp_applier *applier)
{
  if (num_blocks > max_blocks)
    return KVP_RANGE;
  struct kvp_model *model = kvp_model_new(num_blocks, max_blocks, block_size);
  if (model == NULL)
    return KVP_MEMORY;
  *applier = (struct kvp_applier){.name = "model",
                                  .self = model,
                                  .apply = apply,
                                  .counts = counts,
                                  .view = view,
                                  .next_cached = next_cached};
  return KVP_OK;
}

void kvp_close_model(struct kvp_applier *applier)
{
  kvp_model_free(applier->self);
  applier->self = NULL;
}
