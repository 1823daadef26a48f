/* SPDX-License-Identifier: Apache-2.0 */
/* Moves that are composed and made at once, against moves made one by one. */
#undef KVP_RACE_SHADOW /* no kernel runs here */
#include <string.h>

#include "fuzz/planner.h"
#include "src/device/moves.h"

/* A pool of which ids low .. high - 1 leave, highest first. An id that holds content moves it to
   the free id below that the input says; one that is free has none to move. */
struct moves {
  uint32_t low, high;
  uint32_t forward[KVP_PLANNER_MOST], source[KVP_PLANNER_MOST];
  uint32_t content[KVP_PLANNER_MOST]; /* KVP_NONE where free */
  uint32_t moved[KVP_PLANNER_MOST];   /* what content becomes */
  uint32_t name[KVP_PLANNER_MOST];    /* under which an entry of a table then knows id i */
};

/* The which-th free id below t, counted round and round; KVP_NONE if there is none. */
static uint32_t free_below(const struct moves *moves, uint32_t t, uint32_t which)
{
  uint32_t num_free = 0;
  for (uint32_t x = 0; x < t; x++)
    num_free += moves->moved[x] == KVP_NONE;
  if (num_free == 0)
    return KVP_NONE;
  which %= num_free;
  for (uint32_t x = 0;; x++) {
    if (moves->moved[x] == KVP_NONE && which-- == 0)
      return x;
  }
}

/* One retire_top, in each of the views. 0 if it is refused, for want of room. */
static int retire(struct moves *moves, uint32_t t, uint32_t which)
{
  uint32_t to = KVP_NONE;
  if (moves->moved[t] != KVP_NONE) {
    to = free_below(moves, t, which);
    if (to == KVP_NONE)
      return 0;
    moves->moved[to] = moves->moved[t];
    moves->moved[t] = KVP_NONE;
    moves->source[to] = t;
    for (uint32_t i = 0; i < moves->high; i++)
      moves->name[i] = moves->name[i] == t ? to : moves->name[i];
  }
  moves->forward[t] = to;
  moves->low = t;
  kvp_tell("%u goes to %d", (unsigned)t, (int)to);
  return 1;
}

/* Bit 0 of an id's byte says whether it holds content, 1 and 2 whether it leaves, the rest where
 * to. */
static void make_moves(struct moves *moves, const uint8_t *ids, uint32_t n)
{
  moves->low = moves->high = n;
  memset(moves->source, 0xFF, sizeof moves->source);
  memset(moves->forward, 0, sizeof moves->forward); /* nonsense, but for ids that leave */
  for (uint32_t x = 0; x < n; x++) {
    moves->content[x] = ids[n - 1 - x] & 1 ? x + 1000 : KVP_NONE;
    moves->moved[x] = moves->content[x];
    moves->name[x] = x;
  }
  for (uint32_t t = n; t-- > 0 && (ids[n - 1 - t] & 6) != 6;) {
    if (!retire(moves, t, ids[n - 1 - t] / 8))
      break;
  }
}

/* Copies that are made at once must not meet: each leads out of the ids that leave, no two to one.
 */
static void claim_copies(struct moves *moves)
{
  uint8_t reached[KVP_PLANNER_MOST] = {0};
  for (uint32_t t = moves->low; t < moves->high; t++) {
    uint32_t to = copy_destination(moves->forward, moves->source, t);
    if (to == KVP_NONE)
      continue;
    kvp_claim("whether the destination stays, of", t, 1, to < moves->low);
    kvp_claim("copies to the destination of", t, 0, reached[to]++);
    moves->content[to] = moves->content[t];
  }
}

void kvp_claim_moves(const uint8_t *ids, uint32_t n)
{
  static struct moves moves;
  make_moves(&moves, ids, n);
  compose_moves(moves.forward, moves.low, moves.high);
  claim_copies(&moves);
  for (uint32_t x = 0; x < moves.low; x++)
    kvp_claim("content", x, moves.moved[x], moves.content[x]);
  for (uint32_t x = 0; x < moves.high + 2; x++)
    kvp_claim("name", x, x < moves.high ? moves.name[x] : x,
              renamed(moves.forward, moves.low, moves.high, x));
}
