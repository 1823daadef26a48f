/* SPDX-License-Identifier: Apache-2.0 */
/* A serving engine in small: admits the requests of a workload to a pool, shares what the pool
   still holds of them, evicts, and resizes the pool as it goes. Deterministic.

   The reference decides; followers, if there are any, do each request after it. */
#ifndef KVP_ORACLE_SERVING_H
#define KVP_ORACLE_SERVING_H

#include <stddef.h>
#include <stdint.h>

#include "src/oracle/applier.h"
#include "src/oracle/lockstep.h"
#include "src/oracle/resize.h"
#include "src/oracle/workload.h"

struct kvp_serving {
  const struct kvp_workload *workload;
  const struct kvp_resize_plan *plan;
  struct kvp_applier *reference;             /* from kvp_open_reference, fresh */
  struct kvp_lockstep *followers;            /* NULL: nobody follows */
  uint32_t concurrency;                      /* most requests that run at once, at least 1 */
  void (*progress)(size_t done, size_t all); /* called now and then, or NULL */
};

/* Of the whole run, save that the work of finishing those that still run at its end is counted
   in no number and no second. */
struct kvp_serving_counts {
  uint64_t requests, skipped; /* skipped: longer than the pool was */
  uint64_t lookups;           /* of every attempt to admit */
  uint64_t hits;              /* of the attempts that admitted */
  uint64_t evictions;         /* hashes that left the index, by allocation or by retiring */
  uint64_t retired, moved, grown;
  uint64_t divergences;
  uint64_t operations; /* look-up, claim, free, pop, allocate, publish, retire, extend */
  double seconds;
};

/* Entries that the block tables of the running requests take. KVP_OVERFLOW if too many. */
enum kvp_status kvp_serving_table(const struct kvp_workload *workload, uint32_t max_blocks,
                                  uint32_t concurrency, uint32_t *entries);

/* Runs until the end or the first divergence. message[0 .. size) says what failed or diverged. */
enum kvp_outcome kvp_serve(const struct kvp_serving *serving, struct kvp_serving_counts *counts,
                           char *message, size_t size);

#endif
