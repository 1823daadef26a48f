/* SPDX-License-Identifier: Apache-2.0 */
/* Sequences of blocks, against plain arrays. */
#include <stdlib.h>

#include "fuzz/hash_play.h"

static void same_sequence(const struct kvp_sequence_play *play)
{
  const struct kvp_sequence *sequence = &play->sequence;
  size_t num_blocks = play->length / play->block_size, all = play->length;
  kvp_claim("length", 0, all, sequence->length);
  kvp_claim("blocks", 0, num_blocks, sequence->num_blocks);
  kvp_claim("open tokens", 0, all - num_blocks * play->block_size, sequence->open);
  kvp_claim("room", 0, (size_t)play->max_blocks * play->block_size - all,
            kvp_sequence_room(sequence));
  for (size_t i = 0; i < all; i++)
    kvp_claim("token", i, play->tokens[i], sequence->tokens[i]);
  for (uint32_t i = 0; i < num_blocks; i++) {
    struct kvp_token_block block = {3, 4, 5, 6};
    kvp_claim_status(KVP_OK, kvp_sequence_block(sequence, i, &block));
    kvp_hash_same_block(&play->judged[i], &block);
  }
}

void kvp_sequence_begin(struct kvp_sequence_play *play, struct kvp_bytes *head)
{
  uint8_t size = kvp_take_byte(head);
  struct kvp_bytes border = {&size, 1};
  uint32_t block_size = 1 + (size < 160 ? size % 16u : kvp_hash_draw_count(&border));
  play->block_size = block_size < KVP_HASH_TOKENS ? block_size : KVP_HASH_TOKENS;
  play->max_blocks = kvp_take_byte(head) % (KVP_HASH_BLOCKS + 1);
  if (play->max_blocks > KVP_HASH_ROOM / play->block_size)
    play->max_blocks = KVP_HASH_ROOM / play->block_size;
  play->salt = play->max_blocks * UINT64_C(0x9E3779B97F4A7C15);
  play->length = 0;
  size_t room = (size_t)play->max_blocks * play->block_size;
  kvp_tell("a sequence of %u blocks of %u tokens", (unsigned)play->max_blocks,
           (unsigned)play->block_size);
  kvp_claim_status(KVP_OK, kvp_sequence_init(&play->sequence, play->block_size, play->max_blocks,
                                             play->salt, kvp_hash_memory(room, sizeof(uint32_t)),
                                             kvp_hash_memory(play->max_blocks, sizeof(uint64_t)),
                                             kvp_hash_memory(play->max_blocks, sizeof(uint64_t))));
  same_sequence(play);
}

void kvp_sequence_end(struct kvp_sequence_play *play)
{
  free(play->sequence.tokens);
  free(play->sequence.block_hashes);
  free(play->sequence.sequence_hashes);
}

/* The judge's append. Whether it fills a block. */
static int judge_append(struct kvp_sequence_play *play, uint32_t token)
{
  play->tokens[play->length++] = token;
  if (play->length % play->block_size != 0)
    return 0;
  size_t index = play->length / play->block_size - 1;
  play->judged[index] = kvp_hash_judge_block(
    index == 0 ? NULL : &play->judged[index - 1].sequence_hash,
    play->tokens + play->length - play->block_size, play->block_size, play->salt);
  return 1;
}

static void append(struct kvp_hash_play *at)
{
  struct kvp_sequence_play *play = &at->sequence;
  uint32_t token = (uint32_t)kvp_hash_draw_word(&at->step), finished = 4242, judged = 4242;
  int full = play->length == (size_t)play->max_blocks * play->block_size;
  kvp_tell("sequence: append");
  if (!full)
    judged = judge_append(play, token) ? (uint32_t)(play->length / play->block_size) - 1 : KVP_NONE;
  kvp_claim_status(full ? KVP_FULL : KVP_OK,
                   kvp_sequence_append(&play->sequence, token, &finished));
  kvp_claim("finished", 0, judged, finished);
}

static void extend(struct kvp_hash_play *at)
{
  struct kvp_sequence_play *play = &at->sequence;
  struct kvp_block_range finished = {4242, 4242}, judged = finished;
  kvp_hash_draw_tokens(at);
  int full = at->count > (size_t)play->max_blocks * play->block_size - play->length;
  kvp_tell("sequence: extend by %u tokens", (unsigned)at->count);
  kvp_claim_status(KVP_ARGUMENT,
                   kvp_sequence_extend(&play->sequence, NULL, 1 + at->count, &finished));
  kvp_claim("first finished by an error", 0, 4242, finished.first);
  kvp_claim_status(KVP_OK, kvp_sequence_extend(&play->sequence, NULL, 0, &finished));
  kvp_claim("number finished by nothing", 0, 0, finished.count);
  finished = judged;
  if (!full) {
    judged = (struct kvp_block_range){(uint32_t)(play->length / play->block_size), 0};
    for (uint32_t i = 0; i < at->count; i++)
      judged.count += (uint32_t)judge_append(play, at->tokens[i]);
  }
  kvp_claim_status(full ? KVP_FULL : KVP_OK,
                   kvp_sequence_extend(&play->sequence, at->tokens, at->count, &finished));
  kvp_claim("first finished", 0, judged.first, finished.first);
  kvp_claim("number of finished", 0, judged.count, finished.count);
}

static void cut(struct kvp_sequence_play *play, size_t length)
{
  kvp_tell("sequence: truncate to %zu", length);
  if (length < play->length)
    play->length = length;
  kvp_sequence_truncate(&play->sequence, length);
}

static void unwind(struct kvp_sequence_play *play, size_t count)
{
  int enough = count <= play->length;
  kvp_tell("sequence: unwind %zu", count);
  play->length -= enough ? count : 0;
  kvp_claim_status(enough ? KVP_OK : KVP_RANGE, kvp_sequence_unwind(&play->sequence, count));
}

static void pop_last(struct kvp_sequence_play *play)
{
  uint32_t token = 4242, judged = 4242;
  int empty = play->length == 0;
  kvp_tell("sequence: pop");
  if (!empty)
    judged = play->tokens[--play->length];
  kvp_claim_status(empty ? KVP_EMPTY : KVP_OK, kvp_sequence_pop(&play->sequence, &token));
  kvp_claim("popped", 0, judged, token);
}

static void look_beyond(const struct kvp_sequence_play *play, uint32_t further)
{
  static const struct kvp_token_block untouched = {3, 4, 5, 6};
  struct kvp_token_block block = untouched;
  uint32_t index = (uint32_t)(play->length / play->block_size) + further;
  kvp_tell("sequence: block %u", (unsigned)index);
  kvp_claim_status(KVP_RANGE, kvp_sequence_block(&play->sequence, index, &block));
  kvp_hash_same_block(&untouched, &block);
}

/* Of sizes that no memory has; nothing is read or written there. */
static void init_extremes(struct kvp_bytes *step)
{
  static uint32_t token;
  static uint64_t hash;
  uint32_t block_size = (uint32_t)kvp_hash_draw_word(step);
  uint32_t max_blocks = (uint32_t)kvp_hash_draw_word(step);
  uint8_t missing = kvp_take_byte(step) % 8;
  struct kvp_sequence sequence = {.length = 4242};
  enum kvp_status judge = KVP_OK;
  if (block_size == 0 || (max_blocks != 0 && missing != 0))
    judge = KVP_ARGUMENT;
  else if (max_blocks > SIZE_MAX / sizeof(uint32_t) / block_size)
    judge = KVP_OVERFLOW;
  kvp_tell("init a sequence of %u blocks of %u tokens", (unsigned)max_blocks, (unsigned)block_size);
  kvp_claim_status(judge, kvp_sequence_init(&sequence, block_size, max_blocks, 7,
                                            missing & 1 ? NULL : &token, missing & 2 ? NULL : &hash,
                                            missing & 4 ? NULL : &hash));
  kvp_claim("length", 0, judge == KVP_OK ? 0 : 4242, sequence.length);
  kvp_claim("block size", 0, judge == KVP_OK ? block_size : 0, sequence.block_size);
  kvp_claim("most blocks", 0, judge == KVP_OK ? max_blocks : 0, sequence.max_blocks);
  if (judge == KVP_OK)
    kvp_claim("room", 0, (uint64_t)max_blocks * block_size, kvp_sequence_room(&sequence));
}

void kvp_sequence_step(struct kvp_hash_play *at, uint8_t how)
{
  struct kvp_sequence_play *play = &at->sequence;
  struct kvp_bytes *step = &at->step;
  switch (how % 8) {
  case 0: append(at); break;
  case 1: pop_last(play); break;
  case 2: cut(play, kvp_hash_draw_count(step)); break;
  case 3: unwind(play, kvp_hash_draw_count(step)); break;
  case 4: unwind(play, kvp_hash_draw_word(step)); break;
  case 5:
    if (how < 8)
      look_beyond(play, (uint32_t)kvp_hash_draw_word(step) % (UINT32_MAX - KVP_HASH_BLOCKS));
    else
      init_extremes(step);
    break;
  default: extend(at);
  }
  same_sequence(play);
}
