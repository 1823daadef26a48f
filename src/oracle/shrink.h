/* SPDX-License-Identifier: Apache-2.0 */
/* From an input that fails to a small one that fails. */
#ifndef KVP_ORACLE_SHRINK_H
#define KVP_ORACLE_SHRINK_H

#include "src/oracle/mutate.h"

struct kvp_shrinker {
  struct kvp_format format;
  /* Whether an input still fails, in whatever way counts as the same. */
  int (*fails)(void *context, const uint8_t *bytes, size_t size);
  void *context;
  size_t most_runs; /* of `fails` */
};

/* Takes steps out of bytes[0 .. size) and makes the numbers in the others smaller for as long as it
   fails, as it does at first. The new size. No step that is left can be taken out alone, unless
   most_runs were used up. */
size_t kvp_shrink(const struct kvp_shrinker *shrinker, uint8_t *bytes, size_t size);

#endif
