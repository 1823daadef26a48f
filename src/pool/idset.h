/* SPDX-License-Identifier: Apache-2.0 */
/* A set of block ids that gives its lowest id in four steps. */
#ifndef KVP_POOL_IDSET_H
#define KVP_POOL_IDSET_H

#include <kvpool/layout.h>

#ifdef __FRAMAC__
#include "spec/logic/idset.h"
#endif

/* The empty set, with room for ids below num_ids. */
/*@ requires valid: \valid(set);
    requires ids: num_ids <= KVP_CAPACITY;
    terminates \true;
    exits \false;
    assigns *set;
    KVP_ENSURES_IDSET;
    ensures room: num_ids <= 64 * set->words0;
    ensures empty: \forall integer i; 0 <= i < 64 * set->words0 ==> !In(*set, i);
*/
void kvp_idset_init(struct kvp_idset *set, uint32_t num_ids);

/*@ requires valid: \valid(set);
    requires set: Idset(*set);
    requires id: id < 64 * set->words0;
    terminates \true;
    exits \false;
    assigns set->level0[id / 64], set->level1[id / 4096], set->level2[id / 262144], set->level3;
    KVP_ENSURES_IDSET;
    ensures in: In(*set, id);
    ensures rest: IdsetRest(\old(*set), *set, id);
*/
void kvp_idset_add(struct kvp_idset *set, uint32_t id);

/*@ requires valid: \valid(set);
    requires set: Idset(*set);
    requires id: id < 64 * set->words0;
    terminates \true;
    exits \false;
    assigns set->level0[id / 64], set->level1[id / 4096], set->level2[id / 262144], set->level3;
    KVP_ENSURES_IDSET;
    ensures out: !In(*set, id);
    ensures rest: IdsetRest(\old(*set), *set, id);
*/
void kvp_idset_remove(struct kvp_idset *set, uint32_t id);

/* The lowest id, or KVP_NONE. */
/*@ requires valid: \valid_read(set);
    requires set: Idset(*set);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures none: \result == KVP_NONE ==>
      \forall integer i; 0 <= i < 64 * set->words0 ==> !In(*set, i);
    ensures in: \result != KVP_NONE ==> \result < 64 * set->words0 && In(*set, \result);
    ensures lowest: \result != KVP_NONE ==> \forall integer i; 0 <= i < \result ==> !In(*set, i);
*/
uint32_t kvp_idset_lowest(const struct kvp_idset *set);

#endif
