/* SPDX-License-Identifier: Apache-2.0 */
/* Each deviation of spec/deviations.md by its number, and the rules of raw units. */
#include "tests/script.h"

/* Content is named by its hash. */
#define A 0xA
#define B 0xB
#define C 0xC

/* Owners. */
#define ANN 1
#define BEN 2

/* A row is one thought, not one macro. */
/* clang-format off */

static const struct step second_hash[] = {
  TAKE(0), PUBLISH(0, A, 1), PUBLISH_EVICTS(0, B, 2, A), LOOKUP(A, KVP_NONE), LOOKUP(B, 0),
  HOLDS(0, B, 2, 1), COUNTS(2, 1, 1, 0, 1),
  /* A hash that the index no longer maps to this block is not reported. */
  TAKE(1), PUBLISH(1, B, 2), PUBLISH(0, C, 3), LOOKUP(B, 1), LOOKUP(C, 0),
  /* The new hash may be another block's, the old one still goes. */
  PUBLISH_EVICTS(0, B, 2, C), LOOKUP(C, KVP_NONE), LOOKUP(B, 0), HOLDS(1, B, 2, 0),
};

static const struct step reserved_top[] = {
  TAKE(0), POP(1), IS(1, KVP_RESERVED, 0), COUNTS(2, 0, 1, 1, 0),
  REFUSED(KVP_BUSY, .kind = KVP_RETIRE_TOP), FREE(0), REFUSED(KVP_BUSY, .kind = KVP_RETIRE_TOP),
  ALLOCATE(1), RETIRE_MOVES(1, 0),
};

static const struct step reserved_claim[] = {
  TAKE(0), PUBLISH(0, A, 1), FREE(0), POP(0), LOOKUP(A, 0),
  REFUSED(KVP_STATE, .kind = KVP_CLAIM, .block = 0), IS(0, KVP_RESERVED, 0),
};

static const struct step free_without_holder[] = {
  REFUSED(KVP_STATE, .kind = KVP_FREE, .block = 0), TAKE(0), FREE(0),
  REFUSED(KVP_STATE, .kind = KVP_FREE, .block = 0), TAKE(0), PUBLISH(0, A, 1), FREE(0),
  REFUSED(KVP_STATE, .kind = KVP_FREE, .block = 0), POP(0),
  REFUSED(KVP_STATE, .kind = KVP_FREE, .block = 0),
};

static const struct step outside_the_pool[] = {
  REFUSED(KVP_RANGE, .kind = KVP_ALLOCATE, .block = 1),
  REFUSED(KVP_RANGE, .kind = KVP_ALLOCATE, .block = 2),
  REFUSED(KVP_RANGE, .kind = KVP_ALLOCATE, .block = KVP_NONE),
  REFUSED(KVP_RANGE, .kind = KVP_CLAIM, .block = 1),
  REFUSED(KVP_RANGE, .kind = KVP_CLAIM, .block = 0x80000000),
  REFUSED(KVP_RANGE, .kind = KVP_FREE, .block = 1),
  REFUSED(KVP_RANGE, .kind = KVP_FREE, .block = KVP_NONE),
  PUBLISH_REFUSED(KVP_RANGE, 1, A, 1), PUBLISH_REFUSED(KVP_RANGE, KVP_NONE, A, 1),
  TAKE(0), REFUSED(KVP_RANGE, .kind = KVP_FREE, .block = 1), EXTEND(1, 1), ALLOCATE(1),
};

static const struct step claim_vacant[] = {
  REFUSED(KVP_STATE, .kind = KVP_CLAIM, .block = 0), TAKE(0), FREE(0),
  REFUSED(KVP_STATE, .kind = KVP_CLAIM, .block = 0), POP(0),
};

static const struct step publish_free[] = {
  PUBLISH_REFUSED(KVP_STATE, 0, A, 1), TAKE(0), PUBLISH(0, A, 1), FREE(0),
  PUBLISH_REFUSED(KVP_STATE, 0, B, 2), CACHED_ORDER(0), POP(0),
  PUBLISH_REFUSED(KVP_STATE, 0, B, 2), LOOKUP(A, 0), LOOKUP(B, KVP_NONE),
};

static const struct step units_as_pop[] = {
  TAKE(0), TAKE(1), TAKE(2), PUBLISH(0, A, 1), PUBLISH(2, B, 2), FREE(2), FREE(0),
  RESERVE(ANN, U(3), UE(2, B), UE(0, A)),
  IS(3, KVP_UNIT, 1), IS(2, KVP_UNIT, 1), IS(0, KVP_UNIT, 1), HOLDS_NOTHING(0), HOLDS_NOTHING(2),
  COUNTS(4, 0, 4, 0, 0), LOOKUP(A, KVP_NONE), REFUSED(KVP_EMPTY, .kind = KVP_POP),
};

static const struct step units_all_or_none[] = {
  TAKE(0),
  REFUSED(KVP_FULL, .kind = KVP_RESERVE, .owner = ANN, .count = 4,
          .units = (struct kvp_unit[4]){U(0)}),
  RESERVE(ANN, U(1), U(2), U(3)),
};

static const struct step units_are_pinned[] = {
  TAKE(0), TAKE(1), TAKE(2), RESERVE(ANN, U(3)), FREE(0),
  REFUSED(KVP_BUSY, .kind = KVP_RETIRE_TOP), REFUSED(KVP_BUSY, .kind = KVP_ALLOCATE, .block = 3),
  REFUSED(KVP_STATE, .kind = KVP_CLAIM, .block = 3),
  REFUSED(KVP_STATE, .kind = KVP_FREE, .block = 3),
  PUBLISH_REFUSED(KVP_STATE, 3, A, 1), CLEAR_INDEX, IS(3, KVP_UNIT, 1),
  RELEASE(ANN, U(3)), RETIRE(3),
};

static const struct step units_whole_in_order[] = {
  RESERVE(ANN, U(0), U(1), U(2)),
  RELEASE_REFUSED(KVP_STATE, ANN, U(0), U(1)), RELEASE_REFUSED(KVP_STATE, ANN, U(1), U(2)),
  RELEASE_REFUSED(KVP_STATE, ANN, U(0)), RELEASE_REFUSED(KVP_STATE, ANN, U(2)),
  RELEASE_REFUSED(KVP_STATE, ANN, U(2), U(1), U(0)),
  RELEASE_REFUSED(KVP_STATE, ANN, U(0), U(2), U(1)),
  RELEASE_REFUSED(KVP_STATE, ANN, U(0), U(0), U(0)),
  RELEASE_REFUSED(KVP_STATE, ANN, U(0), U(1), U(2), U(3)),
  RELEASE_REFUSED(KVP_STATE, ANN, U(0), U(1), U(2), U(2)),
  RELEASE_REFUSED(KVP_STATE, BEN, U(0), U(1), U(2)),
  RELEASE_REFUSED(KVP_RANGE, ANN, U(0), U(1), U(4)),
  RELEASE(ANN, U(0), U(1), U(2)), COUNTS(4, 4, 0, 0, 0),
  RELEASE_REFUSED(KVP_STATE, ANN, U(0), U(1), U(2)),
};

static const struct step units_each_on_its_own[] = {
  RESERVE(ANN, U(0), U(1)), RESERVE(ANN, U(2), U(3)),
  RELEASE_REFUSED(KVP_STATE, ANN, U(0), U(1), U(2), U(3)),
  RELEASE_REFUSED(KVP_STATE, ANN, U(0), U(3)), RELEASE_REFUSED(KVP_STATE, ANN, U(2), U(1)),
  RELEASE(ANN, U(2), U(3)), IS(0, KVP_UNIT, 1), IS(2, KVP_VACANT, 0), RELEASE(ANN, U(0), U(1)),
};

static const struct step units_come_back_vacant[] = {
  TAKE(0), RESERVE(ANN, U(1)), RELEASE(ANN, U(1)), IS(1, KVP_VACANT, 0), HOLDS_NOTHING(1),
  RESERVE(BEN, U(1)), RELEASE_REFUSED(KVP_STATE, ANN, U(1)), RELEASE(BEN, U(1)), TAKE(1),
  RELEASE_REFUSED(KVP_STATE, BEN, U(1)), PUBLISH(1, A, 1), FREE(1), IS(1, KVP_CACHED, 0),
};

static const struct step units_none_at_all[] = {
  {.op = {.kind = KVP_RESERVE, .owner = ANN}, DONE},
  COUNTS(1, 1, 0, 0, 0),
  {.op = {.kind = KVP_RELEASE, .owner = BEN}, DONE},
  REFUSED(KVP_ARGUMENT, .kind = KVP_RESERVE), REFUSED(KVP_ARGUMENT, .kind = KVP_RELEASE),
};

/* clang-format on */

static const struct script scripts[] = {
  SCRIPT("D1: a second hash on a block evicts the first", 2, 2, second_hash),
  SCRIPT("D2: a reserved block at the top is not moved", 2, 2, reserved_top),
  SCRIPT("D2: a reserved block is not claimed", 1, 1, reserved_claim),
  SCRIPT("D3: a block without a holder is not freed", 1, 1, free_without_holder),
  SCRIPT("D4: ids outside the pool reach nothing", 1, 2, outside_the_pool),
  SCRIPT("D5: a vacant block is not claimed", 1, 1, claim_vacant),
  SCRIPT("D6: only a held block is published", 1, 1, publish_free),
  SCRIPT("units are chosen as pop would, and say what they evicted", 4, 4, units_as_pop),
  SCRIPT("a reservation is all or none", 4, 4, units_all_or_none),
  SCRIPT("a unit cannot move, be shared, freed or published", 4, 4, units_are_pinned),
  SCRIPT("a reservation is released whole, in its order, by its owner", 4, 4, units_whole_in_order),
  SCRIPT("an owner's reservations are released each on its own", 4, 4, units_each_on_its_own),
  SCRIPT("released units are vacant and forget their owner", 2, 2, units_come_back_vacant),
  SCRIPT("a reservation of no units leaves no trace", 1, 1, units_none_at_all),
};

int main(void) { RUN_SCRIPTS("deviations from the first seed", scripts); }
