/* SPDX-License-Identifier: Apache-2.0 */
/* Content hashes by xxHash. Integers are written out in little-endian order first, so that the
   hash does not depend on the machine's own order. */
#include <kvpool/hash.h>

#include <string.h>

/* In this mode the header holds the whole of xxHash, and its states may live on the stack. */
#define XXH_INLINE_ALL
#include <xxhash.h>

/* Tokens converted at a time: a block of usual size in one go. */
#define CHUNK 256

_Static_assert(sizeof(XXH3_state_t) <= sizeof(struct kvp_hash_stream), "a state fits a stream");

static void put32(unsigned char *to, uint32_t value)
{
  to[0] = (unsigned char)value;
  to[1] = (unsigned char)(value >> 8);
  to[2] = (unsigned char)(value >> 16);
  to[3] = (unsigned char)(value >> 24);
}

static void put64(unsigned char *to, uint64_t value)
{
  put32(to, (uint32_t)value);
  put32(to + 4, (uint32_t)(value >> 32));
}

/* Writes n tokens and returns their size in bytes. */
static size_t put_tokens(unsigned char *to, const uint32_t *tokens, size_t n)
{
  for (size_t i = 0; i < n; i++)
    put32(to + 4 * i, tokens[i]);
  return 4 * n;
}

static void absorb(XXH3_state_t *state, const uint32_t *tokens, size_t length)
{
  unsigned char bytes[4 * CHUNK];

  while (length > 0) {
    size_t n = length < CHUNK ? length : CHUNK;
    XXH3_64bits_update(state, bytes, put_tokens(bytes, tokens, n));
#ifndef KVP_PLANT_HASH_BUG /* a canary: a long block is its first tokens again and again */
    tokens += n;
#endif
    length -= n;
  }
}

/* Kept out of line: the state is large, and blocks of more than CHUNK tokens are rare. */
static uint64_t hash_long_block(const uint32_t *tokens, size_t length, uint64_t salt)
{
  XXH3_state_t state;

  XXH3_INITSTATE(&state);
  XXH3_64bits_reset_withSeed(&state, salt);
  absorb(&state, tokens, length);
  return XXH3_64bits_digest(&state);
}

enum kvp_status kvp_hash_salt(const void *bytes, size_t size, uint64_t *salt)
{
  if (bytes == NULL && size != 0)
    return KVP_ARGUMENT;
  *salt = XXH3_64bits_withSeed(size == 0 ? "" : bytes, size, 0);
  return KVP_OK;
}

enum kvp_status kvp_hash_block(const uint32_t *tokens, size_t length, uint64_t salt, uint64_t *hash)
{
  unsigned char bytes[4 * CHUNK];

  if (tokens == NULL && length != 0)
    return KVP_ARGUMENT;
  if (length > CHUNK)
    *hash = hash_long_block(tokens, length, salt);
  else
    *hash = XXH3_64bits_withSeed(bytes, put_tokens(bytes, tokens, length), salt);
  return KVP_OK;
}

uint64_t kvp_hash_sequence(uint64_t parent, uint64_t block, uint64_t salt)
{
  unsigned char bytes[16];

  put64(bytes, parent);
  put64(bytes + 8, block);
  return XXH3_64bits_withSeed(bytes, sizeof bytes, salt);
}

/* xxHash wants its state on a boundary of 64 bytes, which a stream need not have. */
void kvp_hash_start(struct kvp_hash_stream *stream, uint64_t salt)
{
  XXH3_state_t state;

  memset(&state, 0, sizeof state);
  XXH3_64bits_reset_withSeed(&state, salt);
  memcpy(stream, &state, sizeof state);
}

enum kvp_status kvp_hash_update(struct kvp_hash_stream *stream, const uint32_t *tokens,
                                size_t length)
{
  XXH3_state_t state;

  if (tokens == NULL && length != 0)
    return KVP_ARGUMENT;
  memcpy(&state, stream, sizeof state);
  absorb(&state, tokens, length);
  memcpy(stream, &state, sizeof state);
  return KVP_OK;
}

uint64_t kvp_hash_finish(const struct kvp_hash_stream *stream)
{
  XXH3_state_t state;

  memcpy(&state, stream, sizeof state);
  return XXH3_64bits_digest(&state);
}

enum kvp_status kvp_hash_chain(const uint64_t *parent, const uint32_t *tokens, size_t length,
                               uint64_t *hash)
{
  unsigned char bytes[8 * CHUNK];
  XXH64_state_t state;

  if (tokens == NULL && length != 0)
    return KVP_ARGUMENT;
  XXH64_reset(&state, 0);
  if (parent != NULL) {
    put64(bytes, *parent);
    XXH64_update(&state, bytes, 8);
  }
  while (length > 0) {
    size_t n = length < CHUNK ? length : CHUNK;
    for (size_t i = 0; i < n; i++)
      put64(bytes + 8 * i, tokens[i]);
    XXH64_update(&state, bytes, 8 * n);
    tokens += n;
    length -= n;
  }
  *hash = XXH64_digest(&state);
  return KVP_OK;
}
