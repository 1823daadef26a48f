/* SPDX-License-Identifier: Apache-2.0 */
/* How the registry lies in memory. Public because the contracts speak of it; code that only uses
   a registry needs registry.h and touches no field. */
#ifndef KVPOOL_REGISTRY_LAYOUT_H
#define KVPOOL_REGISTRY_LAYOUT_H

#include <kvpool/layout.h>
#include <kvpool/registry_op.h>

/* The eviction order, a tournament over all ids: node 1 is the root, the children of node k are
   2k and 2k + 1, and the leaf of id i is num_ids + i. A node holds an id or KVP_NONE. */
struct kvp_order {
  uint32_t num_ids;
  uint32_t node[2 * KVP_CAPACITY];
  uint32_t priority[KVP_CAPACITY]; /* of every id that was ever put in; */
  uint64_t tick[KVP_CAPACITY];     /* both kept after it left */
};

/* Handles: each that is out has a slot. */
struct kvp_handles {
  uint32_t num_slots;  /* max_handles of the shape */
  uint32_t num_blocks; /* max_blocks of the shape */
  uint32_t num_out;    /* slots whose handle is out */
  uint32_t num_ready;  /* slots that can give one out: those in the list */
  uint8_t tag;
  uint32_t block[KVP_CAPACITY];      /* of a slot: what its handle stands for, or KVP_NONE */
  uint32_t generation[KVP_CAPACITY]; /* of a slot: how many handles it has given out */
  uint32_t shares[KVP_CAPACITY];     /* of a block: how many handles stand for it */
  struct kvp_lists ready;            /* one list: slots, free for longest first */
};

/* Of a slot: where in the list that is looked at its handle stands. Means nothing between looks. */
struct kvp_seen {
  uint32_t place[KVP_CAPACITY];
};

/* The newest events, in a ring. */
struct kvp_events {
  uint32_t max_events;
  uint32_t first;   /* where the oldest stands */
  uint32_t count;   /* events that wait */
  uint64_t last;    /* the number of the newest event there ever was */
  uint64_t dropped; /* since the last poll */
  uint8_t kind[KVP_CAPACITY];
  uint32_t position[KVP_CAPACITY];
  uint64_t block_hash[KVP_CAPACITY];
  uint64_t hash[KVP_CAPACITY];
  uint64_t parent[KVP_CAPACITY];
};

/* Where a block is, one class of kvp_classes each. */
enum kvp_place {
  KVP_PLACE_EMPTY,
  KVP_PLACE_HELD,    /* reset, partial, complete */
  KVP_PLACE_ACTIVE,
  KVP_PLACE_READY,   /* cached, and evictions can reach it */
  KVP_PLACE_BLOCKED, /* cached and pinned, or with a child that is active or blocked */
  KVP_PLACE_ABSENT   /* ids num_blocks and up */
};

/* Of a block that holds content: how many blocks come before it in its sequence, and the hash of
   the last of them, or 0. */
struct kvp_lineage {
  uint32_t position[KVP_CAPACITY];
  uint64_t parent[KVP_CAPACITY];
};

/* Of a block: what it is evicted by. */
struct kvp_keys {
  uint32_t priority[KVP_CAPACITY];
  uint64_t returned[KVP_CAPACITY]; /* tick */
};

struct kvp_pins {
  uint32_t count[KVP_CAPACITY]; /* of a block */
};

/* Which block is where, under which hash, and which goes next. Under leaf_first every registered
   block but a root is in one list: of its parent's children, calm if it is ready and else
   blocking, or, while its parent is not registered, of the orphans, by the parent's hash. */
struct kvp_store {
  uint32_t num_blocks, max_blocks;
  uint8_t leaf_first;
  struct kvp_classes classes;      /* enum kvp_place */
  struct kvp_lists empty;          /* one list: empty blocks, first in first */
  struct kvp_index index;          /* registered blocks by their hash */
  struct kvp_order order;          /* ready blocks without children */
  struct kvp_lists calm;           /* a list a block */
  struct kvp_lists blocking;       /* a list a block */
  struct kvp_lists orphans;        /* a list a bucket of the parent's hash */
  struct kvp_lineage lineage;
  struct kvp_keys keys;
  struct kvp_pins pins;
};

/* Of a block: what it holds, tokens and hash aside. */
struct kvp_content {
  uint8_t stage[KVP_CAPACITY];       /* of a held block: reset, partial or complete */
  uint32_t length[KVP_CAPACITY];     /* of a held block: its tokens */
  uint64_t salt[KVP_CAPACITY];       /* of a partial or complete block */
  uint64_t block_hash[KVP_CAPACITY]; /* of a complete or registered block */
  uint64_t acquired[KVP_CAPACITY];   /* tick */
};

struct kvp_registry {
  uint32_t block_size;
  uint8_t keep_duplicates;
  uint32_t *plane; /* tokens of held blocks, [max_blocks][block_size], the caller's */
  uint64_t tick;   /* of allocations and returns */
  struct kvp_content content;
  struct kvp_store store;
  struct kvp_handles handles;
  struct kvp_events events;
  struct kvp_seen seen;
};

#endif
