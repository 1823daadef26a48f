/* SPDX-License-Identifier: Apache-2.0 */
/* What a token block, one that is being filled, and a sequence of them hold. Public because the
   contracts speak of it; code that only uses them needs tokens.h and writes no field. */
#ifndef KVPOOL_TOKEN_BLOCK_H
#define KVPOOL_TOKEN_BLOCK_H

#include <stddef.h>
#include <stdint.h>

/* A finished block; its hashes are those of hash.h's first scheme. */
struct kvp_token_block {
  uint64_t block_hash;
  uint64_t sequence_hash;
  uint64_t parent;    /* the sequence hash of the block before, 0 if there is none */
  uint8_t has_parent; /* 0 or 1: every value is a legal hash */
};

/* A block that is being filled. */
struct kvp_partial {
  uint32_t block_size; /* tokens that make it full; not 0 */
  uint32_t length;     /* tokens it has */
  uint64_t salt;
  uint64_t parent; /* as in kvp_token_block */
  uint8_t has_parent;
  uint32_t *tokens; /* [block_size], the caller's */
};

/* Tokens, and the hashes of the blocks that they fill. A block is finished as soon as it is full,
   so the open tokens at the end are always fewer than block_size. */
struct kvp_sequence {
  uint32_t block_size; /* tokens a block; not 0 */
  uint32_t num_blocks; /* finished blocks */
  uint32_t max_blocks; /* blocks that there is room for */
  uint32_t open;       /* tokens after the finished blocks */
  size_t length;       /* all tokens: num_blocks * block_size + open */
  uint64_t salt;
  uint32_t *tokens;          /* [max_blocks * block_size], the caller's, as are the next two */
  uint64_t *block_hashes;    /* [max_blocks] */
  uint64_t *sequence_hashes; /* [max_blocks] */
};

/* Blocks first, first + 1, ..., count of them. */
struct kvp_block_range {
  uint32_t first;
  uint32_t count;
};

#endif
