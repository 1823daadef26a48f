/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the token plane. */
#include "src/pool/tokens.h"

size_t kvp_tokens_row(uint32_t block, uint32_t size)
{
  /*@ ghost
      /@ loop invariant range: 0 <= i <= KVP_CAPACITY;
         loop invariant product: \forall integer b; 0 <= b <= i ==> Row(b, size) == b * size;
         loop invariant apart: \forall integer a, b; 0 <= a < b <= i ==>
           Row(a, size) + size <= Row(b, size);
         loop assigns i;
         loop variant KVP_CAPACITY - i; @/
      for (uint32_t i = 0; i < KVP_CAPACITY; i++)
        ;
      /@ assert row: block * size == Row(block, size); @/
      /@ assert after: \forall integer i; block < i <= KVP_CAPACITY ==>
           Row(block, size) + size <= Row(i, size); @/
      /@ assert before: \forall integer i; 0 <= i < block ==>
           Row(i, size) + size <= Row(block, size); @/
  */
  return (size_t)block * size;
}

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
