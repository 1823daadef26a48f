/* SPDX-License-Identifier: Apache-2.0 */
/* Logic: the token plane, one row a block. */
#ifndef KVP_LOGIC_TOKENS_H
#define KVP_LOGIC_TOKENS_H

#include <stdint.h>

/*@
// Where row b begins, for rows of n tokens: where the one before ends. The provers know it as
// b * n only where kvp_tokens_row and element show that.
logic integer Row(integer b, integer n) = b <= 0 ? 0 : Row(b - 1, n) + n;

// The tokens in row b of a plane with rows of n tokens are as they were.
predicate RowKept{L1, L2}(uint32_t *plane, integer n, integer b) =
  \forall integer k; Row(b, n) <= k < Row(b, n) + n ==> \at(plane[k], L1) == \at(plane[k], L2);
*/

#endif
