/* SPDX-License-Identifier: Apache-2.0 */
/* Content hashes of token blocks, equal to those of the engines that share this scheme: XXH3,
   64 bits, over little-endian bytes on any machine, with the salt as seed. */
#ifndef KVPOOL_HASH_H
#define KVPOOL_HASH_H

#include <stddef.h>
#include <stdint.h>

#include <kvpool/status.h>

/* What separates the contents of two models or tenants: any 64-bit value, 0 for none. This makes
   one of bytes, such as a model's name. KVP_ARGUMENT if bytes is NULL while size is not 0. */
enum kvp_status kvp_hash_salt(const void *bytes, size_t size, uint64_t *salt);

/* The hash of a block's tokens alone, wherever the block stands. KVP_ARGUMENT if tokens is NULL
   while length is not 0. */
enum kvp_status kvp_hash_block(const uint32_t *tokens, size_t length, uint64_t salt,
                               uint64_t *hash);

/* The hash of a block and everything before it, from its block hash and its parent's sequence
   hash. A block without a parent has its block hash as sequence hash. */
uint64_t kvp_hash_sequence(uint64_t parent, uint64_t block, uint64_t salt);

#endif
