/* SPDX-License-Identifier: Apache-2.0 */
/* Logic: the token plane, one row a block. */
#ifndef KVP_LOGIC_TOKENS_H
#define KVP_LOGIC_TOKENS_H

/*@
// Where row b begins, for rows of n tokens: where the one before ends. The provers know it as
// b * n only where kvp_row and element show that.
logic integer Row(integer b, integer n) = b <= 0 ? 0 : Row(b - 1, n) + n;
*/

#endif
