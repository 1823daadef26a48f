/* SPDX-License-Identifier: Apache-2.0 */
#include <kvpool/status.h>

const char *kvp_strerror(enum kvp_status status)
{
  switch (status) {
  case KVP_OK: return "ok";
  case KVP_EMPTY: return "no block to take";
  case KVP_BUSY: return "block is held, reserved or pinned";
  case KVP_RANGE: return "out of range";
  case KVP_STATE: return "not allowed in the block's class";
  case KVP_OVERFLOW: return "counter at its maximum";
  case KVP_FULL: return "too few free blocks";
  case KVP_ARGUMENT: return "invalid argument";
  case KVP_MEMORY: return "out of memory";
  case KVP_DEVICE: return "device failed";
  case KVP_CLOSED: return "engine closed";
  }
  return "unknown status";
}
