/* SPDX-License-Identifier: Apache-2.0 */
/* Where payload lies: arithmetic alone, for kernels and host. The plane of a pool is one array
   [num_planes][max_blocks][slot_units] of units of 16 bytes. A block's units are counted through
   its slots in all planes, as device.h counts its words. */
#ifndef KVP_DEVICE_ADDRESS_H
#define KVP_DEVICE_ADDRESS_H

#include <stdint.h>

#if defined(__CUDACC__) || defined(__HIP__)
#define ADDRESS static __host__ __device__ inline
#else
#define ADDRESS static inline
#endif

#define UNIT_WORDS 4u
#define UNIT_BYTES 16u
#define UNITS_ALONE 4u /* so few that one item takes their digest */

/* At most MOST_BLOCKS, and a block has at most MOST_UNITS; so the payload has less than 2^54. */
#define MOST_BLOCKS 16777216u  /* 2^24, as layout.h's most */
#define MOST_UNITS 1073741823u /* of 4 words, which are counted in 32 bits */

struct kvp_layout {
  uint32_t num_planes, max_blocks, slot_units;
};

/* Units of a block. */
ADDRESS uint32_t kvp_block_units(struct kvp_layout layout)
{
  return layout.num_planes * layout.slot_units;
}

/* Units of all blocks. */
ADDRESS uint64_t kvp_all_units(struct kvp_layout layout)
{
  return (uint64_t)kvp_block_units(layout) * layout.max_blocks;
}

/* Where a block's slot in a plane begins. */
ADDRESS uint64_t kvp_slot_at(struct kvp_layout layout, uint32_t plane, uint32_t block)
{
  return ((uint64_t)plane * layout.max_blocks + block) * layout.slot_units;
}

/* Where a unit of a block is. */
ADDRESS uint64_t kvp_unit_at(struct kvp_layout layout, uint32_t block, uint32_t unit)
{
  return kvp_slot_at(layout, unit / layout.slot_units, block) + unit % layout.slot_units;
}

#endif
