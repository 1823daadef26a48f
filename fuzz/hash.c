/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target of hashes, token blocks and sequences: any bytes become operations on them, which
   the formula and plain arrays of tokens judge. */
#include <string.h>

#include "fuzz/formula.h"
#include "fuzz/hash_play.h"

enum { MOST_BYTES = 8 * (KVP_HASH_TOKENS + 1) };

static struct kvp_hash_play play;

uint64_t kvp_hash_draw_word(struct kvp_bytes *bytes)
{
  static const uint64_t extremes[] = {
    0, 1, 1337, INT64_MAX, UINT64_C(1) << 63, UINT64_MAX, UINT32_MAX, UINT64_C(1) << 32};
  uint8_t byte = kvp_take_byte(bytes);
  return byte < 8 ? extremes[byte] : byte * UINT64_C(0x9E3779B97F4A7C15);
}

/* Often few; and both sides of the borders between the formula's classes and our chunks. */
uint32_t kvp_hash_draw_count(struct kvp_bytes *bytes)
{
  static const uint16_t borders[] = {59,  60,  61,  64,  80,  128, 240, 255,
                                     256, 257, 272, 511, 512, 513, 528, KVP_HASH_TOKENS};
  uint8_t byte = kvp_take_byte(bytes);
  return byte < 240 ? byte % 40 : borders[byte - 240];
}

void kvp_hash_draw_tokens(struct kvp_hash_play *at)
{
  static uint32_t tokens[KVP_HASH_TOKENS];
  at->count = kvp_hash_draw_count(&at->step);
  uint32_t *given = tokens + KVP_HASH_TOKENS - at->count, style = kvp_take_byte(&at->step);
  for (uint32_t i = 0; i < at->count; i++)
    given[i] = style < 2 ? 0 - style : style == 2 ? i : (i + style) * 0x9E3779B1 ^ style << 16;
  at->tokens = given;
}

static void put(uint8_t *bytes, uint64_t value, int n)
{
  for (int i = 0; i < n; i++)
    bytes[i] = (uint8_t)(value >> 8 * i);
}

uint64_t kvp_hash_judge(const uint32_t *tokens, size_t length, uint64_t salt)
{
  static uint8_t bytes[4 * KVP_HASH_ROOM];
  for (size_t i = 0; i < length; i++)
    put(bytes + 4 * i, tokens[i], 4);
  return kvp_formula_xxh3(bytes, 4 * length, salt);
}

uint64_t kvp_hash_judge_after(uint64_t parent, uint64_t block_hash, uint64_t salt)
{
  uint8_t bytes[16];
  put(bytes, parent, 8);
  put(bytes + 8, block_hash, 8);
  return kvp_formula_xxh3(bytes, sizeof bytes, salt);
}

static void hash_block(void)
{
  uint64_t hash = 0, salt = kvp_hash_draw_word(&play.step);
  kvp_hash_draw_tokens(&play);
  kvp_tell("hash a block of %u tokens", (unsigned)play.count);
  kvp_claim_status(KVP_OK, kvp_hash_block(play.tokens, play.count, salt, &hash));
  kvp_claim("block hash of so many tokens", play.count,
            kvp_hash_judge(play.tokens, play.count, salt), hash);
}

static void hash_chain(void)
{
  static uint8_t bytes[MOST_BYTES];
  uint64_t hash = 0, word = kvp_hash_draw_word(&play.step);
  kvp_hash_draw_tokens(&play);
  uint64_t *parent = word % 4 == 3 ? NULL : &word;
  size_t size = parent == NULL ? 0 : 8;
  put(bytes, word, 8);
  for (uint32_t i = 0; i < play.count; i++, size += 8)
    put(bytes + size, play.tokens[i], 8);
  kvp_tell("hash %u tokens after %s", (unsigned)play.count, parent == NULL ? "nothing" : "a hash");
  kvp_claim_status(KVP_OK, kvp_hash_chain(parent, play.tokens, play.count, &hash));
  kvp_claim("chained hash of so many tokens", play.count, kvp_formula_xxh64(bytes, size, 0), hash);
}

static void hash_salt(void)
{
  static uint8_t bytes[MOST_BYTES];
  uint32_t size = kvp_hash_draw_count(&play.step), style = kvp_take_byte(&play.step);
  uint8_t *name = bytes + MOST_BYTES - size;
  uint64_t salt = 0;
  for (uint32_t i = 0; i < size; i++)
    name[i] = (uint8_t)((i + style) * 157 >> 3);
  kvp_tell("salt of %u bytes", (unsigned)size);
  kvp_claim_status(KVP_OK, kvp_hash_salt(size == 0 ? NULL : name, size, &salt));
  kvp_claim("salt of so many bytes", size, kvp_formula_xxh3(name, size, 0), salt);
}

static void hash_sequence(void)
{
  uint64_t parent = kvp_hash_draw_word(&play.step), block = kvp_hash_draw_word(&play.step);
  uint64_t salt = kvp_hash_draw_word(&play.step);
  kvp_tell("hash two hashes");
  kvp_claim("sequence hash", 0, kvp_hash_judge_after(parent, block, salt),
            kvp_hash_sequence(parent, block, salt));
}

static void token_block(void)
{
  struct kvp_token_block block, judge, before;
  uint64_t word = kvp_hash_draw_word(&play.step);
  kvp_hash_draw_tokens(&play);
  memset(&block, 0x5A, sizeof block);
  before = block;
  kvp_tell("a block of %u tokens", (unsigned)play.count);
  for (int child = 0; child < 2; child++) {
    enum kvp_status status = child ? kvp_token_block_after(word, play.tokens, play.count, 7, &block)
                                   : kvp_token_block_root(play.tokens, play.count, word, &block);
    kvp_claim_status(play.count == 0 ? KVP_ARGUMENT : KVP_OK, status);
    judge = kvp_hash_judge_block(child ? &word : NULL, play.tokens, play.count, child ? 7 : word);
    kvp_hash_same_block(play.count == 0 ? &before : &judge, &block);
  }
}

/* Nothing is read or changed where a buffer is missing; of nothing, none is. */
static void missing_buffers(void)
{
  static const struct kvp_token_block untouched = {3, 4, 5, 6};
  uint32_t count = 1 + kvp_hash_draw_count(&play.step);
  uint64_t hash = 42, salt = kvp_hash_draw_word(&play.step);
  struct kvp_token_block block = untouched;
  kvp_tell("%u of no tokens", (unsigned)count);
  kvp_claim_status(KVP_ARGUMENT, kvp_hash_block(NULL, count, salt, &hash));
  kvp_claim_status(KVP_ARGUMENT, kvp_hash_salt(NULL, count, &hash));
  kvp_claim_status(KVP_ARGUMENT, kvp_hash_chain(&salt, NULL, count, &hash));
  kvp_claim_status(KVP_ARGUMENT, kvp_token_block_root(NULL, count, salt, &block));
  kvp_claim_status(KVP_ARGUMENT, kvp_token_block_after(42, NULL, count, salt, &block));
  kvp_claim_status(KVP_ARGUMENT, kvp_hash_update(&play.stream.stream, NULL, count));
  kvp_claim_status(KVP_OK, kvp_hash_update(&play.stream.stream, NULL, 0));
  kvp_claim("number", 0, 42, hash);
  kvp_hash_same_block(&untouched, &block);
  kvp_claim_status(KVP_OK, kvp_hash_block(NULL, 0, salt, &hash));
  kvp_claim("hash of nothing", 0, kvp_formula_xxh3(NULL, 0, salt), hash);
  kvp_claim_status(KVP_OK, kvp_hash_chain(NULL, NULL, 0, &hash));
  kvp_claim("chained hash of nothing", 0, kvp_formula_xxh64(NULL, 0, 0), hash);
}

static void start_stream(void)
{
  play.stream.salt = kvp_hash_draw_word(&play.step);
  play.stream.length = 0;
  kvp_tell("start a stream");
  kvp_hash_start(&play.stream.stream, play.stream.salt);
}

static void update_stream(void)
{
  struct kvp_hash_stream_play *stream = &play.stream;
  kvp_hash_draw_tokens(&play);
  if (play.count > KVP_HASH_ROOM - stream->length)
    return;
  kvp_tell("stream %u tokens", (unsigned)play.count);
  memcpy(stream->tokens + stream->length, play.tokens, play.count * sizeof *play.tokens);
  stream->length += play.count;
  kvp_claim_status(KVP_OK, kvp_hash_update(&stream->stream, play.tokens, play.count));
}

/* Of a copy, too, wherever it lies. */
static void finish_stream(uint8_t where)
{
  static uint64_t room[8 + sizeof(struct kvp_hash_stream) / 8];
  struct kvp_hash_stream_play *stream = &play.stream;
  struct kvp_hash_stream *copy = (struct kvp_hash_stream *)(room + where % 8);
  uint64_t judge = kvp_hash_judge(stream->tokens, stream->length, stream->salt), hash = 0;
  kvp_tell("finish the stream of %zu tokens", stream->length);
  kvp_claim("hash of a stream of so many tokens", stream->length, judge,
            kvp_hash_finish(&stream->stream));
  memcpy(copy, &stream->stream, sizeof *copy);
  kvp_claim("hash of its copy", where % 8, judge, kvp_hash_finish(copy));
  kvp_hash_block(stream->tokens, stream->length, stream->salt, &hash);
  kvp_claim("hash of its tokens at once", stream->length, judge, hash);
}

static void act(void)
{
  uint8_t byte = kvp_take_byte(&play.step), how = byte / 16;
  switch (byte % 16) {
  case 0: hash_block(); return;
  case 1: hash_chain(); return;
  case 2: how < 8 ? hash_salt() : hash_sequence(); return;
  case 3: how < 8 ? token_block() : missing_buffers(); return;
  case 4: how < 4 ? start_stream() : finish_stream(how); return;
  case 5:
  case 6: update_stream(); return;
  case 7:
  case 8:
  case 9:
  case 10:
  case 11: kvp_partial_step(&play, how); return;
  default: kvp_sequence_step(&play, how);
  }
}

size_t kvp_run_claims(struct kvp_bytes input)
{
  struct kvp_bytes head = kvp_take_step(&input, KVP_HASH_HEAD);
  size_t num_ops = 0;
  kvp_partial_begin(&play.partial, &head);
  kvp_sequence_begin(&play.sequence, &head);
  play.step = head;
  start_stream();
  for (; input.left != 0; num_ops++) {
    play.step = kvp_take_step(&input, KVP_HASH_STEP);
    act();
  }
  finish_stream(0);
  kvp_partial_end(&play.partial);
  kvp_sequence_end(&play.sequence);
  return num_ops;
}
