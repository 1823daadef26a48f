/* SPDX-License-Identifier: Apache-2.0 */
/* What a plan is made of: runs of operations, and their limits. */
#ifndef KVP_DEVICE_PLAN_H
#define KVP_DEVICE_PLAN_H

#include <kvpool/op.h>

enum kvp_run_kind {
  KVP_RUN_SERIAL, /* anything but retire_top, one after the other */
  KVP_RUN_POPS,
  KVP_RUN_PAIRS, /* pop, allocate, pop, allocate ...; whose blocks need not fit */
  KVP_RUN_ALLOCATES,
  KVP_RUN_CLAIMS,
  KVP_RUN_FREES,
  KVP_RUN_PUBLISHES,
  KVP_RUN_LOOKUPS, /* lookup and match, in any order */
  KVP_RUN_PREFIXES,
  KVP_RUN_CLEARS,
  KVP_RUN_EXTENDS,
  KVP_RUN_RETIRES,
  KVP_RUN_RESERVES,
  KVP_RUN_RELEASES
};

struct kvp_run {
  enum kvp_run_kind kind;
  uint32_t first, n; /* operations first .. first + n - 1 */
};

struct kvp_plan_limits {
  uint32_t parallel_min; /* a shorter run is serial, but for retires */
  uint32_t longest;      /* operations of a run of allocates, claims, frees, publishes, or serial */
};

#endif
