/* SPDX-License-Identifier: Apache-2.0 */
/* The input of a fuzz target, taken byte by byte. */
#ifndef KVP_ORACLE_BYTES_H
#define KVP_ORACLE_BYTES_H

#include <stddef.h>
#include <stdint.h>

struct kvp_bytes {
  const uint8_t *next;
  size_t left;
};

/* 0 at the end. */
static inline uint8_t kvp_take_byte(struct kvp_bytes *bytes)
{
  if (bytes->left == 0)
    return 0;
  bytes->left--;
  return *bytes->next++;
}

#endif
