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
  /*@ loop invariant range: 0 <= w <= set->words0;
      loop invariant zero: \forall integer k; 0 <= k < w ==> set->level0[k] == 0;
      loop assigns w, set->level0[0 .. KVP_IDSET_WORDS0 - 1];
      loop variant set->words0 - w; */
  for (uint32_t w = 0; w < set->words0; w++)
    set->level0[w] = 0;
  /*@ loop invariant range: 0 <= w <= set->words1;
      loop invariant zero: \forall integer k; 0 <= k < w ==> set->level1[k] == 0;
      loop assigns w, set->level1[0 .. KVP_IDSET_WORDS1 - 1];
      loop variant set->words1 - w; */
  for (uint32_t w = 0; w < set->words1; w++)
    set->level1[w] = 0;
  /*@ loop invariant range: 0 <= w <= 64;
      loop invariant zero: \forall integer k; 0 <= k < w ==> set->level2[k] == 0;
      loop assigns w, set->level2[0 .. 63];
      loop variant 64 - w; */
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
  if (w2 == 64) {
    //@ assert level2: \forall integer w; 0 <= w < 64 ==> !SomeBit(set->level2[w]);
    //@ assert level1: \forall integer w; 0 <= w < set->words1 ==> !SomeBit(set->level1[w]);
    //@ assert level0: \forall integer w; 0 <= w < set->words0 ==> !SomeBit(set->level0[w]);
    return KVP_NONE;
  }
  //@ assert known2: w2 < set->words1 / 64;
  uint32_t b1 = kvp_lowest_bit(set->level2[w2]);
  uint32_t w1 = 64 * w2 + b1;
  //@ assert bit1: b1 < 64 && Bit(set->level2[w1 / 64], w1 % 64);
  //@ assert known1: w1 < set->words0 / 64;
  //@ assert below1: \forall integer w; 0 <= w < w1 ==> !SomeBit(set->level1[w]);
  uint32_t b0 = kvp_lowest_bit(set->level1[w1]);
  uint32_t w0 = 64 * w1 + b0;
  //@ assert bit0: b0 < 64 && Bit(set->level1[w0 / 64], w0 % 64);
  //@ assert known0: w0 < set->words0;
  //@ assert below0: \forall integer w; 0 <= w < w0 ==> !SomeBit(set->level0[w]);
  return 64 * w0 + kvp_lowest_bit(set->level0[w0]);
}
