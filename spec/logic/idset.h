/* SPDX-License-Identifier: Apache-2.0 */
/* Logic: bits, words with a bit set, and the id set with its three levels of summaries. */
#ifndef KVP_LOGIC_IDSET_H
#define KVP_LOGIC_IDSET_H

#include <kvpool/layout.h>

/*@
predicate Bit(integer word, integer k) = ((word >> k) & 1) != 0;
predicate SomeBit(integer word) = \exists integer k; 0 <= k < 64 && Bit(word, k);

// The set has id i.
predicate In(struct kvp_idset s, integer i) = Bit(s.level0[i / 64], i % 64);

predicate IdsetShape(struct kvp_idset s) =
  s.words0 <= KVP_IDSET_WORDS0 && s.words1 <= KVP_IDSET_WORDS1 &&
  s.words0 % 64 == 0 && s.words1 % 64 == 0 && s.words0 <= 64 * s.words1 && s.words1 <= 4096;

predicate IdsetLevel1(struct kvp_idset s) =
  \forall integer w; 0 <= w < s.words0 ==>
    (Bit(s.level1[w / 64], w % 64) <==> SomeBit(s.level0[w]));
predicate IdsetLevel2(struct kvp_idset s) =
  \forall integer w; 0 <= w < s.words1 ==>
    (Bit(s.level2[w / 64], w % 64) <==> SomeBit(s.level1[w]));
predicate IdsetLevel3(struct kvp_idset s) =
  \forall integer w; 0 <= w < 64 ==> (Bit(s.level3, w) <==> SomeBit(s.level2[w]));

// Summary words past the words in use are 0.
predicate IdsetTop1(struct kvp_idset s) =
  \forall integer w; s.words0 / 64 <= w < s.words1 ==> !SomeBit(s.level1[w]);
predicate IdsetTop2(struct kvp_idset s) =
  \forall integer w; s.words1 / 64 <= w < 64 ==> !SomeBit(s.level2[w]);

predicate Idset(struct kvp_idset s) =
  IdsetShape(s) && IdsetLevel1(s) && IdsetLevel2(s) && IdsetLevel3(s) && IdsetTop1(s) &&
  IdsetTop2(s);

predicate IdsetRest(struct kvp_idset o, struct kvp_idset s, integer b) =
  \forall integer i; 0 <= i < 64 * o.words0 ==> i != b ==> (In(s, i) <==> In(o, i));
*/

#define KVP_ENSURES_IDSET                                                                      \
  ensures shape: IdsetShape(*set);                                                             \
  ensures level1: IdsetLevel1(*set);                                                           \
  ensures level2: IdsetLevel2(*set);                                                           \
  ensures level3: IdsetLevel3(*set);                                                           \
  ensures top1: IdsetTop1(*set);                                                               \
  ensures top2: IdsetTop2(*set)

#endif
