/* SPDX-License-Identifier: Apache-2.0 */
/* compose_moves, under its own contract, without the highest id that left the pool.
   Must stay unproved: typed_ref_skip_highest_ensures_composed */
#include "spec/logic/moves.h"

/*@ requires valid: low < high ==> \valid(forward + (low .. high - 1));
    requires moves: Moves(forward, low, high);
    terminates \true;
    exits \false;
    assigns forward[low .. high - 1];
    ensures composed: Composed{Pre, Post}(forward, low, high, high);
*/
void skip_highest(uint32_t *forward, uint32_t low, uint32_t high)
{
  /*@ loop invariant range: low <= t && (low < high ==> t < high);
      loop invariant composed: Composed{Pre, Here}(forward, low, high, t);
      loop invariant rest: \forall integer k; t <= k < high ==> forward[k] == \at(forward[k], Pre);
      loop assigns t, forward[low .. high - 1];
      loop variant high - t; */
  for (uint32_t t = low; t < high && t + 1 < high; t++) {
    uint32_t to = forward[t];
    if (to != KVP_NONE && to >= low)
      forward[t] = forward[to];
  }
}
