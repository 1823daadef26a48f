/* SPDX-License-Identifier: Apache-2.0 */
/* Logic: the moves of a run of retire_top. Ids high - 1 down to low leave the pool; forward[t]
   is where the content of t went then, or KVP_NONE; source[x], where it says so truly, is whose
   content came to x. */
#ifndef KVP_LOGIC_MOVES_H
#define KVP_LOGIC_MOVES_H

#include <kvpool/op.h>

/*@
// Where what t held ends up: the end of the chain of moves that begins at t.
logic integer End{L}(uint32_t *forward, integer low, integer high, integer t) =
  low <= t < high && forward[t] < t ? End(forward, low, high, forward[t]) : t;

// A content came to x in the run. Marks of ids below low may be left from another run.
predicate Came{L}(uint32_t *forward, uint32_t *source, integer low, integer high, integer x) =
  low <= source[x] < high && forward[source[x]] == x;
// The id that held, before the run, what x holds after it.
logic integer Origin{L}(uint32_t *forward, uint32_t *source, integer low, integer high,
                        integer x) =
  low <= source[x] < high && forward[source[x]] == x && x < source[x] ?
    Origin(forward, source, low, high, source[x]) : x;

// A content moves to a lower id, and moves on when that id leaves the pool, too.
predicate Moves{L}(uint32_t *forward, integer low, integer high) =
  (\forall integer t; low <= t < high ==> forward[t] != KVP_NONE ==> forward[t] < t) &&
  (\forall integer t; low <= t < high ==> forward[t] != KVP_NONE ==> low <= forward[t] ==>
    forward[forward[t]] != KVP_NONE);
// No id is a destination twice, for its source names one; of retired ids it names no other.
predicate Sources{L}(uint32_t *forward, uint32_t *source, integer low, integer high) =
  (\forall integer t; low <= t < high ==> forward[t] != KVP_NONE ==> source[forward[t]] == t) &&
  (\forall integer x; low <= x < high ==> source[x] != KVP_NONE ==>
    Came(forward, source, low, high, x));

// The move of every id below n leads out of the retired ids at once, to the end of its chain.
predicate Composed{L1, L2}(uint32_t *forward, integer low, integer high, integer n) =
  \forall integer t; low <= t < n ==>
    (\at(forward[t], L1) == KVP_NONE ==> \at(forward[t], L2) == KVP_NONE) &&
    (\at(forward[t], L1) != KVP_NONE ==>
      \at(forward[t], L2) == End{L1}(forward, low, high, t) && \at(forward[t], L2) < low);

// The content of t is copied: it moves, and was there before the run.
predicate Copied{L}(uint32_t *forward, uint32_t *source, integer t) =
  source[t] == KVP_NONE && forward[t] != KVP_NONE;
// Some copy goes to x.
predicate Reached{L}(uint32_t *forward, uint32_t *source, integer low, integer high, integer x) =
  \exists integer t; low <= t < high && Copied(forward, source, t) && forward[t] == x;
// Copies go from retired ids to ids that stay, and no two to one id: in any order, or all at
// once, they do the same.
predicate Disjoint{L}(uint32_t *forward, uint32_t *source, integer low, integer high) =
  (\forall integer t; low <= t < high ==> Copied(forward, source, t) ==> forward[t] < low) &&
  (\forall integer s, t; low <= s < high ==> low <= t < high ==> Copied(forward, source, s) ==>
    Copied(forward, source, t) ==> forward[s] == forward[t] ==> s == t);
*/

/* Contracts of functions of a run name its arrays and bounds so. */
#define KVP_MOVES forward, source, low, high
#define KVP_REQUIRES_RUN                                                                       \
  requires range: low <= high;                                                                 \
  requires forward: \valid_read(forward + (low .. high - 1));                                  \
  requires source: \valid_read(source + (0 .. high - 1))
#define KVP_REQUIRES_CONTENT                                                                   \
  requires content: \valid(content + (0 .. high - 1));                                         \
  requires forward_apart:                                                                      \
    \separated(content + (0 .. high - 1), forward + (low .. high - 1));                        \
  requires source_apart: \separated(content + (0 .. high - 1), source + (0 .. high - 1))

#endif
