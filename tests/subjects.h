/* SPDX-License-Identifier: Apache-2.0 */
/* The pools that every test of the semantics runs over: the model, then the reference. */
#ifndef KVP_TESTS_SUBJECTS_H
#define KVP_TESTS_SUBJECTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <kvpool/pool.h>

#include "src/oracle/appliers.h"

#define MODEL 0
#define REFERENCE 1
#define NUM_SUBJECTS 2

struct subjects {
  struct kvp_applier of[NUM_SUBJECTS];
};

static inline void subjects_open(struct subjects *subjects, uint32_t num_blocks,
                                 uint32_t max_blocks, uint32_t block_size)
{
  assert_int_equal(kvp_open_model(num_blocks, max_blocks, block_size, &subjects->of[MODEL]),
                   KVP_OK);
  assert_int_equal(kvp_open_reference(num_blocks, max_blocks, block_size, &subjects->of[REFERENCE]),
                   KVP_OK);
}

static inline void subjects_close(struct subjects *subjects)
{
  kvp_close_model(&subjects->of[MODEL]);
  kvp_close_reference(&subjects->of[REFERENCE]);
}

/* The result starts as rubbish, so that a field left unwritten shows. */
static inline struct kvp_result apply_one(const struct kvp_applier *subject, struct kvp_op op)
{
  struct kvp_result result;
  memset(&result, 0x5A, sizeof result);
  assert_int_equal(subject->apply(subject->self, &op, 1, &result), KVP_OK);
  return result;
}

static inline int result_equal(const struct kvp_result *a, const struct kvp_result *b)
{
  return a->status == b->status && a->block == b->block && a->moved_to == b->moved_to
         && a->count == b->count && a->evicted.count == b->evicted.count
         && a->evicted.hash == b->evicted.hash;
}

static inline int units_equal(const struct kvp_unit *a, const struct kvp_unit *b, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    if (a[i].block != b[i].block || a[i].evicted.count != b[i].evicted.count
        || a[i].evicted.hash != b[i].evicted.hash)
      return 0;
  return 1;
}

#endif
