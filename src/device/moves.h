/* SPDX-License-Identifier: Apache-2.0 */
/* The moves of a run of retire_top, composed so that they can be made at once. A chain 9 -> 7 -> 3
   becomes one copy, 9 to 3, and the names 9 and 7 become 3. Proved; proofs/laws/moves.c says
   what follows. */
#ifndef KVP_DEVICE_MOVES_H
#define KVP_DEVICE_MOVES_H

#include <kvpool/op.h>

#include "src/device/dialect.h"

#ifdef __FRAMAC__
#include "spec/logic/moves.h"
#endif

/* forward[] of the ids that left the pool, low .. high - 1, becomes the last destination. A block
   moves to a lower id, so in ascending order what is followed is composed already. */
/*@ requires valid: low < high ==> \valid(forward + (low .. high - 1));
    requires moves: Moves(forward, low, high);
    terminates \true;
    exits \false;
    assigns forward[low .. high - 1];
    ensures composed: Composed{Pre, Post}(forward, low, high, high);
*/
FUNCTION void compose_moves(GLOBAL uint32_t *forward, uint32_t low, uint32_t high)
{
  /*@ loop invariant range: low <= t && (low <= high ==> t <= high);
      loop invariant composed: Composed{Pre, Here}(forward, low, high, t);
      loop invariant rest: \forall integer k; t <= k < high ==> forward[k] == \at(forward[k], Pre);
      loop assigns t, forward[low .. high - 1];
      loop variant high - t; */
  for (uint32_t t = low; t < high; t++) {
    uint32_t to = LOAD(&forward[t]);
    if (to != KVP_NONE && to >= low)
      STORE(&forward[t], LOAD(&forward[to]));
  }
}

/* Where the content of a retired id is copied when moves are composed, or KVP_NONE: then it had
   none, or what is there only passed through. */
/*@ requires valid: \valid_read(forward + t) && \valid_read(source + t);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures copied: \result == (source[t] == KVP_NONE ? forward[t] : KVP_NONE);
*/
FUNCTION uint32_t copy_destination(GLOBAL const uint32_t *forward, GLOBAL const uint32_t *source,
                                   uint32_t t)
{
  return LOAD(&source[t]) == KVP_NONE ? LOAD(&forward[t]) : KVP_NONE;
}

/* The name that an entry of a table bears after the moves: ids on the way are followed too. */
/*@ requires valid: low < high ==> \valid_read(forward + (low .. high - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures renamed: \result ==
      (low <= name < high && forward[name] != KVP_NONE ? forward[name] : name);
*/
FUNCTION uint32_t renamed(GLOBAL const uint32_t *forward, uint32_t low, uint32_t high,
                          uint32_t name)
{
  if (name < low || name >= high || LOAD(&forward[name]) == KVP_NONE)
    return name;
  return LOAD(&forward[name]);
}

#endif
