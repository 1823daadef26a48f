/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target: model, reference and device path must answer and look the same after every
   batch. A divergence is told as a story on stderr, and is a crash. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz/decode.h"
#include "fuzz/harness.h"
#include "fuzz/mirror.h"
#include "fuzz/target.h"
#include "src/oracle/appliers.h"
#include "src/oracle/compare.h"
#include "src/oracle/text.h"

/* A pool under test, with operations that have units of their own to write to. */
struct side {
  struct kvp_applier applier;
  struct kvp_op ops[KVP_FUZZ_OPS];
  struct kvp_result results[KVP_FUZZ_OPS];
  struct kvp_arena arena;
};

struct input {
  const uint8_t *bytes;
  size_t size;
};

/* From the environment: the device under test, and another order of its work-items. */
static const char *backend = "host";
static uint64_t order;
static int tell_all; /* the story of every input before it runs, for a crash that tells none */

static struct kvp_batch batch;
static struct side reference, device;
static struct kvp_mirror mirror;

static void print_touch(const struct kvp_touch *touch)
{
  if (touch->filled != KVP_NONE)
    fprintf(stderr, "fill block %u\n", touch->filled);
  for (uint32_t k = 0; k < touch->num_written; k++) {
    fprintf(stderr, "table entry %u names block ", touch->entries[k]);
    kvp_print_block(stderr, touch->blocks[k]);
    fputc('\n', stderr);
  }
}

/* Tells all that happens up to the end of batch `last`, by decoding the input once more. */
static void print_story(const struct input *input, size_t last)
{
  struct kvp_decoder decoder;
  struct kvp_touch touch;
  if (kvp_decoder_open(&decoder, input->bytes, input->size) != KVP_OK)
    return;
  fprintf(stderr, "pool of %u blocks, at most %u, of %u tokens and %u payload words\n",
          decoder.shape.num_blocks, decoder.shape.max_blocks, decoder.shape.block_size,
          decoder.shape.block_words);
  for (size_t b = 0; b <= last && kvp_decoder_batch(&decoder, &batch); b++) {
    for (size_t i = 0; i < batch.n; i++) {
      fprintf(stderr, "batch %zu, %zu: ", b, i);
      kvp_print_op(stderr, &batch.ops[i]);
      fprintf(stderr, " -> ");
      kvp_print_result(stderr, &batch.results[i]);
      fputc('\n', stderr);
    }
    kvp_decoder_touch(&decoder, &touch);
    if (b < last)
      print_touch(&touch);
  }
  kvp_decoder_close(&decoder);
}

static _Noreturn void diverge(const struct input *input, size_t number,
                              const struct kvp_difference *difference, const char *left,
                              const char *right)
{
  print_story(input, number);
  fprintf(stderr, "divergence after batch %zu: ", number);
  kvp_print_difference(stderr, difference, left, right, batch.ops);
  abort();
}

static _Noreturn void fail(const char *what, enum kvp_status status, const char *message)
{
  fprintf(stderr, "%s failed: %s: %s\n", what, kvp_strerror(status), message);
  abort();
}

static void fail_unless_ok(enum kvp_status status)
{
  if (status != KVP_OK)
    fail("device", status, kvp_device_error(device.applier.self));
}

static void copy_ops(struct side *side)
{
  kvp_arena_reset(&side->arena);
  for (size_t i = 0; i < batch.n; i++) {
    struct kvp_op *op = &side->ops[i];
    *op = batch.ops[i];
    if ((op->kind != KVP_RESERVE && op->kind != KVP_RELEASE) || op->units == NULL)
      continue;
    op->units = kvp_arena_take(&side->arena, op->count * sizeof *op->units);
    for (uint32_t k = 0; op->units != NULL && k < op->count; k++)
      op->units[k] = (struct kvp_unit){.block = batch.ops[i].units[k].block};
  }
}

static void check(struct side *side, const struct kvp_decoder *decoder, const struct input *input,
                  size_t number)
{
  struct kvp_difference difference;
  copy_ops(side);
  enum kvp_status status =
    side->applier.apply(side->applier.self, side->ops, batch.n, side->results);
  if (status != KVP_OK)
    fail(side->applier.name, status, "it applied nothing");
  if (kvp_results_differ(batch.ops, batch.results, side->ops, side->results, batch.n, &difference)
      || kvp_states_differ(&decoder->model, &side->applier, decoder->shape.max_blocks, &difference))
    diverge(input, number, &difference, "model", side->applier.name);
}

static void open_sides(const struct kvp_fuzz_shape *shape)
{
  char message[256] = "";
  enum kvp_status status =
    kvp_open_reference(shape->num_blocks, shape->max_blocks, shape->block_size, &reference.applier);
  if (status != KVP_OK)
    fail("reference", status, "it does not open");
  struct kvp_device_shape device_shape = {.num_blocks = shape->num_blocks,
                                          .max_blocks = shape->max_blocks,
                                          .block_size = shape->block_size,
                                          .num_planes = shape->num_planes,
                                          .block_bytes = shape->block_words * 4,
                                          .table_entries = KVP_FUZZ_TABLE_ENTRIES};
  struct kvp_device_options options = {.backend = backend,
                                       .order_seed = shape->order_seed + (order << 32),
                                       .parallel_min = shape->parallel_min,
                                       .fill_on_publish = shape->fill_on_publish};
  status = kvp_open_device(&device_shape, &options, &device.applier, message, sizeof message);
  if (status != KVP_OK)
    fail("device", status, message);
  kvp_mirror_reset(&mirror, shape);
}

static void check_mirror(const struct input *input, size_t number)
{
  struct kvp_difference difference;
  enum kvp_status status;
  int differs = kvp_mirror_differs(&mirror, device.applier.self, &status, &difference);
  fail_unless_ok(status);
  if (differs)
    diverge(input, number, &difference, "mirror", "device");
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
  (void)argc, (void)argv;
  if (getenv("KVP_FUZZ_DEVICE") != NULL)
    backend = getenv("KVP_FUZZ_DEVICE");
  if (getenv("KVP_FUZZ_ORDER") != NULL)
    order = strtoull(getenv("KVP_FUZZ_ORDER"), NULL, 10);
  tell_all = kvp_harness_begin();
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
  struct input input = {bytes, size};
  struct kvp_decoder decoder;
  struct kvp_touch touch;
  if (tell_all)
    print_story(&input, SIZE_MAX);
  size_t number = 0, num_ops = 0;
  enum kvp_status status = kvp_decoder_open(&decoder, bytes, size);
  if (status != KVP_OK)
    fail("model", status, "it does not open");
  open_sides(&decoder.shape);
  for (; kvp_decoder_batch(&decoder, &batch); number++) {
    check(&reference, &decoder, &input, number);
    check(&device, &decoder, &input, number);
    kvp_mirror_move(&mirror, batch.ops, reference.results, batch.n);
    check_mirror(&input, number);
    kvp_decoder_touch(&decoder, &touch);
    fail_unless_ok(kvp_mirror_fill(&mirror, device.applier.self, &batch, &touch));
    num_ops += batch.n;
  }
  check_mirror(&input, number);
  kvp_close_device(&device.applier);
  kvp_close_reference(&reference.applier);
  kvp_decoder_close(&decoder);
  kvp_harness_count(num_ops);
  return 0;
}
