/* SPDX-License-Identifier: Apache-2.0 */
/* From the input's bytes to arguments of the registry's operations: handles that are mostly out
   and of a block in the state that is wanted, and contents from a small tree of sequences. */
#ifndef KVP_FUZZ_REGISTRY_DRAW_H
#define KVP_FUZZ_REGISTRY_DRAW_H

#include "fuzz/registry_pair.h"
#include "src/oracle/bytes.h"

enum {
  KVP_PLAY_HEAD = 5, /* bytes of an input's head */
  KVP_PLAY_STEP = 4, /* and of each of its steps, an action */

  KVP_PLAY_BLOCKS = 16,  /* most blocks */
  KVP_PLAY_TOKENS = 4,   /* most tokens of a block */
  KVP_PLAY_HANDLES = 24, /* most handles */
  KVP_PLAY_EVENTS = 8,   /* most events that wait */
  KVP_PLAY_LIST = 8,     /* most elements of a list */
  KVP_PLAY_CONTENTS = 16 /* contents */
};

/* What a block can be written with. */
struct kvp_block_content {
  uint32_t length, position;
  uint64_t salt, parent;
  uint64_t hash;                        /* of these, if they tell the truth */
  uint32_t tokens[KVP_PLAY_TOKENS + 1]; /* one more than a block takes */
};

/* An input at play: the registries, and what was given out so far. */
struct kvp_play {
  struct kvp_bytes step; /* what is left of the input's current step */
  uint8_t swarm;         /* groups of actions that this input does without, one a bit */
  struct kvp_pair *pair;
  uint32_t num_out;
  struct kvp_grant out[KVP_PLAY_HANDLES]; /* whose handles are out, oldest first */
  uint64_t gone;                          /* the handle that was given up last, or 0 */
  /* Does an operation, now or later, and then notes it. */
  void (*apply)(struct kvp_play *play, const struct kvp_registry_op *op);
};

struct kvp_registry_shape kvp_draw_shape(struct kvp_bytes *head);

/* States of blocks as a set of bits. */
#define KVP_IN(state) (1u << (state))

/* Of these contents, choices a step apart are a sequence. Now and then a lie about its place. */
void kvp_draw_block_content(struct kvp_play *play, uint8_t choice,
                            struct kvp_block_content *content);

/* The hash of a content, of a registered block, or of nothing. */
uint64_t kvp_draw_hash(const struct kvp_play *play, uint8_t choice);
/* The hash of a pinned block, or 0. */
uint64_t kvp_pinned_hash(const struct kvp_play *play, uint8_t choice);

/* Up to `count` handles into handles[]: those of blocks in these states, or one of another if there
   are none; now and then one of them is not out, or stands there twice. How many there are. */
uint32_t kvp_draw_handles(struct kvp_play *play, uint8_t choice, uint32_t states, uint64_t *handles,
                          uint32_t count);

/* What an operation gave out and took. */
void kvp_play_note(struct kvp_play *play, const struct kvp_registry_op *op,
                   const struct kvp_registry_result *result);

#endif
