/* SPDX-License-Identifier: Apache-2.0 */
/* Logic: the partition of ids into classes, and its counts. */
#ifndef KVP_LOGIC_CLASSES_H
#define KVP_LOGIC_CLASSES_H

#include <kvpool/layout.h>

/*@
// How many of the first n ids are in class c.
logic integer Count(struct kvp_classes s, integer c, integer n) =
  n <= 0 ? 0 : Count(s, c, n - 1) + (s.state[n - 1] == c ? 1 : 0);

predicate ClassesShape(struct kvp_classes s) =
  s.num_ids <= KVP_CAPACITY &&
  \forall integer i; 0 <= i < s.num_ids ==> s.state[i] < KVP_NUM_CLASSES;
predicate ClassesCounted(struct kvp_classes s) =
  \forall integer c; 0 <= c < KVP_NUM_CLASSES ==> s.count[c] == Count(s, c, s.num_ids);
predicate ClassesTotal(struct kvp_classes s) =
  s.count[KVP_VACANT] + s.count[KVP_CACHED] + s.count[KVP_USED] + s.count[KVP_RESERVED] +
  s.count[KVP_UNIT] + s.count[KVP_RETIRED] == s.num_ids;

predicate Classes(struct kvp_classes s) =
  ClassesShape(s) && ClassesCounted(s) && ClassesTotal(s);

predicate ClassesRest(struct kvp_classes o, struct kvp_classes s, integer b) =
  \forall integer i; 0 <= i < o.num_ids ==> i != b ==> s.state[i] == o.state[i];

// One id went from class f to class t; nothing else was counted.
predicate Recounted(struct kvp_classes o, struct kvp_classes s, integer f, integer t) =
  \forall integer c; 0 <= c < KVP_NUM_CLASSES ==>
    s.count[c] == o.count[c] - (c == f ? 1 : 0) + (c == t ? 1 : 0);
*/

#define KVP_ENSURES_CLASSES                                                                    \
  ensures shape: ClassesShape(*classes);                                                       \
  ensures counted: ClassesCounted(*classes);                                                   \
  ensures total: ClassesTotal(*classes)

#endif
