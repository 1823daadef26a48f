/* SPDX-License-Identifier: Apache-2.0 */
/* The input of a fuzz target: a head, then steps, all of one size, so that whoever changes an input
   knows where each begins. Both are taken byte by byte. */
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

/* A head or step, cut off of the input: so many bytes, or what is left. */
static inline struct kvp_bytes kvp_take_step(struct kvp_bytes *input, size_t size)
{
  struct kvp_bytes step = {input->next, size < input->left ? size : input->left};
  input->next += step.left;
  input->left -= step.left;
  return step;
}

#endif
