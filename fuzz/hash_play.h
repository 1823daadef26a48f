/* SPDX-License-Identifier: Apache-2.0 */
/* An input of the hash target at play: a stream, a block that is being filled, and a sequence, each
   beside the plain array of tokens that it stands for. */
#ifndef KVP_FUZZ_HASH_PLAY_H
#define KVP_FUZZ_HASH_PLAY_H

#include <kvpool/hash.h>
#include <kvpool/tokens.h>

#include "fuzz/claim.h"

enum {
  KVP_HASH_HEAD = 5, /* bytes of an input's head */
  KVP_HASH_STEP = 4, /* and of each of its steps, an operation */

  KVP_HASH_TOKENS = 600, /* most tokens that an operation brings, and of a block */
  KVP_HASH_ROOM = 2400,  /* most tokens of a stream or a sequence */
  KVP_HASH_BLOCKS = 24   /* most blocks of a sequence */
};

struct kvp_hash_stream_play {
  struct kvp_hash_stream stream;
  uint64_t salt;
  size_t length;
  uint32_t tokens[KVP_HASH_ROOM];
};

struct kvp_partial_play {
  struct kvp_partial partial, judge;
  uint32_t tokens[KVP_HASH_TOKENS]; /* the judge's: [judge.length] */
};

struct kvp_sequence_play {
  struct kvp_sequence sequence;
  uint32_t block_size, max_blocks;
  uint64_t salt;
  size_t length;
  uint32_t tokens[KVP_HASH_ROOM];
  struct kvp_token_block judged[KVP_HASH_BLOCKS]; /* each as it was last filled */
};

struct kvp_hash_play {
  struct kvp_bytes step;  /* what is left of the input's current step */
  uint32_t count;         /* tokens that the current operation brings, */
  const uint32_t *tokens; /* which lie where none can be read behind them */
  struct kvp_hash_stream_play stream;
  struct kvp_partial_play partial;
  struct kvp_sequence_play sequence;
};

/* Draws of bytes: any 64-bit number, some of them extreme; a count; the tokens of an operation. */
uint64_t kvp_hash_draw_word(struct kvp_bytes *bytes);
uint32_t kvp_hash_draw_count(struct kvp_bytes *bytes);
void kvp_hash_draw_tokens(struct kvp_hash_play *play);

/* A finished block by the formula. */
uint64_t kvp_hash_judge(const uint32_t *tokens, size_t length, uint64_t salt);
uint64_t kvp_hash_judge_after(uint64_t parent, uint64_t block_hash, uint64_t salt);
struct kvp_token_block kvp_hash_judge_block(const uint64_t *parent, const uint32_t *tokens,
                                            uint32_t length, uint64_t salt);
void kvp_hash_same_block(const struct kvp_token_block *judge, const struct kvp_token_block *block);

/* Memory of just this size, so that a step beyond it is seen; some even for nothing. */
void *kvp_hash_memory(size_t n, size_t size);

/* Begins as the head says; memory of the subjects is given back at the end. */
void kvp_partial_begin(struct kvp_partial_play *play, struct kvp_bytes *head);
void kvp_partial_end(struct kvp_partial_play *play);
void kvp_sequence_begin(struct kvp_sequence_play *play, struct kvp_bytes *head);
void kvp_sequence_end(struct kvp_sequence_play *play);

/* An operation of each. */
void kvp_partial_step(struct kvp_hash_play *play, uint8_t how);
void kvp_sequence_step(struct kvp_hash_play *play, uint8_t how);

#endif
