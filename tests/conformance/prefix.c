/* SPDX-License-Identifier: Apache-2.0 */
/* Matching by content: a hash collision is a miss, and a chain matches up to its first miss. */
#include "tests/script.h"

#define A 0xA
#define B 0xB
#define C 0xC

/* A chain of hashes and as many tokens, one an element. */
#define HASHES(...)                                                                                \
  (const uint64_t[]) { __VA_ARGS__ }
#define TOKENS(...)                                                                                \
  (const uint32_t[]) { __VA_ARGS__ }
#define PREFIX(n, hash_list, token_list, matched)                                                  \
  {                                                                                                \
    .op = {.kind = KVP_MATCH_PREFIX,                                                               \
           .count = n,                                                                             \
           .length = 1,                                                                            \
           .hashes = hash_list,                                                                    \
           .tokens = token_list},                                                                  \
    ANSWER(KVP_NONE, KVP_NONE, matched, NOTHING)                                                   \
  }

/* A row is one thought, not one macro. */
/* clang-format off */

static const struct step collision_is_a_miss[] = {
  TAKE(0), PUBLISH(0, A, 1), MATCH(A, 1, 0), MATCH(A, 2, KVP_NONE), MATCH(B, 1, KVP_NONE),
  LOOKUP(A, 0),
  /* Fewer tokens than the block holds are another content. */
  {.op = {.kind = KVP_MATCH, .hash = A}, ANSWER(KVP_NONE, KVP_NONE, 0, NOTHING)},
};

static const struct step no_tokens_match[] = {
  TAKE(0),
  {.op = {.kind = KVP_PUBLISH, .block = 0, .hash = A}, DONE},
  {.op = {.kind = KVP_MATCH, .hash = A}, ANSWER(0, KVP_NONE, 0, NOTHING)},
  MATCH(A, 0, KVP_NONE), FREE(0), IS(0, KVP_CACHED, 0),
};

static const struct step match_in_every_class[] = {
  TAKE(0), PUBLISH(0, A, 1), MATCH(A, 1, 0), FREE(0), MATCH(A, 1, 0), POP(0), MATCH(A, 1, 0),
  ALLOCATE_EVICTS(0, A), MATCH(A, 1, KVP_NONE),
};

static const struct step orphans_do_not_match[] = {
  TAKE(0), TAKE(1), PUBLISH(0, A, 1), PUBLISH(1, A, 2), MATCH(A, 1, KVP_NONE), MATCH(A, 2, 1),
};

static const struct step prefix_stops_at_the_first_miss[] = {
  TAKE(0), TAKE(1), TAKE(2), PUBLISH(0, A, 1), PUBLISH(1, B, 2), PUBLISH(2, C, 3),
  PREFIX(3, HASHES(A, B, C), TOKENS(1, 2, 3), 3), PREFIX(2, HASHES(A, B), TOKENS(1, 2), 2),
  PREFIX(3, HASHES(A, B, C), TOKENS(1, 9, 3), 1), PREFIX(3, HASHES(A, 7, C), TOKENS(1, 2, 3), 1),
  PREFIX(3, HASHES(7, B, C), TOKENS(1, 2, 3), 0), PREFIX(3, HASHES(A, B, 7), TOKENS(1, 2, 3), 2),
  PREFIX(3, HASHES(A, A, A), TOKENS(1, 1, 1), 3), PREFIX(0, NULL, NULL, 0),
};

static const struct step prefix_of_empty_elements[] = {
  TAKE(0),
  {.op = {.kind = KVP_PUBLISH, .block = 0, .hash = A}, DONE},
  {.op = {.kind = KVP_MATCH_PREFIX, .count = 2, .hashes = HASHES(A, B)},
   ANSWER(KVP_NONE, KVP_NONE, 1, NOTHING)},
};

/* clang-format on */

static const struct script scripts[] = {
  SCRIPT("a hash collision is a miss", 1, 1, collision_is_a_miss),
  SCRIPT("content without tokens matches no tokens", 1, 1, no_tokens_match),
  SCRIPT("content matches in every class that keeps it", 1, 1, match_in_every_class),
  SCRIPT("an orphan does not match", 2, 2, orphans_do_not_match),
  SCRIPT("a chain matches up to its first miss", 3, 3, prefix_stops_at_the_first_miss),
  SCRIPT("a chain of elements without tokens matches by hash", 1, 1, prefix_of_empty_elements),
};

int main(void) { RUN_SCRIPTS("matching", scripts); }
