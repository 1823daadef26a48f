/* SPDX-License-Identifier: Apache-2.0 */
/* A device beside a judge, which applies each batch one by one: results, state, payload and tables
   must be the same. */
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

#include "src/oracle/appliers.h"
#include "src/oracle/compare.h"
#include "tests/device/backends.h"

#define MODEL_MOST 4096 /* blocks; it scans, so larger pools are beside the reference */
#define RUBBISH 0x5A    /* in buffers, so that what is written to them shows */

/* What a block's payload must be: the pattern of a seed, or anything. */
struct content {
  int defined;
  uint64_t seed, digest;
};

struct harness {
  struct kvp_device_shape shape;
  struct kvp_device *device;
  struct kvp_applier judge;
  int judged_by_model, fill_on_publish;
  uint32_t words;           /* of a block's payload, in all planes */
  uint32_t *table;          /* [table_entries]: as it must be */
  struct content *contents; /* [max_blocks] */
};

static inline void *rubbish(size_t n, size_t size)
{
  void *buffer = malloc(n * size + 1);
  assert_non_null(buffer);
  memset(buffer, RUBBISH, n * size + 1);
  return buffer;
}

static inline int is_rubbish(const void *buffer, size_t size)
{
  const unsigned char *bytes = buffer;
  for (size_t i = 0; i < size; i++)
    if (bytes[i] != RUBBISH)
      return 0;
  return 1;
}

/* Puts an open device beside the model, or the reference. */
static inline void attach_harness(struct harness *harness, struct kvp_device *device,
                                  const struct kvp_device_shape *shape, int fill_on_publish,
                                  int by_model)
{
  enum kvp_status (*open)(uint32_t, uint32_t, uint32_t, struct kvp_applier *) =
    by_model ? kvp_open_model : kvp_open_reference;
  uint32_t planes = shape->num_planes == 0 ? 1 : shape->num_planes;

  *harness = (struct harness){.shape = *shape,
                              .device = device,
                              .judged_by_model = by_model,
                              .fill_on_publish = fill_on_publish,
                              .words = planes * (shape->block_bytes / 4)};
  assert_int_equal(open(shape->num_blocks, shape->max_blocks, shape->block_size, &harness->judge),
                   KVP_OK);
  harness->contents = calloc((size_t)shape->max_blocks + 1, sizeof *harness->contents);
  harness->table = malloc(((size_t)shape->table_entries + 1) * sizeof *harness->table);
  assert_true(harness->contents != NULL && harness->table != NULL);
  for (uint32_t i = 0; i < shape->table_entries; i++)
    harness->table[i] = KVP_NONE;
}

static inline void open_harness_with(struct harness *harness, const struct kvp_device_shape *shape,
                                     const struct kvp_device_options *options)
{
  struct kvp_device *device;
  char message[512] = "";

  if (kvp_device_open(shape, options, &device, message, sizeof message) != KVP_OK)
    fail_msg("%s: %s", backend, message);
  attach_harness(harness, device, shape, options->fill_on_publish, shape->max_blocks <= MODEL_MOST);
}

static inline void open_harness(struct harness *harness, const struct kvp_device_shape *shape,
                                uint64_t seed, uint32_t parallel_min)
{
  const struct kvp_device_options options = {
    .backend = backend, .order_seed = seed, .parallel_min = parallel_min};
  open_harness_with(harness, shape, &options);
}

static inline void close_harness(struct harness *harness)
{
  kvp_device_close(harness->device);
  if (harness->judged_by_model)
    kvp_close_model(&harness->judge);
  else
    kvp_close_reference(&harness->judge);
  free(harness->table);
  free(harness->contents);
}

static inline enum kvp_status try_name_entries(struct harness *harness, uint32_t first, uint32_t n,
                                               const uint32_t *entries)
{
  enum kvp_status status = kvp_device_write_table(harness->device, first, n, entries);
  if (status == KVP_OK && n != 0)
    memcpy(harness->table + first, entries, n * sizeof *entries);
  return status;
}

static inline void name_entries(struct harness *harness, uint32_t first, uint32_t n,
                                const uint32_t *entries)
{
  assert_int_equal(try_name_entries(harness, first, n, entries), KVP_OK);
}

static inline void define(struct harness *harness, uint32_t block, uint64_t seed)
{
  uint64_t digest = 0;
  for (uint32_t i = 0; i < harness->words; i++)
    digest += kvp_payload_digest(i, kvp_payload_word(seed, i));
  harness->contents[block] = (struct content){1, seed, digest};
}

static inline enum kvp_status try_fill_block(struct harness *harness, uint32_t block, uint64_t seed)
{
  enum kvp_status status = kvp_device_fill(harness->device, &block, &seed, 1);
  if (status == KVP_OK)
    define(harness, block, seed);
  return status;
}

static inline void fill_block(struct harness *harness, uint32_t block, uint64_t seed)
{
  assert_int_equal(try_fill_block(harness, block, seed), KVP_OK);
}

static inline void follow_retirement(struct harness *harness, const struct kvp_result *result)
{
  if (result->moved_to != KVP_NONE) {
    harness->contents[result->moved_to] = harness->contents[result->block];
    for (uint32_t i = 0; i < harness->shape.table_entries; i++)
      if (harness->table[i] == result->block)
        harness->table[i] = result->moved_to;
  }
  harness->contents[result->block].defined = 0;
}

/* What an operation does to payload and tables, in its turn. */
static inline void follow(struct harness *harness, const struct kvp_op *op,
                          const struct kvp_result *result)
{
  if (result->status != KVP_OK)
    return;
  if (op->kind == KVP_ALLOCATE)
    harness->contents[op->block].defined = 0;
  if (op->kind == KVP_RESERVE)
    for (uint32_t i = 0; i < op->count; i++)
      harness->contents[op->units[i].block].defined = 0;
  if (op->kind == KVP_PUBLISH && harness->fill_on_publish)
    define(harness, op->block, op->hash);
  if (op->kind == KVP_RETIRE_TOP)
    follow_retirement(harness, result);
}

/* Content that nobody holds goes, and its payload with it. */
static inline void foresee_clear(struct harness *harness)
{
  const struct kvp_applier *judge = &harness->judge;
  struct kvp_view view;

  for (uint32_t block = 0; block < harness->shape.max_blocks; block++)
    if (judge->view(judge->self, block, &view) == KVP_OK && view.has_hash && view.ref_count == 0)
      harness->contents[block].defined = 0;
}

static inline void fail_on(const struct harness *harness, const struct kvp_difference *difference,
                           const struct kvp_op *ops)
{
  char words[256] = "";
  FILE *out = fmemopen(words, sizeof words, "w");

  assert_non_null(out);
  kvp_print_difference(out, difference, harness->judge.name, backend, ops);
  fclose(out);
  fail_msg("%s", words);
}

/* The device as a side of a comparison. Once all was seen, nothing here can fail. */
static inline void see_counts(void *self, struct kvp_counts *counts)
{
  assert_int_equal(kvp_device_counts(self, counts), KVP_OK);
}

static inline enum kvp_status see_view(void *self, uint32_t block, struct kvp_view *view)
{
  return kvp_device_view(self, block, view);
}

static inline uint32_t see_next_cached(void *self, uint32_t block)
{
  uint32_t next;
  assert_int_equal(kvp_device_next_cached(self, block, &next), KVP_OK);
  return next;
}

static inline enum kvp_status see_all(struct harness *harness)
{
  struct kvp_counts counts;
  struct kvp_view view;
  uint32_t next;
  enum kvp_status status = kvp_device_counts(harness->device, &counts);

  if (status == KVP_OK)
    status = kvp_device_next_cached(harness->device, KVP_NONE, &next);
  for (uint32_t block = 0; block < harness->shape.max_blocks && status == KVP_OK; block++)
    status = kvp_device_view(harness->device, block, &view);
  return status;
}

static inline enum kvp_status try_same_pool(struct harness *harness)
{
  const struct kvp_applier side = {.name = backend,
                                   .self = harness->device,
                                   .counts = see_counts,
                                   .view = see_view,
                                   .next_cached = see_next_cached};
  struct kvp_difference difference;
  enum kvp_status status = see_all(harness);

  if (status == KVP_OK
      && kvp_states_differ(&harness->judge, &side, harness->shape.max_blocks, &difference))
    fail_on(harness, &difference, NULL);
  return status;
}

/* Says which word of a block is wrong. */
static inline enum kvp_status try_same_words(struct harness *harness, uint32_t block)
{
  uint32_t slot = harness->shape.block_bytes / 4;
  uint32_t *words = rubbish(slot, sizeof *words);
  enum kvp_status status = KVP_OK;

  for (uint32_t plane = 0; plane * slot < harness->words && status == KVP_OK; plane++) {
    status = kvp_device_read_payload(harness->device, plane, block, 1, words);
    for (uint32_t i = 0; i < slot && status == KVP_OK; i++) {
      uint32_t right = kvp_payload_word(harness->contents[block].seed, plane * slot + i);
      if (words[i] != right)
        fail_msg("%s: block %u, plane %u, word %u: %08x, not %08x", backend, block, plane, i,
                 words[i], right);
    }
  }
  free(words);
  return status;
}

static inline enum kvp_status try_same_payload(struct harness *harness)
{
  uint32_t blocks = harness->shape.max_blocks;
  uint64_t *digests = rubbish(blocks, sizeof *digests);
  enum kvp_status status = kvp_device_digest(harness->device, 0, blocks, digests);

  for (uint32_t block = 0; block < blocks && status == KVP_OK; block++) {
    const struct content *content = &harness->contents[block];
    if (!content->defined || digests[block] == content->digest)
      continue;
    status = try_same_words(harness, block);
    if (status == KVP_OK)
      fail_msg("%s: the digest of block %u is wrong, its payload is not", backend, block);
  }
  free(digests);
  return status;
}

static inline enum kvp_status try_same_table(struct harness *harness)
{
  uint32_t n = harness->shape.table_entries, *table = rubbish(n, sizeof *table);
  enum kvp_status status = kvp_device_read_table(harness->device, 0, n, table);
  struct kvp_difference difference;

  if (status == KVP_OK && kvp_tables_differ(harness->table, table, n, &difference))
    fail_on(harness, &difference, NULL);
  free(table);
  return status;
}

/* KVP_OK if everything that can be seen is the same; another status is the device's. */
static inline enum kvp_status try_same_state(struct harness *harness)
{
  enum kvp_status status = try_same_pool(harness);

  if (status == KVP_OK)
    status = try_same_payload(harness);
  return status == KVP_OK ? try_same_table(harness) : status;
}

static inline void assert_same_state(struct harness *harness)
{
  assert_int_equal(try_same_state(harness), KVP_OK);
}

/* Units that a reserve of this pool may write; one of more is refused. */
static inline size_t unit_bytes(const struct harness *harness, const struct kvp_op *op)
{
  uint32_t most = harness->shape.max_blocks;
  return (op->count < most ? op->count : most) * sizeof *op->units;
}

/* The operations for the device, with unit buffers of their own. */
static inline struct kvp_op *copy_ops(const struct harness *harness, const struct kvp_op *ops,
                                      uint32_t n)
{
  struct kvp_op *copies = rubbish(n, sizeof *copies);

  for (uint32_t i = 0; i < n; i++) {
    copies[i] = ops[i];
    if (ops[i].kind == KVP_RESERVE && ops[i].units != NULL)
      copies[i].units = rubbish(1, unit_bytes(harness, &ops[i]));
  }
  return copies;
}

/* answers[i]: of a reserve that was done; else its units must be as they were. */
static inline void free_copies(const struct harness *harness, const struct kvp_op *ops,
                               struct kvp_op *copies, uint32_t n, const struct kvp_result *answers)
{
  for (uint32_t i = 0; i < n; i++) {
    if (copies[i].units == ops[i].units)
      continue;
    if (answers[i].status != KVP_OK)
      assert_true(is_rubbish(copies[i].units, unit_bytes(harness, &ops[i])));
    free(copies[i].units);
  }
  free(copies);
}

/* One by one, and what was answered to the batch. */
static inline void judge_batch(struct harness *harness, const struct kvp_op *ops,
                               const struct kvp_op *copies, uint32_t n, struct kvp_result *results,
                               const struct kvp_result *answers)
{
  struct kvp_difference difference;

  for (uint32_t i = 0; i < n; i++) {
    if (ops[i].kind == KVP_CLEAR_INDEX)
      foresee_clear(harness);
    assert_int_equal(harness->judge.apply(harness->judge.self, &ops[i], 1, &results[i]), KVP_OK);
    follow(harness, &ops[i], &results[i]);
  }
  if (kvp_results_differ(ops, results, copies, answers, n, &difference))
    fail_on(harness, &difference, ops);
}

/* A batch on the device, and if that did it, on the judge; if not, no buffer may have changed.
   results[0 .. n) is what both answered. */
static inline enum kvp_status try_batch(struct harness *harness, const struct kvp_op *ops,
                                        uint32_t n, struct kvp_result *results)
{
  struct kvp_op *copies = copy_ops(harness, ops, n);
  struct kvp_result *answers = rubbish(n, sizeof *answers);
  enum kvp_status status = kvp_device_apply(harness->device, copies, n, answers);

  if (status == KVP_OK)
    judge_batch(harness, ops, copies, n, results, answers);
  else
    assert_true(is_rubbish(answers, n * sizeof *answers));
  free_copies(harness, ops, copies, n, answers);
  free(answers);
  return status;
}

static inline void apply_batch(struct harness *harness, const struct kvp_op *ops, uint32_t n,
                               struct kvp_result *results)
{
  assert_int_equal(try_batch(harness, ops, n, results), KVP_OK);
  assert_same_state(harness);
}

#endif
