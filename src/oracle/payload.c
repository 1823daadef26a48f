/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns that blocks hold, and where a block differs from its own. */
#include "src/oracle/payload.h"

#include <stdlib.h>

static uint32_t planes_of(const struct kvp_device_shape *shape)
{
  return shape->num_planes == 0 ? 1 : shape->num_planes;
}

uint32_t kvp_payload_words(const struct kvp_device_shape *shape)
{
  return planes_of(shape) * (shape->block_bytes / 4);
}

struct kvp_pattern kvp_pattern_of(uint64_t seed, uint32_t words)
{
  struct kvp_pattern pattern = {.seed = seed};

  for (uint32_t i = 0; i < words; i++)
    pattern.digest += kvp_payload_digest(i, kvp_payload_word(seed, i));
  return pattern;
}

/* One plane at a time, into `found`, against the pattern's part in `expected`. */
static enum kvp_status locate_word(struct kvp_device *device, const struct kvp_device_shape *shape,
                                   uint32_t block, uint64_t seed, uint32_t *expected,
                                   uint32_t *found, struct kvp_difference *difference)
{
  uint32_t words = shape->block_bytes / 4;

  for (uint32_t plane = 0; plane < planes_of(shape); plane++) {
    enum kvp_status status = kvp_device_read_payload(device, plane, block, 1, found);
    if (status != KVP_OK)
      return status;
    for (uint32_t i = 0; i < words; i++)
      expected[i] = kvp_payload_word(seed, plane * words + i);
    if (!kvp_payloads_differ(expected, found, 1, words, difference))
      continue;
    difference->index = block;
    difference->element += (size_t)plane * words;
    return KVP_OK;
  }
  return KVP_OK;
}

enum kvp_status kvp_payload_locate(struct kvp_device *device, const struct kvp_device_shape *shape,
                                   uint32_t block, const struct kvp_pattern *pattern,
                                   uint64_t digest, struct kvp_difference *difference)
{
  uint32_t *expected = malloc((size_t)shape->block_bytes + 1);
  uint32_t *found = malloc((size_t)shape->block_bytes + 1);
  enum kvp_status status = KVP_MEMORY;

  *difference = (struct kvp_difference){.place = KVP_IN_DIGEST,
                                        .field = "digest",
                                        .index = block,
                                        .left = pattern->digest,
                                        .right = digest};
  if (expected != NULL && found != NULL)
    status = locate_word(device, shape, block, pattern->seed, expected, found, difference);
  free(expected);
  free(found);
  return status;
}
