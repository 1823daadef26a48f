/* SPDX-License-Identifier: Apache-2.0 */
/* The host's side of the dialect: which work-item runs now, in which order those of a phase run,
   and what is told to the race shadow. */
#ifndef KVP_DEVICE_LANE_H
#define KVP_DEVICE_LANE_H

#include <stddef.h>
#include <stdint.h>

#include "src/device/guard.h"

/* Four words that kernels read and write at once. */
struct kvp_wide {
  uint32_t x, y, z, w;
};

enum kvp_access { KVP_READ, KVP_WRITE, KVP_ATOMIC };

struct kvp_lane {
  uint32_t group, groups, item, local_size;
  uint32_t phase;      /* of this group */
  uint32_t left;       /* items of the phase still to run */
  uint32_t next, step; /* the order of the phase */
  uint64_t random;     /* never 0 */
  const char *kernel;  /* its name */
  unsigned char *group_memory;
  size_t group_used;
  struct kvp_shadow *shadow;
};

/* One thread drives one device at a time, and kernels have no place for a parameter. */
extern _Thread_local struct kvp_lane kvp_lane;

/* Remembers an access and aborts, in words, if it races with a former one. shadow.c. */
void kvp_shadow_access(const void *address, size_t size, enum kvp_access access);

static inline uint32_t kvp_lane_random(void)
{
  uint64_t x = kvp_lane.random;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  kvp_lane.random = x;
  return (uint32_t)(x >> 32);
}

/* An odd step meets every item once, for their number is a power of two. */
static inline void kvp_lane_begin_phase(void)
{
  uint32_t random = kvp_lane_random();
  kvp_lane.left = kvp_lane.local_size;
  kvp_lane.next = random >> 16;
  kvp_lane.step = random | 1;
}

static inline int kvp_lane_next_item(void)
{
  if (kvp_lane.left == 0)
    return 0;
  kvp_lane.left--;
  kvp_lane.item = kvp_lane.next & (kvp_lane.local_size - 1);
  kvp_lane.next += kvp_lane.step;
  return 1;
}

/* Memory that the items of the running group share, with a gap behind it; the host backend made
   room for it. */
static inline void *kvp_lane_group_array(size_t size)
{
  void *array = kvp_lane.group_memory + kvp_lane.group_used;
  kvp_lane.group_used += (size + 15) / 16 * 16 + 16;
  kvp_hand_out(array, size);
  return array;
}

static inline void kvp_lane_saw(const void *address, size_t size, enum kvp_access access)
{
#ifdef KVP_RACE_SHADOW
  kvp_shadow_access(address, size, access);
#else
  (void)address, (void)size, (void)access;
#endif
}

static inline uint32_t kvp_lane_exchange(uint32_t *word, uint32_t value)
{
  uint32_t before = *word;
  kvp_lane_saw(word, sizeof *word, KVP_ATOMIC);
  *word = value;
  return before;
}

static inline uint32_t kvp_lane_add(uint32_t *word, uint32_t value)
{
  return kvp_lane_exchange(word, *word + value);
}

static inline uint32_t kvp_lane_min(uint32_t *word, uint32_t value)
{
  return kvp_lane_exchange(word, *word < value ? *word : value);
}

static inline uint32_t kvp_lane_max(uint32_t *word, uint32_t value)
{
  return kvp_lane_exchange(word, *word > value ? *word : value);
}

static inline uint32_t kvp_lane_swap_if(uint32_t *word, uint32_t old, uint32_t value)
{
  return kvp_lane_exchange(word, *word == old ? value : *word);
}

static inline uint32_t kvp_lane_or(uint32_t *word, uint32_t value)
{
  return kvp_lane_exchange(word, *word | value);
}

static inline uint32_t kvp_lane_and(uint32_t *word, uint32_t value)
{
  return kvp_lane_exchange(word, *word & value);
}

#endif
