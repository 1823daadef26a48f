/* SPDX-License-Identifier: Apache-2.0 */
/* The one error convention: what an operation answers, and its name in words. */
#ifndef KVPOOL_STATUS_H
#define KVPOOL_STATUS_H

/* On any status but KVP_OK the pool is as it was before the call. */
enum kvp_status {
  KVP_OK = 0,
  KVP_EMPTY = -1,    /* there is no block to take */
  KVP_BUSY = -2,     /* the block is held, reserved or pinned */
  KVP_RANGE = -3,    /* an id or a number lies outside its range */
  KVP_STATE = -4,    /* the block's class does not allow the operation */
  KVP_OVERFLOW = -5, /* a counter is at its maximum */
  KVP_FULL = -6,     /* too few free blocks */
  KVP_ARGUMENT = -7, /* a missing buffer, an owner of 0, an unknown kind */
  KVP_MEMORY = -8,   /* memory that the call needed was refused */
  KVP_DEVICE = -9,   /* the device failed; kvp_device_error says how */
  KVP_CLOSED = -10   /* the engine is closed */
};

/* A short name in words; "unknown status" for a number that is none. Never NULL. */
/*@ terminates \true;
    exits \false;
    assigns \result \from status;
    ensures text: \valid_read(\result);
*/
const char *kvp_strerror(enum kvp_status status);

#endif
