/* SPDX-License-Identifier: Apache-2.0 */
/* A device on which one call of what it stands on fails: a script of all that it does is run once
   for each call, and after the failure the device is as it was, or dead and says so. */
#ifndef KVP_TEST_DEVICE_FAULTS_H
#define KVP_TEST_DEVICE_FAULTS_H

#include "tests/device/batch.h"

#define BLOCKS 40

/* Where calls fail. */
struct plant {
  enum kvp_status (*open)(const struct kvp_device_shape *shape,
                          const struct kvp_device_options *options, struct kvp_device **device,
                          char *message, size_t size);
  void (*arm)(uint32_t call);      /* counted from 1, from now on; 0: none */
  const char *(*has_failed)(void); /* words that the error must hold, or NULL: no call failed */
  void (*assert_nothing_left)(void);
};

static struct kvp_unit script_units[2][20];
static uint32_t survivals; /* devices that went on after a failure */

static enum kvp_status take_all(struct harness *harness)
{
  struct batch batch = {0};
  for (uint32_t block = 0; block < BLOCKS; block++)
    add_pair(&batch, block);
  return try_batch(harness, batch.ops, batch.n, batch.results);
}

static enum kvp_status publish_all(struct harness *harness)
{
  struct batch batch = {0};
  for (uint32_t block = 0; block < BLOCKS; block++)
    add_publish(&batch, block);
  return try_batch(harness, batch.ops, batch.n, batch.results);
}

static enum kvp_status name_some(struct harness *harness)
{
  static const uint32_t entries[] = {39, 1, KVP_NONE, 38, 39, 0};
  return try_name_entries(harness, 3, 6, entries);
}

static enum kvp_status fill_one(struct harness *harness) { return try_fill_block(harness, 9, 77); }

/* The pattern of a fill, written by the host. */
static enum kvp_status write_one(struct harness *harness)
{
  uint32_t slot = harness->shape.block_bytes / 4, words[64];
  enum kvp_status status = KVP_OK;

  assert_true(slot <= 64);
  for (uint32_t plane = 0; plane * slot < harness->words && status == KVP_OK; plane++) {
    harness->contents[39].defined = 0;
    for (uint32_t i = 0; i < slot; i++)
      words[i] = kvp_payload_word(5, plane * slot + i);
    status = kvp_device_write_payload(harness->device, plane, 39, 1, words);
  }
  if (status == KVP_OK)
    define(harness, 39, 5);
  return status;
}

/* Every kind but the two of units, in runs, and more than a device has room for at first. */
static enum kvp_status run_every_kind(struct harness *harness)
{
  static const enum kvp_kind kinds[] = {KVP_FREE,  KVP_CLAIM,   KVP_FREE,   KVP_POP, KVP_ALLOCATE,
                                        KVP_MATCH, KVP_PUBLISH, KVP_LOOKUP, KVP_FREE};
  static uint64_t hashes[70];
  static uint32_t chain[70 * 4];
  struct batch batch = {0};

  for (uint32_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (uint32_t i = 0; i < 18; i++)
      add_content(&batch, kinds[k], (i * 3 + k) % BLOCKS, hash_of(i + k), i);
  for (uint32_t i = 0; i < 4; i++)
    add(&batch,
        &(struct kvp_op){
          .kind = KVP_MATCH_PREFIX, .count = 70, .length = 4, .hashes = hashes, .tokens = chain});
  for (uint32_t i = 0; i < 8; i++)
    add_kind(&batch, KVP_RETIRE_TOP, 0);
  for (uint32_t i = 0; i < 5; i++)
    add_count(&batch, KVP_EXTEND, 2);
  return try_batch(harness, batch.ops, batch.n, batch.results);
}

static enum kvp_status reserve_some(struct harness *harness)
{
  struct batch batch = {0};
  add_units(&batch, KVP_RESERVE, 3, 2, script_units[0]);
  add_units(&batch, KVP_RESERVE, 3, 1, script_units[1]);
  return try_batch(harness, batch.ops, batch.n, batch.results);
}

static enum kvp_status release_and_clear(struct harness *harness)
{
  struct batch batch = {0};
  add_units(&batch, KVP_RELEASE, 3, 1, script_units[1]);
  add_units(&batch, KVP_RELEASE, 3, 2, script_units[0]);
  add_kind(&batch, KVP_CLEAR_INDEX, 0);
  return try_batch(harness, batch.ops, batch.n, batch.results);
}

static enum kvp_status (*const steps[])(struct harness *) = {
  take_all,       publish_all,  name_some,      fill_one,          write_one,     try_same_state,
  run_every_kind, reserve_some, try_same_state, release_and_clear, try_same_state};

/* Every function answers that the device is dead, and why; no buffer is touched. */
static void assert_dead(struct kvp_device *device, const char *words)
{
  struct kvp_result *result = rubbish(1, sizeof *result);
  struct kvp_counts counts;
  struct kvp_view view;
  uint32_t block = 0, slot[64] = {0};
  uint64_t seed = 0;

  assert_int_equal(kvp_device_apply(device, &(struct kvp_op){.kind = KVP_POP}, 1, result),
                   KVP_DEVICE);
  assert_true(is_rubbish(result, sizeof *result));
  assert_int_equal(kvp_device_apply(device, NULL, 0, NULL), KVP_DEVICE);
  assert_int_equal(kvp_device_counts(device, &counts), KVP_DEVICE);
  assert_int_equal(kvp_device_view(device, 0, &view), KVP_DEVICE);
  assert_int_equal(kvp_device_next_cached(device, KVP_NONE, &block), KVP_DEVICE);
  assert_int_equal(kvp_device_fill(device, &block, &seed, 1), KVP_DEVICE);
  assert_int_equal(kvp_device_read_payload(device, 0, 0, 1, slot), KVP_DEVICE);
  assert_int_equal(kvp_device_write_payload(device, 0, 0, 1, slot), KVP_DEVICE);
  assert_int_equal(kvp_device_digest(device, 0, 1, &seed), KVP_DEVICE);
  assert_int_equal(kvp_device_read_table(device, 0, 1, slot), KVP_DEVICE);
  assert_int_equal(kvp_device_write_table(device, 0, 1, slot), KVP_DEVICE);
  assert_non_null(strstr(kvp_device_error(device), words));
  free(result);
}

/* 1 if the device is still of use: then the step was done again, and went well. */
static int survives(const struct plant *plant, struct harness *harness, size_t step,
                    enum kvp_status status)
{
  const char *words = plant->has_failed();

  if (words == NULL)
    fail_msg("step %zu: %s, though no call failed", step, kvp_strerror(status));
  if (strstr(kvp_device_error(harness->device), words) == NULL)
    fail_msg("step %zu: \"%s\" does not say \"%s\"", step, kvp_device_error(harness->device),
             words);
  if (status != KVP_MEMORY) {
    assert_int_equal(status, KVP_DEVICE);
    assert_dead(harness->device, words);
    return 0;
  }
  assert_same_state(harness);
  assert_int_equal(steps[step](harness), KVP_OK);
  survivals++;
  return 1;
}

static void run_steps(const struct plant *plant, struct harness *harness)
{
  int failed = 0;

  for (size_t step = 0; step < sizeof steps / sizeof *steps; step++) {
    enum kvp_status status = steps[step](harness);
    if (status == KVP_OK)
      continue;
    failed = 1;
    if (!survives(plant, harness, step, status))
      return;
  }
  if (!failed && plant->has_failed() != NULL)
    fail_msg("%s, and no step said so", plant->has_failed());
}

/* Whether there is a call of this number, which then failed. */
static int run_script(const struct plant *plant, uint32_t call)
{
  const struct kvp_device_shape shape = {.num_blocks = BLOCKS,
                                         .max_blocks = BLOCKS + 8,
                                         .block_size = BLOCK_SIZE,
                                         .num_planes = 2,
                                         .block_bytes = 48,
                                         .table_entries = 10};
  const struct kvp_device_options options = {
    .backend = backend, .parallel_min = 1, .fill_on_publish = 1};
  struct harness harness;
  struct kvp_device *device;
  char message[512] = "";
  enum kvp_status status;

  plant->arm(call);
  status = plant->open(&shape, &options, &device, message, sizeof message);
  if (status == KVP_OK) {
    attach_harness(&harness, device, &shape, options.fill_on_publish, 1);
    run_steps(plant, &harness);
    close_harness(&harness);
  } else {
    assert_true(status == KVP_MEMORY || status == KVP_DEVICE);
    assert_null(device);
    assert_non_null(plant->has_failed());
    if (strstr(message, plant->has_failed()) == NULL)
      fail_msg("open: \"%s\" does not say \"%s\"", message, plant->has_failed());
  }
  plant->assert_nothing_left();
  return plant->has_failed() != NULL;
}

/* Every call, or every step-th. */
static inline void fail_calls(const struct plant *plant, uint32_t step)
{
  uint32_t call = 1, runs = 0;

  survivals = 0;
  for (; run_script(plant, call); call += step)
    runs++;
  printf("%u calls failed, one a run; %u times the device was of use after that\n", runs,
         survivals);
  assert_true(runs > 10);
}

#endif
