/* SPDX-License-Identifier: Apache-2.0 */
/* Logic: what a registry can be. */
#ifndef KVP_LOGIC_SHAPE_H
#define KVP_LOGIC_SHAPE_H

#include <kvpool/registry_op.h>

/*@
predicate Possible(struct kvp_registry_shape s) =
  s.num_blocks <= s.max_blocks <= KVP_CAPACITY && 0 < s.block_size &&
  s.max_handles <= KVP_CAPACITY && s.max_events <= KVP_CAPACITY;
*/

#endif
