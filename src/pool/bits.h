/* SPDX-License-Identifier: Apache-2.0 */
/* Single bits of 64-bit words. */
#ifndef KVP_POOL_BITS_H
#define KVP_POOL_BITS_H

#include <stdint.h>

static inline uint64_t kvp_bit_set(uint64_t word, uint32_t k)
{
  return word | ((uint64_t)1 << k);
}

static inline uint64_t kvp_bit_clear(uint64_t word, uint32_t k)
{
  return word & ~((uint64_t)1 << k);
}

static inline uint32_t kvp_lowest_bit_loop(uint64_t word)
{
  for (uint32_t k = 0; k < 64; k++)
    if ((word >> k) & 1)
      return k;
  return 64;
}

static inline uint32_t kvp_lowest_bit(uint64_t word)
{
#if defined(__GNUC__) && !defined(__FRAMAC__)
  return word == 0 ? 64 : (uint32_t)__builtin_ctzll(word);
#else
  return kvp_lowest_bit_loop(word);
#endif
}

#endif
