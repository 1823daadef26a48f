/* SPDX-License-Identifier: Apache-2.0 */
/* Logic: what each operation of the vocabulary answers, seen through apply. The status is OK
   exactly where the operation's own contract says so; an error changes nothing. */
#ifndef KVP_LOGIC_STEPS_H
#define KVP_LOGIC_STEPS_H

#include "spec/logic/pool.h"

/*@
// A result in which only the status is not empty.
predicate Bare(struct kvp_result r) =
  r.block == KVP_NONE && r.moved_to == KVP_NONE && r.count == 0 && r.evicted.count == 0 &&
  r.evicted.hash == 0;
*/

#endif
