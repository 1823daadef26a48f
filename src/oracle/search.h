/* SPDX-License-Identifier: Apache-2.0 */
/* A search for an input on which the three sides differ: random and swarm, guided by which
   operations were seen with which outcomes. */
#ifndef KVP_ORACLE_SEARCH_H
#define KVP_ORACLE_SEARCH_H

#include "src/oracle/differential.h"

enum {
  KVP_SEARCH_BYTES = 96, /* most of an input */
  KVP_SEARCH_KEPT = 256, /* most inputs kept to be changed */
  /* An outcome: the status, whether something was evicted, moved, found or counted. */
  KVP_NUM_OUTCOMES = 16 * (1 - KVP_CLOSED)
};

struct kvp_kept_input {
  size_t size;
  uint8_t bytes[KVP_SEARCH_BYTES];
};

struct kvp_search {
  struct kvp_differential run;
  uint64_t random;
  uint64_t num_runs, num_ops;
  uint32_t num_pairs; /* of operation and outcome that were seen */
  uint8_t seen[KVP_NUM_KINDS + 1][KVP_NUM_OUTCOMES];
  int is_new; /* the last run saw one that none before it had seen */
  uint32_t num_kept;
  struct kvp_kept_input kept[KVP_SEARCH_KEPT], tried;
};

/* The same seed makes the same runs. */
void kvp_search_begin(struct kvp_search *search, uint64_t seed, const char *backend);

/* Runs one input more, `tried`. 1 and what was found, or 0. */
int kvp_search_step(struct kvp_search *search, struct kvp_finding *finding);

/* Makes an input small that was found, as long as the same two sides differ, or the same side
   fails; and says what is found with it then. */
void kvp_search_shrink(struct kvp_search *search, struct kvp_kept_input *input,
                       struct kvp_finding *finding);

#endif
