/* SPDX-License-Identifier: Apache-2.0 */
/* The reference pool as an applier, in memory from malloc that only the pool touches. */
#include <stdlib.h>

#include <kvpool/pool.h>

#include "src/oracle/appliers.h"

static enum kvp_status apply(void *self, const struct kvp_op *ops, size_t n,
                             struct kvp_result *results)
{
  for (size_t i = 0; i < n; i++)
    kvp_pool_apply(self, &ops[i], &results[i]);
  return KVP_OK;
}

static void counts(void *self, struct kvp_counts *counts) { kvp_pool_counts(self, counts); }

static enum kvp_status view(void *self, uint32_t block, struct kvp_view *view)
{
  return kvp_pool_view(self, block, view);
}

static uint32_t next_cached(void *self, uint32_t block)
{
  return kvp_pool_next_cached(self, block);
}

enum kvp_status kvp_open_reference(uint32_t num_blocks, uint32_t max_blocks, uint32_t block_size,
                                   struct kvp_applier *applier)
{
  size_t pool_bytes = 0, plane_bytes = 0;
  enum kvp_status status = kvp_pool_memory(max_blocks, block_size, &pool_bytes, &plane_bytes);
  if (status != KVP_OK)
    return status;
  struct kvp_pool *pool = malloc(pool_bytes);
  uint32_t *plane = plane_bytes == 0 ? NULL : malloc(plane_bytes);
  if (pool == NULL || (plane == NULL && plane_bytes != 0))
    status = KVP_MEMORY;
  else
    status = kvp_pool_init(pool, num_blocks, max_blocks, block_size, plane);
  if (status != KVP_OK) {
    free(plane);
    free(pool);
    return status;
  }
  *applier = (struct kvp_applier){.name = "reference",
                                  .self = pool,
                                  .apply = apply,
                                  .counts = counts,
                                  .view = view,
                                  .next_cached = next_cached};
  return KVP_OK;
}

void kvp_close_reference(struct kvp_applier *applier)
{
  struct kvp_pool *pool = applier->self;
  if (pool != NULL)
    free(pool->plane);
  free(pool);
  applier->self = NULL;
}
