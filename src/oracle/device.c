/* SPDX-License-Identifier: Apache-2.0 */
/* The device path as an applier. */
#include "src/oracle/appliers.h"

static enum kvp_status apply(void *self, const struct kvp_op *ops, size_t n,
                             struct kvp_result *results)
{
  return kvp_device_apply(self, ops, n, results);
}

/* Counts that no pool has, so that a failed device never agrees with anything. */
static void counts(void *self, struct kvp_counts *counts)
{
  if (kvp_device_counts(self, counts) != KVP_OK)
    *counts = (struct kvp_counts){KVP_NONE, KVP_NONE, KVP_NONE, KVP_NONE, KVP_NONE};
}

static enum kvp_status view(void *self, uint32_t block, struct kvp_view *view)
{
  return kvp_device_view(self, block, view);
}

static uint32_t next_cached(void *self, uint32_t block)
{
  uint32_t next = KVP_NONE;
  return kvp_device_next_cached(self, block, &next) == KVP_OK ? next : KVP_NONE;
}

enum kvp_status kvp_open_device(const struct kvp_device_shape *shape,
                                const struct kvp_device_options *options,
                                struct kvp_applier *applier, char *message, size_t size)
{
  struct kvp_device *device = NULL;
  enum kvp_status status = kvp_device_open(shape, options, &device, message, size);
  if (status != KVP_OK)
    return status;
  *applier = (struct kvp_applier){.name = "device",
                                  .self = device,
                                  .apply = apply,
                                  .counts = counts,
                                  .view = view,
                                  .next_cached = next_cached};
  return KVP_OK;
}

void kvp_close_device(struct kvp_applier *applier)
{
  if (applier->self != NULL)
    kvp_device_close(applier->self);
  applier->self = NULL;
}
