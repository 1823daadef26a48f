/* SPDX-License-Identifier: Apache-2.0 */
/* The one place where an error of the backend becomes the device's. */
#include "src/device/transfer.h"

#include <stdio.h>

static void take_words(struct kvp_device *device)
{
  snprintf(device->message, sizeof device->message, "%s: %s", device->backend->name,
           device->backend->error(device->self));
}

enum kvp_status kvp_device_check(struct kvp_device *device, enum kvp_status status)
{
  if (status == KVP_OK)
    return KVP_OK;
  take_words(device);
  device->backend->wait(device->self); /* uploads may still read what the caller will take back */
  device->dead = 1;
  return KVP_DEVICE;
}

enum kvp_status kvp_device_no_memory(struct kvp_device *device, const char *what)
{
  snprintf(device->message, sizeof device->message, "host memory was refused for %s", what);
  return KVP_MEMORY;
}

enum kvp_status kvp_device_alloc(struct kvp_device *device, enum kvp_array array, size_t bytes)
{
  enum kvp_status status = device->backend->alloc(device->self, array, bytes);

  if (status != KVP_MEMORY)
    return kvp_device_check(device, status);
  take_words(device);
  return KVP_MEMORY;
}

enum kvp_status kvp_device_upload(struct kvp_device *device, enum kvp_array array, size_t at,
                                  size_t bytes, const void *from)
{
  if (bytes == 0)
    return KVP_OK;
  return kvp_device_check(device, device->backend->upload(device->self, array, at, bytes, from));
}

enum kvp_status kvp_device_download(struct kvp_device *device, enum kvp_array array, size_t at,
                                    size_t bytes, void *to)
{
  if (bytes == 0)
    return KVP_OK;
  return kvp_device_check(device, device->backend->download(device->self, array, at, bytes, to));
}

enum kvp_status kvp_device_wait(struct kvp_device *device)
{
  return kvp_device_check(device, device->backend->wait(device->self));
}
