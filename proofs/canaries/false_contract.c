/* SPDX-License-Identifier: Apache-2.0 */
/* A false promise about the id set: that an id which was removed is still in it.
   Must stay unproved: typed_ref_still_there_ensures_in */
#include "src/pool/idset.h"

/*@ requires valid: \valid(set);
    requires set: Idset(*set);
    requires id: id < 64 * set->words0;
    terminates \true;
    exits \false;
    assigns *set;
    ensures in: In(*set, id);
*/
void still_there(struct kvp_idset *set, uint32_t id)
{
  kvp_idset_add(set, id);
  kvp_idset_remove(set, id);
}
