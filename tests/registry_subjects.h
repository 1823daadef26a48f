/* SPDX-License-Identifier: Apache-2.0 */
/* The registries that every test of the semantics runs over: a row each. */
#ifndef KVP_TESTS_REGISTRY_SUBJECTS_H
#define KVP_TESTS_REGISTRY_SUBJECTS_H

#include <stdlib.h>

#include <kvpool/registry.h>

#include "spec/registry_model.h"

struct registry_subject {
  const char *name;
  void *(*open)(const struct kvp_registry_shape *shape);
  void (*close)(void *self);
  void (*apply)(void *self, const struct kvp_registry_op *op, struct kvp_registry_result *result);
  void (*counts)(void *self, struct kvp_registry_counts *counts);
  enum kvp_status (*view)(void *self, uint32_t block, struct kvp_block_view *view);
  uint32_t (*next_empty)(void *self, uint32_t block);
  uint32_t (*victim)(void *self);
};

static inline void *model_open(const struct kvp_registry_shape *shape)
{
  return kvp_registry_model_new(shape);
}

static inline void model_close(void *self) { kvp_registry_model_free(self); }

static inline void model_apply(void *self, const struct kvp_registry_op *op,
                               struct kvp_registry_result *result)
{
  kvp_registry_model_apply(self, op, result);
}

static inline void model_counts(void *self, struct kvp_registry_counts *counts)
{
  kvp_registry_model_counts(self, counts);
}

static inline enum kvp_status model_view(void *self, uint32_t block, struct kvp_block_view *view)
{
  return kvp_registry_model_view(self, block, view);
}

static inline uint32_t model_next_empty(void *self, uint32_t block)
{
  return kvp_registry_model_next_empty(self, block);
}

static inline uint32_t model_victim(void *self) { return kvp_registry_model_victim(self); }

/* In memory from malloc that only the registry touches. */
static inline void *reference_open(const struct kvp_registry_shape *shape)
{
  size_t registry_bytes = 0, plane_bytes = 0;
  if (kvp_registry_memory(shape, &registry_bytes, &plane_bytes) != KVP_OK)
    return NULL;
  struct kvp_registry *registry = malloc(registry_bytes);
  uint32_t *plane = plane_bytes == 0 ? NULL : malloc(plane_bytes);
  if (registry != NULL && (plane != NULL || plane_bytes == 0)
      && kvp_registry_init(registry, shape, plane) == KVP_OK)
    return registry;
  free(plane);
  free(registry);
  return NULL;
}

static inline void reference_close(void *self)
{
  struct kvp_registry *registry = self;
  if (registry != NULL)
    free(registry->plane);
  free(registry);
}

static inline void reference_apply(void *self, const struct kvp_registry_op *op,
                                   struct kvp_registry_result *result)
{
  kvp_registry_apply(self, op, result);
}

static inline void reference_counts(void *self, struct kvp_registry_counts *counts)
{
  kvp_registry_counts(self, counts);
}

static inline enum kvp_status reference_view(void *self, uint32_t block,
                                             struct kvp_block_view *view)
{
  return kvp_registry_view(self, block, view);
}

static inline uint32_t reference_next_empty(void *self, uint32_t block)
{
  return kvp_registry_next_empty(self, block);
}

static inline uint32_t reference_victim(void *self) { return kvp_registry_victim(self); }

static const struct registry_subject registry_subjects[] = {
  {"model", model_open, model_close, model_apply, model_counts, model_view, model_next_empty,
   model_victim},
  {"reference", reference_open, reference_close, reference_apply, reference_counts, reference_view,
   reference_next_empty, reference_victim},
};
#define NUM_REGISTRY_SUBJECTS (sizeof(registry_subjects) / sizeof(registry_subjects[0]))

#endif
