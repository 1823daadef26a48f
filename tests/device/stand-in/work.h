/* SPDX-License-Identifier: Apache-2.0 */
/* The stand-in's one queue: copies and launches that are put off until someone waits. */
#ifndef KVP_TEST_STAND_IN_WORK_H
#define KVP_TEST_STAND_IN_WORK_H

#include <stddef.h>
#include <stdint.h>

#include "src/device/arrays.h"

struct function;

/* A launch, or a copy if there is no function. */
struct work {
  const struct function *function;
  void *to;
  const void *from;
  size_t bytes;
  unsigned groups, local_size;
  void *arrays[NUM_ARRAYS];
  uint32_t first, n;
  struct work *next;
};

/* A kernel, or NULL if there is none of that name. */
const struct function *function_named(const char *name);

/* 0 if memory is short. */
int put_off(const struct work *work);
void run_work(void);

#endif
