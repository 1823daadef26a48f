/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for the buffers of one batch, with gaps that AddressSanitizer guards, so that a pool
   that reads or writes past an operation's buffer is caught. */
#ifndef KVP_ORACLE_ARENA_H
#define KVP_ORACLE_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "src/device/guard.h"

struct kvp_arena {
  size_t used;
  _Alignas(16) unsigned char bytes[32768];
};

static inline void kvp_arena_reset(struct kvp_arena *arena)
{
  arena->used = 0;
  kvp_guard(arena->bytes, sizeof arena->bytes);
}

static inline size_t kvp_arena_room(const struct kvp_arena *arena)
{
  return sizeof arena->bytes - arena->used;
}

/* NULL for no bytes, as a caller with an empty buffer may pass, and where the room is short. */
static inline void *kvp_arena_take(struct kvp_arena *arena, size_t size)
{
  size_t step = (size + 31) / 16 * 16; /* rounded up, and a gap of 16 bytes at least */
  if (size == 0 || step > kvp_arena_room(arena))
    return NULL;
  unsigned char *bytes = arena->bytes + arena->used;
  arena->used += step;
  kvp_hand_out(bytes, size);
  return bytes;
}

#endif
