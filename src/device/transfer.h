/* SPDX-License-Identifier: Apache-2.0 */
/* What the other files ask of the backend, with the device's view of what an error means. */
#ifndef KVP_DEVICE_TRANSFER_H
#define KVP_DEVICE_TRANSFER_H

#include "src/device/state.h"

/* KVP_DEVICE for a device that failed before, else KVP_OK. */
static inline enum kvp_status kvp_device_alive(const struct kvp_device *device)
{
  return device->dead ? KVP_DEVICE : KVP_OK;
}

/* A status of the backend: any error is the device's end, with its words. Only an array that was
   not made leaves everything as it was: kvp_device_alloc answers KVP_MEMORY. */
enum kvp_status kvp_device_check(struct kvp_device *device, enum kvp_status status);
/* KVP_MEMORY of the host. */
enum kvp_status kvp_device_no_memory(struct kvp_device *device, const char *what);

/* As the backend's, checked; 0 bytes are KVP_OK. */
enum kvp_status kvp_device_alloc(struct kvp_device *device, enum kvp_array array, size_t bytes);
enum kvp_status kvp_device_upload(struct kvp_device *device, enum kvp_array array, size_t at,
                                  size_t bytes, const void *from);
enum kvp_status kvp_device_download(struct kvp_device *device, enum kvp_array array, size_t at,
                                    size_t bytes, void *to);
enum kvp_status kvp_device_wait(struct kvp_device *device);

#endif
