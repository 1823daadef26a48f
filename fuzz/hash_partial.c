/* SPDX-License-Identifier: Apache-2.0 */
/* Finished blocks, and those that are filled, against plain arrays. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/hash_play.h"

struct kvp_token_block kvp_hash_judge_block(const uint64_t *parent, const uint32_t *tokens,
                                            uint32_t length, uint64_t salt)
{
  uint64_t hash = kvp_hash_judge(tokens, length, salt);
  if (parent == NULL)
    return (struct kvp_token_block){hash, hash, 0, 0};
  return (struct kvp_token_block){hash, kvp_hash_judge_after(*parent, hash, salt), *parent, 1};
}

void kvp_hash_same_block(const struct kvp_token_block *judge, const struct kvp_token_block *block)
{
  kvp_claim("block hash", 0, judge->block_hash, block->block_hash);
  kvp_claim("sequence hash", 0, judge->sequence_hash, block->sequence_hash);
  kvp_claim("parent", 0, judge->parent, block->parent);
  kvp_claim("whether it has a parent", 0, judge->has_parent, block->has_parent);
}

void *kvp_hash_memory(size_t n, size_t size)
{
  void *memory = malloc(n == 0 ? 1 : n * size);
  if (memory == NULL)
    abort();
  return memory;
}

static void same_partial(const struct kvp_partial_play *play)
{
  const struct kvp_partial *judge = &play->judge, *partial = &play->partial;
  kvp_claim("block size", 0, judge->block_size, partial->block_size);
  kvp_claim("length", 0, judge->length, partial->length);
  kvp_claim("remaining", 0, judge->block_size - judge->length, kvp_partial_remaining(partial));
  kvp_claim("salt", 0, judge->salt, partial->salt);
  kvp_claim("parent", 0, judge->parent, partial->parent);
  kvp_claim("whether it has a parent", 0, judge->has_parent, partial->has_parent);
  kvp_claim("whether its memory is another", 0, 0, judge->tokens != partial->tokens);
  for (uint32_t i = 0; i < judge->length; i++)
    kvp_claim("token", i, play->tokens[i], partial->tokens[i]);
}

/* Bit 0 of the style says whether a block comes before, bits 1 and 2 whether memory is missing, the
   rest are the parent. */
static void init_partial(struct kvp_partial_play *play, uint32_t block_size, uint64_t salt,
                         uint8_t style)
{
  uint32_t *tokens = style / 2 % 4 == 3 ? NULL : kvp_hash_memory(block_size, sizeof *tokens);
  uint8_t rest = style / 8;
  struct kvp_bytes bytes = {&rest, 1};
  uint64_t parent = kvp_hash_draw_word(&bytes);
  struct kvp_partial judge = {block_size, 0, salt, 0, 0, tokens};
  enum kvp_status status;
  kvp_tell("partial: init, %u tokens", (unsigned)block_size);
  if (style % 2 == 0) {
    status = kvp_partial_init(&play->partial, block_size, tokens, salt);
  } else {
    status = kvp_partial_init_after(&play->partial, block_size, tokens, salt, parent);
    judge.parent = parent;
    judge.has_parent = 1;
  }
  kvp_claim_status(block_size == 0 || tokens == NULL ? KVP_ARGUMENT : KVP_OK, status);
  if (status == KVP_OK) {
    free(play->judge.tokens);
    play->judge = judge;
  } else {
    free(tokens);
  }
}

void kvp_partial_begin(struct kvp_partial_play *play, struct kvp_bytes *head)
{
  uint8_t size = kvp_take_byte(head);
  play->judge.tokens = NULL;
  init_partial(play, 1 + size % 64, kvp_hash_draw_word(head), size / 64);
  same_partial(play);
}

void kvp_partial_end(struct kvp_partial_play *play) { free(play->partial.tokens); }

static void push(struct kvp_hash_play *at)
{
  struct kvp_partial_play *play = &at->partial;
  uint32_t token = (uint32_t)kvp_hash_draw_word(&at->step), length = play->judge.length;
  int full = length == play->judge.block_size;
  kvp_tell("partial: push");
  if (!full)
    play->tokens[play->judge.length++] = token;
  kvp_claim_status(full ? KVP_FULL : KVP_OK, kvp_partial_push(&play->partial, token));
}

static void push_many(struct kvp_hash_play *at)
{
  struct kvp_partial_play *play = &at->partial;
  uint32_t room = play->judge.block_size - play->judge.length, taken = 4242;
  kvp_hash_draw_tokens(at);
  kvp_tell("partial: push %u tokens", (unsigned)at->count);
  kvp_claim_status(KVP_ARGUMENT,
                   kvp_partial_push_many(&play->partial, NULL, 1 + at->count, &taken));
  kvp_claim("taken by an error", 0, 4242, taken);
  kvp_claim_status(KVP_OK, kvp_partial_push_many(&play->partial, NULL, 0, &taken));
  kvp_claim("taken of nothing", 0, 0, taken);
  kvp_claim_status(KVP_OK, kvp_partial_push_many(&play->partial, at->tokens, at->count, &taken));
  kvp_claim("taken", 0, at->count < room ? at->count : room, taken);
  memcpy(play->tokens + play->judge.length, at->tokens, taken * sizeof *at->tokens);
  play->judge.length += taken;
}

static void pop(struct kvp_partial_play *play)
{
  int empty = play->judge.length == 0;
  kvp_tell("partial: pop");
  play->judge.length -= !empty;
  kvp_claim_status(empty ? KVP_EMPTY : KVP_OK, kvp_partial_pop(&play->partial));
}

static void pop_many(struct kvp_partial_play *play, uint32_t count)
{
  int enough = play->judge.length >= count;
  kvp_tell("partial: pop %u tokens", (unsigned)count);
  play->judge.length -= enough ? count : 0;
  kvp_claim_status(enough ? KVP_OK : KVP_RANGE, kvp_partial_pop_many(&play->partial, count));
}

static void commit(struct kvp_partial_play *play)
{
  struct kvp_partial *judge = &play->judge;
  struct kvp_token_block block = {3, 4, 5, 6}, judged = block;
  int full = judge->length == judge->block_size;
  kvp_tell("partial: commit");
  kvp_claim_status(full ? KVP_OK : KVP_STATE, kvp_partial_commit(&play->partial, &block));
  if (full) {
    judged = kvp_hash_judge_block(judge->has_parent ? &judge->parent : NULL, play->tokens,
                                  judge->length, judge->salt);
    judge->length = 0;
    judge->parent = judged.sequence_hash;
    judge->has_parent = 1;
  }
  kvp_hash_same_block(&judged, &block);
}

void kvp_partial_step(struct kvp_hash_play *at, uint8_t how)
{
  struct kvp_bytes *step = &at->step;
  switch (how % 8) {
  case 0: push(at); break;
  case 1: pop(&at->partial); break;
  case 2: pop_many(&at->partial, kvp_hash_draw_count(step)); break;
  case 3:
  case 4: commit(&at->partial); break;
  case 5: {
    uint32_t block_size = kvp_hash_draw_count(step);
    uint64_t salt = kvp_hash_draw_word(step);
    init_partial(&at->partial, block_size, salt, kvp_take_byte(step));
    break;
  }
  default: push_many(at);
  }
  same_partial(&at->partial);
}
