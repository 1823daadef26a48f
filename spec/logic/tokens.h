/* SPDX-License-Identifier: Apache-2.0 */
/* Logic: the token plane, one row a block. */
#ifndef KVP_LOGIC_TOKENS_H
#define KVP_LOGIC_TOKENS_H

/*@
// Where the row of block b begins, for rows of s tokens.
logic integer Row(integer b, integer s) = b * s;

lemma RowNext: \forall integer a, b, s; 0 <= a < b ==> 0 <= s ==> Row(a, s) + s <= Row(b, s);
*/

#endif
