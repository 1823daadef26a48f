/* SPDX-License-Identifier: Apache-2.0 */
/* The pool's invariants and laws as predicates: of a state that a subject stands in, and of a
   transition from one state to the next. */
#ifndef KVP_TESTS_LAWS_H
#define KVP_TESTS_LAWS_H

#include "tests/explore.h"

/* What a law says of one case. */
enum verdict { NOT_CONCERNED, HOLDS, BROKEN };

static inline enum verdict holds_if(int condition) { return condition ? HOLDS : BROKEN; }

static inline int is_free(uint64_t state) { return state == KVP_VACANT || state == KVP_CACHED; }

/* The block that the index maps a hash to, by what the blocks show, or KVP_NONE. */
static inline uint32_t block_of(const struct snapshot *s, uint64_t hash)
{
  for (uint32_t b = 0; b < WORLD_BLOCKS; b++)
    if (s->block[b][INDEXED] && s->block[b][HASH] == hash)
      return b;
  return KVP_NONE;
}

static inline uint32_t count_in(const struct snapshot *s, enum kvp_class state)
{
  uint32_t n = 0;
  for (uint32_t b = 0; b < WORLD_BLOCKS; b++)
    n += s->block[b][STATE] == state;
  return n;
}

/* The cached blocks, oldest release first; WORLD_BLOCKS + 1 if the order does not end. */
static size_t order_of(const struct snapshot *s, uint64_t *order)
{
  size_t n = 0;
  for (uint64_t b = s->pool[FIRST_CACHED]; b != KVP_NONE; b = s->block[b][NEXT_CACHED]) {
    if (n == WORLD_BLOCKS || b >= WORLD_BLOCKS)
      return WORLD_BLOCKS + 1;
    order[n++] = b;
  }
  return n;
}

/* What pop must take, or KVP_NONE. */
static inline uint64_t choice(const struct snapshot *s)
{
  for (uint32_t b = 0; b < WORLD_BLOCKS; b++)
    if (s->block[b][STATE] == KVP_VACANT)
      return b;
  return s->pool[FIRST_CACHED];
}

static inline int is_empty_row(const uint64_t *row)
{
  return !row[REF_COUNT] && !row[HAS_HASH] && !row[INDEXED] && !row[HASH] && !row[LENGTH]
         && !row[OWNER] && row[FIRST] == KVP_NONE && !row[LEFT] && row[NEXT_CACHED] == KVP_NONE;
}

/* Laws of a state. `subject` stands in it, and may be moved on. */

static inline enum verdict one_class(const struct kvp_applier *subject, const struct snapshot *s)
{
  (void)subject;
  uint64_t in_pool = 0;
  for (uint32_t b = 0; b < WORLD_BLOCKS; b++) {
    if (s->block[b][STATE] >= KVP_NUM_CLASSES)
      return BROKEN;
    in_pool += s->block[b][STATE] != KVP_RETIRED;
  }
  return holds_if(in_pool == s->pool[NUM_BLOCKS]
                  && s->pool[NUM_FREE] == count_in(s, KVP_VACANT) + count_in(s, KVP_CACHED)
                  && s->pool[NUM_USED] == count_in(s, KVP_USED) + count_in(s, KVP_UNIT)
                  && s->pool[NUM_RESERVED] == count_in(s, KVP_RESERVED)
                  && s->pool[NUM_FREE] + s->pool[NUM_USED] + s->pool[NUM_RESERVED]
                       == s->pool[NUM_BLOCKS]);
}

static inline enum verdict class_is_a_function(const struct kvp_applier *subject,
                                               const struct snapshot *s)
{
  (void)subject;
  for (uint32_t b = 0; b < WORLD_BLOCKS; b++) {
    const uint64_t *row = s->block[b];
    int used = row[STATE] == KVP_USED, unit = row[STATE] == KVP_UNIT;
    if ((row[REF_COUNT] > 0) != (used || unit) || (unit && row[REF_COUNT] != 1)
        || (row[STATE] == KVP_VACANT && row[HAS_HASH]) || (unit && row[HAS_HASH])
        || (row[STATE] == KVP_CACHED && !row[HAS_HASH]) || unit != (row[OWNER] != 0)
        || (!row[HAS_HASH] && (row[HASH] || row[LENGTH] || row[INDEXED])))
      return BROKEN;
  }
  return HOLDS;
}

static inline enum verdict index_is_coherent(const struct kvp_applier *subject,
                                             const struct snapshot *s)
{
  uint64_t mapped = 0;
  for (uint32_t b = 0; b < WORLD_BLOCKS; b++) {
    const uint64_t *row = s->block[b];
    mapped += row[INDEXED];
    if (row[INDEXED] && (!row[HAS_HASH] || b >= s->pool[NUM_BLOCKS] || block_of(s, row[HASH]) != b))
      return BROKEN;
  }
  for (uint64_t hash = 0; hash < 8; hash++) {
    struct kvp_result r = apply_one(subject, (struct kvp_op){.kind = KVP_LOOKUP, .hash = hash});
    if (r.status != KVP_OK || r.block != block_of(s, hash))
      return BROKEN;
  }
  return holds_if(mapped == s->pool[NUM_INDEXED]);
}

static inline enum verdict order_lists_the_cached(const struct kvp_applier *subject,
                                                  const struct snapshot *s)
{
  (void)subject;
  uint64_t order[WORLD_BLOCKS];
  size_t n = order_of(s, order), seen = 0;
  if (n > WORLD_BLOCKS)
    return BROKEN;
  for (size_t i = 0; i < n; i++) {
    if (s->block[order[i]][STATE] != KVP_CACHED || (seen >> order[i] & 1))
      return BROKEN;
    seen |= (size_t)1 << order[i];
  }
  return holds_if(n == count_in(s, KVP_CACHED));
}

static inline enum verdict retired_hold_nothing(const struct kvp_applier *subject,
                                                const struct snapshot *s)
{
  (void)subject;
  for (uint32_t b = 0; b < WORLD_BLOCKS; b++)
    if ((s->block[b][STATE] == KVP_RETIRED) != (b >= s->pool[NUM_BLOCKS])
        || (s->block[b][STATE] == KVP_RETIRED && !is_empty_row(s->block[b])))
      return BROKEN;
  return HOLDS;
}

/* The units of one reservation count down to 0 from its first. */
static inline enum verdict reservations_are_whole(const struct kvp_applier *subject,
                                                  const struct snapshot *s)
{
  (void)subject;
  for (uint32_t b = 0; b < WORLD_BLOCKS; b++) {
    const uint64_t *row = s->block[b];
    uint64_t units = 0, lefts = 0;
    if (row[STATE] != KVP_UNIT)
      continue;
    const uint64_t *first = s->block[row[FIRST] % WORLD_BLOCKS];
    for (uint32_t o = 0; o < WORLD_BLOCKS; o++)
      if (s->block[o][STATE] == KVP_UNIT && s->block[o][FIRST] == row[FIRST]) {
        units++;
        lefts |= UINT64_C(1) << (s->block[o][LEFT] % 64);
      }
    if (first[STATE] != KVP_UNIT || first[OWNER] != row[OWNER] || first[LEFT] != units - 1
        || lefts != (UINT64_C(1) << units) - 1)
      return BROKEN;
  }
  return HOLDS;
}

/* Applies two operations that must succeed, after which all must be as it was. */
static inline int undoes(const struct kvp_applier *subject, const struct snapshot *s,
                         struct kvp_op first, struct kvp_op second)
{
  struct kvp_unit units[WORLD_BLOCKS];
  first.units = second.units = units;
  if (apply_one(subject, first).status != KVP_OK || apply_one(subject, second).status != KVP_OK)
    return 0;
  struct snapshot after = snapshot_of(subject);
  return snapshot_equal(s, &after);
}

static inline enum verdict free_undoes_allocate(const struct kvp_applier *subject,
                                                const struct snapshot *s)
{
  enum verdict verdict = NOT_CONCERNED;
  for (uint32_t b = 0; b < WORLD_BLOCKS; b++)
    if (s->block[b][STATE] == KVP_VACANT) {
      verdict = HOLDS;
      if (!undoes(subject, s, (struct kvp_op){.kind = KVP_ALLOCATE, .block = b},
                  (struct kvp_op){.kind = KVP_FREE, .block = b}))
        return BROKEN;
    }
  return verdict;
}

static inline enum verdict free_undoes_claim(const struct kvp_applier *subject,
                                             const struct snapshot *s)
{
  enum verdict verdict = NOT_CONCERNED;
  for (uint32_t b = 0; b < WORLD_BLOCKS; b++)
    if (s->block[b][STATE] == KVP_USED) {
      verdict = HOLDS;
      if (!undoes(subject, s, (struct kvp_op){.kind = KVP_CLAIM, .block = b},
                  (struct kvp_op){.kind = KVP_FREE, .block = b}))
        return BROKEN;
    }
  return verdict;
}

static inline enum verdict release_undoes_reserve(const struct kvp_applier *subject,
                                                  const struct snapshot *s)
{
  uint32_t vacant = count_in(s, KVP_VACANT);
  for (uint32_t n = 1; n <= vacant; n++)
    if (!undoes(subject, s, (struct kvp_op){.kind = KVP_RESERVE, .count = n, .owner = 3},
                (struct kvp_op){.kind = KVP_RELEASE, .count = n, .owner = 3}))
      return BROKEN;
  return vacant == 0 ? NOT_CONCERNED : HOLDS;
}

static inline enum verdict retire_undoes_extend(const struct kvp_applier *subject,
                                                const struct snapshot *s)
{
  if (s->pool[NUM_BLOCKS] == WORLD_BLOCKS)
    return NOT_CONCERNED;
  return holds_if(undoes(subject, s, (struct kvp_op){.kind = KVP_EXTEND, .count = 1},
                         (struct kvp_op){.kind = KVP_RETIRE_TOP}));
}

static inline enum verdict retires_are_counted(const struct kvp_applier *subject,
                                               const struct snapshot *s)
{
  uint64_t done = 0;
  while (apply_one(subject, (struct kvp_op){.kind = KVP_RETIRE_TOP}).status == KVP_OK)
    done++;
  return holds_if(snapshot_of(subject).pool[NUM_BLOCKS] == s->pool[NUM_BLOCKS] - done);
}

static inline enum verdict pops_in_order(const struct kvp_applier *subject,
                                         const struct snapshot *s)
{
  struct snapshot now = *s;
  for (uint64_t n = s->pool[NUM_FREE]; n > 0; n--) {
    struct kvp_result r = apply_one(subject, (struct kvp_op){.kind = KVP_POP});
    if (r.status != KVP_OK || r.block != choice(&now))
      return BROKEN;
    now = snapshot_of(subject);
  }
  return holds_if(apply_one(subject, (struct kvp_op){.kind = KVP_POP}).status == KVP_EMPTY);
}

/* Laws of a transition. */

static inline enum verdict refusal_is_nothing(const struct transition *t)
{
  const struct kvp_result *r = t->result;
  if (r->status == KVP_OK)
    return NOT_CONCERNED;
  return holds_if(r->block == KVP_NONE && r->moved_to == KVP_NONE && r->count == 0
                  && r->evicted.count == 0 && r->evicted.hash == 0
                  && snapshot_equal(t->before, t->after));
}

static inline enum verdict pop_takes_the_choice(const struct transition *t)
{
  if (t->op->kind != KVP_POP)
    return NOT_CONCERNED;
  if (t->result->status != KVP_OK)
    return holds_if(t->before->pool[NUM_FREE] == 0);
  uint32_t b = t->result->block;
  uint64_t popped[NUM_BLOCK_FIELDS];
  memcpy(popped, t->before->block[b], sizeof popped);
  popped[STATE] = KVP_RESERVED;
  popped[NEXT_CACHED] = KVP_NONE;
  return holds_if(b == choice(t->before) && memcmp(popped, t->after->block[b], sizeof popped) == 0);
}

/* Whether a hash is among what a transition reports as evicted. */
static inline int is_reported(const struct transition *t, uint64_t hash)
{
  int reported = t->result->evicted.count && t->result->evicted.hash == hash;
  if (t->op->kind == KVP_RESERVE && t->result->status == KVP_OK)
    for (uint32_t i = 0; i < t->op->count; i++)
      reported |= t->op->units[i].evicted.count && t->op->units[i].evicted.hash == hash;
  return reported;
}

static inline enum verdict index_loses_the_reported(const struct transition *t)
{
  for (uint64_t hash = 0; hash < 8; hash++) {
    int lost = block_of(t->before, hash) != KVP_NONE && block_of(t->after, hash) == KVP_NONE;
    if (is_reported(t, hash) != (lost && t->op->kind != KVP_CLEAR_INDEX))
      return BROKEN;
  }
  return HOLDS;
}

/* publish reports the block's own former content, which its holders gave up with it. */
static inline enum verdict evicted_was_not_held(const struct transition *t)
{
  enum verdict verdict = NOT_CONCERNED;
  for (uint64_t hash = 0; hash < 8; hash++) {
    uint32_t b = block_of(t->before, hash);
    if (!is_reported(t, hash) || t->op->kind == KVP_PUBLISH)
      continue;
    verdict = HOLDS;
    if (b == KVP_NONE || t->before->block[b][REF_COUNT] != 0)
      return BROKEN;
  }
  return verdict;
}

static inline enum verdict published_is_found(const struct transition *t)
{
  const struct kvp_op *op = t->op;
  if (op->kind != KVP_PUBLISH || t->result->status != KVP_OK)
    return NOT_CONCERNED;
  const uint64_t *row = t->after->block[op->block];
  return holds_if(block_of(t->after, op->hash) == op->block && row[LENGTH] == op->length
                  && (op->length == 0 || row[TOKEN] == op->tokens[0])
                  && row[REF_COUNT] == t->before->block[op->block][REF_COUNT]);
}

static inline enum verdict move_is_invisible(const struct transition *t)
{
  if (t->op->kind != KVP_RETIRE_TOP || t->result->moved_to == KVP_NONE)
    return NOT_CONCERNED;
  uint32_t top = t->result->block, to = t->result->moved_to;
  return holds_if(to == choice(t->before) && top == t->before->pool[NUM_BLOCKS] - 1
                  && memcmp(t->after->block[to], t->before->block[top], sizeof t->after->block[to])
                       == 0);
}

/* Whether a transition may change more of block b than its links and index entry. */
static inline int concerns(const struct transition *t, uint32_t b)
{
  const struct kvp_op *op = t->op;
  switch (op->kind) {
  case KVP_POP: return t->result->block == b;
  case KVP_ALLOCATE:
  case KVP_CLAIM:
  case KVP_FREE:
  case KVP_PUBLISH: return op->block == b;
  case KVP_CLEAR_INDEX: return t->before->block[b][REF_COUNT] == 0;
  case KVP_EXTEND: return t->before->block[b][STATE] == KVP_RETIRED;
  case KVP_RETIRE_TOP: return t->result->block == b || t->result->moved_to == b;
  case KVP_RESERVE: return is_free(t->before->block[b][STATE]);
  case KVP_RELEASE: return t->before->block[b][STATE] == KVP_UNIT;
  default: return 0;
  }
}

static inline enum verdict others_stay(const struct transition *t)
{
  for (uint32_t b = 0; b < WORLD_BLOCKS; b++) {
    const uint64_t *before = t->before->block[b], *after = t->after->block[b];
    if (concerns(t, b))
      continue;
    for (int f = 0; f < NUM_BLOCK_FIELDS; f++)
      if (f != NEXT_CACHED && f != INDEXED && before[f] != after[f])
        return BROKEN;
    if (before[INDEXED] != after[INDEXED] && t->op->kind != KVP_CLEAR_INDEX
        && (t->op->kind != KVP_PUBLISH || before[HASH] != t->op->hash))
      return BROKEN;
  }
  return HOLDS;
}

/* Who stays cached keeps his place; only the block that a free makes cached joins, at the end. */
static inline enum verdict order_is_of_release(const struct transition *t)
{
  uint64_t before[WORLD_BLOCKS], after[WORLD_BLOCKS];
  size_t n = order_of(t->before, before), m = order_of(t->after, after), j = 0;
  for (size_t i = 0; i < n; i++)
    if (t->after->block[before[i]][STATE] == KVP_CACHED && (j == m || after[j++] != before[i]))
      return BROKEN;
  if (j < m && (t->op->kind != KVP_FREE || after[j++] != t->op->block))
    return BROKEN;
  return holds_if(j == m);
}

#endif
