/* SPDX-License-Identifier: Apache-2.0 */
/* `both` keeps its contract only where its arguments are two objects, which the memory model
   takes for granted; the hypothesis must fail where a caller passes one object twice.
   Must stay unproved: typed_ref_trap_call_both_wp_typed_ref_requires */
#include <kvpool/op.h>

/*@ requires valid: \valid(kept) && \valid(cleared);
    terminates \true;
    exits \false;
    assigns kept->count, cleared->count;
    ensures one: kept->count == 1;
*/
static void both(struct kvp_evicted *kept, struct kvp_evicted *cleared)
{
  kept->count = 1;
  cleared->count = 0;
}

/*@ requires valid: \valid(evicted);
    terminates \true;
    exits \false;
    assigns evicted->count;
    ensures one: evicted->count == 1;
*/
void trap(struct kvp_evicted *evicted)
{
  both(evicted, evicted);
}
