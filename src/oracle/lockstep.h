/* SPDX-License-Identifier: Apache-2.0 */
/* Followers of the reference: what it answered one operation at a time they are given in batches,
   and then everything that can be seen of them must be the same: results, state, and on a device
   the payload and the block tables. */
#ifndef KVP_ORACLE_LOCKSTEP_H
#define KVP_ORACLE_LOCKSTEP_H

#include <stddef.h>
#include <stdint.h>

#include <kvpool/device.h>
#include <kvpool/op.h>

#include "src/oracle/applier.h"

enum kvp_outcome {
  KVP_AGREED,
  KVP_DIVERGED, /* the message says where, and both sides */
  KVP_FAILED    /* a pool or the memory failed, and the message says how */
};

struct kvp_lockstep_setup {
  const struct kvp_applier *reference;
  const struct kvp_applier *followers; /* [num_followers], each a fresh pool of the same shape */
  size_t num_followers;
  struct kvp_device *device; /* of the last follower, if it has payload and tables; or NULL */
  struct kvp_device_shape shape;
};

struct kvp_lockstep;

/* NULL if memory is short. What the setup points to stays the caller's. */
struct kvp_lockstep *kvp_lockstep_open(const struct kvp_lockstep_setup *setup);
void kvp_lockstep_close(struct kvp_lockstep *lockstep);

/* Why the outcome was not KVP_AGREED. After that every call answers the same outcome. */
const char *kvp_lockstep_message(const struct kvp_lockstep *lockstep);

/* The reference did this; the followers will with the batch. Buffers of `op` must last that long.
 */
enum kvp_outcome kvp_lockstep_record(struct kvp_lockstep *lockstep, const struct kvp_op *op,
                                     const struct kvp_result *result);

/* Gives the batch to the followers and compares the results. Then each block that was published
   is filled with the pattern of its hash: so no retire_top may follow a publish in a batch, and a
   block may be published once in it. */
enum kvp_outcome kvp_lockstep_flush(struct kvp_lockstep *lockstep);

/* These table entries changed other than by moves. */
enum kvp_outcome kvp_lockstep_write_table(struct kvp_lockstep *lockstep, uint32_t first, uint32_t n,
                                          const uint32_t *entries);

/* Compares states, payload of blocks with content, and tables; `table` is the reference's. */
enum kvp_outcome kvp_lockstep_compare(struct kvp_lockstep *lockstep, const uint32_t *table);

#endif
