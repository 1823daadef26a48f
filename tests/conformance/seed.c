/* SPDX-License-Identifier: Apache-2.0 */
/* The behaviours of the first seed, ATOM's paged block pool, one after the other: how blocks are
   handed out, when content is evicted, what the index names, and how the pool shrinks and grows. */
#include "tests/script.h"

/* Content is named by its hash. */
#define A 0xA
#define B 0xB
#define C 0xC

/* A row is one thought, not one macro. */
/* clang-format off */

static const struct step vacant_lowest_first[] = {
  TAKE(0), TAKE(1), TAKE(2), FREE(2), FREE(0), FREE(1), POP(0), POP(1), POP(2), POP(3),
  REFUSED(KVP_EMPTY, .kind = KVP_POP),
};

static const struct step vacant_before_cached[] = {
  TAKE(0), PUBLISH(0, A, 1), FREE(0), IS(0, KVP_CACHED, 0),
  TAKE(1), TAKE(2), TAKE_EVICTS(0, A),
};

static const struct step cached_oldest_release_first[] = {
  TAKE(0), TAKE(1), TAKE(2), PUBLISH(0, A, 1), PUBLISH(1, B, 2), PUBLISH(2, C, 3),
  FREE(1), FREE(2), FREE(0), CACHED_ORDER(1, 2, 0),
  TAKE_EVICTS(1, B), TAKE_EVICTS(2, C), TAKE_EVICTS(0, A),
};

static const struct step claimed_is_newest_again[] = {
  TAKE(0), TAKE(1), TAKE(2), PUBLISH(0, A, 1), PUBLISH(1, B, 2), PUBLISH(2, C, 3),
  FREE(0), FREE(1), FREE(2), CACHED_ORDER(0, 1, 2),
  CLAIM(0), CACHED_ORDER(1, 2), FREE(0), CACHED_ORDER(1, 2, 0),
  CLAIM(2), FREE(2), CACHED_ORDER(1, 0, 2),
  TAKE_EVICTS(1, B), TAKE_EVICTS(0, A), TAKE_EVICTS(2, C),
};

static const struct step allocate_is_the_eviction[] = {
  TAKE(0), PUBLISH(0, A, 1), FREE(0), LOOKUP(A, 0), HOLDS(0, A, 1, 1),
  POP(0), IS(0, KVP_RESERVED, 0), LOOKUP(A, 0), HOLDS(0, A, 1, 1), COUNTS(1, 0, 0, 1, 1),
  ALLOCATE_EVICTS(0, A), LOOKUP(A, KVP_NONE), HOLDS_NOTHING(0), COUNTS(1, 0, 1, 0, 0),
};

static const struct step allocate_takes_a_named_block[] = {
  TAKE(0), PUBLISH(0, A, 1), FREE(0),
  ALLOCATE(2), ALLOCATE_EVICTS(0, A), IS(0, KVP_USED, 1), IS(2, KVP_USED, 1),
  POP(1), POP(3),
  REFUSED(KVP_EMPTY, .kind = KVP_POP),
};

static const struct step claim_shares[] = {
  TAKE(0), PUBLISH(0, A, 1), CLAIM(0), CLAIM(0), IS(0, KVP_USED, 3),
  FREE(0), FREE(0), IS(0, KVP_USED, 1), LOOKUP(A, 0),
  FREE(0), IS(0, KVP_CACHED, 0), HOLDS(0, A, 1, 1),
  CLAIM(0), IS(0, KVP_USED, 1), HOLDS(0, A, 1, 1), LOOKUP(A, 0),
};

static const struct step without_content_vacant[] = {
  TAKE(0), TAKE(1), FREE(0), IS(0, KVP_VACANT, 0), HOLDS_NOTHING(0), POP(0),
};

static const struct step last_writer_wins[] = {
  TAKE(0), TAKE(1), PUBLISH(0, A, 1), PUBLISH(1, A, 1),
  LOOKUP(A, 1), HOLDS(0, A, 1, 0), HOLDS(1, A, 1, 1), COUNTS(2, 0, 2, 0, 1),
  FREE(0), IS(0, KVP_CACHED, 0), TAKE(0), LOOKUP(A, 1),
};

static const struct step orphan_is_reused[] = {
  TAKE(0), TAKE(1), PUBLISH(0, A, 1), PUBLISH(1, A, 1), FREE(1), FREE(0),
  CACHED_ORDER(1, 0), CLAIM(0), HOLDS(0, A, 1, 0), TAKE_EVICTS(1, A), LOOKUP(A, KVP_NONE),
  PUBLISH(0, A, 7), LOOKUP(A, 0), HOLDS(0, A, 7, 1),
};

static const struct step same_hash_again[] = {
  TAKE(0), PUBLISH(0, A, 1), PUBLISH(0, A, 2), HOLDS(0, A, 2, 1), COUNTS(1, 0, 1, 0, 1),
};

static const struct step any_hash_is_legal[] = {
  TAKE(0), TAKE(1), PUBLISH(0, 0, 1), PUBLISH(1, UINT64_MAX, 2),
  LOOKUP(0, 0), LOOKUP(UINT64_MAX, 1), FREE(0), FREE(1),
  IS(0, KVP_CACHED, 0), IS(1, KVP_CACHED, 0),
  TAKE_EVICTS(0, 0), TAKE_EVICTS(1, UINT64_MAX),
};

static const struct step clear_index_keeps_the_held[] = {
  TAKE(0), TAKE(1), TAKE(2), PUBLISH(0, A, 1), PUBLISH(1, B, 2), PUBLISH(2, C, 3),
  FREE(2), FREE(1), CLEAR_INDEX, COUNTS(4, 3, 1, 0, 0),
  LOOKUP(A, KVP_NONE), LOOKUP(B, KVP_NONE), LOOKUP(C, KVP_NONE),
  HOLDS(0, A, 1, 0), HOLDS_NOTHING(1), IS(1, KVP_VACANT, 0), IS(2, KVP_VACANT, 0),
  POP(1), POP(2), POP(3),
};

static const struct step clear_index_empties_the_reserved[] = {
  TAKE(0), PUBLISH(0, A, 1), FREE(0), POP(0), CLEAR_INDEX,
  IS(0, KVP_RESERVED, 0), HOLDS_NOTHING(0), ALLOCATE(0),
};

static const struct step orphan_of_clear_index[] = {
  TAKE(0), PUBLISH(0, A, 1), CLEAR_INDEX, FREE(0), IS(0, KVP_CACHED, 0), CACHED_ORDER(0),
  LOOKUP(A, KVP_NONE), TAKE(0), HOLDS_NOTHING(0),
};

static const struct step extend_is_capped[] = {
  EXTEND(0, 0), EXTEND(1, 1), COUNTS(2, 2, 0, 0, 0), EXTEND(5, 2), COUNTS(4, 4, 0, 0, 0),
  EXTEND(UINT32_MAX, 0), POP(0), POP(1), POP(2), POP(3),
};

static const struct step grown_blocks_go_first[] = {
  TAKE(0), TAKE(1), PUBLISH(0, A, 1), FREE(0), EXTEND(2, 2), IS(2, KVP_VACANT, 0),
  TAKE(2), TAKE(3), TAKE_EVICTS(0, A),
};

static const struct step retire_drops_a_vacant_top[] = {
  RETIRE(3), IS(3, KVP_RETIRED, 0), COUNTS(3, 3, 0, 0, 0), RETIRE(2), RETIRE(1), RETIRE(0),
  REFUSED(KVP_EMPTY, .kind = KVP_RETIRE_TOP), REFUSED(KVP_EMPTY, .kind = KVP_POP),
  EXTEND(1, 1), POP(0),
};

static const struct step retire_drops_a_cached_top[] = {
  TAKE(0), TAKE(1), PUBLISH(0, A, 1), PUBLISH(1, B, 2), FREE(1), FREE(0),
  RETIRE_EVICTS(1, B), LOOKUP(B, KVP_NONE), CACHED_ORDER(0), HOLDS_NOTHING(1),
  EXTEND(1, 1), IS(1, KVP_VACANT, 0), HOLDS_NOTHING(1),
};

static const struct step retire_drops_an_orphan_in_silence[] = {
  TAKE(0), TAKE(1), PUBLISH(1, A, 1), PUBLISH(0, A, 1), FREE(1), RETIRE(1), LOOKUP(A, 0),
};

static const struct step retire_moves_a_held_top[] = {
  TAKE(0), TAKE(1), TAKE(2), PUBLISH(2, A, 9), CLAIM(2), FREE(0),
  RETIRE_MOVES(2, 0), IS(0, KVP_USED, 2), HOLDS(0, A, 9, 1), LOOKUP(A, 0), MATCH(A, 9, 0),
  IS(2, KVP_RETIRED, 0), HOLDS_NOTHING(2), COUNTS(2, 0, 2, 0, 1),
  FREE(0), FREE(0), IS(0, KVP_CACHED, 0), LOOKUP(A, 0),
};

static const struct step retire_moves_into_vacant_first[] = {
  TAKE(0), TAKE(1), TAKE(2), PUBLISH(0, A, 1), FREE(0), FREE(1),
  RETIRE_MOVES(2, 1), LOOKUP(A, 0), IS(0, KVP_CACHED, 0),
};

static const struct step retire_moves_onto_the_coldest[] = {
  TAKE(0), TAKE(1), TAKE(2), PUBLISH(0, A, 1), PUBLISH(1, B, 2), PUBLISH(2, C, 3),
  FREE(1), FREE(0), RETIRE_MOVES_EVICTS(2, 1, B),
  LOOKUP(B, KVP_NONE), LOOKUP(C, 1), HOLDS(1, C, 3, 1), CACHED_ORDER(0),
};

static const struct step retire_moves_onto_an_orphan[] = {
  TAKE(0), TAKE(1), TAKE(2), PUBLISH(0, A, 1), PUBLISH(1, A, 1), FREE(0),
  RETIRE_MOVES(2, 0), HOLDS_NOTHING(0), LOOKUP(A, 1),
};

static const struct step retire_moves_an_orphan[] = {
  TAKE(0), TAKE(1), TAKE(2), PUBLISH(2, A, 1), PUBLISH(1, A, 1), FREE(0),
  RETIRE_MOVES(2, 0), HOLDS(0, A, 1, 0), LOOKUP(A, 1),
};

static const struct step retire_refuses_when_full[] = {
  TAKE(0), TAKE(1), PUBLISH(1, A, 1), REFUSED(KVP_FULL, .kind = KVP_RETIRE_TOP),
  IS(1, KVP_USED, 1), LOOKUP(A, 1), FREE(0), RETIRE_MOVES(1, 0),
};

static const struct step counts_follow[] = {
  COUNTS(4, 4, 0, 0, 0), POP(0), COUNTS(4, 3, 0, 1, 0), ALLOCATE(0), COUNTS(4, 3, 1, 0, 0),
  PUBLISH(0, A, 1), COUNTS(4, 3, 1, 0, 1), CLAIM(0), COUNTS(4, 3, 1, 0, 1),
  FREE(0), COUNTS(4, 3, 1, 0, 1), FREE(0), COUNTS(4, 4, 0, 0, 1), RETIRE(3),
  COUNTS(3, 3, 0, 0, 1), EXTEND(2, 1), COUNTS(4, 4, 0, 0, 1), CLEAR_INDEX, COUNTS(4, 4, 0, 0, 0),
};

static const struct step nothing_goes_stale[] = {
  TAKE(0), PUBLISH(0, A, 1), FREE(0), CLAIM(0), FREE(0), CLAIM(0), FREE(0),
  TAKE(1), PUBLISH(1, B, 2), FREE(1), TAKE(2), TAKE(3),
  TAKE_EVICTS(0, A), FREE(0), CLAIM(1), FREE(1), TAKE(0), TAKE_EVICTS(1, B),
  REFUSED(KVP_EMPTY, .kind = KVP_POP),
};

/* clang-format on */

static const struct script scripts[] = {
  SCRIPT("vacant blocks are handed out lowest id first", 4, 4, vacant_lowest_first),
  SCRIPT("a cached block waits while a vacant one exists", 3, 3, vacant_before_cached),
  SCRIPT("cached blocks go least recently freed first", 3, 3, cached_oldest_release_first),
  SCRIPT("a claimed block is the newest at its next release", 3, 3, claimed_is_newest_again),
  SCRIPT("allocate evicts, neither free nor pop do", 1, 1, allocate_is_the_eviction),
  SCRIPT("allocate takes any free block by name", 4, 4, allocate_takes_a_named_block),
  SCRIPT("a block is free when its last holder is gone", 1, 1, claim_shares),
  SCRIPT("a block freed without content is vacant", 2, 2, without_content_vacant),
  SCRIPT("the index names the last writer, the other is an orphan", 2, 2, last_writer_wins),
  SCRIPT("an orphan can be claimed and published again", 2, 2, orphan_is_reused),
  SCRIPT("publishing the same hash again replaces the tokens", 1, 1, same_hash_again),
  SCRIPT("every 64-bit value is a legal hash", 2, 2, any_hash_is_legal),
  SCRIPT("clear_index forgets what nobody holds", 4, 4, clear_index_keeps_the_held),
  SCRIPT("clear_index empties a reserved block", 1, 1, clear_index_empties_the_reserved),
  SCRIPT("clear_index leaves held content an orphan", 1, 1, orphan_of_clear_index),
  SCRIPT("extend stops at max_blocks", 1, 4, extend_is_capped),
  SCRIPT("blocks that join are vacant and go first", 2, 4, grown_blocks_go_first),
  SCRIPT("retire_top drops a vacant top, down to an empty pool", 4, 4, retire_drops_a_vacant_top),
  SCRIPT("retire_top drops a cached top and reports its hash", 2, 2, retire_drops_a_cached_top),
  SCRIPT("retire_top drops an orphan in silence", 2, 2, retire_drops_an_orphan_in_silence),
  SCRIPT("retire_top moves holders, content and index entry", 3, 3, retire_moves_a_held_top),
  SCRIPT("retire_top moves into a vacant block first", 3, 3, retire_moves_into_vacant_first),
  SCRIPT("retire_top moves onto the coldest and reports it", 3, 3, retire_moves_onto_the_coldest),
  SCRIPT("retire_top moves onto an orphan in silence", 3, 3, retire_moves_onto_an_orphan),
  SCRIPT("an orphan stays one when it moves", 3, 3, retire_moves_an_orphan),
  SCRIPT("retire_top refuses when nothing is free", 2, 2, retire_refuses_when_full),
  SCRIPT("the counts follow every operation", 4, 4, counts_follow),
  SCRIPT("a block that was claimed is not handed out from its old place", 4, 4, nothing_goes_stale),
};

int main(void) { RUN_SCRIPTS("the first seed", scripts); }
