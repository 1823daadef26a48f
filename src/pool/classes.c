/* SPDX-License-Identifier: Apache-2.0 */
/* The class of every id. Every change of a class is one call of kvp_classes_set. */
#include "src/pool/classes.h"

void kvp_classes_init(struct kvp_classes *classes, uint32_t num_ids)
{
  classes->num_ids = num_ids;
  /*@ loop invariant range: 0 <= c <= KVP_NUM_CLASSES;
      loop invariant zero: \forall integer k; 0 <= k < c ==> classes->count[k] == 0;
      loop assigns c, classes->count[0 .. KVP_NUM_CLASSES - 1];
      loop variant KVP_NUM_CLASSES - c; */
  for (uint32_t c = 0; c < KVP_NUM_CLASSES; c++)
    classes->count[c] = 0;
  classes->count[KVP_RETIRED] = num_ids;
  /*@ loop invariant range: 0 <= i <= num_ids;
      loop invariant retired: \forall integer k; 0 <= k < i ==> classes->state[k] == KVP_RETIRED;
      loop assigns i, classes->state[0 .. num_ids - 1];
      loop variant num_ids - i; */
  for (uint32_t i = 0; i < num_ids; i++)
    classes->state[i] = KVP_RETIRED;
  /*@ ghost
      /@ loop invariant range: 0 <= i <= num_ids;
         loop invariant retired: Count(*classes, KVP_RETIRED, i) == i;
         loop invariant others: \forall integer c; 0 <= c < KVP_RETIRED ==>
           Count(*classes, c, i) == 0;
         loop assigns i;
         loop variant num_ids - i; @/
      for (uint32_t i = 0; i < num_ids; i++)
        ;
  */
}

void kvp_classes_set(struct kvp_classes *classes, uint32_t id, uint8_t state)
{
  uint8_t before = classes->state[id];
  /*@ ghost
      /@ loop invariant range: 0 <= i <= classes->num_ids;
         loop invariant bounds: \forall integer c; 0 <= Count(*classes, c, i) <= i;
         loop invariant member: id < i ==> 1 <= Count(*classes, before, i);
         loop invariant absent: id < i ==>
           \forall integer c; c != before ==> Count(*classes, c, i) < i;
         loop assigns i;
         loop variant classes->num_ids - i; @/
      for (uint32_t i = 0; i < classes->num_ids; i++)
        ;
  */
  classes->state[id] = state;
  classes->count[before]--;
  classes->count[state]++;
  /*@ ghost
      /@ loop invariant range: 0 <= i <= classes->num_ids;
         loop invariant moved: \forall integer c; 0 <= c < KVP_NUM_CLASSES ==>
           Count(*classes, c, i) == Count(\at(*classes, Pre), c, i) +
             (id < i ? (c == state ? 1 : 0) - (c == before ? 1 : 0) : 0);
         loop assigns i;
         loop variant classes->num_ids - i; @/
      for (uint32_t i = 0; i < classes->num_ids; i++)
        ;
  */
}
