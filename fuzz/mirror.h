/* SPDX-License-Identifier: Apache-2.0 */
/* What a device's payload and block tables must hold, kept in host memory by copying block
   after block as the retirements come. */
#ifndef KVP_FUZZ_MIRROR_H
#define KVP_FUZZ_MIRROR_H

#include <stddef.h>
#include <stdint.h>

#include <kvpool/device.h>

#include "fuzz/decode.h"
#include "src/oracle/compare.h"

struct kvp_mirror {
  uint32_t max_blocks, block_words;
  /* 0 until a block's payload is filled, and again once its id was retired: then its bytes are
     nobody's and may differ. */
  uint8_t is_filled[KVP_FUZZ_BLOCKS];
  uint32_t payload[KVP_FUZZ_BLOCKS * KVP_FUZZ_WORDS];
  uint32_t table[KVP_FUZZ_TABLE_ENTRIES];
};

void kvp_mirror_reset(struct kvp_mirror *mirror, const struct kvp_fuzz_shape *shape);

/* Follows the moves that these operations reported. */
void kvp_mirror_move(struct kvp_mirror *mirror, const struct kvp_op *ops,
                     const struct kvp_result *results, size_t n);

/* Fills what the batch published and what `touch` says, on mirror and device alike. */
enum kvp_status kvp_mirror_fill(struct kvp_mirror *mirror, struct kvp_device *device,
                                const struct kvp_batch *batch, const struct kvp_touch *touch);

/* 1 and the first difference, mirror on the left, if there is one. *status is not KVP_OK, and the
   answer 1, if the device could not be read. */
int kvp_mirror_differs(const struct kvp_mirror *mirror, struct kvp_device *device,
                       enum kvp_status *status, struct kvp_difference *difference);

#endif
