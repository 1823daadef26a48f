/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the token plane. Positions, not pointers: a plane of no tokens may be NULL. */
#ifndef KVP_POOL_TOKENS_H
#define KVP_POOL_TOKENS_H

#include <stddef.h>

#include <kvpool/layout.h>

/* Where a block's row begins in the plane. */
static inline size_t kvp_row(uint32_t block, uint32_t block_size)
{
  return (size_t)block * block_size;
}

/* plane[row .. row + length) becomes tokens[0 .. length). */
void kvp_tokens_store(uint32_t *plane, size_t row, const uint32_t *tokens, uint32_t length);
/* plane[to .. to + length) becomes plane[from .. from + length); the two do not overlap. */
void kvp_tokens_copy(uint32_t *plane, size_t to, size_t from, uint32_t length);
/* Whether plane[row .. row + length) is tokens[from .. from + length). */
int kvp_tokens_equal(const uint32_t *plane, size_t row, const uint32_t *tokens, size_t from,
                     uint32_t length);

#endif
