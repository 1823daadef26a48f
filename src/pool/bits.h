/* SPDX-License-Identifier: Apache-2.0 */
/* Single bits of 64-bit words. */
#ifndef KVP_POOL_BITS_H
#define KVP_POOL_BITS_H

#include <stdint.h>

#ifdef __FRAMAC__
#include "spec/logic/idset.h"
#endif

/*@ requires bit: k < 64;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures set: Bit(\result, k);
    ensures rest: \forall integer j; 0 <= j < 64 ==> j != k ==> (Bit(\result, j) <==> Bit(word, j));
*/
static inline uint64_t kvp_bit_set(uint64_t word, uint32_t k)
{
  return word | ((uint64_t)1 << k);
}

/*@ requires bit: k < 64;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures clear: !Bit(\result, k);
    ensures rest: \forall integer j; 0 <= j < 64 ==> j != k ==> (Bit(\result, j) <==> Bit(word, j));
*/
static inline uint64_t kvp_bit_clear(uint64_t word, uint32_t k)
{
  return word & ~((uint64_t)1 << k);
}

/* The lowest bit that is set, or 64. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures range: 0 <= \result <= 64;
    ensures lower: \forall integer j; 0 <= j < \result ==> !Bit(word, j);
    ensures found: \result < 64 ==> Bit(word, \result);
    ensures some: \result < 64 <==> SomeBit(word);
*/
static inline uint32_t kvp_lowest_bit_loop(uint64_t word)
{
  /*@ loop invariant range: 0 <= k <= 64;
      loop invariant lower: \forall integer j; 0 <= j < k ==> !Bit(word, j);
      loop assigns k;
      loop variant 64 - k; */
  for (uint32_t k = 0; k < 64; k++)
    if ((word >> k) & 1)
      return k;
  return 64;
}

/* The same in one instruction. This one branch is not proved but tested against the loop;
   proofs/trusted.md names it. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures range: 0 <= \result <= 64;
    ensures lower: \forall integer j; 0 <= j < \result ==> !Bit(word, j);
    ensures found: \result < 64 ==> Bit(word, \result);
    ensures some: \result < 64 <==> SomeBit(word);
*/
static inline uint32_t kvp_lowest_bit(uint64_t word)
{
#if defined(__GNUC__) && !defined(__FRAMAC__)
  return word == 0 ? 64 : (uint32_t)__builtin_ctzll(word);
#else
  return kvp_lowest_bit_loop(word);
#endif
}

#endif
