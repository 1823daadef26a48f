/* SPDX-License-Identifier: Apache-2.0 */
/* The source: any bytes become a pool's shape and batches of operations that mostly make sense
   on it. The model runs along, so that ids, hashes and reservations can be live ones. */
#ifndef KVP_ORACLE_DECODE_H
#define KVP_ORACLE_DECODE_H

#include <stddef.h>
#include <stdint.h>

#include <kvpool/op.h>

#include "src/oracle/applier.h"
#include "src/oracle/arena.h"
#include "src/oracle/bytes.h"

enum {
  KVP_FUZZ_HEAD = 7, /* bytes of an input's head */
  KVP_FUZZ_STEP = 6, /* and of each of its steps, an action or the end of a batch */

  KVP_FUZZ_BLOCKS = 96,       /* most blocks of a pool */
  KVP_FUZZ_TOKENS = 4,        /* most tokens of a block */
  KVP_FUZZ_PLANES = 3,        /* most planes of payload */
  KVP_FUZZ_WORDS = 8,         /* most 32-bit words of a block's payload in a plane */
  KVP_FUZZ_OPS = 128,         /* most operations of a batch */
  KVP_FUZZ_RESERVATIONS = 8,  /* reservations remembered, to be released */
  KVP_FUZZ_TABLE_ENTRIES = 24 /* entries of the block tables */
};

struct kvp_fuzz_shape {
  uint32_t num_blocks, max_blocks, block_size;
  uint32_t num_planes, block_words; /* payload */
  uint32_t parallel_min;            /* as in struct kvp_device_options, and so are */
  int fill_on_publish;
  uint64_t order_seed;
  uint8_t swarm; /* groups of actions that this input does without, one a bit */
};

struct kvp_reservation {
  uint64_t owner;
  uint32_t count;
  uint32_t blocks[KVP_FUZZ_BLOCKS];
};

struct kvp_decoder {
  struct kvp_bytes input, step; /* what is left of the input, and of its current step */
  struct kvp_fuzz_shape shape;
  struct kvp_applier model; /* the state after all operations decoded so far */
  uint32_t popped;          /* what the last pop gave */
  uint32_t num_reservations;
  struct kvp_reservation reservations[KVP_FUZZ_RESERVATIONS];
};

struct kvp_batch {
  size_t n;
  struct kvp_op ops[KVP_FUZZ_OPS];
  struct kvp_result results[KVP_FUZZ_OPS]; /* the model's */
  struct kvp_arena arena;                  /* every buffer of the operations */
};

/* What the target does to payload and tables after a batch. */
struct kvp_touch {
  uint32_t filled; /* a block to fill, or KVP_NONE */
  uint64_t seed;
  uint32_t num_written; /* table entries to write: entries[k] becomes blocks[k] */
  uint32_t entries[3], blocks[3];
};

/* Reads the shape and puts a fresh model on it; KVP_MEMORY if memory is short. */
enum kvp_status kvp_decoder_open(struct kvp_decoder *decoder, const uint8_t *bytes, size_t size);
void kvp_decoder_close(struct kvp_decoder *decoder);

/* Decodes the next batch and applies it to the model. 0 when the bytes are used up. */
int kvp_decoder_batch(struct kvp_decoder *decoder, struct kvp_batch *batch);
void kvp_decoder_touch(struct kvp_decoder *decoder, struct kvp_touch *touch);

#endif
