/* SPDX-License-Identifier: Apache-2.0 */
/* The id set: a bitmap and three levels of summaries. */
#include "src/pool/idset.h"

#include "src/pool/bits.h"

void kvp_idset_init(struct kvp_idset *set, uint32_t num_ids)
{
  uint32_t groups0 = (num_ids + 4095) / 4096;
  uint32_t groups1 = (groups0 + 63) / 64;
  set->words0 = 64 * groups0;
  set->words1 = 64 * groups1;
  for (uint32_t w = 0; w < set->words0; w++)
    set->level0[w] = 0;
  for (uint32_t w = 0; w < set->words1; w++)
    set->level1[w] = 0;
  for (uint32_t w = 0; w < 64; w++)
    set->level2[w] = 0;
  set->level3 = 0;
}

void kvp_idset_add(struct kvp_idset *set, uint32_t id)
{
  uint32_t w0 = id / 64, w1 = w0 / 64, w2 = w1 / 64;
  set->level0[w0] = kvp_bit_set(set->level0[w0], id % 64);
  set->level1[w1] = kvp_bit_set(set->level1[w1], w0 % 64);
  set->level2[w2] = kvp_bit_set(set->level2[w2], w1 % 64);
  set->level3 = kvp_bit_set(set->level3, w2);
}

void kvp_idset_remove(struct kvp_idset *set, uint32_t id)
{
  uint32_t w0 = id / 64, w1 = w0 / 64, w2 = w1 / 64;
  set->level0[w0] = kvp_bit_clear(set->level0[w0], id % 64);
  if (kvp_lowest_bit(set->level0[w0]) < 64)
    return;
  set->level1[w1] = kvp_bit_clear(set->level1[w1], w0 % 64);
  if (kvp_lowest_bit(set->level1[w1]) < 64)
    return;
  set->level2[w2] = kvp_bit_clear(set->level2[w2], w1 % 64);
  if (kvp_lowest_bit(set->level2[w2]) < 64)
    return;
  set->level3 = kvp_bit_clear(set->level3, w2);
}

uint32_t kvp_idset_lowest(const struct kvp_idset *set)
{
  uint32_t w2 = kvp_lowest_bit(set->level3);
  if (w2 == 64)
    return KVP_NONE;
  uint32_t w1 = 64 * w2 + kvp_lowest_bit(set->level2[w2]);
  uint32_t w0 = 64 * w1 + kvp_lowest_bit(set->level1[w1]);
  return 64 * w0 + kvp_lowest_bit(set->level0[w0]);
}
