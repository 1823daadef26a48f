/* SPDX-License-Identifier: Apache-2.0 */
/* What a device's payload and block tables must hold, kept in host memory by following operation
   after operation. */
#ifndef KVP_ORACLE_MIRROR_H
#define KVP_ORACLE_MIRROR_H

#include <stddef.h>
#include <stdint.h>

#include <kvpool/device.h>

#include "src/oracle/decode.h"
#include "src/oracle/compare.h"
#include "src/oracle/payload.h"

enum kvp_filled {
  KVP_UNFILLED,      /* or taken or retired since: its bytes are nobody's and may differ */
  KVP_FILLED,        /* by a call of its own */
  KVP_FILLED_CONTENT /* by fill_on_publish: as above once the content is gone */
};

struct kvp_mirror {
  struct kvp_device_shape shape; /* as far as payload goes */
  int fill_on_publish;
  enum kvp_filled filled[KVP_FUZZ_BLOCKS];
  struct kvp_pattern payload[KVP_FUZZ_BLOCKS];
  uint32_t table[KVP_FUZZ_TABLE_ENTRIES];
};

void kvp_mirror_reset(struct kvp_mirror *mirror, const struct kvp_fuzz_shape *shape);

/* Follows what these operations do to payload and tables. */
void kvp_mirror_move(struct kvp_mirror *mirror, const struct kvp_op *ops,
                     const struct kvp_result *results, size_t n);

/* Fills what `touch` says, and what the batch published if the device does not fill that, on
   mirror and device alike. */
enum kvp_status kvp_mirror_fill(struct kvp_mirror *mirror, struct kvp_device *device,
                                const struct kvp_batch *batch, const struct kvp_touch *touch);

/* 1 and the first difference, mirror on the left, if there is one. *status is not KVP_OK, and the
   answer 1, if the device could not be read. */
int kvp_mirror_differs(const struct kvp_mirror *mirror, struct kvp_device *device,
                       enum kvp_status *status, struct kvp_difference *difference);

#endif
