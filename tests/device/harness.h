/* SPDX-License-Identifier: Apache-2.0 */
/* A device beside the model: each batch goes to both, moves are done one by one on plain arrays
   of payload and tables, and everything that can be seen must be the same. */
#ifndef KVP_TEST_DEVICE_HARNESS_H
#define KVP_TEST_DEVICE_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <kvpool/device.h>

#include "spec/model.h"

#define SEEDS 8 /* orders of work-items that a test tries on the host */

struct harness {
  struct kvp_device_shape shape;
  struct kvp_device *device;
  struct kvp_model *model;
  uint32_t *table;   /* as it must be */
  uint32_t *payload; /* [max_blocks][block_bytes / 4]: as it must be, where it is */
  uint8_t *defined;  /* [max_blocks]: 1 from a fill until the block is taken or leaves the pool */
};

static const char *backend; /* that the tests run on */

static inline void open_harness(struct harness *harness, const struct kvp_device_shape *shape,
                                uint64_t seed, uint32_t parallel_min)
{
  const struct kvp_device_options options = {backend, seed, parallel_min, 0};
  size_t words = (size_t)shape->max_blocks * (shape->block_bytes / 4);
  char message[256] = "";

  harness->shape = *shape;
  if (kvp_device_open(shape, &options, &harness->device, message, sizeof message) != KVP_OK)
    fail_msg("%s: %s", backend, message);
  harness->model = kvp_model_new(shape->num_blocks, shape->max_blocks, shape->block_size);
  harness->table = calloc((size_t)shape->table_entries + 1, 4);
  harness->payload = calloc(words + 1, 4);
  harness->defined = calloc((size_t)shape->max_blocks + 1, 1);
  assert_true(harness->model != NULL && harness->table != NULL && harness->payload != NULL
              && harness->defined != NULL);
  for (uint32_t i = 0; i < shape->table_entries; i++)
    harness->table[i] = KVP_NONE;
}

static inline void close_harness(struct harness *harness)
{
  kvp_device_close(harness->device);
  kvp_model_free(harness->model);
  free(harness->table);
  free(harness->payload);
  free(harness->defined);
}

static inline void name_entries(struct harness *harness, uint32_t first, uint32_t n,
                                const uint32_t *entries)
{
  memcpy(harness->table + first, entries, n * sizeof *entries);
  assert_int_equal(kvp_device_write_table(harness->device, first, n, entries), KVP_OK);
}

static inline void fill_block(struct harness *harness, uint32_t block, uint64_t seed)
{
  uint32_t words = harness->shape.block_bytes / 4;

  for (uint32_t i = 0; i < words; i++)
    harness->payload[(size_t)block * words + i] = kvp_payload_word(seed, i);
  harness->defined[block] = 1;
  assert_int_equal(kvp_device_fill(harness->device, &block, &seed, 1), KVP_OK);
}

static void move(struct harness *harness, const struct kvp_result *result)
{
  size_t words = harness->shape.block_bytes / 4;

  memcpy(harness->payload + result->moved_to * words, harness->payload + result->block * words,
         words * 4);
  harness->defined[result->moved_to] = harness->defined[result->block];
  for (uint32_t i = 0; i < harness->shape.table_entries; i++)
    if (harness->table[i] == result->block)
      harness->table[i] = result->moved_to;
}

/* What an operation does to payload and tables, in its turn. */
static void follow(struct harness *harness, const struct kvp_op *op,
                   const struct kvp_result *result)
{
  if (result->status != KVP_OK)
    return;
  if (op->kind == KVP_ALLOCATE)
    harness->defined[op->block] = 0;
  if (op->kind == KVP_RESERVE)
    for (uint32_t i = 0; i < op->count; i++)
      harness->defined[op->units[i].block] = 0;
  if (op->kind == KVP_RETIRE_TOP && result->moved_to != KVP_NONE)
    move(harness, result);
  if (op->kind == KVP_RETIRE_TOP)
    harness->defined[result->block] = 0;
}

static void assert_same_evicted(const struct kvp_evicted *a, const struct kvp_evicted *b)
{
  assert_int_equal(a->count, b->count);
  assert_int_equal(a->hash, b->hash);
}

static void assert_same_result(const struct kvp_op *op, const struct kvp_result *model,
                               const struct kvp_result *device)
{
  if (model->status != device->status)
    fail_msg("kind %d on block %u: model %s, %s %s", (int)op->kind, op->block,
             kvp_strerror(model->status), backend, kvp_strerror(device->status));
  assert_int_equal(model->block, device->block);
  assert_int_equal(model->moved_to, device->moved_to);
  assert_int_equal(model->count, device->count);
  assert_same_evicted(&model->evicted, &device->evicted);
}

static void assert_same_views(struct harness *harness)
{
  size_t words = harness->shape.block_bytes / 4;
  uint32_t *block_payload = malloc(words * 4 + 1);

  for (uint32_t block = 0; block < harness->shape.max_blocks; block++) {
    struct kvp_view a, b;
    assert_int_equal(kvp_model_view(harness->model, block, &a), KVP_OK);
    assert_int_equal(kvp_device_view(harness->device, block, &b), KVP_OK);
    assert_int_equal(a.state, b.state);
    assert_int_equal(a.ref_count, b.ref_count);
    assert_int_equal(a.has_hash, b.has_hash);
    assert_int_equal(a.indexed, b.indexed);
    assert_int_equal(a.hash, b.hash);
    assert_int_equal(a.length, b.length);
    if (a.length != 0)
      assert_memory_equal(a.tokens, b.tokens, a.length * sizeof *a.tokens);
    assert_int_equal(a.owner, b.owner);
    assert_int_equal(a.first, b.first);
    assert_int_equal(a.left, b.left);
    if (!harness->defined[block] || words == 0)
      continue;
    assert_int_equal(kvp_device_read_payload(harness->device, 0, block, 1, block_payload), KVP_OK);
    assert_memory_equal(harness->payload + block * words, block_payload, words * 4);
  }
  free(block_payload);
}

static void assert_same_order(struct harness *harness)
{
  uint32_t block = KVP_NONE;

  do {
    uint32_t next;
    assert_int_equal(kvp_device_next_cached(harness->device, block, &next), KVP_OK);
    assert_int_equal(next, kvp_model_next_cached(harness->model, block));
    block = next;
  } while (block != KVP_NONE);
}

static inline void assert_same_state(struct harness *harness)
{
  uint32_t *table = calloc((size_t)harness->shape.table_entries + 1, 4);
  struct kvp_counts a, b;

  kvp_model_counts(harness->model, &a);
  assert_int_equal(kvp_device_counts(harness->device, &b), KVP_OK);
  assert_memory_equal(&a, &b, sizeof a);
  assert_same_views(harness);
  assert_same_order(harness);
  assert_int_equal(kvp_device_read_table(harness->device, 0, harness->shape.table_entries, table),
                   KVP_OK);
  assert_memory_equal(table, harness->table, harness->shape.table_entries * sizeof *table);
  free(table);
}

static void assert_same_units(const struct kvp_op *op, const struct kvp_unit *units)
{
  for (uint32_t i = 0; i < op->count; i++) {
    assert_int_equal(op->units[i].block, units[i].block);
    assert_same_evicted(&op->units[i].evicted, &units[i].evicted);
  }
}

/* results[0 .. n) is what the model answered, and the device too. */
static inline void apply_batch(struct harness *harness, const struct kvp_op *ops, uint32_t n,
                               struct kvp_result *results)
{
  struct kvp_op *copies = calloc((size_t)n + 1, sizeof *copies);
  struct kvp_result *answers = calloc((size_t)n + 1, sizeof *answers);

  for (uint32_t i = 0; i < n; i++) {
    copies[i] = ops[i];
    if (ops[i].kind == KVP_RESERVE && ops[i].units != NULL)
      copies[i].units = calloc((size_t)ops[i].count + 1, sizeof *ops[i].units);
  }
  assert_int_equal(kvp_device_apply(harness->device, copies, n, answers), KVP_OK);
  for (uint32_t i = 0; i < n; i++) {
    kvp_model_apply(harness->model, &ops[i], &results[i]);
    assert_same_result(&ops[i], &results[i], &answers[i]);
    follow(harness, &ops[i], &results[i]);
    if (copies[i].units == ops[i].units)
      continue;
    if (results[i].status == KVP_OK)
      assert_same_units(&ops[i], copies[i].units);
    free(copies[i].units);
  }
  free(copies);
  free(answers);
  assert_same_state(harness);
}

/* The tests on every backend that is there; a line for each that is not. A build or launch that
   fails is not an absence, and fails the tests. */
static inline int run_on_backends(const char *name, const struct CMUnitTest *tests, size_t n)
{
  static const char *const names[] = {"host", "opencl"};
  const struct kvp_device_shape shape = {.block_size = 1};
  int failed = 0;

  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const struct kvp_device_options options = {names[i], 0, 0, 0};
    struct kvp_device *device;
    char message[256] = "", group[64];
    kvp_device_open(&shape, &options, &device, message, sizeof message);
    if (device == NULL && strncmp(message, "no ", 3) == 0) {
      printf("SKIPPED %s on %s: %s\n", name, names[i], message);
      continue;
    }
    kvp_device_close(device);
    backend = names[i];
    printf("%s on %s\n", name, backend);
    fflush(stdout);
    snprintf(group, sizeof group, "%s on %s", name, names[i]);
    failed += _cmocka_run_group_tests(group, tests, n, NULL, NULL);
  }
  return failed != 0;
}

#endif
