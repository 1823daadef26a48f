/* SPDX-License-Identifier: Apache-2.0 */
/* The eviction order: a set of block ids, each under a key, that knows its least. Keys compare by
   priority, then by tick, then by id, so no two are equal. A block that leaves may come back under
   its old tick. No function allocates, blocks or prints. `order` is never NULL. */
#ifndef KVP_REGISTRY_ORDER_H
#define KVP_REGISTRY_ORDER_H

#include <kvpool/registry_layout.h>

#ifdef __FRAMAC__
#include "spec/logic/order.h"
#endif

/* The empty set, with room for ids below num_ids. KVP_RANGE if that is more than KVP_CAPACITY.
   O(num_ids). */
/*@ requires valid: \valid(order);
    terminates \true;
    exits \false;
    assigns *order;
    ensures unchanged: \result != KVP_OK ==> *order == \old(*order);
    behavior many:
      assumes many: KVP_CAPACITY < num_ids;
      assigns \nothing;
      ensures status: \result == KVP_RANGE;
    behavior made:
      assumes few: num_ids <= KVP_CAPACITY;
      assigns order->num_ids, order->node[0 .. 2 * KVP_CAPACITY - 1];
      ensures status: \result == KVP_OK;
      KVP_ENSURES_ORDER;
      ensures ids: order->num_ids == num_ids;
      ensures empty: \forall integer i; 0 <= i < num_ids ==> !Member(*order, i);
    complete behaviors;
    disjoint behaviors;
*/
enum kvp_status kvp_order_init(struct kvp_order *order, uint32_t num_ids);

/* Puts an id in, under its key. KVP_RANGE for an id >= num_ids, KVP_STATE if it is in.
   O(log num_ids), and less the later the key comes. */
/*@ requires valid: \valid(order);
    requires order: Order(*order);
    terminates \true;
    exits \false;
    assigns order->node[1 .. 2 * order->num_ids - 1], order->priority[id], order->tick[id];
    KVP_ENSURES_ORDER;
    ensures unchanged: \result != KVP_OK ==> *order == \old(*order);
    behavior outside:
      assumes outside: order->num_ids <= id;
      assigns \nothing;
      ensures status: \result == KVP_RANGE;
    behavior present:
      assumes inside: id < order->num_ids;
      assumes member: Member(*order, id);
      assigns \nothing;
      ensures status: \result == KVP_STATE;
    behavior put:
      assumes inside: id < order->num_ids;
      assumes stranger: !Member(*order, id);
      ensures status: \result == KVP_OK;
      ensures member: Member(*order, id);
      ensures key: order->priority[id] == priority && order->tick[id] == tick;
      ensures rest: OrderRest(\old(*order), *order, id);
    complete behaviors;
    disjoint behaviors;
*/
enum kvp_status kvp_order_insert(struct kvp_order *order, uint32_t id, uint32_t priority,
                                 uint64_t tick);

/* Takes an id out; its key stays readable. KVP_RANGE for an id >= num_ids, KVP_STATE if it is not
   in. O(log num_ids), and less the later the key comes. */
/*@ requires valid: \valid(order);
    requires order: Order(*order);
    terminates \true;
    exits \false;
    assigns order->node[1 .. 2 * order->num_ids - 1];
    KVP_ENSURES_ORDER;
    ensures unchanged: \result != KVP_OK ==> *order == \old(*order);
    behavior outside:
      assumes outside: order->num_ids <= id;
      assigns \nothing;
      ensures status: \result == KVP_RANGE;
    behavior absent:
      assumes inside: id < order->num_ids;
      assumes stranger: !Member(*order, id);
      assigns \nothing;
      ensures status: \result == KVP_STATE;
    behavior taken:
      assumes inside: id < order->num_ids;
      assumes member: Member(*order, id);
      ensures status: \result == KVP_OK;
      ensures gone: !Member(*order, id);
      ensures rest: OrderRest(\old(*order), *order, id);
    complete behaviors;
    disjoint behaviors;
*/
enum kvp_status kvp_order_remove(struct kvp_order *order, uint32_t id);

/* Whether an id is in: 1 or 0. An id >= num_ids is not. */
/*@ requires valid: \valid_read(order);
    requires order: Order(*order);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures member: \result == 1 <==> id < order->num_ids && Member(*order, id);
    ensures truth: \result == 0 || \result == 1;
*/
int kvp_order_contains(const struct kvp_order *order, uint32_t id);

/* The id that goes first, or KVP_NONE. O(1). */
/*@ requires valid: \valid_read(order);
    requires order: Order(*order);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures none: \result == KVP_NONE <==>
      (\forall integer i; 0 <= i < order->num_ids ==> !Member(*order, i));
    ensures member: \result != KVP_NONE ==>
      \result < order->num_ids && Member(*order, \result);
    ensures least: \result != KVP_NONE ==>
      \forall integer i; 0 <= i < order->num_ids ==> Member(*order, i) ==> i != \result ==>
        Before(*order, \result, i);
*/
uint32_t kvp_order_least(const struct kvp_order *order);

#endif
