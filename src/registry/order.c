/* SPDX-License-Identifier: Apache-2.0 */
/* The eviction order: a tournament whose updates climb only as far as they change a winner. */
#include "src/registry/order.h"

/* What an entrant's id says of its key. */
#define KVP_ENTRANT(order, e)                                                                      \
  ((e.id == KVP_NONE && e.priority == UINT32_MAX && e.tick == UINT64_MAX) ||                       \
   (e.id != KVP_NONE && e.priority == (order).priority[e.id] && e.tick == (order).tick[e.id]))

/* Whether id a, under the first key, goes before id b, under the second. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures before: \result != 0 <==> priority_a < priority_b ||
      (priority_a == priority_b && (tick_a < tick_b || (tick_a == tick_b && a < b)));
*/
static int before(uint32_t priority_a, uint64_t tick_a, uint32_t a, uint32_t priority_b,
                  uint64_t tick_b, uint32_t b)
{
  if (priority_a != priority_b)
    return priority_a < priority_b;
  if (tick_a != tick_b)
    return tick_a < tick_b;
  return a < b;
}

enum kvp_status kvp_order_init(struct kvp_order *order, uint32_t num_ids)
{
  if (num_ids > KVP_CAPACITY)
    return KVP_RANGE;
  order->num_ids = num_ids;
  order->node[1] = KVP_NONE; /* the root, even of no ids */
  /*@ loop invariant range: 1 <= k && (k <= 2 * num_ids || num_ids == 0);
      loop invariant none: \forall integer j; 1 <= j < k || j == 1 ==> order->node[j] == KVP_NONE;
      loop assigns k, order->node[0 .. 2 * KVP_CAPACITY - 1];
      loop variant 2 * num_ids - k; */
  for (uint32_t k = 1; k < 2 * num_ids; k++)
    order->node[k] = KVP_NONE;
  return KVP_OK;
}

int kvp_order_contains(const struct kvp_order *order, uint32_t id)
{
  return id < order->num_ids && order->node[order->num_ids + id] == id;
}

uint32_t kvp_order_least(const struct kvp_order *order)
{
  /*@ ghost
      /@ loop invariant range: 1 <= k && (k <= order->num_ids || k == 1);
         loop invariant least: \forall integer m; 1 <= m < 2 * k ==>
           NotAfter(*order, order->node[1], order->node[m]);
         loop assigns k;
         loop variant order->num_ids - k; @/
      for (uint32_t k = 1; k < order->num_ids; k++) {
        /@ assert won: Won(*order, k); @/
        /@ assert here: NotAfter(*order, order->node[1], order->node[k]); @/
        /@ assert left: NotAfter(*order, order->node[1], order->node[2 * k]); @/
        /@ assert right: NotAfter(*order, order->node[1], order->node[2 * k + 1]); @/
      }
      /@ loop invariant range: 1 <= j && (j < 2 * order->num_ids || j == 1);
         loop invariant same: order->node[j] == order->node[1];
         loop assigns j;
         loop variant order->num_ids - j; @/
      for (uint32_t j = 1; j < order->num_ids;)
        j = order->node[2 * j] == order->node[j] ? 2 * j : 2 * j + 1;
  */
  //@ assert some: order->node[1] != KVP_NONE ==> Member(*order, order->node[1]);
  return order->node[1];
}

/* Inner node k holds what goes first of its children from now on. */
/*@ requires valid: \valid(order);
    requires node: 1 <= k < order->num_ids <= KVP_CAPACITY;
    requires one: id == order->node[2 * k] || id == order->node[2 * k + 1];
    requires left: NotAfter(*order, id, order->node[2 * k]);
    requires right: NotAfter(*order, id, order->node[2 * k + 1]);
    requires others: \forall integer m; 1 <= m < order->num_ids ==> m != k ==> Won(*order, m);
    terminates \true;
    exits \false;
    assigns order->node[k];
    ensures held: order->node[k] == id;
    ensures below: \forall integer m; 1 <= m < order->num_ids ==>
      2 * m != k ==> 2 * m + 1 != k ==> Won(*order, m);
*/
static void hold(struct kvp_order *order, uint32_t k, uint32_t id) { order->node[k] = id; }

/* Whether an id goes before what a node holds. */
/*@ requires valid: \valid_read(order);
    requires id: id < KVP_CAPACITY;
    requires held: held < KVP_CAPACITY || held == KVP_NONE;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures wins: \result != 0 ==> NotAfter(*order, id, held);
    ensures loses: \result == 0 ==> held != KVP_NONE && NotAfter(*order, held, id);
*/
static int beats(const struct kvp_order *order, uint32_t id, uint32_t held)
{
  return held == KVP_NONE
         || before(order->priority[id], order->tick[id], id, order->priority[held],
                   order->tick[held], held);
}

/* Puts an id, whose key is set, into its leaf and wherever it wins from there. */
/*@ requires valid: \valid(order);
    requires order: Order(*order);
    requires stranger: id < order->num_ids && !Member(*order, id);
    terminates \true;
    exits \false;
    assigns order->node[1 .. 2 * order->num_ids - 1];
    KVP_ENSURES_ORDER;
    ensures member: Member(*order, id);
    ensures rest: OrderLeavesRest(\old(*order), *order, id);
*/
static void enter(struct kvp_order *order, uint32_t id)
{
  uint32_t k = order->num_ids + id;
  order->node[k] = id;
  /*@ loop invariant here: 1 <= k < 2 * order->num_ids && order->node[k] == id;
      loop invariant won: NotAfter(*order, id, \at(*order, Pre).node[k]);
      KVP_INVARIANT_CLIMB;
      loop assigns k, order->node[1 .. order->num_ids - 1];
      loop variant k; */
  while (k > 1 && beats(order, id, order->node[k / 2])) {
    k = k / 2;
    //@ assert children: Won(\at(*order, Pre), k);
    //@ assert left: NotAfter(*order, id, order->node[2 * k]);
    //@ assert right: NotAfter(*order, id, order->node[2 * k + 1]);
    hold(order, k, id);
  }
  //@ assert parent: k > 1 ==> Won(\at(*order, Pre), k / 2);
  //@ assert top: k > 1 ==> Won(*order, k / 2);
}

/* An id, or KVP_NONE, with its key at hand. */
struct entrant {
  uint32_t id, priority;
  uint64_t tick;
};

/* What a node holds. */
/*@ requires valid: \valid_read(order);
    requires held: id < KVP_CAPACITY || id == KVP_NONE;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures id: \result.id == id;
    ensures key: KVP_ENTRANT(*order, \result);
*/
static struct entrant entrant_of(const struct kvp_order *order, uint32_t id)
{
  struct entrant none = {KVP_NONE, UINT32_MAX, UINT64_MAX};
  if (id == KVP_NONE)
    return none;
  struct entrant some = {id, order->priority[id], order->tick[id]};
  return some;
}

/* Which of two goes first. Chosen without a branch: twice as fast. */
/*@ requires valid: \valid_read(order);
    requires a: KVP_ENTRANT(*order, a) && (a.id < KVP_CAPACITY || a.id == KVP_NONE);
    requires b: KVP_ENTRANT(*order, b) && (b.id < KVP_CAPACITY || b.id == KVP_NONE);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures one: \result.id == a.id || \result.id == b.id;
    ensures key: KVP_ENTRANT(*order, \result);
    ensures a: NotAfter(*order, \result.id, a.id);
    ensures b: NotAfter(*order, \result.id, b.id);
*/
static struct entrant first_of(const struct kvp_order *order, struct entrant a, struct entrant b)
{
  (void)order;
  int wins = before(b.priority, b.tick, b.id, a.priority, a.tick, a.id);
  struct entrant first = {wins ? b.id : a.id, wins ? b.priority : a.priority,
                          wins ? b.tick : a.tick};
  return first;
}

/* Clears the leaf of an id and holds again what the id had won. */
/*@ requires valid: \valid(order);
    requires order: Order(*order);
    requires member: id < order->num_ids && Member(*order, id);
    terminates \true;
    exits \false;
    assigns order->node[1 .. 2 * order->num_ids - 1];
    KVP_ENSURES_ORDER;
    ensures gone: !Member(*order, id);
    ensures rest: OrderLeavesRest(\old(*order), *order, id);
*/
static void leave(struct kvp_order *order, uint32_t id)
{
  uint32_t k = order->num_ids + id;
  struct entrant winner = entrant_of(order, KVP_NONE);
  order->node[k] = KVP_NONE;
  /*@ loop invariant here: 1 <= k < 2 * order->num_ids && \at(*order, Pre).node[k] == id;
      loop invariant winner: order->node[k] == winner.id;
      loop invariant key: KVP_ENTRANT(*order, winner);
      loop invariant lost: NotAfter(*order, id, winner.id);
      KVP_INVARIANT_CLIMB;
      loop assigns k, winner, order->node[1 .. order->num_ids - 1];
      loop variant k; */
  while (k > 1 && order->node[k / 2] == id) {
    uint32_t rival = order->node[k % 2 == 0 ? k + 1 : k - 1];
    k = k / 2;
    //@ assert children: Won(\at(*order, Pre), k);
    //@ assert lost: NotAfter(*order, id, rival);
    winner = first_of(order, winner, entrant_of(order, rival));
    //@ assert left: NotAfter(*order, winner.id, order->node[2 * k]);
    //@ assert right: NotAfter(*order, winner.id, order->node[2 * k + 1]);
    hold(order, k, winner.id);
  }
  //@ assert parent: k > 1 ==> Won(\at(*order, Pre), k / 2);
  //@ assert top: k > 1 ==> Won(*order, k / 2);
}

/* A key may change that no node holds. */
/*@ requires valid: \valid(order);
    requires order: Order(*order);
    requires stranger: id < order->num_ids && !Member(*order, id);
    terminates \true;
    exits \false;
    assigns order->priority[id], order->tick[id];
    KVP_ENSURES_ORDER;
    ensures key: order->priority[id] == priority && order->tick[id] == tick;
*/
static void set_key(struct kvp_order *order, uint32_t id, uint32_t priority, uint64_t tick)
{
  /*@ ghost
      /@ loop invariant range: 1 <= k <= 2 * order->num_ids;
         loop invariant nowhere: \forall integer m; k <= m < 2 * order->num_ids ==>
           order->node[m] != id;
         loop assigns k;
         loop variant k; @/
      for (uint32_t k = 2 * order->num_ids; k > 1; k--)
        ;
  */
  order->priority[id] = priority;
  order->tick[id] = tick;
}

enum kvp_status kvp_order_insert(struct kvp_order *order, uint32_t id, uint32_t priority,
                                 uint64_t tick)
{
  if (id >= order->num_ids)
    return KVP_RANGE;
  if (kvp_order_contains(order, id))
    return KVP_STATE;
  set_key(order, id, priority, tick);
  enter(order, id);
  return KVP_OK;
}

enum kvp_status kvp_order_remove(struct kvp_order *order, uint32_t id)
{
  if (id >= order->num_ids)
    return KVP_RANGE;
  if (!kvp_order_contains(order, id))
    return KVP_STATE;
  leave(order, id);
  return KVP_OK;
}
