/* SPDX-License-Identifier: Apache-2.0 */
/* Content hashes by xxHash. Integers are written out in little-endian order first, so that the
   hash does not depend on the machine's own order. */
#include <kvpool/hash.h>

/* In this mode the header holds the whole of XXH3, and its state may live on the stack. */
#define XXH_INLINE_ALL
#include <xxhash.h>

/* Tokens converted at a time: a block of usual size in one go. */
#define CHUNK 256

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

/* Kept out of line: the state is large, and blocks of more than CHUNK tokens are rare. */
static uint64_t hash_long_block(const uint32_t *tokens, size_t length, uint64_t salt)
{
  unsigned char bytes[4 * CHUNK];
  XXH3_state_t state;

  XXH3_INITSTATE(&state);
  XXH3_64bits_reset_withSeed(&state, salt);
  while (length > 0) {
    size_t n = length < CHUNK ? length : CHUNK;
    XXH3_64bits_update(&state, bytes, put_tokens(bytes, tokens, n));
    tokens += n;
    length -= n;
  }
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
