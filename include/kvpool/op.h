/* SPDX-License-Identifier: Apache-2.0 */
/* The vocabulary: every operation on a block pool, and every answer.
   The model, the reference, the device path, traces and fuzzers all speak it. */
#ifndef KVPOOL_OP_H
#define KVPOOL_OP_H

#include <stdint.h>

#include <kvpool/status.h>

/* "No block", wherever a block id may be missing. Never a valid id. */
#define KVP_NONE UINT32_MAX

enum kvp_kind {
  KVP_POP,          /* take a free block: -> block */
  KVP_ALLOCATE,     /* block, owner: hold it for fresh content -> evicted */
  KVP_CLAIM,        /* block, owner: share the content it holds */
  KVP_FREE,         /* block, owner: give one hold back */
  KVP_PUBLISH,      /* block, hash, tokens[length]: index its content -> evicted */
  KVP_LOOKUP,       /* hash -> block or KVP_NONE */
  KVP_MATCH,        /* hash, tokens[length] -> block or KVP_NONE; tokens must be equal too */
  KVP_MATCH_PREFIX, /* hashes[count], tokens[count * length] -> count of leading matches */
  KVP_CLEAR_INDEX,  /* forget every content that nobody holds */
  KVP_EXTEND,       /* count: grow -> count taken */
  KVP_RETIRE_TOP,   /* take the highest id out -> block, moved_to, evicted */
  KVP_RESERVE,      /* count, owner: raw units that cannot move -> units[count] */
  KVP_RELEASE       /* count, owner, units[count]: one whole reservation, in its order */
};
#define KVP_NUM_KINDS 13

/* The hash that left the index, if one did. */
struct kvp_evicted {
  uint32_t count; /* 0 or 1 */
  uint64_t hash;  /* 0 when count is 0 */
};

/* One raw unit of a reservation. `release` reads the block only. */
struct kvp_unit {
  uint32_t block;
  struct kvp_evicted evicted; /* what taking this block evicted */
};

/* Fields that a kind does not name are ignored. Buffers are the caller's; a buffer
   that is NULL while its size is not 0 is KVP_ARGUMENT. */
struct kvp_op {
  enum kvp_kind kind;
  uint32_t block;
  uint32_t count;         /* elements of a chain, blocks to grow by, units */
  uint32_t length;        /* tokens, at most block_size; of each element for match_prefix */
  uint64_t owner;         /* who asks; 0 = not said; reserve and release want it said */
  uint64_t hash;          /* any 64-bit value */
  const uint64_t *hashes; /* [count] */
  const uint32_t *tokens; /* [length], for match_prefix [count][length] */
  struct kvp_unit *units; /* [count]; reserve writes it, release reads it */
};

/* A field that a kind does not answer, and every field but `status` of an error, holds
   its empty value: KVP_NONE for ids, 0 for numbers. So results compare field by field. */
struct kvp_result {
  enum kvp_status status;
  uint32_t block;    /* popped, found, or retired */
  uint32_t moved_to; /* where a retired block's content went, or KVP_NONE */
  uint32_t count;    /* elements matched, or blocks that joined */
  struct kvp_evicted evicted;
};

#endif
