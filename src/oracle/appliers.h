/* SPDX-License-Identifier: Apache-2.0 */
/* The pools of this project as appliers. An open that fails leaves nothing behind. */
#ifndef KVP_ORACLE_APPLIERS_H
#define KVP_ORACLE_APPLIERS_H

#include <stddef.h>
#include <stdint.h>

#include <kvpool/device.h>
#include <kvpool/status.h>

#include "src/oracle/applier.h"

/* The executable model. KVP_RANGE for a bad shape, KVP_MEMORY if memory is short. */
enum kvp_status kvp_open_model(uint32_t num_blocks, uint32_t max_blocks, uint32_t block_size,
                               struct kvp_applier *applier);
void kvp_close_model(struct kvp_applier *applier);

/* The reference, in memory of its own. `self` is its struct kvp_pool. */
enum kvp_status kvp_open_reference(uint32_t num_blocks, uint32_t max_blocks, uint32_t block_size,
                                   struct kvp_applier *applier);
void kvp_close_reference(struct kvp_applier *applier);

/* The device path; arguments and errors as kvp_device_open has them. `self` is its struct
   kvp_device. A device that failed shows KVP_NONE for every count and for the order. */
enum kvp_status kvp_open_device(const struct kvp_device_shape *shape,
                                const struct kvp_device_options *options,
                                struct kvp_applier *applier, char *message, size_t size);
void kvp_close_device(struct kvp_applier *applier);

#endif
