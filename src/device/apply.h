/* SPDX-License-Identifier: Apache-2.0 */
/* Room for batches. */
#ifndef KVP_DEVICE_APPLY_H
#define KVP_DEVICE_APPLY_H

#include "src/device/state.h"

/* Makes room, on the host and on the device, for batches up to this size. */
enum kvp_status kvp_batch_room(struct kvp_device *device, const struct kvp_batch_size *wanted);

#endif
