/* SPDX-License-Identifier: Apache-2.0 */
/* What the CUDA backend is told of a device. */
#ifndef KVP_DEVICE_CUDA_MACHINE_H
#define KVP_DEVICE_CUDA_MACHINE_H

#include "src/device/backend.h"
#include "src/device/cuda_driver.h"

/* The driver's functions; they may be called once there is a machine. */
struct kvp_cuda_driver {
#define X(name, parameters) CUresult(*name) parameters;
  KVP_CUDA_FUNCTIONS(X)
#undef X
};
extern struct kvp_cuda_driver kvp_cuda;

/* A device with its kernels, made at its first open and kept: a context takes long to make. It is
   the device's primary context, which other users of CUDA in the process share. */
struct kvp_cuda_machine {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction kernels[NUM_KERNELS];
  struct kvp_cuda_machine *next;
};

/* The backend's list. */
size_t kvp_cuda_list(struct kvp_device_info *infos, size_t room);

/* The machine of a selected device: KVP_ARGUMENT if there is none of that name. On an error
 *machine is NULL and message[0 .. size) holds the reason. */
enum kvp_status kvp_cuda_machine(const char *select, const struct kvp_cuda_machine **machine,
                                 char *message, size_t size);

/* KVP_DEVICE, or KVP_MEMORY if that is what the code says, with the call and the driver's words. */
enum kvp_status kvp_cuda_refuse(char *message, size_t size, const char *call, CUresult code);

/* After cuCtxPushCurrent. An error that this could answer is answered by the next call as well. */
void kvp_cuda_leave(void);

#endif
