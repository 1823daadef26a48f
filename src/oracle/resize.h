/* SPDX-License-Identifier: Apache-2.0 */
/* A resize plan: by how much the pool shrinks or grows after which request. */
#ifndef KVP_ORACLE_RESIZE_H
#define KVP_ORACLE_RESIZE_H

#include <stddef.h>
#include <stdint.h>

#include <kvpool/status.h>

struct kvp_resize {
  uint64_t at;    /* the number of a request, from 1 */
  uint32_t count; /* blocks */
  int grow;       /* 1: extend by count; 0: retire count */
};

/* All zero: never resize. */
struct kvp_resize_plan {
  struct kvp_resize *steps; /* one by one, in the order they were written, */
  size_t num_steps;
  uint64_t period; /* or, if not 0, at each of its multiples: retire and extend in turn, */
  uint32_t count;  /* by this many blocks */
};

/* Reads "AT:-K" and "AT:+K", joined by commas, or "every:N:K". KVP_ARGUMENT if it is neither. */
enum kvp_status kvp_resize_parse(const char *text, struct kvp_resize_plan *plan);
void kvp_resize_release(struct kvp_resize_plan *plan);

/* The next step that the plan has for this request: 1 and *step, or 0 after the last.
 *cursor is 0 at first. */
int kvp_resize_next(const struct kvp_resize_plan *plan, uint64_t number, size_t *cursor,
                    struct kvp_resize *step);

#endif
