/* SPDX-License-Identifier: Apache-2.0 */
/* Content hashes of token blocks, in the two schemes of the engines that they are shared with.
   Integers are hashed as little-endian bytes on any machine. No function allocates. */
#ifndef KVPOOL_HASH_H
#define KVPOOL_HASH_H

#include <stddef.h>
#include <stdint.h>

#include <kvpool/status.h>

/* The first scheme, of the second seed (Dynamo): XXH3, 64 bits, with the salt as seed. A block
   has two hashes: the block hash of its 4-byte tokens, and the sequence hash, which stands for the
   block and everything before it. */

/* What separates the contents of two models or tenants: any 64-bit value, 0 for none. This makes
   one of bytes, such as a model's name. KVP_ARGUMENT if bytes is NULL while size is not 0. */
enum kvp_status kvp_hash_salt(const void *bytes, size_t size, uint64_t *salt);

/* The hash of a block's tokens alone, wherever the block stands. KVP_ARGUMENT if tokens is NULL
   while length is not 0. */
/*@ requires tokens: tokens != \null ==> length > 0 ==> \valid_read(tokens + (0 .. length - 1));
    requires out: \valid(hash) && \separated(hash, tokens + (0 .. length - 1));
    terminates \true;
    exits \false;
    assigns *hash;
    ensures status: \result == (tokens == \null && length != 0 ? KVP_ARGUMENT : KVP_OK);
    ensures unchanged: \result != KVP_OK ==> *hash == \old(*hash);
*/
enum kvp_status kvp_hash_block(const uint32_t *tokens, size_t length, uint64_t salt,
                               uint64_t *hash);

/* The hash of a block and everything before it, from its block hash and its parent's sequence
   hash. A block without a parent has its block hash as sequence hash. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
*/
uint64_t kvp_hash_sequence(uint64_t parent, uint64_t block, uint64_t salt);

/* A block hash that is fed its tokens in parts: start it, update it any number of times, and ask
   for the hash of all so far at any time. It may be copied; it holds no pointer of the caller's. */
struct kvp_hash_stream {
  uint64_t opaque[72];
};

void kvp_hash_start(struct kvp_hash_stream *stream, uint64_t salt);

/* KVP_ARGUMENT if tokens is NULL while length is not 0. */
enum kvp_status kvp_hash_update(struct kvp_hash_stream *stream, const uint32_t *tokens,
                                size_t length);

uint64_t kvp_hash_finish(const struct kvp_hash_stream *stream);

/* The second scheme, of the first seed's engine (ATOM): one hash a block, XXH64 with seed 0 over
   its parent's hash, 8 bytes, if it has a parent, and its tokens, 8 bytes each. parent is NULL for
   a first block: every value is a legal hash. KVP_ARGUMENT if tokens is NULL while length is not 0.
 */
enum kvp_status kvp_hash_chain(const uint64_t *parent, const uint32_t *tokens, size_t length,
                               uint64_t *hash);

#endif
