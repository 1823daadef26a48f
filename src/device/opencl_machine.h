/* SPDX-License-Identifier: Apache-2.0 */
/* What the OpenCL backend is told of a device. */
#ifndef KVP_DEVICE_OPENCL_MACHINE_H
#define KVP_DEVICE_OPENCL_MACHINE_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "src/device/backend.h"

#ifndef KVP_OPENCL_LOCAL_SIZE
#define KVP_OPENCL_LOCAL_SIZE 64
#endif

/* A device with its program, made at its first open and kept, for a build takes long. */
struct kvp_opencl_machine {
  cl_device_id device;
  cl_context context;
  cl_program program;
  cl_ulong most_at_once, most; /* bytes of memory */
  struct kvp_opencl_machine *next;
};

/* The backend's list. */
size_t kvp_opencl_list(struct kvp_device_info *infos, size_t room);

/* The machine of a selected device: KVP_ARGUMENT if there is none of that name. On an error
 *machine is NULL and message[0 .. size) holds the reason. */
enum kvp_status kvp_opencl_machine(const char *select, const struct kvp_opencl_machine **machine,
                                   char *message, size_t size);

/* KVP_DEVICE, with the call and its error code in words. */
enum kvp_status kvp_opencl_refuse(char *message, size_t size, const char *call, cl_int code);

#endif
