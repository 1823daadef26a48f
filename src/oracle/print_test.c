/* SPDX-License-Identifier: Apache-2.0 */
/* An input as a C test. */
#include "src/oracle/print_test.h"

#include <inttypes.h>

static const char includes[] = "#include <setjmp.h>\n"
                               "#include <stdarg.h>\n"
                               "#include <stddef.h>\n"
                               "#include <stdint.h>\n"
                               "\n"
                               "#include <cmocka.h>\n"
                               "#include <kvpool/%s.h>\n"
                               "\n"
                               "%s";

/* The pool under test: apply, view_of and next_cached. */
static const char reference[] =
  "static struct kvp_pool pool;\n"
  "\n"
  "static void apply(const struct kvp_op *ops, size_t n, struct kvp_result *results)\n"
  "{\n"
  "  for (size_t i = 0; i < n; i++)\n"
  "    kvp_pool_apply(&pool, &ops[i], &results[i]);\n"
  "}\n"
  "\n"
  "static struct kvp_view view_of(uint32_t block)\n"
  "{\n"
  "  struct kvp_view view;\n"
  "  assert_int_equal(kvp_pool_view(&pool, block, &view), KVP_OK);\n"
  "  return view;\n"
  "}\n"
  "\n"
  "static uint32_t next_cached(uint32_t block) { return kvp_pool_next_cached(&pool, block); }\n"
  "\n";
static const char device[] =
  "static struct kvp_device *device;\n"
  "\n"
  "static void apply(const struct kvp_op *ops, size_t n, struct kvp_result *results)\n"
  "{\n"
  "  assert_int_equal(kvp_device_apply(device, ops, n, results), KVP_OK);\n"
  "}\n"
  "\n"
  "static struct kvp_view view_of(uint32_t block)\n"
  "{\n"
  "  struct kvp_view view;\n"
  "  assert_int_equal(kvp_device_view(device, block, &view), KVP_OK);\n"
  "  return view;\n"
  "}\n"
  "\n"
  "static uint32_t next_cached(uint32_t block)\n"
  "{\n"
  "  uint32_t next;\n"
  "  assert_int_equal(kvp_device_next_cached(device, block, &next), KVP_OK);\n"
  "  return next;\n"
  "}\n"
  "\n";

static const char helpers[] =
  "/* What a batch must answer. */\n"
  "static void answers(const struct kvp_op *ops, const struct kvp_result *want, size_t n)\n"
  "{\n"
  "  struct kvp_result got[%d];\n"
  "  apply(ops, n, got);\n"
  "  for (size_t i = 0; i < n; i++) {\n"
  "    assert_int_equal(got[i].status, want[i].status);\n"
  "    assert_int_equal(got[i].block, want[i].block);\n"
  "    assert_int_equal(got[i].moved_to, want[i].moved_to);\n"
  "    assert_int_equal(got[i].count, want[i].count);\n"
  "    assert_int_equal(got[i].evicted.count, want[i].evicted.count);\n"
  "    assert_int_equal(got[i].evicted.hash, want[i].evicted.hash);\n"
  "  }\n"
  "}\n"
  "\n"
  "/* What a block must look like in the end. */\n"
  "static void looks(uint32_t block, struct kvp_view want)\n"
  "{\n"
  "  struct kvp_view got = view_of(block);\n"
  "  assert_int_equal(got.state, want.state);\n"
  "  assert_int_equal(got.ref_count, want.ref_count);\n"
  "  assert_int_equal(got.has_hash, want.has_hash);\n"
  "  assert_int_equal(got.indexed, want.indexed);\n"
  "  assert_int_equal(got.hash, want.hash);\n"
  "  assert_int_equal(got.length, want.length);\n"
  "}\n"
  "\n"
  "static void found(void **state)\n"
  "{\n"
  "  (void)state;\n";

static const char after[] = "}\n"
                            "\n"
                            "int main(void)\n"
                            "{\n"
                            "  const struct CMUnitTest tests[] = {cmocka_unit_test(found)};\n"
                            "  return cmocka_run_group_tests(tests, NULL, NULL);\n"
                            "}\n";

/* What a kind reads. */
enum {
  BLOCK = 1,
  COUNT = 2,
  LENGTH = 4,
  HASH = 8,
  OWNER = 16,
  HASHES = 32,
  TOKENS = 64,
  UNITS = 128
};

static const struct {
  const char *name;
  unsigned reads;
} kinds[KVP_NUM_KINDS] = {
  [KVP_POP] = {"KVP_POP", 0},
  [KVP_ALLOCATE] = {"KVP_ALLOCATE", BLOCK},
  [KVP_CLAIM] = {"KVP_CLAIM", BLOCK},
  [KVP_FREE] = {"KVP_FREE", BLOCK},
  [KVP_PUBLISH] = {"KVP_PUBLISH", BLOCK | HASH | LENGTH | TOKENS},
  [KVP_LOOKUP] = {"KVP_LOOKUP", HASH},
  [KVP_MATCH] = {"KVP_MATCH", HASH | LENGTH | TOKENS},
  [KVP_MATCH_PREFIX] = {"KVP_MATCH_PREFIX", COUNT | LENGTH | HASHES | TOKENS},
  [KVP_CLEAR_INDEX] = {"KVP_CLEAR_INDEX", 0},
  [KVP_EXTEND] = {"KVP_EXTEND", COUNT},
  [KVP_RETIRE_TOP] = {"KVP_RETIRE_TOP", 0},
  [KVP_RESERVE] = {"KVP_RESERVE", COUNT | OWNER | UNITS},
  [KVP_RELEASE] = {"KVP_RELEASE", COUNT | OWNER | UNITS},
};

static void print_tokens(FILE *out, const uint32_t *tokens, size_t n)
{
  fprintf(out, ", .tokens = (const uint32_t[]){");
  for (size_t i = 0; i < n; i++)
    fprintf(out, "%s%" PRIu32, i == 0 ? "" : ", ", tokens[i]);
  fprintf(out, "}");
}

static void print_hashes(FILE *out, const uint64_t *hashes, size_t n)
{
  fprintf(out, ", .hashes = (const uint64_t[]){");
  for (size_t i = 0; i < n; i++)
    fprintf(out, "%s0x%" PRIx64, i == 0 ? "" : ", ", hashes[i]);
  fprintf(out, "}");
}

/* Of a reserve the room for them. */
static void print_units(FILE *out, const struct kvp_op *op)
{
  fprintf(out, ", .units = (struct kvp_unit[]){");
  for (uint32_t i = 0; i < op->count; i++)
    fprintf(out, "%s{.block = %" PRIu32 "u}", i == 0 ? "" : ", ",
            op->kind == KVP_RELEASE ? op->units[i].block : 0);
  fprintf(out, "}");
}

/* A buffer that is not there stays NULL. */
static void print_buffers(FILE *out, const struct kvp_op *op, unsigned reads)
{
  size_t num_tokens = (reads & HASHES ? (size_t)op->count : 1) * op->length;
  if (reads & HASHES && op->hashes != NULL && op->count != 0)
    print_hashes(out, op->hashes, op->count);
  if (reads & TOKENS && op->tokens != NULL && num_tokens != 0)
    print_tokens(out, op->tokens, num_tokens);
  if (reads & UNITS && op->units != NULL && op->count != 0)
    print_units(out, op);
}

static void print_op(FILE *out, const struct kvp_op *op)
{
  if ((unsigned)op->kind >= KVP_NUM_KINDS) {
    fprintf(out, "{.kind = (enum kvp_kind)%d}", (int)op->kind);
    return;
  }
  unsigned reads = kinds[op->kind].reads;
  fprintf(out, "{.kind = %s", kinds[op->kind].name);
  if (reads & BLOCK)
    fprintf(out, ", .block = %" PRIu32 "u", op->block);
  if (reads & COUNT)
    fprintf(out, ", .count = %" PRIu32 "u", op->count);
  if (reads & LENGTH)
    fprintf(out, ", .length = %" PRIu32, op->length);
  if (reads & OWNER)
    fprintf(out, ", .owner = %" PRIu64, op->owner);
  if (reads & HASH)
    fprintf(out, ", .hash = 0x%" PRIx64, op->hash);
  print_buffers(out, op, reads);
  fprintf(out, "}");
}

static void print_open(FILE *out, const struct kvp_fuzz_shape *shape, int is_device)
{
  if (!is_device) {
    fprintf(out,
            "  static uint32_t plane[%" PRIu32 "];\n"
            "  assert_int_equal(kvp_pool_init(&pool, %" PRIu32 ", %" PRIu32 ", %" PRIu32
            ", plane), KVP_OK);\n",
            shape->max_blocks * shape->block_size + 1, shape->num_blocks, shape->max_blocks,
            shape->block_size);
    return;
  }
  fprintf(
    out,
    "  const struct kvp_device_shape shape = {.num_blocks = %" PRIu32 ", .max_blocks = %" PRIu32
    ", .block_size = %" PRIu32 "};\n"
    "  const struct kvp_device_options options = {.backend = \"host\", .parallel_min = %" PRIu32
    "};\n"
    "  assert_int_equal(kvp_device_open(&shape, &options, &device, NULL, 0), KVP_OK);\n",
    shape->num_blocks, shape->max_blocks, shape->block_size, shape->parallel_min);
}

static void print_batch(FILE *out, const struct kvp_batch *batch, size_t number)
{
  if (batch->n == 0)
    return;
  fprintf(out, "\n  struct kvp_op ops_%zu[] = {\n", number);
  for (size_t i = 0; i < batch->n; i++) {
    fprintf(out, "    ");
    print_op(out, &batch->ops[i]);
    fprintf(out, ",\n");
  }
  fprintf(out, "  };\n  const struct kvp_result want_%zu[] = {\n", number);
  for (size_t i = 0; i < batch->n; i++) {
    const struct kvp_result *result = &batch->results[i];
    fprintf(out,
            "    {%d, 0x%" PRIx32 ", 0x%" PRIx32 ", %" PRIu32 ", {%" PRIu32 ", 0x%" PRIx64 "}},\n",
            (int)result->status, result->block, result->moved_to, result->count,
            result->evicted.count, result->evicted.hash);
  }
  fprintf(out, "  };\n  answers(ops_%zu, want_%zu, %zu);\n", number, number, batch->n);
}

static void print_cached_order(FILE *out, const struct kvp_applier *model)
{
  uint32_t block = KVP_NONE;
  do {
    uint32_t next = model->next_cached(model->self, block);
    fprintf(out, "  assert_int_equal(next_cached(0x%" PRIx32 "), 0x%" PRIx32 ");\n", block, next);
    block = next;
  } while (block != KVP_NONE);
}

static void print_state(FILE *out, const struct kvp_decoder *decoder)
{
  const struct kvp_applier *model = &decoder->model;
  struct kvp_view view;
  fprintf(out, "\n");
  for (uint32_t b = 0; b < decoder->shape.max_blocks; b++) {
    model->view(model->self, b, &view);
    fprintf(out,
            "  looks(%" PRIu32 ", (struct kvp_view){%d, %" PRIu32 ", %" PRIu32 ", %" PRIu32
            ", 0x%" PRIx64 ", %" PRIu32 ", NULL, 0, 0, 0});\n",
            b, (int)view.state, view.ref_count, view.has_hash, view.indexed, view.hash,
            view.length);
  }
  print_cached_order(out, model);
}

void kvp_print_test(FILE *out, struct kvp_differential *run, struct kvp_input input, size_t last,
                    int is_device)
{
  struct kvp_decoder decoder;
  struct kvp_touch touch;
  if (kvp_decoder_open(&decoder, input.bytes, input.size) != KVP_OK)
    return;
  fprintf(out, includes, is_device ? "device" : "pool", is_device ? device : reference);
  fprintf(out, helpers, KVP_FUZZ_OPS);
  print_open(out, &decoder.shape, is_device);
  for (size_t b = 0; b <= last && kvp_decoder_batch(&decoder, &run->batch); b++) {
    print_batch(out, &run->batch, b);
    kvp_decoder_touch(&decoder, &touch);
  }
  print_state(out, &decoder);
  fputs(is_device ? "  kvp_device_close(device);\n" : "", out);
  fputs(after, out);
  kvp_decoder_close(&decoder);
}
