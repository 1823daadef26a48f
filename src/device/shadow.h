/* SPDX-License-Identifier: Apache-2.0 */
/* The race shadow: for each 32-bit word of an arena, who read and wrote it in this launch.
   Present in builds with -DKVP_RACE_SHADOW; a race ends the process. */
#ifndef KVP_DEVICE_SHADOW_H
#define KVP_DEVICE_SHADOW_H

#include <stddef.h>
#include <stdint.h>

struct kvp_shadow_cell;

struct kvp_shadow {
  const unsigned char *base; /* of the arena */
  size_t words;
  size_t group_words;            /* the last words of the arena are memory of one group at a time */
  const size_t *offsets, *sizes; /* [NUM_ARRAYS]: to name the array, in bytes */
  uint32_t epoch, launch_epoch, group_epoch;
  struct kvp_shadow_cell *cells; /* [words] */
};

/* 0 if memory is short. */
int kvp_shadow_open(struct kvp_shadow *shadow, size_t words);
void kvp_shadow_close(struct kvp_shadow *shadow);

/* What came before is ordered before what comes. */
void kvp_shadow_begin_launch(struct kvp_shadow *shadow);
/* The memory of the group is fresh. */
void kvp_shadow_begin_group(struct kvp_shadow *shadow);

#endif
