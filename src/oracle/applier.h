/* SPDX-License-Identifier: Apache-2.0 */
/* Anything that holds a pool and speaks the vocabulary: model, reference, device, subject. */
#ifndef KVP_ORACLE_APPLIER_H
#define KVP_ORACLE_APPLIER_H

#include <stddef.h>

#include <kvpool/op.h>
#include <kvpool/view.h>

struct kvp_applier {
  const char *name;
  void *self;
  /* Applies ops[0..n) in order and writes as many results. A status other than KVP_OK means
     that the applier itself failed and no result is to be trusted. */
  enum kvp_status (*apply)(void *self, const struct kvp_op *ops, size_t n,
                           struct kvp_result *results);
  void (*counts)(void *self, struct kvp_counts *counts);
  enum kvp_status (*view)(void *self, uint32_t block, struct kvp_view *view);
  uint32_t (*next_cached)(void *self, uint32_t block);
};

#endif
