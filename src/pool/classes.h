/* SPDX-License-Identifier: Apache-2.0 */
/* The class of every id, with the counts kept beside it. */
#ifndef KVP_POOL_CLASSES_H
#define KVP_POOL_CLASSES_H

#include <kvpool/layout.h>

#ifdef __FRAMAC__
#include "spec/logic/classes.h"
#endif

/* Every id is retired. */
/*@ requires valid: \valid(classes);
    requires ids: num_ids <= KVP_CAPACITY;
    terminates \true;
    exits \false;
    assigns *classes;
    KVP_ENSURES_CLASSES;
    ensures ids: classes->num_ids == num_ids;
    ensures retired: \forall integer i; 0 <= i < num_ids ==> classes->state[i] == KVP_RETIRED;
    ensures count: classes->count[KVP_RETIRED] == num_ids;
*/
void kvp_classes_init(struct kvp_classes *classes, uint32_t num_ids);

/*@ requires valid: \valid(classes);
    requires classes: Classes(*classes);
    requires id: id < classes->num_ids;
    requires state: state < KVP_NUM_CLASSES;
    terminates \true;
    exits \false;
    assigns classes->count[0 .. KVP_NUM_CLASSES - 1], classes->state[id];
    KVP_ENSURES_CLASSES;
    ensures state: classes->state[id] == state;
    ensures rest: ClassesRest(\old(*classes), *classes, id);
    ensures recounted: Recounted(\old(*classes), *classes, \old(classes->state[id]), state);
*/
void kvp_classes_set(struct kvp_classes *classes, uint32_t id, uint8_t state);

#endif
