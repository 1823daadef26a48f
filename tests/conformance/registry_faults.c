/* SPDX-License-Identifier: Apache-2.0 */
/* The second seed's faults: each deviation of spec/deviations.md by its number, and the fault by
   the number under which it was found. */
#include "tests/registry_run.h"

/* A row is one thought, not one macro. */
/* clang-format off */

static const struct step list_from_its_tail[] = {
  CHAIN4, RELEASE("abcd"), ALLOCATE("x", "3"), MATCH("0123", "pqr", "012"), RELEASE("pqr"),
  ALLOCATE("y", "2"), POLLED("+0+1+2+3-3-2"),
};

static const struct step touch_from_its_tail[] = {
  CHAIN4, RELEASE("abcd"), TOUCH("0123", 4), ALLOCATE("x", "3"), MATCH("0123", "pqr", "012"),
};

static const struct step released_is_free[] = {
  ALLOCATE("ab", "01"), RELEASE("ab"), COUNTS(2, 0, 0, 0, 2), ALLOCATE("a", "1"), RELEASE("a"),
  ALLOCATE("ab", "01"),
};

static const struct step register_all_or_none[] = {
  ALLOCATE("abc", "012"), WRITE("a", "0"), WRITE("c", "2"), REGISTER_REFUSED(KVP_STATE, "abc"),
  POLLED(""), MATCH("0", "", ""), COUNTS(0, 3, 0, 0, 0), WRITE("b", "1"),
  REGISTER("abc", "xyz", "012", "nnn"), POLLED("+0+1+2"),
};

static const struct step events_hold_nothing[] = {
  ALLOCATE("a", "0"), WRITE("a", "0"), REGISTER("a", "a", "0", "n"), RELEASE("a"),
  ALLOCATE("a", "0"), MATCH("0", "", ""), WRITE("a", "0"), REGISTER("a", "a", "0", "n"),
  MATCH("0", "b", "0"), POLLED("+0-0+0"),
};

static const struct step nothing_waits[] = {
  ALLOCATE("ab", "01"), WRITE("a", "0"), WRITE("b", "0"), REGISTER("a", "a", "0", "n"),
  RELEASE("a"), MATCH("0", "c", "0"), RELEASE("c"), REGISTER("b", "b", "0", "m"),
  IS(0, KVP_BLOCK_ACTIVE, 1),
};

#define ONE_HASH(c)                                                                                \
  ALLOCATE("a", "0"), WRITE("a", c), REGISTER("a", "a", "0", "n"), RELEASE("a"),                   \
    COUNTS(0, 0, 0, 1, 1)
static const struct step no_more_hashes_than_blocks[] = {
  ONE_HASH("5"), ONE_HASH("6"), ONE_HASH("7"), ONE_HASH("8"), ONE_HASH("9"),
  MATCH("5", "", ""), MATCH("8", "", ""), MATCH("9", "b", "0"), POLLED_LOST(7, "-8+9"),
};

static const struct step child_by_tokens[] = {
  ALLOCATE("a", "0"),
  BLOCK(KVP_OK, INIT, "a", .salt = SALT, .position = 1, .parent = UINT64_C(14643705804678351452)),
  PUSH("a", 5, 6, 7), PUSH("a", 8),
  {LINE, .op = {.kind = KVP_REGISTRY_COMMIT}, .in = "a",
   .want = {.hash = 4945711292740353085, .block_hash = UINT64_C(16777012769546811212)}},
  REPORTS(0, 4, 1, "1"), CLEAR("a"),
  /* Without a position there is no parent, whatever is said of one. */
  BLOCK(KVP_OK, INIT, "a", .salt = SALT, .parent = UINT64_C(14643705804678351452)),
  PUSH("a", 5, 6, 7, 8),
  {LINE, .op = {.kind = KVP_REGISTRY_COMMIT}, .in = "a",
   .want = {.hash = UINT64_C(16777012769546811212), .block_hash = UINT64_C(16777012769546811212)}},
};

static const struct step duplicate_is_not_handed_out[] = {
  ALLOCATE("ab", "01"), WRITE("a", "0"), WRITE("b", "0"), REGISTER("ab", "ac", "00", "nd"),
  REPORTS(1, 4, 1, "0"), ALLOCATE_FULL(1, 0), RELEASE("ac"), ALLOCATE("x", "0"),
  /* Its content may be registered once the other is gone. */
  REGISTER("b", "b", "1", "n"), POLLED("+0-0+0"),
};

static const struct step available_can_be_had[] = {
  CHAIN4, RELEASE("abcd"), MATCH("23", "pq", "23"), COUNTS(0, 0, 2, 2, 0), ALLOCATE_FULL(1, 0),
  RELEASE("pq"), COUNTS(0, 0, 0, 4, 4), MATCH("0123", "pqrs", "0123"), RELEASE("pqrs"),
  MATCH("1", "p", "1"), COUNTS(0, 0, 1, 3, 2), ALLOCATE_FULL(3, 2), ALLOCATE("xy", "32"),
  ALLOCATE_FULL(1, 0),
};

static const struct step duplicates_return_one_after_another[] = {
  ALLOCATE("abc", "012"), WRITE("a", "0"), WRITE("b", "0"), WRITE("c", "0"),
  REGISTER("abc", "xyz", "000", "ndd"), RELEASE("b"), RELEASE("x"), RELEASE("c"), RELEASE("z"),
  RELEASE("y"), COUNTS(2, 0, 0, 1, 3), ALLOCATE("pqr", "120"),
};

static const struct step no_suffix_without_its_prefix[] = {
  CHAIN4, RELEASE("abcd"), MATCH("23", "pq", "23"), RELEASE("pq"), TOUCH("3", 1),
  ALLOCATE("xy", "32"), MATCH("0123", "pq", "01"), POLLED("+0+1+2+3-3-2"),
};

static const struct step any_order_of_registration[] = {
  ALLOCATE("abc", "012"), WRITE("a", "0"), WRITE("b", "1"), WRITE("c", "2"),
  REGISTER("c", "c", "2", "n"), REGISTER("b", "b", "1", "n"), RELEASE("c"), RELEASE("b"),
  REGISTER("a", "a", "0", "n"), RELEASE("a"), TOUCH("1", 1), TOUCH("2", 1), ALLOCATE("x", "2"),
  ALLOCATE("y", "1"), ALLOCATE("z", "0"),
};

static const struct step child_matched_away[] = {
  CHAIN2, RELEASE("ab"), MATCH("1", "p", "1"), ALLOCATE_FULL(1, 0), RELEASE("p"),
  ALLOCATE("x", "1"), ALLOCATE("y", "0"),
};

static const struct step child_goes_while_parent_is_used[] = {
  CHAIN2, RELEASE("ab"), MATCH("0", "p", "0"), ALLOCATE("x", "1"), RELEASE("p"),
  ALLOCATE("y", "0"), POLLED("+0+1-1-0"),
};

static const struct step child_comes_before_its_parent[] = {
  ALLOCATE("ab", "01"), WRITE("a", "0"), WRITE("b", "1"), REGISTER("b", "b", "1", "n"),
  RELEASE("b"), MATCH("1", "b", "1"), REGISTER("a", "a", "0", "n"), RELEASE("a"),
  ALLOCATE_FULL(1, 0), RELEASE("b"), ALLOCATE("x", "1"), ALLOCATE("y", "0"),
};

static const struct step pinned_child[] = {
  CHAIN3, PIN("1"), RELEASE("abc"), COUNTS(0, 0, 0, 3, 1), ALLOCATE_FULL(2, 1),
  ALLOCATE("x", "2"), UNPIN("1"), COUNTS(0, 1, 0, 2, 2), ALLOCATE("yz", "10"),
};

static const struct step another_depth_is_no_child[] = {
  ALLOCATE("ab", "01"), WRITE("a", "0"),
  /* Says that it extends "0", but not as the second block of a sequence. */
  BLOCK(KVP_OK, INIT, "b", .salt = SALT, .position = 2, .parent = UINT64_C(14643705804678351452)),
  PUSH("b", 5, 6, 7, 8),
  {LINE, .op = {.kind = KVP_REGISTRY_COMMIT}, .in = "b",
   .want = {.hash = 4945711292740353085, .block_hash = UINT64_C(16777012769546811212)}},
  REGISTER("ab", "ab", "01", "nn"), RELEASE("ba"), ALLOCATE("x", "0"),
};

static const struct step low_parent_waits_for_its_children[] = {
  CHAIN2, PRIORITY("b", 9), RELEASE("ab"), ALLOCATE("x", "1"), ALLOCATE("y", "0"),
};

/* clang-format on */

static const struct script scripts[] = {
  BOTH("E1: F-01: a list is released from its tail", list_from_its_tail, BLOCKS(4)),
  BOTH("E1: F-01: a list is touched from its tail", touch_from_its_tail, BLOCKS(4)),
  BOTH("E2: F-02: a released block is free at once", released_is_free, BLOCKS(2)),
  BOTH("E3: F-03: a list is registered whole or not at all", register_all_or_none, BLOCKS(3)),
  BOTH("E4: F-04: events that nobody has read hold no hash", events_hold_nothing, BLOCKS(1)),
  BOTH("E4: F-05: a block given back is matched and merged at once", nothing_waits, BLOCKS(2)),
  BOTH("E5: F-06: no more hashes are known than there are blocks", no_more_hashes_than_blocks,
       BLOCKS(1), .max_events = 2),
  SCRIPT("E6: F-09: a child can be made token by token", child_by_tokens, BLOCKS(1)),
  BOTH("E7: F-10: a duplicate is not handed out while its owner has it",
       duplicate_is_not_handed_out, BLOCKS(2), .keep_duplicates = 1),
  SCRIPT("E8: F-11: what is available can be had", available_can_be_had, BLOCKS(4),
         .leaf_first = 1),
  SCRIPT("E8: what hangs on a pin is not available", pinned_child, BLOCKS(3), .leaf_first = 1),
  BOTH("E9: F-12: duplicates given back in any order are all there",
       duplicates_return_one_after_another, BLOCKS(3), .keep_duplicates = 1),
  SCRIPT("E10: F-13: a suffix goes before its prefix, however young", no_suffix_without_its_prefix,
         BLOCKS(4), .leaf_first = 1),
  SCRIPT("E10: a low priority does not part a prefix from its suffix",
         low_parent_waits_for_its_children, BLOCKS(2), .leaf_first = 1),
  SCRIPT("E11: F-14: children count in any order of registration", any_order_of_registration,
         BLOCKS(3), .leaf_first = 1),
  SCRIPT("E11: a block of another depth is no child", another_depth_is_no_child, BLOCKS(2),
         .leaf_first = 1),
  SCRIPT("E12: F-15: a child matched away counts as before", child_matched_away, BLOCKS(2),
         .leaf_first = 1),
  SCRIPT("E12: F-15: a child goes while its parent is used", child_goes_while_parent_is_used,
         BLOCKS(2), .leaf_first = 1),
  SCRIPT("E12: F-15: a child in use when its parent comes counts", child_comes_before_its_parent,
         BLOCKS(2), .leaf_first = 1),
};

int main(void) { RUN_SCRIPTS("faults of the second seed", scripts); }
