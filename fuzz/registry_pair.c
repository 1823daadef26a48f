/* SPDX-License-Identifier: Apache-2.0 */
/* Two registries side by side: the model is the judge, and the reference must answer and look the
   same after each operation. */
#include "fuzz/registry_pair.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/one_input.h"
#include "fuzz/registry_text.h"
#include "tests/registry_subjects.h"

#define JUDGE registry_subjects[0]
#define OTHER registry_subjects[1]

void kvp_pair_same(struct kvp_pair *pair, const char *what, uint32_t index, uint64_t left,
                   uint64_t right)
{
  if (left == right)
    return;
  if (pair->tells)
    fprintf(stderr,
            "divergence at operation %zu, %s: %s, %" PRIu32 ": %s %" PRId64 " (0x%" PRIx64
            "), %s %" PRId64 " (0x%" PRIx64 ")\n",
            pair->num_ops, pair->op == NULL ? "none yet" : kvp_registry_kind_name(pair->op->kind),
            what, index, JUDGE.name, (int64_t)left, left, OTHER.name, (int64_t)right, right);
  if (!pair->tells)
    kvp_tell_again();
  abort();
}

/* A field of two structures `left` and `right`, which are the index-th of theirs. */
#define SAME(what, field)                                                                          \
  kvp_pair_same(pair, what " " #field, index, (uint64_t)left->field, (uint64_t)right->field)

static void same_result(struct kvp_pair *pair, const struct kvp_registry_result *left,
                        const struct kvp_registry_result *right)
{
  const uint32_t index = 0;
  SAME("result", status);
  SAME("result", count);
  SAME("result", requested);
  SAME("result", available);
  SAME("result", dropped);
  SAME("result", block_hash);
  SAME("result", hash);
}

static void same_grant(struct kvp_pair *pair, uint32_t index, const struct kvp_grant *left,
                       const struct kvp_grant *right)
{
  SAME("grant", handle);
  SAME("grant", block);
  SAME("grant", kind);
}

void kvp_pair_same_events(struct kvp_pair *pair, uint32_t count, const struct kvp_event *left,
                          const struct kvp_event *right)
{
  for (uint32_t index = 0; index < count; index++, left++, right++) {
    SAME("event", number);
    SAME("event", kind);
    SAME("event", position);
    SAME("event", block_hash);
    SAME("event", hash);
    SAME("event", parent);
  }
}

static void same_counts(struct kvp_pair *pair)
{
  struct kvp_registry_counts judge, other, *left = &judge, *right = &other;
  const uint32_t index = 0;
  JUDGE.counts(pair->judge, left);
  OTHER.counts(pair->other, right);
  SAME("counts", num_blocks);
  SAME("counts", num_empty);
  SAME("counts", num_held);
  SAME("counts", num_active);
  SAME("counts", num_cached);
  SAME("counts", num_available);
  SAME("counts", num_handles);
  SAME("counts", num_events);
}

static void same_view(struct kvp_pair *pair, uint32_t index)
{
  struct kvp_block_view judge, other, *left = &judge, *right = &other;
  enum kvp_status status = JUDGE.view(pair->judge, index, left);
  kvp_pair_same(pair, "view, status of block", index, (uint64_t)status,
                (uint64_t)OTHER.view(pair->other, index, right));
  if (status != KVP_OK)
    return;
  SAME("block", state);
  SAME("block", handles);
  SAME("block", pins);
  SAME("block", priority);
  SAME("block", length);
  SAME("block", position);
  SAME("block", salt);
  SAME("block", parent);
  SAME("block", block_hash);
  SAME("block", hash);
  SAME("block", acquired_tick);
  SAME("block", returned_tick);
  kvp_pair_same(pair, "whether tokens can be read of block", index, left->tokens != NULL,
                right->tokens != NULL);
  for (uint32_t i = 0; left->tokens != NULL && i < left->length; i++)
    SAME("block", tokens[i]);
}

static void same_next_empty(struct kvp_pair *pair, uint32_t block)
{
  kvp_pair_same(pair, "next empty after block", block, JUDGE.next_empty(pair->judge, block),
                OTHER.next_empty(pair->other, block));
}

void kvp_pair_same_state(struct kvp_pair *pair)
{
  same_counts(pair);
  kvp_pair_same(pair, "victim", 0, JUDGE.victim(pair->judge), OTHER.victim(pair->other));
  same_next_empty(pair, KVP_NONE);
  for (uint32_t block = 0; block <= pair->shape.max_blocks; block++) {
    same_view(pair, block);
    same_next_empty(pair, block);
  }
  same_view(pair, KVP_NONE);
}

static void *rubbish(struct kvp_pair *pair, size_t size)
{
  void *bytes = kvp_arena_take(&pair->arena, size);
  if (bytes != NULL)
    memset(bytes, 0x5A, size);
  return bytes;
}

uint32_t kvp_room_for_grants(const struct kvp_registry_op *op)
{
  return op->grants == NULL ? 0 : op->kind == KVP_REGISTRY_SHARE ? 1 : op->count;
}

uint32_t kvp_room_for_events(const struct kvp_registry_op *op)
{
  return op->events == NULL ? 0 : op->count;
}

void kvp_pair_same_answer(struct kvp_pair *pair, const struct kvp_registry_op *op,
                          const struct kvp_registry_result *result,
                          const struct kvp_registry_op *other_op,
                          const struct kvp_registry_result *other_result)
{
  pair->op = op;
  same_result(pair, result, other_result);
  for (uint32_t i = 0; i < kvp_room_for_grants(op); i++)
    same_grant(pair, i, &op->grants[i], &other_op->grants[i]);
  kvp_pair_same_events(pair, kvp_room_for_events(op), op->events, other_op->events);
}

void kvp_pair_apply(struct kvp_pair *pair, const struct kvp_registry_op *op,
                    struct kvp_registry_result *result)
{
  struct kvp_registry_op others = *op;
  struct kvp_registry_result other;
  others.grants = rubbish(pair, kvp_room_for_grants(op) * sizeof *op->grants);
  others.events = rubbish(pair, kvp_room_for_events(op) * sizeof *op->events);
  memset(result, 0x5A, sizeof *result);
  memset(&other, 0xA5, sizeof other);
  pair->op = op;
  if (pair->tells) {
    fprintf(stderr, "%zu: ", pair->num_ops);
    kvp_print_registry_op(stderr, op);
  }
  JUDGE.apply(pair->judge, op, result);
  if (pair->tells) {
    fprintf(stderr, " -> ");
    kvp_print_registry_result(stderr, result);
    fputc('\n', stderr);
  }
  OTHER.apply(pair->other, &others, &other);
  kvp_pair_same_answer(pair, op, result, &others, &other);
  kvp_pair_same_state(pair);
  pair->num_ops++;
}

void kvp_pair_begin(struct kvp_pair *pair, const struct kvp_registry_shape *shape, int tells,
                    void *judge, void *other)
{
  pair->shape = *shape;
  pair->num_ops = 0;
  pair->tells = tells;
  pair->op = NULL;
  pair->judge = judge;
  pair->other = other;
  if (tells)
    fprintf(stderr,
            "registry of %" PRIu32 " blocks, at most %" PRIu32 ", of %" PRIu32 " tokens, %" PRIu32
            " handles, %" PRIu32 " events, tag %u%s%s\n",
            shape->num_blocks, shape->max_blocks, shape->block_size, shape->max_handles,
            shape->max_events, shape->tag, shape->leaf_first ? ", leaf first" : "",
            shape->keep_duplicates ? ", duplicates kept" : "");
  if (judge == NULL || other == NULL) {
    fprintf(stderr, "%s does not open\n", judge == NULL ? JUDGE.name : OTHER.name);
    abort();
  }
  kvp_pair_same_state(pair);
}

void kvp_pair_open(struct kvp_pair *pair, const struct kvp_registry_shape *shape, int tells)
{
  kvp_pair_begin(pair, shape, tells, JUDGE.open(shape), OTHER.open(shape));
}

void kvp_pair_close(struct kvp_pair *pair)
{
  JUDGE.close(pair->judge);
  OTHER.close(pair->other);
}
