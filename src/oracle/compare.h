/* SPDX-License-Identifier: Apache-2.0 */
/* The comparer: the first difference between two sides' answers or states, and its words. */
#ifndef KVP_ORACLE_COMPARE_H
#define KVP_ORACLE_COMPARE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <kvpool/op.h>

#include "src/oracle/applier.h"

/* What was compared when the sides differed; it says what the numbers below mean. */
enum kvp_place {
  KVP_IN_RESULT,  /* field of the result of operation `index` */
  KVP_IN_UNIT,    /* field of unit `element` that operation `index` reserved */
  KVP_IN_COUNTS,  /* field of the counts */
  KVP_IN_VIEW,    /* field of the view of block `index` */
  KVP_IN_TOKEN,   /* token `element` of block `index` */
  KVP_IN_ORDER,   /* block at position `index` of the cached order */
  KVP_IN_PAYLOAD, /* 32-bit word `element` of the payload of block `index` */
  KVP_IN_DIGEST,  /* digest of the payload of block `index` */
  KVP_IN_TABLE    /* entry `index` of the block tables */
};

struct kvp_difference {
  enum kvp_place place;
  const char *field; /* the member's name as the headers have it */
  size_t index;
  size_t element;
  uint64_t left, right;
};

/* Each answers 1 and fills `difference` if there is one, else 0 and leaves it alone. */

/* ops[0..n) and what each side answered. reserve answers in its units too: where the sides
   were given ops with different units, those are compared. */
int kvp_results_differ(const struct kvp_op *left_ops, const struct kvp_result *left,
                       const struct kvp_op *right_ops, const struct kvp_result *right, size_t n,
                       struct kvp_difference *difference);

/* The whole visible state of two pools of max_blocks: counts, every view with its tokens, the
   cached order. */
int kvp_states_differ(const struct kvp_applier *left, const struct kvp_applier *right,
                      uint32_t max_blocks, struct kvp_difference *difference);

/* Payload of blocks 0 .. max_blocks - 1, block_words 32-bit words each. */
int kvp_payloads_differ(const uint32_t *left, const uint32_t *right, uint32_t max_blocks,
                        uint32_t block_words, struct kvp_difference *difference);

int kvp_tables_differ(const uint32_t *left, const uint32_t *right, size_t n,
                      struct kvp_difference *difference);

/* One line: "operation 17: pop: block: reference 3, device 4". `ops` are the operations that the
   answers belong to; NULL leaves their kinds out. */
void kvp_print_difference(FILE *out, const struct kvp_difference *difference, const char *left,
                          const char *right, const struct kvp_op *ops);

#endif
