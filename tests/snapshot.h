/* SPDX-License-Identifier: Apache-2.0 */
/* All that can be seen of a small pool, as rows of numbers: so that two states are compared
   number by number, and "nothing changed" is one comparison. */
#ifndef KVP_TESTS_SNAPSHOT_H
#define KVP_TESTS_SNAPSHOT_H

#include <stdio.h>

#include "tests/subjects.h"

#define SNAPSHOT_BLOCKS 8 /* most blocks, and most tokens of a block, that are seen */
#define SNAPSHOT_TOKENS 2

enum snapshot_pool {
  NUM_BLOCKS,
  NUM_FREE,
  NUM_USED,
  NUM_RESERVED,
  NUM_INDEXED,
  FIRST_CACHED,
  NUM_POOL_FIELDS
};

enum snapshot_block {
  STATE,
  REF_COUNT,
  HAS_HASH,
  INDEXED,
  HASH,
  LENGTH,
  OWNER,
  FIRST,
  LEFT,
  NEXT_CACHED,
  TOKEN,
  NUM_BLOCK_FIELDS = TOKEN + SNAPSHOT_TOKENS
};

struct snapshot {
  uint64_t pool[NUM_POOL_FIELDS];
  uint64_t block[SNAPSHOT_BLOCKS][NUM_BLOCK_FIELDS]; /* 0 from max_blocks on */
};

static const char *const snapshot_pool_names[NUM_POOL_FIELDS] = {
  "num_blocks", "num_free", "num_used", "num_reserved", "num_indexed", "first cached"};

static const char *const snapshot_block_names[NUM_BLOCK_FIELDS] = {
  "state", "ref_count", "has_hash", "indexed",     "hash",    "length",
  "owner", "first",     "left",     "next cached", "token 0", "token 1"};

static inline struct snapshot snapshot_of(const struct kvp_applier *subject)
{
  struct snapshot s = {0};
  struct kvp_counts counts;
  struct kvp_view view;

  subject->counts(subject->self, &counts);
  s.pool[NUM_BLOCKS] = counts.num_blocks;
  s.pool[NUM_FREE] = counts.num_free;
  s.pool[NUM_USED] = counts.num_used;
  s.pool[NUM_RESERVED] = counts.num_reserved;
  s.pool[NUM_INDEXED] = counts.num_indexed;
  s.pool[FIRST_CACHED] = subject->next_cached(subject->self, KVP_NONE);
  for (uint32_t b = 0; subject->view(subject->self, b, &view) == KVP_OK; b++) {
    assert_true(b < SNAPSHOT_BLOCKS && view.length <= SNAPSHOT_TOKENS);
    uint64_t *row = s.block[b];
    row[STATE] = view.state;
    row[REF_COUNT] = view.ref_count;
    row[HAS_HASH] = view.has_hash;
    row[INDEXED] = view.indexed;
    row[HASH] = view.hash;
    row[LENGTH] = view.length;
    row[OWNER] = view.owner;
    row[FIRST] = view.first;
    row[LEFT] = view.left;
    row[NEXT_CACHED] = subject->next_cached(subject->self, b);
    assert_true((view.tokens == NULL) == (view.length == 0));
    for (uint32_t i = 0; i < view.length; i++)
      row[TOKEN + i] = view.tokens[i];
  }
  return s;
}

static inline int snapshot_equal(const struct snapshot *a, const struct snapshot *b)
{
  return memcmp(a, b, sizeof *a) == 0;
}

/* Prints every number that differs. */
static inline void snapshot_print_difference(const struct snapshot *want,
                                             const struct snapshot *got)
{
  for (int f = 0; f < NUM_POOL_FIELDS; f++)
    if (want->pool[f] != got->pool[f])
      fprintf(stderr, "  %s: %llu, not %llu\n", snapshot_pool_names[f],
              (unsigned long long)got->pool[f], (unsigned long long)want->pool[f]);
  for (int b = 0; b < SNAPSHOT_BLOCKS; b++)
    for (int f = 0; f < NUM_BLOCK_FIELDS; f++)
      if (want->block[b][f] != got->block[b][f])
        fprintf(stderr, "  block %d: %s: %llu, not %llu\n", b, snapshot_block_names[f],
                (unsigned long long)got->block[b][f], (unsigned long long)want->block[b][f]);
}

#endif
