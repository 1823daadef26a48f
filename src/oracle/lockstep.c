/* SPDX-License-Identifier: Apache-2.0 */
/* Batches for the followers, the payload as it must be, and the comparison after them. */
#include "src/oracle/lockstep.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/oracle/compare.h"
#include "src/oracle/payload.h"
#include "src/oracle/text.h"

struct kvp_lockstep {
  struct kvp_lockstep_setup setup;
  enum kvp_outcome outcome;
  char message[1024];
  size_t num_ops, room;
  struct kvp_op *ops;          /* [room] */
  struct kvp_result *expected; /* [room]: what the reference answered */
  struct kvp_result *results;  /* [room]: a follower's answers */
  uint32_t words;              /* 32-bit words of a block's payload, in all planes */
  struct kvp_pattern *payload; /* [max_blocks]: as it must be */
  uint64_t *device_digests;    /* [max_blocks]: as read back */
  uint32_t *device_table;      /* [table_entries]: as read back */
  uint32_t *filled;            /* [max_blocks]: blocks that a batch published, */
  uint64_t *seeds;             /* [max_blocks]: and their hashes */
};

struct kvp_lockstep *kvp_lockstep_open(const struct kvp_lockstep_setup *setup)
{
  struct kvp_lockstep *lockstep = calloc(1, sizeof *lockstep);
  size_t blocks = (size_t)setup->shape.max_blocks + 1; /* so that no size is 0 */

  if (lockstep == NULL)
    return NULL;
  lockstep->setup = *setup;
  lockstep->words = kvp_payload_words(&setup->shape);
  if (setup->device == NULL)
    return lockstep;
  lockstep->payload = calloc(blocks, sizeof *lockstep->payload);
  lockstep->device_digests = calloc(blocks, sizeof *lockstep->device_digests);
  lockstep->device_table = calloc((size_t)setup->shape.table_entries + 1, sizeof(uint32_t));
  lockstep->filled = calloc(blocks, sizeof *lockstep->filled);
  lockstep->seeds = calloc(blocks, sizeof *lockstep->seeds);
  if (lockstep->payload != NULL && lockstep->device_digests != NULL
      && lockstep->device_table != NULL && lockstep->filled != NULL && lockstep->seeds != NULL)
    return lockstep;
  kvp_lockstep_close(lockstep);
  return NULL;
}

void kvp_lockstep_close(struct kvp_lockstep *lockstep)
{
  if (lockstep == NULL)
    return;
  free(lockstep->ops);
  free(lockstep->expected);
  free(lockstep->results);
  free(lockstep->payload);
  free(lockstep->device_digests);
  free(lockstep->device_table);
  free(lockstep->filled);
  free(lockstep->seeds);
  free(lockstep);
}

const char *kvp_lockstep_message(const struct kvp_lockstep *lockstep) { return lockstep->message; }

static enum kvp_outcome fail(struct kvp_lockstep *lockstep, const char *who, const char *why)
{
  snprintf(lockstep->message, sizeof lockstep->message, "%s: %s", who, why);
  return lockstep->outcome = KVP_FAILED;
}

static enum kvp_outcome diverge(struct kvp_lockstep *lockstep, const char *who,
                                const struct kvp_difference *difference)
{
  const struct kvp_op *ops = lockstep->num_ops == 0 ? NULL : lockstep->ops;
  FILE *out = fmemopen(lockstep->message, sizeof lockstep->message, "w");

  lockstep->outcome = KVP_DIVERGED;
  if (out == NULL)
    return fail(lockstep, who, "differs from the reference, but there is no memory to say where");
  if (difference->place == KVP_IN_RESULT || difference->place == KVP_IN_UNIT) {
    kvp_print_op(out, &ops[difference->index]);
    fprintf(out, "\n  reference: ");
    kvp_print_result(out, &lockstep->expected[difference->index]);
    fprintf(out, "\n  %s: ", who);
    kvp_print_result(out, &lockstep->results[difference->index]);
    fprintf(out, "\n  ");
  }
  kvp_print_difference(out, difference, "reference", who, ops);
  fclose(out);
  lockstep->message[sizeof lockstep->message - 1] = '\0';
  return KVP_DIVERGED;
}

static const char *device_name(const struct kvp_lockstep *lockstep)
{
  return lockstep->setup.followers[lockstep->setup.num_followers - 1].name;
}

/* What a device call answered. */
static enum kvp_outcome device_answer(struct kvp_lockstep *lockstep, enum kvp_status status)
{
  const char *why = kvp_strerror(status);

  if (status == KVP_OK)
    return lockstep->outcome;
  if (status == KVP_DEVICE || status == KVP_MEMORY)
    why = kvp_device_error(lockstep->setup.device);
  return fail(lockstep, device_name(lockstep), why);
}

static int make_room(struct kvp_lockstep *lockstep)
{
  size_t room = lockstep->room == 0 ? 1024 : lockstep->room * 2;
  struct kvp_op *ops = realloc(lockstep->ops, room * sizeof *ops);
  struct kvp_result *expected, *results;

  if (ops == NULL)
    return 0;
  lockstep->ops = ops;
  expected = realloc(lockstep->expected, room * sizeof *expected);
  if (expected == NULL)
    return 0;
  lockstep->expected = expected;
  results = realloc(lockstep->results, room * sizeof *results);
  if (results == NULL)
    return 0;
  lockstep->results = results;
  lockstep->room = room;
  return 1;
}

enum kvp_outcome kvp_lockstep_record(struct kvp_lockstep *lockstep, const struct kvp_op *op,
                                     const struct kvp_result *result)
{
  if (lockstep->outcome != KVP_AGREED)
    return lockstep->outcome;
  if (lockstep->num_ops == lockstep->room && !make_room(lockstep))
    return fail(lockstep, "followers", "no memory for a longer batch");
  lockstep->ops[lockstep->num_ops] = *op;
  lockstep->expected[lockstep->num_ops++] = *result;
  return KVP_AGREED;
}

/* The batch on one follower. */
static enum kvp_outcome follow(struct kvp_lockstep *lockstep, const struct kvp_applier *follower)
{
  struct kvp_difference difference;
  enum kvp_status status =
    follower->apply(follower->self, lockstep->ops, lockstep->num_ops, lockstep->results);

  if (status != KVP_OK)
    return fail(lockstep, follower->name,
                lockstep->setup.device != NULL && status == KVP_DEVICE
                  ? kvp_device_error(lockstep->setup.device)
                  : kvp_strerror(status));
  if (kvp_results_differ(lockstep->ops, lockstep->expected, lockstep->ops, lockstep->results,
                         lockstep->num_ops, &difference))
    return diverge(lockstep, follower->name, &difference);
  return KVP_AGREED;
}

/* What the batch means for the payload: one move, one fill at a time. */
static enum kvp_outcome follow_payload(struct kvp_lockstep *lockstep)
{
  size_t num_filled = 0;

  for (size_t i = 0; i < lockstep->num_ops; i++) {
    const struct kvp_op *op = &lockstep->ops[i];
    const struct kvp_result *result = &lockstep->expected[i];
    if (result->status != KVP_OK)
      continue;
    if (op->kind == KVP_RETIRE_TOP && result->moved_to != KVP_NONE)
      lockstep->payload[result->moved_to] = lockstep->payload[result->block];
    if (op->kind != KVP_PUBLISH)
      continue;
    lockstep->payload[op->block] = kvp_pattern_of(op->hash, lockstep->words);
    lockstep->filled[num_filled] = op->block;
    lockstep->seeds[num_filled++] = op->hash;
  }
  if (lockstep->words == 0 || num_filled == 0)
    return KVP_AGREED;
  return device_answer(lockstep, kvp_device_fill(lockstep->setup.device, lockstep->filled,
                                                 lockstep->seeds, num_filled));
}

enum kvp_outcome kvp_lockstep_flush(struct kvp_lockstep *lockstep)
{
  if (lockstep->num_ops == 0)
    return lockstep->outcome;
  for (size_t i = 0; i < lockstep->setup.num_followers; i++) {
    if (lockstep->outcome == KVP_AGREED)
      follow(lockstep, &lockstep->setup.followers[i]);
  }
  if (lockstep->outcome == KVP_AGREED && lockstep->setup.device != NULL)
    follow_payload(lockstep);
  lockstep->num_ops = 0;
  return lockstep->outcome;
}

enum kvp_outcome kvp_lockstep_write_table(struct kvp_lockstep *lockstep, uint32_t first, uint32_t n,
                                          const uint32_t *entries)
{
  struct kvp_device *device = lockstep->setup.device;

  if (lockstep->outcome != KVP_AGREED || device == NULL || n == 0)
    return lockstep->outcome;
  return device_answer(lockstep, kvp_device_write_table(device, first, n, entries));
}

/* A block without content has no payload to speak of. */
static int has_content(const struct kvp_applier *reference, uint32_t block)
{
  struct kvp_view view;

  return reference->view(reference->self, block, &view) == KVP_OK && view.has_hash;
}

static enum kvp_outcome compare_payload(struct kvp_lockstep *lockstep)
{
  const struct kvp_lockstep_setup *setup = &lockstep->setup;
  uint32_t blocks = setup->shape.max_blocks;
  struct kvp_difference difference;

  if (lockstep->words == 0
      || device_answer(lockstep,
                       kvp_device_digest(setup->device, 0, blocks, lockstep->device_digests)))
    return lockstep->outcome;
  for (uint32_t block = 0; block < blocks; block++) {
    const struct kvp_pattern *pattern = &lockstep->payload[block];
    uint64_t digest = lockstep->device_digests[block];
    if (pattern->digest == digest || !has_content(setup->reference, block))
      continue;
    if (device_answer(lockstep, kvp_payload_locate(setup->device, &setup->shape, block, pattern,
                                                   digest, &difference)))
      return lockstep->outcome;
    return diverge(lockstep, device_name(lockstep), &difference);
  }
  return KVP_AGREED;
}

static enum kvp_outcome compare_table(struct kvp_lockstep *lockstep, const uint32_t *table)
{
  struct kvp_device *device = lockstep->setup.device;
  uint32_t entries = lockstep->setup.shape.table_entries;
  struct kvp_difference difference;

  if (entries == 0
      || device_answer(lockstep, kvp_device_read_table(device, 0, entries, lockstep->device_table)))
    return lockstep->outcome;
  if (kvp_tables_differ(table, lockstep->device_table, entries, &difference))
    return diverge(lockstep, device_name(lockstep), &difference);
  return KVP_AGREED;
}

enum kvp_outcome kvp_lockstep_compare(struct kvp_lockstep *lockstep, const uint32_t *table)
{
  const struct kvp_lockstep_setup *setup = &lockstep->setup;
  struct kvp_difference difference;

  for (size_t i = 0; i < setup->num_followers; i++) {
    const struct kvp_applier *follower = &setup->followers[i];
    if (lockstep->outcome == KVP_AGREED
        && kvp_states_differ(setup->reference, follower, setup->shape.max_blocks, &difference))
      diverge(lockstep, follower->name, &difference);
  }
  if (lockstep->outcome == KVP_AGREED && setup->device != NULL)
    compare_payload(lockstep);
  if (lockstep->outcome == KVP_AGREED && setup->device != NULL)
    compare_table(lockstep, table);
  return lockstep->outcome;
}
