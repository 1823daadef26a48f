/* SPDX-License-Identifier: Apache-2.0 */
/* How the reference pool lies in memory. Public because the contracts speak of it; code
   that only uses a pool needs pool.h and touches no field. */
#ifndef KVPOOL_LAYOUT_H
#define KVPOOL_LAYOUT_H

#include <stdint.h>

#include <kvpool/op.h>
#include <kvpool/view.h>

/* Most blocks a pool can have: a power of two, 2^24 at most; a build option. Memory that a
   smaller pool does not need is never touched. Sizes are plain numbers, which the prover reads. */
#ifndef KVP_CAPACITY
#define KVP_CAPACITY 1048576
#endif
#if KVP_CAPACITY < 64 || KVP_CAPACITY > 16777216 || (KVP_CAPACITY & (KVP_CAPACITY - 1)) != 0
#error "KVP_CAPACITY: a power of two from 64 to 16777216"
#endif

/* Words of the id set's two lower levels, each a multiple of 64. */
#if KVP_CAPACITY < 4096
#define KVP_IDSET_WORDS0 64
#else
#define KVP_IDSET_WORDS0 (KVP_CAPACITY / 64)
#endif
#if KVP_CAPACITY < 262144
#define KVP_IDSET_WORDS1 64
#else
#define KVP_IDSET_WORDS1 (KVP_CAPACITY / 4096)
#endif

/* The class of every id, and how many ids each class has. */
struct kvp_classes {
  uint32_t num_ids;
  uint32_t count[KVP_NUM_CLASSES];
  uint8_t state[KVP_CAPACITY]; /* enum kvp_class */
};

/* A set of block ids as a bitmap with three levels of summaries: bit w of a level is set
   where word w of the level below is not 0. So the lowest id is found in four steps. */
struct kvp_idset {
  uint32_t words0, words1; /* words in use, multiples of 64 */
  uint64_t level0[KVP_IDSET_WORDS0];
  uint64_t level1[KVP_IDSET_WORDS1];
  uint64_t level2[64];
  uint64_t level3;
};

/* Doubly linked lists over one array of nodes, each in the order of a stamp that grows. */
struct kvp_lists {
  uint32_t num_nodes, num_lists;
  uint64_t clock;               /* the next stamp */
  uint32_t head[KVP_CAPACITY];  /* a list's oldest node, or KVP_NONE */
  uint32_t tail[KVP_CAPACITY];  /* a list's newest node, or KVP_NONE */
  uint32_t next[KVP_CAPACITY];  /* meaningful where list[i] is not KVP_NONE */
  uint32_t prev[KVP_CAPACITY];
  uint32_t list[KVP_CAPACITY];  /* the list a node is in, or KVP_NONE */
  uint64_t stamp[KVP_CAPACITY]; /* when it was put there; kept after it left */
};

/* The map from content hash to block: chains of blocks, one list a bucket. */
struct kvp_index {
  uint32_t size;               /* hashes mapped */
  struct kvp_lists chains;     /* a block is in one exactly if its hash maps to it */
  uint64_t hash[KVP_CAPACITY]; /* of every block that has one, mapped or not */
};

struct kvp_pool {
  uint32_t num_blocks, max_blocks;
  uint32_t block_size;              /* tokens a block can hold */
  uint32_t *plane;                  /* tokens, [max_blocks][block_size], the caller's */
  uint8_t has_hash[KVP_CAPACITY];   /* 0 or 1 */
  uint32_t ref_count[KVP_CAPACITY]; /* holders */
  uint32_t length[KVP_CAPACITY];    /* tokens held */
  uint64_t unit_owner[KVP_CAPACITY]; /* of raw units: who reserved them, */
  uint32_t unit_first[KVP_CAPACITY]; /* the first unit of the reservation, */
  uint32_t unit_left[KVP_CAPACITY];  /* and how many units come after this one */
  struct kvp_classes classes;
  struct kvp_idset vacant; /* the vacant ids */
  struct kvp_lists cached; /* one list, least recently freed first */
  struct kvp_index index;
};

#endif
