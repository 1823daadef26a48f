/* SPDX-License-Identifier: Apache-2.0 */
/* Moves made at once do what moves made one by one do. moves_in_sequence and moves_composed
   keep the same promise, and so do renamed_in_sequence and renamed_composed. A content is one
   number here; a kernel copies each word of a block alike. */
#include "src/device/moves.h"

/* The moves of a run, each in its turn. */
/*@ KVP_REQUIRES_RUN;
    KVP_REQUIRES_CONTENT;
    requires moves: Moves(forward, low, high) && Sources(KVP_MOVES);
    terminates \true;
    exits \false;
    assigns content[0 .. high - 1];
    ensures moved: \forall integer x; 0 <= x < low ==>
      content[x] == \old(content[Origin(KVP_MOVES, x)]);
*/
void moves_in_sequence(uint32_t *content, const uint32_t *forward, const uint32_t *source,
                       uint32_t low, uint32_t high)
{
  (void)source;
  /*@ loop invariant range: low <= t <= high;
      loop invariant moved: \forall integer x; 0 <= x < t ==>
        \at(Came(KVP_MOVES, x) && \at(t, Here) <= source[x], Pre) ==>
        content[x] == \at(content[Origin(KVP_MOVES, x)], Pre);
      loop invariant rest: \forall integer x; 0 <= x < t ==>
        !\at(Came(KVP_MOVES, x) && \at(t, Here) <= source[x], Pre) ==>
        content[x] == \at(content[x], Pre);
      loop invariant forward: \forall integer k; low <= k < high ==>
        forward[k] == \at(forward[k], Pre);
      loop assigns t, content[0 .. high - 1];
      loop variant t - low; */
  for (uint32_t t = high; t > low; t--)
    if (forward[t - 1] != KVP_NONE)
      content[forward[t - 1]] = content[t - 1];
}

/* Composed, a run's moves are copies that do not meet, and the right ones. */
/*@ KVP_REQUIRES_RUN;
    requires written: \valid(forward + (low .. high - 1));
    requires apart: \separated(forward + (low .. high - 1), source + (0 .. high - 1));
    requires moves: Moves(forward, low, high) && Sources(KVP_MOVES);
    terminates \true;
    exits \false;
    assigns forward[low .. high - 1];
    ensures disjoint: Disjoint(KVP_MOVES);
    ensures made: \forall integer x; 0 <= x < low ==> \old(Came(KVP_MOVES, x)) ==>
      low <= \old(Origin(KVP_MOVES, x)) < high &&
      Copied(forward, source, \old(Origin(KVP_MOVES, x))) &&
      forward[\old(Origin(KVP_MOVES, x))] == x;
    ensures only: \forall integer x; 0 <= x < low ==> Reached(KVP_MOVES, x) ==>
      \old(Came(KVP_MOVES, x));
*/
void compose_run(uint32_t *forward, const uint32_t *source, uint32_t low, uint32_t high)
{
  (void)source;
  /*@ ghost
      /@ loop invariant range: low <= k <= high;
         loop invariant forth: \forall integer t; low <= t < k ==>
           Origin(KVP_MOVES, End(forward, low, high, t)) == Origin(KVP_MOVES, t);
         loop assigns k;
         loop variant high - k; @/
      for (uint32_t k = low; k < high; k++)
        ;
      /@ loop invariant range: low <= k <= high;
         loop invariant origin: \forall integer x; k <= x < high ==>
           x <= Origin(KVP_MOVES, x) < high && source[Origin(KVP_MOVES, x)] == KVP_NONE;
         loop invariant back: \forall integer x; k <= x < high ==>
           End(forward, low, high, Origin(KVP_MOVES, x)) == End(forward, low, high, x);
         loop assigns k;
         loop variant k - low; @/
      for (uint32_t k = high; k > low; k--)
        ;
  */
  compose_moves(forward, low, high);
}

/* What the items of a kernel do, one after the other. */
/*@ KVP_REQUIRES_RUN;
    KVP_REQUIRES_CONTENT;
    requires disjoint: Disjoint(KVP_MOVES);
    terminates \true;
    exits \false;
    assigns content[0 .. low - 1];
    ensures copied: \forall integer t; low <= t < high ==> Copied(forward, source, t) ==>
      content[forward[t]] == \old(content[t]);
    ensures rest: \forall integer x; 0 <= x < low ==> !\old(Reached(KVP_MOVES, x)) ==>
      content[x] == \old(content[x]);
*/
void copy_run(uint32_t *content, const uint32_t *forward, const uint32_t *source, uint32_t low,
              uint32_t high)
{
  /*@ loop invariant range: low <= t <= high;
      loop invariant copied: \forall integer k; low <= k < t ==>
        \at(Copied(forward, source, k), Pre) ==>
        content[\at(forward[k], Pre)] == \at(content[k], Pre);
      loop invariant rest: \forall integer x; 0 <= x < low ==> !\at(Reached(KVP_MOVES, x), Pre) ==>
        content[x] == \at(content[x], Pre);
      loop assigns t, content[0 .. low - 1];
      loop variant high - t; */
  for (uint32_t t = low; t < high; t++) {
    uint32_t to = copy_destination(forward, source, t);
    if (to != KVP_NONE)
      content[to] = content[t];
  }
}

/*@ KVP_REQUIRES_RUN;
    KVP_REQUIRES_CONTENT;
    requires written: \valid(forward + (low .. high - 1));
    requires apart: \separated(forward + (low .. high - 1), source + (0 .. high - 1));
    requires moves: Moves(forward, low, high) && Sources(KVP_MOVES);
    terminates \true;
    exits \false;
    assigns content[0 .. low - 1], forward[low .. high - 1];
    ensures moved: \forall integer x; 0 <= x < low ==>
      content[x] == \old(content[Origin(KVP_MOVES, x)]);
*/
void moves_composed(uint32_t *content, uint32_t *forward, const uint32_t *source, uint32_t low,
                    uint32_t high)
{
  compose_run(forward, source, low, high);
  copy_run(content, forward, source, low, high);
}

/* An entry of a table, renamed by each move in its turn. */
/*@ requires range: low <= high;
    requires read: \valid_read(forward + (low .. high - 1));
    requires moves: Moves(forward, low, high);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures renamed: \result == End(forward, low, high, name);
*/
uint32_t renamed_in_sequence(const uint32_t *forward, uint32_t low, uint32_t high, uint32_t name)
{
  /*@ loop invariant range: low <= t <= high;
      loop invariant same:
        End(forward, low, high, name) == End(forward, low, high, \at(name, Pre));
      loop invariant passed: t <= name < high ==> forward[name] == KVP_NONE;
      loop assigns t, name;
      loop variant t - low; */
  for (uint32_t t = high; t > low; t--)
    if (name == t - 1 && forward[t - 1] != KVP_NONE)
      name = forward[t - 1];
  return name;
}

/*@ requires range: low <= high;
    requires written: \valid(forward + (low .. high - 1));
    requires moves: Moves(forward, low, high);
    terminates \true;
    exits \false;
    assigns forward[low .. high - 1];
    ensures renamed: \result == \old(End(forward, low, high, name));
*/
uint32_t renamed_composed(uint32_t *forward, uint32_t low, uint32_t high, uint32_t name)
{
  compose_moves(forward, low, high);
  return renamed(forward, low, high, name);
}

/* A chain of two moves, 2 -> 1 -> 0, is a run as the others want it. */
/*@ requires valid: \valid(content + (0 .. 2));
    terminates \true;
    exits \false;
    assigns content[0];
    ensures moved: content[0] == \old(content[2]);
*/
void compose_chain(uint32_t *content)
{
  uint32_t forward[3] = {KVP_NONE, 0, 1};
  const uint32_t source[3] = {1, 2, KVP_NONE};
  moves_composed(content, forward, source, 1, 3);
}
