/* SPDX-License-Identifier: Apache-2.0 */
/* The vocabulary of the registry: every operation, every answer, and what can be seen. The model,
   the proved registry, the engine and the fuzzers all speak it. Semantics: spec/registry.md. */
#ifndef KVPOOL_REGISTRY_OP_H
#define KVPOOL_REGISTRY_OP_H

#include <stdint.h>

#include <kvpool/op.h>

/* A handle is the right to one block: a number that is given out once and never again. 0 is none.
   It holds the registry's tag, a generation and a slot. */
#define KVP_HANDLE_SLOTS 16777216
#define KVP_HANDLE(tag, generation, slot)                                                          \
  (((uint64_t)(tag)*4294967296u + (generation)) * KVP_HANDLE_SLOTS + (slot))

/* What a registry is, for as long as it lives. */
struct kvp_registry_shape {
  uint32_t num_blocks, max_blocks; /* blocks at first, and at most */
  uint32_t block_size;             /* tokens of a block, 1 at least */
  uint32_t max_handles;            /* out at once, KVP_HANDLE_SLOTS at most */
  uint32_t max_events;             /* waiting to be polled */
  uint8_t tag;                     /* another registry's handles are refused if its tag differs */
  uint8_t leaf_first;              /* 1: no block goes while a registered child of it is here */
  uint8_t keep_duplicates;         /* 1: a duplicate stays with its owner until released */
};

enum kvp_registry_kind {
  KVP_REGISTRY_ADD_BLOCKS,   /* count: grow -> count taken */
  KVP_REGISTRY_ALLOCATE,     /* count -> grants[count], or requested and available */
  KVP_REGISTRY_INIT,         /* handle, salt, position, parent: begin a sequence block */
  KVP_REGISTRY_PUSH,         /* handle, tokens[length]: all or none */
  KVP_REGISTRY_FILL,         /* handle, tokens[length] -> count taken, as many as fit */
  KVP_REGISTRY_POP,          /* handle, count: drop the last tokens, all or none */
  KVP_REGISTRY_COMMIT,       /* handle -> block_hash, hash */
  KVP_REGISTRY_WRITE,        /* handle, tokens[length], salt, position, parent: init, push and
                                commit in one -> block_hash, hash */
  KVP_REGISTRY_CLEAR,        /* handle: forget what the block holds */
  KVP_REGISTRY_REGISTER,     /* handles[count] -> grants[count], in the same order */
  KVP_REGISTRY_MATCH,        /* hashes[count] -> grants[count], count of leading matches */
  KVP_REGISTRY_TOUCH,        /* hashes[count] -> count of leading matches, now the youngest */
  KVP_REGISTRY_SHARE,        /* handle -> grants[1]: one share more of the same block */
  KVP_REGISTRY_RELEASE,      /* handles[count]: give up all, the last one first */
  KVP_REGISTRY_SET_PRIORITY, /* handle, or hash where handle is 0; priority */
  KVP_REGISTRY_PIN,          /* hash: one pin more */
  KVP_REGISTRY_UNPIN,        /* hash: one pin less */
  KVP_REGISTRY_RESET,        /* empty every block; nobody may hold one */
  KVP_REGISTRY_POLL          /* count -> events[count], count written, dropped */
};
#define KVP_NUM_REGISTRY_KINDS 19

/* How a block came to be granted. */
enum kvp_grant_kind {
  KVP_GRANT_NEW,      /* allocated, matched, shared; of register: the block itself, now shared */
  KVP_GRANT_MERGED,   /* of register: a block of the same hash; the given one is empty again */
  KVP_GRANT_DUPLICATE /* of register: a block of the same hash; the given handle is still good */
};

struct kvp_grant {
  uint64_t handle;
  uint32_t block; /* the storage it stands for */
  enum kvp_grant_kind kind;
};

enum kvp_event_kind {
  KVP_EVENT_STORED,  /* a hash is here from now on */
  KVP_EVENT_REMOVED, /* a hash is here no longer */
  KVP_EVENT_CLEARED  /* no hash is here any longer; the fields below are 0 */
};

struct kvp_event {
  uint64_t number; /* 1, 2, 3 … without a gap; a gap is what was dropped */
  enum kvp_event_kind kind;
  uint32_t position;   /* as in the operation: 0 = no parent */
  uint64_t block_hash; /* of the block's tokens alone */
  uint64_t hash;       /* of the block and all before it */
  uint64_t parent;     /* the hash of the block before it, or 0 */
};

/* Fields that a kind does not name are ignored. Buffers are the caller's and do not overlap; one
   that is NULL while its size is not 0 is KVP_ARGUMENT. Grants and events are written on KVP_OK
   only, and no more of them than were made. */
struct kvp_registry_op {
  enum kvp_registry_kind kind;
  uint32_t count;    /* of blocks, handles, hashes, tokens to drop, or room for events */
  uint32_t length;   /* of tokens; write wants block_size */
  uint32_t position; /* blocks before this one in its sequence; 0 = it has no parent */
  uint32_t priority; /* lower goes first */
  uint64_t handle;
  uint64_t hash;   /* of a block and all before it */
  uint64_t parent; /* hash of the block before this one; ignored where position is 0 */
  uint64_t salt;   /* as in hash.h */
  const uint64_t *hashes;
  const uint64_t *handles;
  const uint32_t *tokens;
  struct kvp_grant *grants;
  struct kvp_event *events;
};

/* A field that a kind does not answer, and every field but `status` of an error, is 0, so that
   results compare field by field; only KVP_FULL of allocate, register, match and share also says
   requested and available. */
struct kvp_registry_result {
  enum kvp_status status;
  uint32_t count;      /* blocks that joined, tokens taken, elements matched, events written */
  uint32_t requested;  /* blocks, or handles */
  uint32_t available;  /* as many of them could have been had */
  uint64_t dropped;    /* events lost since the last poll, all before the first one written */
  uint64_t block_hash; /* of the block's tokens alone */
  uint64_t hash;       /* of the block and all before it */
};

/* Every block is in exactly one. */
enum kvp_block_state {
  KVP_BLOCK_EMPTY,    /* free, no content */
  KVP_BLOCK_RESET,    /* held by one mutable handle: no content yet */
  KVP_BLOCK_PARTIAL,  /* held: 0 to block_size tokens */
  KVP_BLOCK_COMPLETE, /* held: block_size tokens and their hash */
  KVP_BLOCK_ACTIVE,   /* registered, shared by one handle or more */
  KVP_BLOCK_CACHED    /* registered, nobody holds it: kept until it is evicted */
};
#define KVP_NUM_BLOCK_STATES 6

struct kvp_block_view {
  enum kvp_block_state state;
  uint32_t handles;    /* 1 of a held block, the shares of an active one */
  uint32_t pins;       /* of a registered block */
  uint32_t priority;   /* 0 of an empty block */
  uint32_t length;     /* tokens; block_size once registered */
  uint32_t position;   /* this and salt, parent: 0 unless partial, complete or registered */
  uint64_t salt;       /* 0 once registered */
  uint64_t parent;     /* 0 where position is 0 */
  uint64_t block_hash; /* this and hash: 0 unless complete or registered */
  uint64_t hash;
  uint64_t acquired_tick; /* when it was last allocated, or 0 */
  uint64_t returned_tick; /* when it was last given back or touched, or 0 */
  const uint32_t *tokens; /* [length], the registry's own memory; NULL where length is 0 and once
                             registered: a registered block has no tokens, only hashes */
};

struct kvp_registry_counts {
  uint32_t num_blocks; /* the sum of the next four */
  uint32_t num_empty;
  uint32_t num_held; /* reset, partial, complete */
  uint32_t num_active;
  uint32_t num_cached;
  uint32_t num_available; /* the most that allocate would give now */
  uint32_t num_handles;   /* out */
  uint32_t num_events;    /* waiting */
};

#endif
