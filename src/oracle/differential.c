/* SPDX-License-Identifier: Apache-2.0 */
/* The differential run. */
#include "src/oracle/differential.h"

#include "src/oracle/appliers.h"
#include "src/oracle/text.h"

static int fails(struct kvp_finding *finding, const char *name, enum kvp_status status,
                 const char *message)
{
  finding->left = NULL;
  finding->right = name;
  finding->status = status;
  snprintf(finding->message, sizeof finding->message, "%s", message);
  return 1;
}

static int device_fails(const struct kvp_differential *run, struct kvp_finding *finding,
                        enum kvp_status status)
{
  return status != KVP_OK
         && fails(finding, "device", status, kvp_device_error(run->device.applier.self));
}

static int differs(struct kvp_finding *finding, const char *left, const char *right)
{
  finding->left = left;
  finding->right = right;
  return 1;
}

static void copy_ops(const struct kvp_batch *batch, struct kvp_side *side)
{
  kvp_arena_reset(&side->arena);
  for (size_t i = 0; i < batch->n; i++) {
    struct kvp_op *op = &side->ops[i];
    *op = batch->ops[i];
    if ((op->kind != KVP_RESERVE && op->kind != KVP_RELEASE) || op->units == NULL)
      continue;
    op->units = kvp_arena_take(&side->arena, op->count * sizeof *op->units);
    for (uint32_t k = 0; op->units != NULL && k < op->count; k++)
      op->units[k] = (struct kvp_unit){.block = batch->ops[i].units[k].block};
  }
}

/* Whether a side answers or looks otherwise than the model. */
static int side_differs(const struct kvp_batch *batch, const struct kvp_decoder *decoder,
                        struct kvp_side *side, struct kvp_finding *finding)
{
  copy_ops(batch, side);
  enum kvp_status status =
    side->applier.apply(side->applier.self, side->ops, batch->n, side->results);
  if (status != KVP_OK)
    return fails(finding, side->applier.name, status, "it applied nothing");
  return (kvp_results_differ(batch->ops, batch->results, side->ops, side->results, batch->n,
                             &finding->difference)
          || kvp_states_differ(&decoder->model, &side->applier, decoder->shape.max_blocks,
                               &finding->difference))
         && differs(finding, "model", side->applier.name);
}

static int mirror_differs(struct kvp_differential *run, struct kvp_finding *finding)
{
  enum kvp_status status;
  if (!kvp_mirror_differs(&run->mirror, run->device.applier.self, &status, &finding->difference))
    return 0;
  return device_fails(run, finding, status) || differs(finding, "mirror", "device");
}

static int open_fails(struct kvp_differential *run, const struct kvp_fuzz_shape *shape,
                      struct kvp_finding *finding)
{
  struct kvp_device_shape device_shape = {.num_blocks = shape->num_blocks,
                                          .max_blocks = shape->max_blocks,
                                          .block_size = shape->block_size,
                                          .num_planes = shape->num_planes,
                                          .block_bytes = shape->block_words * 4,
                                          .table_entries = KVP_FUZZ_TABLE_ENTRIES};
  struct kvp_device_options options = {.backend = run->backend,
                                       .order_seed = shape->order_seed + (run->order << 32),
                                       .parallel_min = shape->parallel_min,
                                       .fill_on_publish = shape->fill_on_publish};
  char message[sizeof finding->message] = "";
  enum kvp_status status = kvp_open_reference(shape->num_blocks, shape->max_blocks,
                                              shape->block_size, &run->reference.applier);
  if (status != KVP_OK)
    return fails(finding, "reference", status, "it does not open");
  status = kvp_open_device(&device_shape, &options, &run->device.applier, message, sizeof message);
  if (status == KVP_OK)
    return 0;
  kvp_close_reference(&run->reference.applier);
  return fails(finding, "device", status, message);
}

/* The batch that was decoded last. */
static int batch_fails(struct kvp_differential *run, struct kvp_decoder *decoder,
                       struct kvp_finding *finding)
{
  struct kvp_batch *batch = &run->batch;
  struct kvp_touch touch;
  run->num_ops += batch->n;
  if (run->observe != NULL)
    run->observe(run->context, batch);
  if (side_differs(batch, decoder, &run->reference, finding)
      || side_differs(batch, decoder, &run->device, finding))
    return 1;
  kvp_mirror_move(&run->mirror, batch->ops, run->reference.results, batch->n);
  if (mirror_differs(run, finding))
    return 1;
  kvp_decoder_touch(decoder, &touch);
  return device_fails(run, finding,
                      kvp_mirror_fill(&run->mirror, run->device.applier.self, batch, &touch));
}

static int batches_fail(struct kvp_differential *run, struct kvp_decoder *decoder,
                        struct kvp_finding *finding)
{
  kvp_mirror_reset(&run->mirror, &decoder->shape);
  for (finding->batch = 0; kvp_decoder_batch(decoder, &run->batch); finding->batch++)
    if (batch_fails(run, decoder, finding))
      return 1;
  return mirror_differs(run, finding);
}

int kvp_differential_run(struct kvp_differential *run, struct kvp_input input,
                         struct kvp_finding *finding)
{
  struct kvp_decoder decoder;
  run->num_ops = 0;
  enum kvp_status status = kvp_decoder_open(&decoder, input.bytes, input.size);
  if (status != KVP_OK)
    return fails(finding, "model", status, "it does not open");
  int found = open_fails(run, &decoder.shape, finding);
  if (!found) {
    found = batches_fail(run, &decoder, finding);
    kvp_close_device(&run->device.applier);
    kvp_close_reference(&run->reference.applier);
  }
  kvp_decoder_close(&decoder);
  return found;
}

static void print_touch(FILE *out, const struct kvp_touch *touch)
{
  if (touch->filled != KVP_NONE)
    fprintf(out, "fill block %u\n", touch->filled);
  for (uint32_t k = 0; k < touch->num_written; k++) {
    fprintf(out, "table entry %u names block ", touch->entries[k]);
    kvp_print_block(out, touch->blocks[k]);
    fputc('\n', out);
  }
}

void kvp_print_story(FILE *out, struct kvp_differential *run, struct kvp_input input, size_t last)
{
  struct kvp_batch *batch = &run->batch;
  struct kvp_decoder decoder;
  struct kvp_touch touch;
  if (kvp_decoder_open(&decoder, input.bytes, input.size) != KVP_OK)
    return;
  fprintf(out, "pool of %u blocks, at most %u, of %u tokens and %u payload words\n",
          decoder.shape.num_blocks, decoder.shape.max_blocks, decoder.shape.block_size,
          decoder.shape.block_words);
  for (size_t b = 0; b <= last && kvp_decoder_batch(&decoder, batch); b++) {
    for (size_t i = 0; i < batch->n; i++) {
      fprintf(out, "batch %zu, %zu: ", b, i);
      kvp_print_op(out, &batch->ops[i]);
      fprintf(out, " -> ");
      kvp_print_result(out, &batch->results[i]);
      fputc('\n', out);
    }
    kvp_decoder_touch(&decoder, &touch);
    if (b < last)
      print_touch(out, &touch);
  }
  kvp_decoder_close(&decoder);
}

void kvp_print_finding(FILE *out, const struct kvp_differential *run,
                       const struct kvp_finding *finding)
{
  if (finding->left == NULL) {
    fprintf(out, "failure after batch %zu: %s: %s: %s\n", finding->batch, finding->right,
            kvp_strerror(finding->status), finding->message);
    return;
  }
  fprintf(out, "divergence after batch %zu: ", finding->batch);
  kvp_print_difference(out, &finding->difference, finding->left, finding->right, run->batch.ops);
}
