/* SPDX-License-Identifier: Apache-2.0 */
/* The launches that each kind of run takes. */
#ifndef KVP_DEVICE_RUN_H
#define KVP_DEVICE_RUN_H

#include "src/device/planner.h"
#include "src/device/state.h"

/* These answer the backend's status. */
enum kvp_status kvp_launch_init(struct kvp_device *device);
enum kvp_status kvp_launch_run(struct kvp_device *device, const struct kvp_run *run);
enum kvp_status kvp_launch_fill(struct kvp_device *device, uint32_t n);
enum kvp_status kvp_launch_digest(struct kvp_device *device, uint32_t first, uint32_t n);

#endif
