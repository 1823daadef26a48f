/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the token plane. */
#include "src/pool/tokens.h"

void kvp_tokens_store(uint32_t *plane, size_t row, const uint32_t *tokens, uint32_t length)
{
  /*@ loop invariant range: 0 <= i <= length;
      loop invariant stored: \forall integer k; row <= k < row + i ==> plane[k] == tokens[k - row];
      loop assigns i, plane[row .. row + length - 1];
      loop variant length - i; */
  for (uint32_t i = 0; i < length; i++)
    plane[row + i] = tokens[i];
}

void kvp_tokens_copy(uint32_t *plane, size_t to, size_t from, uint32_t length)
{
  /*@ loop invariant range: 0 <= i <= length;
      loop invariant copied: \forall integer k; to <= k < to + i ==>
        plane[k] == \at(plane[k - to + from], Pre);
      loop invariant source: \forall integer k; from <= k < from + length ==>
        plane[k] == \at(plane[k], Pre);
      loop assigns i, plane[to .. to + length - 1];
      loop variant length - i; */
  for (uint32_t i = 0; i < length; i++)
    plane[to + i] = plane[from + i];
}

int kvp_tokens_equal(const uint32_t *plane, size_t row, const uint32_t *tokens, size_t from,
                     uint32_t length)
{
  /*@ loop invariant range: 0 <= i <= length;
      loop invariant equal: \forall integer k; row <= k < row + i ==>
        plane[k] == tokens[k - row + from];
      loop assigns i;
      loop variant length - i; */
  for (uint32_t i = 0; i < length; i++)
    if (plane[row + i] != tokens[from + i])
      return 0;
  return 1;
}
