/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the token plane. Positions, not pointers: a plane of no tokens may be NULL. */
#ifndef KVP_POOL_TOKENS_H
#define KVP_POOL_TOKENS_H

#include <stddef.h>
#include <stdint.h>

#include <kvpool/layout.h>

#ifdef __FRAMAC__
#include "spec/logic/tokens.h"
#endif

/* Where a block's row of `size` tokens begins. */
/*@ requires block: block < KVP_CAPACITY;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures row: \result == Row(block, size);
    ensures small: \result <= 72057594037927936;
    ensures inside: \forall integer blocks; block < blocks <= KVP_CAPACITY ==>
      \result + size <= Row(blocks, size) <= 72057594037927936;
    ensures apart: \forall integer i; 0 <= i < KVP_CAPACITY ==> i != block ==>
      \result + size <= Row(i, size) || Row(i, size) + size <= \result;
*/
size_t kvp_tokens_row(uint32_t block, uint32_t size);

/* plane[row .. row + length) becomes tokens[0 .. length). */
/*@ requires plane: length > 0 ==> \valid(plane + (row .. row + length - 1));
    requires tokens: length > 0 ==> \valid_read(tokens + (0 .. length - 1));
    requires apart: \separated(plane + (row .. row + length - 1), tokens + (0 .. length - 1));
    requires small: row <= 72057594037927936;
    terminates \true;
    exits \false;
    assigns plane[row .. row + length - 1];
    ensures stored: \forall integer k; row <= k < row + length ==> plane[k] == tokens[k - row];
*/
void kvp_tokens_store(uint32_t *plane, size_t row, const uint32_t *tokens, uint32_t length);

/* plane[to .. to + length) becomes plane[from .. from + length); the two do not overlap. */
/*@ requires to: length > 0 ==> \valid(plane + (to .. to + length - 1));
    requires from: length > 0 ==> \valid_read(plane + (from .. from + length - 1));
    requires apart: to + length <= from || from + length <= to;
    requires small: to <= 72057594037927936 && from <= 72057594037927936;
    terminates \true;
    exits \false;
    assigns plane[to .. to + length - 1];
    ensures copied: \forall integer k; to <= k < to + length ==>
      plane[k] == \old(plane[k - to + from]);
*/
void kvp_tokens_copy(uint32_t *plane, size_t to, size_t from, uint32_t length);

/* Whether plane[row .. row + length) is tokens[from .. from + length). */
/*@ requires plane: length > 0 ==> \valid_read(plane + (row .. row + length - 1));
    requires tokens: length > 0 ==> \valid_read(tokens + (from .. from + length - 1));
    requires small: row <= 72057594037927936 && from <= 18446744069414584320;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures equal: \result != 0 <==>
      (\forall integer k; row <= k < row + length ==> plane[k] == tokens[k - row + from]);
*/
int kvp_tokens_equal(const uint32_t *plane, size_t row, const uint32_t *tokens, size_t from,
                     uint32_t length);

#endif
