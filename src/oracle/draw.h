/* SPDX-License-Identifier: Apache-2.0 */
/* From the input's bytes to arguments: block ids and contents that are mostly live ones, and
   series of them, so that few bytes give a long run that repeats itself. */
#ifndef KVP_ORACLE_DRAW_H
#define KVP_ORACLE_DRAW_H

#include "src/oracle/decode.h"

struct kvp_content {
  uint64_t hash;
  uint32_t length;
  uint32_t tokens[KVP_FUZZ_TOKENS + 1]; /* one more than a block takes */
};

enum { KVP_LONGEST_PERIOD = 7 };

/* Choices a step apart. With a period the first of them come again and again. */
struct kvp_series {
  uint8_t choice, step, period; /* 0: no period */
  uint32_t drawn;
  uint32_t blocks[KVP_LONGEST_PERIOD]; /* the first blocks drawn */
};

/* 0 at the step's end. */
uint8_t kvp_draw_byte(struct kvp_decoder *decoder);
uint32_t kvp_draw_below(struct kvp_decoder *decoder, uint32_t limit); /* limit is at most 256 */

/* Of n; only a series of several takes a byte for its step and period. */
struct kvp_series kvp_draw_series(struct kvp_decoder *decoder, uint32_t n);
uint8_t kvp_next_choice(struct kvp_series *series);
uint32_t kvp_next_block(struct kvp_decoder *decoder, struct kvp_series *series,
                        enum kvp_class wanted);

/* A block id: mostly one of this class where there is one, else any up to just outside. */
uint32_t kvp_draw_block(struct kvp_decoder *decoder, uint8_t choice, enum kvp_class wanted);

/* `tokens` says what a content that is not a live block's holds. */
void kvp_draw_content(struct kvp_decoder *decoder, uint8_t choice, uint8_t tokens,
                      struct kvp_content *content);

#endif
