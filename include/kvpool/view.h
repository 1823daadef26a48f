/* SPDX-License-Identifier: Apache-2.0 */
/* What can be seen of a pool's state: counts and single blocks. Every applier can show
   itself this way, so two of them are compared field by field. */
#ifndef KVPOOL_VIEW_H
#define KVPOOL_VIEW_H

#include <stdint.h>

/* Every id below max_blocks is in exactly one class. */
enum kvp_class {
  KVP_VACANT,   /* in the pool, free, no content */
  KVP_CACHED,   /* in the pool, free, content kept until the block is taken */
  KVP_USED,     /* held: ref_count > 0 */
  KVP_RESERVED, /* popped, not yet allocated */
  KVP_UNIT,     /* held raw unit: counts as used, cannot move, be shared or published */
  KVP_RETIRED   /* id >= num_blocks: holds nothing */
};
#define KVP_NUM_CLASSES 6

struct kvp_counts {
  uint32_t num_blocks;
  uint32_t num_free;     /* vacant and cached */
  uint32_t num_used;     /* held, raw units too */
  uint32_t num_reserved; /* popped, not yet allocated */
  uint32_t num_indexed;  /* hashes the index maps to a block */
};

struct kvp_view {
  enum kvp_class state;
  uint32_t ref_count;     /* holders; 1 for a raw unit */
  uint32_t has_hash;      /* 0 or 1; every 64-bit value is a legal hash */
  uint32_t indexed;       /* 0 or 1: the index maps `hash` to this block */
  uint64_t hash;          /* 0 without a hash */
  uint32_t length;        /* tokens held; 0 without a hash */
  const uint32_t *tokens; /* [length], the pool's own memory; NULL where length is 0 */
  uint64_t owner;         /* of a raw unit, else 0 */
  uint32_t first;         /* of a raw unit: the first unit of its reservation, else KVP_NONE */
  uint32_t left;          /* of a raw unit: units after it in its reservation, else 0 */
};

#endif
