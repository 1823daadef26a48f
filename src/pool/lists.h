/* SPDX-License-Identifier: Apache-2.0 */
/* Stamped lists: constant-time append and removal, oldest first. Used for the order of
   release of cached blocks and for the index's chains. */
#ifndef KVP_POOL_LISTS_H
#define KVP_POOL_LISTS_H

#include <kvpool/layout.h>

#ifdef __FRAMAC__
#include "spec/logic/lists.h"
#endif

/*@ requires valid: \valid(lists);
    requires nodes: num_nodes <= KVP_CAPACITY;
    requires lists: 0 < num_lists <= KVP_CAPACITY;
    terminates \true;
    exits \false;
    assigns *lists;
    KVP_ENSURES_LISTS;
    ensures sizes: lists->num_nodes == num_nodes && lists->num_lists == num_lists;
    ensures empty: \forall integer i; 0 <= i < num_nodes ==> !Listed(*lists, i);
    ensures zero: lists->clock == 0;
*/
void kvp_lists_init(struct kvp_lists *lists, uint32_t num_nodes, uint32_t num_lists);

/* Appends a node that is in no list. */
/*@ requires valid: \valid(lists);
    requires lists: Lists(*lists);
    requires list: q < lists->num_lists;
    requires node: b < lists->num_nodes && !Listed(*lists, b);
    requires clock: lists->clock < UINT64_MAX;
    terminates \true;
    exits \false;
    assigns lists->clock, lists->head[q], lists->tail[q],
            lists->next[0 .. lists->num_nodes - 1], lists->prev[b], lists->list[b],
            lists->stamp[b];
    KVP_ENSURES_LISTS;
    ensures tick: lists->clock == \old(lists->clock) + 1;
    ensures put: lists->list[b] == q && lists->stamp[b] == \old(lists->clock);
    ensures some: lists->head[q] != KVP_NONE;
    ensures rest: ListsRest(\old(*lists), *lists, b);
*/
void kvp_lists_append(struct kvp_lists *lists, uint32_t q, uint32_t b);

/* Takes a node out of the list it is in; its stamp stays. */
/*@ requires valid: \valid(lists);
    requires lists: Lists(*lists);
    requires node: b < lists->num_nodes && Listed(*lists, b);
    terminates \true;
    exits \false;
    assigns lists->head[lists->list[b]], lists->tail[lists->list[b]],
            lists->next[0 .. lists->num_nodes - 1], lists->prev[0 .. lists->num_nodes - 1],
            lists->list[b];
    KVP_ENSURES_LISTS;
    ensures gone: !Listed(*lists, b);
    ensures rest: ListsRest(\old(*lists), *lists, b);
*/
void kvp_lists_remove(struct kvp_lists *lists, uint32_t b);

/* The oldest node of a list, or KVP_NONE. */
/*@ requires valid: \valid_read(lists);
    requires lists: Lists(*lists);
    requires list: q < lists->num_lists;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures none: \result == KVP_NONE <==>
      (\forall integer i; 0 <= i < lists->num_nodes ==> lists->list[i] != q);
    ensures member: \result != KVP_NONE ==> \result < lists->num_nodes && lists->list[\result] == q;
    ensures oldest: \result != KVP_NONE ==>
      \forall integer i; 0 <= i < lists->num_nodes ==> lists->list[i] == q ==> i != \result ==>
        lists->stamp[\result] < lists->stamp[i];
*/
uint32_t kvp_lists_first(const struct kvp_lists *lists, uint32_t q);

/* The node after a listed one, or KVP_NONE. */
/*@ requires valid: \valid_read(lists);
    requires lists: Lists(*lists);
    requires node: b < lists->num_nodes && Listed(*lists, b);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures last: \result == KVP_NONE <==>
      (\forall integer i; 0 <= i < lists->num_nodes ==> lists->list[i] == lists->list[b] ==>
        lists->stamp[i] <= lists->stamp[b]);
    ensures member: \result != KVP_NONE ==>
      \result < lists->num_nodes && lists->list[\result] == lists->list[b] &&
      lists->stamp[b] < lists->stamp[\result];
    ensures adjacent: \result != KVP_NONE ==>
      \forall integer i; 0 <= i < lists->num_nodes ==> lists->list[i] == lists->list[b] ==>
        lists->stamp[b] < lists->stamp[i] ==> lists->stamp[\result] <= lists->stamp[i];
*/
uint32_t kvp_lists_next(const struct kvp_lists *lists, uint32_t b);

#endif
