/* SPDX-License-Identifier: Apache-2.0 */
/* The registry of the second seed, Dynamo's block manager: the life of a block, allocation and
   eviction, matching, events, and the second seed's own tests with our outcomes. */
#include "tests/registry_run.h"

/* A row is one thought, not one macro. */
/* clang-format off */

/* Life of a held block. */

static const struct step life_reset[] = {
  ALLOCATE("a", "0"), IS(0, KVP_BLOCK_RESET, 1), REPORTS(0, 0, 0, NULL),
  PUSH_REFUSED(KVP_STATE, "a", 1), BLOCK(KVP_STATE, FILL, "a", .length = 1, .tokens = TOKENS(1)),
  POP_REFUSED(KVP_STATE, "a", 0), POP_REFUSED(KVP_STATE, "a", 1), BLOCK(KVP_STATE, COMMIT, "a", 0),
  BLOCK(KVP_RANGE, WRITE, "a", .length = 3, .tokens = TOKENS(1, 2, 3)),
  BLOCK(KVP_RANGE, WRITE, "a", .length = 5, .tokens = TOKENS(1, 2, 3, 4, 5)),
  BLOCK(KVP_RANGE, WRITE, "a", 0), REGISTER_REFUSED(KVP_STATE, "a"),
  CLEAR("a"), IS(0, KVP_BLOCK_RESET, 1), WRITE("a", "0"), IS(0, KVP_BLOCK_COMPLETE, 1),
};

static const struct step life_partial[] = {
  ALLOCATE("a", "0"), INIT("a"), IS(0, KVP_BLOCK_PARTIAL, 1), REPORTS(0, 0, 0, NULL),
  POP("a", 0), POP_REFUSED(KVP_EMPTY, "a", 1), BLOCK(KVP_EMPTY, COMMIT, "a", 0),
  WRITE_REFUSED(KVP_STATE, "a", "0"),
  BLOCK(KVP_RANGE, WRITE, "a", .length = 3, .tokens = TOKENS(1, 2, 3)),
  PUSH("a", 1), PUSH("a", 2), FILL("a", 1, 3), REPORTS(0, 3, 1, NULL),
  BLOCK(KVP_STATE, INIT, "a", .salt = SALT), REGISTER_REFUSED(KVP_STATE, "a"),
  BLOCK(KVP_EMPTY, COMMIT, "a", 0), PUSH_REFUSED(KVP_FULL, "a", 4, 5),
  FILL("a", 1, 4, 5), REPORTS(0, 4, 1, NULL), FILL("a", 0, 5), PUSH_REFUSED(KVP_FULL, "a", 5),
  POP("a", 1), POP("a", 2), POP_REFUSED(KVP_EMPTY, "a", 2), REPORTS(0, 1, 1, NULL),
  BLOCK(KVP_EMPTY, COMMIT, "a", 0), POP("a", 1),
  REPORTS(0, 0, 0, NULL), PUSH("a", 1, 2, 3, 4), COMMIT("a", "0"), IS(0, KVP_BLOCK_COMPLETE, 1),
};

static const struct step life_complete[] = {
  ALLOCATE("a", "0"), WRITE("a", "1"), REPORTS(0, 4, 1, "1"), BLOCK(KVP_STATE, INIT, "a", 0),
  PUSH_REFUSED(KVP_STATE, "a", 1), BLOCK(KVP_STATE, FILL, "a", .length = 1, .tokens = TOKENS(1)),
  POP_REFUSED(KVP_STATE, "a", 0), POP_REFUSED(KVP_STATE, "a", 1), BLOCK(KVP_STATE, COMMIT, "a", 0),
  WRITE_REFUSED(KVP_STATE, "a", "0"), BLOCK(KVP_RANGE, WRITE, "a", 0),
  {LINE, .op = {.kind = KVP_REGISTRY_SHARE}, .in = "a", .out = "", .want = {.status = KVP_STATE}},
  CLEAR("a"), IS(0, KVP_BLOCK_RESET, 1), REPORTS(0, 0, 0, NULL), WRITE("a", "0"),
  REGISTER("a", "b", "0", "n"), IS(0, KVP_BLOCK_ACTIVE, 1),
};

static const struct step life_registered[] = {
  ALLOCATE("ab", "01"), WRITE("a", "0"), WRITE("b", "1"), REGISTER("ba", "ba", "10", "nn"),
  REPORTS(1, 4, 0, "1"), BLOCK(KVP_STATE, INIT, "b", 0), PUSH_REFUSED(KVP_STATE, "b", 1),
  BLOCK(KVP_STATE, FILL, "b", .length = 1, .tokens = TOKENS(1)), POP_REFUSED(KVP_STATE, "b", 0),
  BLOCK(KVP_STATE, COMMIT, "b", 0), WRITE_REFUSED(KVP_STATE, "b", "0"),
  BLOCK(KVP_RANGE, WRITE, "b", 0), BLOCK(KVP_STATE, CLEAR, "b", 0),
  REGISTER_REFUSED(KVP_STATE, "b"), RELEASE("b"), IS(1, KVP_BLOCK_CACHED, 0),
  REPORTS(1, 4, 0, "1"),
};

static const struct step salted[] = {
  ALLOCATE("a", "0"), BLOCK(KVP_OK, INIT, "a", .salt = 12345), PUSH("a", 1, 2, 3, 4),
  {LINE, .op = {.kind = KVP_REGISTRY_COMMIT}, .in = "a",
   .want = {.hash = 2043797638476133447, .block_hash = 2043797638476133447}},
};

/* The second seed's pool tests. */

static const struct step seed_counts[] = {
  COUNTS(7, 0, 0, 0, 7), ALLOCATE("a", "0"), COUNTS(6, 1, 0, 0, 6), RELEASE("a"),
  COUNTS(7, 0, 0, 0, 7), ALLOCATE("b", "1"), INIT("b"), PUSH("b", 1), PUSH("b", 2), PUSH("b", 3),
  PUSH("b", 4), PUSH_REFUSED(KVP_FULL, "b", 5),
};

static const struct step seed_register_and_match[] = {
  MATCH("0", "", ""), ALLOCATE("a", "0"), INIT("a"), PUSH("a", 1), PUSH("a", 2), PUSH("a", 3),
  PUSH("a", 4), PUSH_REFUSED(KVP_FULL, "a", 5),
  {LINE, .op = {.kind = KVP_REGISTRY_COMMIT}, .in = "a",
   .want = {.hash = UINT64_C(14643705804678351452), .block_hash = UINT64_C(14643705804678351452)}},
  IS(0, KVP_BLOCK_COMPLETE, 1), REGISTER("a", "b", "0", "n"), IS(0, KVP_BLOCK_ACTIVE, 1),
  RELEASE("b"), MATCH("0", "c", "0"), REPORTS(0, 4, 0, "0"),
};

static const struct step seed_key_order[] = {
  ALLOCATE("abc", "012"), WRITE("a", "5"), WRITE("b", "6"), WRITE("c", "7"),
  REGISTER("abc", "abc", "012", "nnn"), PRIORITY("b", 1), RELEASE("b"), RELEASE("a"), RELEASE("c"),
  ALLOCATE("x", "0"), ALLOCATE("y", "2"), ALLOCATE("z", "1"), ALLOCATE_FULL(1, 0),
  POLLED("+5+6+7-5-7-6"),
};

static const struct step seed_life[] = {
  COUNTS(10, 0, 0, 0, 10), ALLOCATE("abcdefghij", "0123456789"), COUNTS(0, 10, 0, 0, 0),
  RELEASE("abcdefghij"), COUNTS(10, 0, 0, 0, 10), MATCH("01", "", ""), ALLOCATE("ab", "98"),
  WRITE("a", "0"), WRITE("b", "1"), REGISTER("ab", "ab", "98", "nn"), COUNTS(8, 0, 2, 0, 8),
  RELEASE("ab"), COUNTS(8, 0, 0, 2, 10), MATCH("01", "ab", "98"), COUNTS(8, 0, 2, 0, 8),
  RELEASE("ab"), ALLOCATE("abcdefghij", "7654321089"), COUNTS(0, 10, 0, 0, 0),
  IS(9, KVP_BLOCK_RESET, 1), REPORTS(9, 0, 0, NULL), POLLED("+0+1-1-0"),
};

static const struct step seed_matching[] = {
  CHAIN2, RELEASE("ab"), COUNTS(0, 0, 0, 2, 2), MATCH("01", "pq", "01"), COUNTS(0, 0, 2, 0, 0),
  RELEASE("pq"), COUNTS(0, 0, 0, 2, 2),
};

static const struct step nothing_asked[] = {
  ALLOCATE("a", "0"), ASK(ALLOCATE, 0), ASK(REGISTER, 0), ASK(MATCH, 0), ASK(TOUCH, 0),
  ASK(RELEASE, 0), ASK(POLL, 0), ALLOCATE_FULL(1, 0), POLLED(""),
};

/* Ticks: the two traces. */

static const struct step trace[] = {
  ALLOCATE("ab", "01"), TICKS(0, 1, 0, 0), TICKS(1, 2, 0, 0), WRITE("a", "0"), WRITE("b", "1"),
  REGISTER("ab", "ab", "01", "nn"), RELEASE("b"), RELEASE("a"), TICKS(1, 2, 3, 0),
  TICKS(0, 1, 4, 0), ALLOCATE("xy", "21"), TICKS(2, 5, 0, 0), TICKS(1, 6, 3, 0),
  MATCH("01", "m", "0"), TICKS(0, 1, 4, 0), RELEASE("m"), TICKS(0, 1, 7, 0), ALLOCATE_FULL(2, 1),
  RELEASE("x"), RELEASE("y"), TICKS(2, 5, 8, 0), TICKS(1, 6, 9, 0), ALLOCATE("xyz", "210"),
  TICKS(2, 10, 8, 0), TICKS(1, 11, 9, 0), TICKS(0, 12, 7, 0), POLLED("+0+1-1-0"),
};

static const struct step priorities[] = {
  ALLOCATE("abc", "012"), PRIORITY("a", 5), PRIORITY("c", 5), WRITE("a", "5"), WRITE("b", "6"),
  WRITE("c", "7"), REGISTER("abc", "abc", "012", "nnn"), RELEASE("a"), RELEASE("b"), RELEASE("c"),
  TICKS(0, 1, 4, 5), TICKS(1, 2, 5, 0), TICKS(2, 3, 6, 5), ALLOCATE("xyz", "102"),
  TICKS(1, 7, 5, 0), TICKS(0, 8, 4, 0), TICKS(2, 9, 6, 0),
};

static const struct step priority_in_place[] = {
  CHAIN2, RELEASE("ab"), PRIORITY_OF("1", 9), TICKS(1, 2, 3, 9), MATCH("1", "p", "1"),
  PRIORITY("p", 8), SHARE("p", "q", "1"), RELEASE("p"), TICKS(1, 2, 3, 8), RELEASE("q"),
  TICKS(1, 2, 5, 8), ALLOCATE("x", "0"),
  {LINE, .op = {.kind = KVP_REGISTRY_SET_PRIORITY}, .content = "0", .want = {.status = KVP_EMPTY}},
  BLOCK(KVP_RANGE, SET_PRIORITY, "q", 0), PRIORITY_OF("1", 0), ALLOCATE("y", "1"),
};

static const struct step empties_first_in_first_out[] = {
  ALLOCATE("abc", "012"), RELEASE("b"), RELEASE("ac"), ALLOCATE("xyzw", "3120"), RELEASE("w"),
  ADD(5, 2), ADD(1, 0), COUNTS(3, 3, 0, 0, 3), ALLOCATE("abc", "045"), ALLOCATE_FULL(1, 0),
};

static const struct step empties_before_cached[] = {
  CHAIN2, RELEASE("ab"), ALLOCATE("x", "2"), ALLOCATE("y", "1"), POLLED("+0+1-1"),
};

/* Registering, matching, touching. */

static const struct step duplicates_merge[] = {
  ALLOCATE("a", "0"), WRITE("a", "0"), REGISTER("a", "a", "0", "n"), COUNTS(6, 0, 1, 0, 6),
  ALLOCATE("b", "1"), WRITE("b", "0"), REGISTER("b", "c", "0", "m"), COUNTS(6, 0, 1, 0, 6),
  IS(0, KVP_BLOCK_ACTIVE, 2), IS(1, KVP_BLOCK_EMPTY, 0), TICKS(1, 2, 3, 0), RELEASE_REFUSED("b"),
  RELEASE("ac"), ALLOCATE("de", "23"), WRITE("d", "0"), WRITE("e", "0"),
  REGISTER("ed", "xy", "00", "mm"), COUNTS(6, 0, 1, 0, 6), POLLED("+0"),
};

static const struct step duplicates_stay[] = {
  ALLOCATE("a", "0"), WRITE("a", "0"), REGISTER("a", "a", "0", "n"), COUNTS(6, 0, 1, 0, 6),
  ALLOCATE("b", "1"), WRITE("b", "0"), REGISTER("b", "c", "0", "d"), COUNTS(5, 1, 1, 0, 5),
  IS(0, KVP_BLOCK_ACTIVE, 2), IS(1, KVP_BLOCK_COMPLETE, 1), REPORTS(1, 4, 1, "0"),
  REFUSED(KVP_BUSY, RESET, 0), RELEASE("a"), COUNTS(5, 1, 1, 0, 5), RELEASE("cb"),
  COUNTS(6, 0, 0, 1, 7), MATCH("0", "m", "0"), RELEASE("m"), COUNTS(6, 0, 0, 1, 7),
  ALLOCATE("d", "2"), WRITE("d", "0"), REGISTER("d", "e", "0", "d"), COUNTS(5, 1, 1, 0, 5),
  RELEASE("de"), COUNTS(6, 0, 0, 1, 7), RESET, COUNTS(7, 0, 0, 0, 7), MATCH("0", "", ""),
  POLLED("+0!"),
};

static const struct step duplicates_in_one_list[] = {
  ALLOCATE("abc", "012"), WRITE("a", "5"), WRITE("b", "5"), WRITE("c", "6"),
  REGISTER("abc", "xyz", "002", "nmn"), IS(0, KVP_BLOCK_ACTIVE, 2), COUNTS(2, 0, 2, 0, 2),
  POLLED("+5+6"),
};

static const struct step repeats_are_shares[] = {
  CHAIN2, MATCH("00", "pq", "00"), IS(0, KVP_BLOCK_ACTIVE, 3), RELEASE("ap"),
  IS(0, KVP_BLOCK_ACTIVE, 1), SHARE("q", "r", "0"), RELEASE("q"), IS(0, KVP_BLOCK_ACTIVE, 1),
  RELEASE("r"), IS(0, KVP_BLOCK_CACHED, 0), MATCH("2", "", ""), MATCH("120", "p", "1"),
};

static const struct step seed_prefix_goes_last[] = {
  CHAIN4, RELEASE("abcd"), ALLOCATE("x", "3"), RELEASE("x"), MATCH("0123", "pqr", "012"),
  RELEASE("pqr"), ALLOCATE("xy", "32"), RELEASE("xy"), MATCH("0123", "pq", "01"), RELEASE("pq"),
  ALLOCATE("wxyz", "2310"), POLLED("+0+1+2+3-3-2-1-0"),
};

static const struct step seed_children_first[] = {
  ALLOCATE("abc", "012"), WRITE("a", "0"), WRITE("b", "1"), WRITE("c", "4"),
  REGISTER("bca", "bca", "120", "nnn"), RELEASE("bca"), ALLOCATE("xy", "21"), RELEASE("xy"),
  MATCH("0", "p", "0"), POLLED("+1+4+0-4-1"),
};

static const struct step seed_fragments[] = {
  CHAIN3, RELEASE("abc"), ALLOCATE("xy", "32"), RELEASE("xy"), MATCH("012", "pq", "01"),
  RELEASE("pq"), ALLOCATE("d", "2"), WRITE("d", "3"), REGISTER("d", "d", "2", "n"), RELEASE("d"),
  MATCH("012", "pq", "01"), RELEASE("pq"), COUNTS(1, 0, 0, 3, 4), ALLOCATE("wxyz", "3210"),
};

static const struct step seed_root_stays[] = {
  CHAIN4, RELEASE("abcd"), MATCH("0", "p", "0"), RELEASE("p"), ALLOCATE("xyz", "321"),
  MATCH("0123", "p", "0"), RELEASE("p"), ALLOCATE("w", "0"), MATCH("0123", "", ""),
};

static const struct step seed_touch[] = {
  CHAIN4, RELEASE("abcd"), ALLOCATE("w", "3"), TOUCH("2", 1), TICKS(2, 3, 10, 0),
  ALLOCATE("x", "1"), TOUCH("3", 0), ALLOCATE("y", "0"), MATCH("2", "p", "2"), TOUCH("2", 1),
  TICKS(2, 3, 10, 0),
};

/* Handles. */

static const struct step handles[] = {
  BLOCK(KVP_RANGE, INIT, "a", 0), REFUSED(KVP_RANGE, INIT, .handle = KVP_HANDLE(7, 1, 0)),
  ALLOCATE("a", "0"), REFUSED(KVP_RANGE, INIT, .handle = KVP_HANDLE(6, 1, 0)),
  REFUSED(KVP_RANGE, INIT, .handle = KVP_HANDLE(7, 2, 0)),
  REFUSED(KVP_RANGE, INIT, .handle = KVP_HANDLE(7, 1, 1)),
  REFUSED(KVP_RANGE, INIT, .handle = KVP_HANDLE(7, 1, MOST)),
  ASK(INIT, .handle = KVP_HANDLE(7, 1, 0)), CLEAR("a"), RELEASE("a"), RELEASE_REFUSED("a"),
  ALLOCATE("bc", "10"), RELEASE_REFUSED("a"), RELEASE_REFUSED("bcb"), RELEASE_REFUSED("bca"),
  WRITE("b", "0"), WRITE("c", "1"), REGISTER_REFUSED(KVP_RANGE, "bcb"),
  REGISTER_REFUSED(KVP_RANGE, "bca"), REGISTER("bc", "xy", "10", "nn"), RELEASE_REFUSED("b"),
  REGISTER_REFUSED(KVP_RANGE, "c"), SHARE("x", "z", "1"), RELEASE("x"), RELEASE_REFUSED("x"),
  RELEASE("zy"), BLOCK(KVP_RANGE, CLEAR, "z", 0),
  {LINE, .op = {.kind = KVP_REGISTRY_SHARE}, .in = "z", .out = "", .want = {.status = KVP_RANGE}},
};

static const struct step handles_run_out[] = {
  COUNTS(4, 0, 0, 0, 2), ALLOCATE_FULL(3, 2), ALLOCATE("ab", "01"), WRITE("a", "0"),
  WRITE("b", "0"), ALLOCATE_FULL(1, 0),
  {LINE, .op = {.kind = KVP_REGISTRY_REGISTER}, .in = "ab", .out = "",
   .want = {.status = KVP_FULL, .requested = 2, .available = 0}},
  RELEASE("b"), REGISTER("a", "x", "0", "n"), ALLOCATE("c", "2"), WRITE("c", "1"),
  {LINE, .op = {.kind = KVP_REGISTRY_REGISTER}, .in = "c", .out = "",
   .want = {.status = KVP_FULL, .requested = 1, .available = 0}},
  RELEASE("x"), REGISTER("c", "y", "2", "n"), SHARE("y", "w", "2"),
  {LINE, .op = {.kind = KVP_REGISTRY_SHARE}, .in = "y", .out = "",
   .want = {.status = KVP_FULL, .requested = 1, .available = 0}},
  RELEASE("w"),
  {LINE, .op = {.kind = KVP_REGISTRY_MATCH}, .in = "019", .out = "",
   .want = {.status = KVP_FULL, .requested = 2, .available = 1}},
  MATCH("1", "z", "2"),
};

static const struct step buffers_missing[] = {
  REFUSED(KVP_ARGUMENT, ALLOCATE, .count = 1), REFUSED(KVP_ARGUMENT, REGISTER, .count = 1),
  REFUSED(KVP_ARGUMENT, MATCH, .count = 1), REFUSED(KVP_ARGUMENT, TOUCH, .count = 1),
  REFUSED(KVP_ARGUMENT, RELEASE, .count = 1), REFUSED(KVP_ARGUMENT, POLL, .count = 1),
  REFUSED(KVP_ARGUMENT, SHARE, 0), REFUSED(KVP_ARGUMENT, PUSH, .length = 1),
  REFUSED(KVP_ARGUMENT, FILL, .length = 1), REFUSED(KVP_ARGUMENT, WRITE, .length = PAGE),
  {LINE, .op = {.kind = KVP_NUM_REGISTRY_KINDS}, .want = {.status = KVP_ARGUMENT}},
};

/* Pins, events, reset. */

static const struct step pins[] = {
  CHAIN2, PIN("1"), PIN("1"), RELEASE("ab"), COUNTS(0, 0, 0, 2, 1), ALLOCATE_FULL(2, 1),
  UNPIN("1"), REFUSED(KVP_BUSY, RESET, 0), ALLOCATE("x", "0"), MATCH("1", "p", "1"), RELEASE("p"),
  ALLOCATE_FULL(1, 0), UNPIN("1"), UNPIN_REFUSED(KVP_STATE, "1"), ALLOCATE("y", "1"),
  UNPIN_REFUSED(KVP_EMPTY, "1"),
  {LINE, .op = {.kind = KVP_REGISTRY_PIN}, .content = "1", .want = {.status = KVP_EMPTY}},
};

static const struct step events_lost[] = {
  CHAIN4, POLLED_LOST(2, "+2+3"), POLLED(""), RELEASE("abcd"), ALLOCATE("x", "3"), POLLED("-3"),
  ALLOCATE("wyz", "210"), POLLED_LOST(1, "-1-0"),
};

static const struct step events_alternate[] = {
  ALLOCATE("a", "0"), WRITE("a", "0"), REGISTER("a", "a", "0", "n"), POLLED("+0"),
  MATCH("0", "b", "0"), RELEASE("ab"), POLLED(""), ALLOCATE("a", "0"), POLLED("-0"),
  WRITE("a", "0"), RELEASE("a"), POLLED(""), ALLOCATE("a", "0"), WRITE("a", "0"),
  REGISTER("a", "a", "0", "n"), RELEASE("a"), RESET, RESET, ALLOCATE("a", "0"), WRITE("a", "0"),
  REGISTER("a", "a", "0", "n"), POLLED("+0!!+0"),
};

static const struct step reset_order[] = {
  CHAIN3, REFUSED(KVP_BUSY, RESET, 0), RELEASE("abc"), RESET, COUNTS(4, 0, 0, 0, 4),
  ALLOCATE("wxyz", "3210"), POLLED("+0+1+2!"),
};

/* clang-format on */

static const struct script scripts[] = {
  SCRIPT("a reset block allows init, write and clear", life_reset, BLOCKS(1)),
  SCRIPT("a partial block takes and drops tokens up to its size", life_partial, BLOCKS(1)),
  SCRIPT("a complete block allows register and clear", life_complete, BLOCKS(1)),
  SCRIPT("a registered block only reads, and has no tokens", life_registered, BLOCKS(2)),
  SCRIPT("the salt is in the hash", salted, BLOCKS(1)),
  BOTH("seed: one block taken, given back and filled", seed_counts, BLOCKS(7)),
  BOTH("seed: registered, dropped and matched", seed_register_and_match, BLOCKS(7)),
  BOTH("seed: low priority goes first, then the oldest", seed_key_order, BLOCKS(3)),
  BOTH("seed: ten blocks through all places", seed_life, BLOCKS(10)),
  BOTH("seed: two blocks matched in order", seed_matching, BLOCKS(2)),
  BOTH("empty lists are answered, and none is had from nothing", nothing_asked, BLOCKS(1)),
  BOTH("seed: ticks of the worked trace", trace, BLOCKS(3)),
  BOTH("seed: priorities decide, and end with the block", priorities, BLOCKS(3)),
  SCRIPT("priority is set in place, and keeps the tick", priority_in_place, BLOCKS(2)),
  BOTH("empty blocks are first in, first out", empties_first_in_first_out, .num_blocks = 4,
       .max_blocks = 6),
  BOTH("empty blocks go before cached ones", empties_before_cached, BLOCKS(3)),
  BOTH("seed: a duplicate is merged, and empty at once", duplicates_merge, BLOCKS(7)),
  BOTH("seed: a duplicate stays until it is released", duplicates_stay, BLOCKS(7),
       .keep_duplicates = 1),
  BOTH("a duplicate in the same list is merged", duplicates_in_one_list, BLOCKS(4)),
  BOTH("a hash asked for twice gives two shares", repeats_are_shares, BLOCKS(2)),
  BOTH("seed: a prefix goes after its extensions", seed_prefix_goes_last, BLOCKS(4)),
  SCRIPT("seed: children registered first go first", seed_children_first, BLOCKS(3),
         .leaf_first = 1),
  BOTH("seed: a gap in a chain", seed_fragments, BLOCKS(4)),
  BOTH("seed: a root in use goes last", seed_root_stays, BLOCKS(4)),
  SCRIPT("seed: touch makes a cached block the youngest", seed_touch, BLOCKS(4)),
  BOTH("stale, foreign and repeated handles are refused", handles, BLOCKS(2)),
  SCRIPT("handles run out and nothing is lost", handles_run_out, BLOCKS(4), .max_handles = 2,
         .keep_duplicates = 1),
  SCRIPT("a missing buffer and an unknown kind are refused", buffers_missing, BLOCKS(1)),
  SCRIPT("a pinned block is not evicted", pins, BLOCKS(2)),
  BOTH("a full queue of events loses the oldest and says how many", events_lost, BLOCKS(4),
       .max_events = 2),
  BOTH("stored and removed alternate", events_alternate, BLOCKS(1)),
  BOTH("a reset empties all blocks in the order of eviction", reset_order, BLOCKS(4)),
};

int main(void) { RUN_SCRIPTS("registry", scripts); }
