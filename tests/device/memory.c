/* SPDX-License-Identifier: Apache-2.0 */
/* Opening, and payload and tables as the host reads, writes and fills them. */
#include "tests/device/harness.h"

static const struct kvp_device_shape small = {
  .num_blocks = 5, .max_blocks = 9, .block_size = 2, .block_bytes = 32, .table_entries = 7};

static enum kvp_status try_open(const struct kvp_device_shape *shape, const char *name)
{
  const struct kvp_device_options options = {name, 0, 0, 0};
  struct kvp_device *device;
  char message[256] = "";
  enum kvp_status status = kvp_device_open(shape, &options, &device, message, sizeof message);

  assert_true(status == KVP_OK || (device == NULL && message[0] != '\0'));
  kvp_device_close(device);
  return status;
}

static void an_open_that_cannot_be_is_refused_in_words(void **state)
{
  (void)state;
  struct kvp_device_shape shape = small;
  assert_int_equal(try_open(&shape, backend), KVP_OK);
  assert_int_equal(try_open(&shape, "abacus"), KVP_ARGUMENT);
  assert_int_equal(try_open(&shape, NULL), KVP_ARGUMENT);
  shape.num_blocks = 10;
  assert_int_equal(try_open(&shape, backend), KVP_RANGE);
  shape = small;
  shape.block_bytes = 18;
  assert_int_equal(try_open(&shape, backend), KVP_RANGE);
  shape = small;
  shape.max_blocks = UINT32_MAX;
  assert_int_equal(try_open(&shape, backend), KVP_RANGE);
  shape = small;
  shape.num_blocks = shape.max_blocks = 0;
  shape.num_planes = (1u << 29) - 1; /* a word less than 2^32 in a block */
  assert_int_equal(try_open(&shape, backend), KVP_OK);
  shape.num_planes++;
  assert_int_equal(try_open(&shape, backend), KVP_RANGE);
  shape.num_planes = UINT32_MAX;
  assert_int_equal(try_open(&shape, backend), KVP_RANGE);
}

static void payload_is_what_was_filled_and_written(void **state)
{
  (void)state;
  struct harness harness;
  const uint32_t blocks[] = {3, 8, 3, 0, 3};
  const uint64_t seeds[] = {1, UINT64_MAX, 2, 77, 3};
  uint32_t words[9][8];

  open_harness(&harness, &small, 5, 1);
  assert_int_equal(kvp_device_fill(harness.device, blocks, seeds, 5), KVP_OK);
  assert_int_equal(kvp_device_read_payload(harness.device, 0, 0, 9, words), KVP_OK);
  for (uint32_t i = 0; i < 8; i++) {
    assert_int_equal(words[0][i], kvp_payload_word(77, i));
    assert_int_equal(words[1][i], 0);
    assert_int_equal(words[3][i], kvp_payload_word(3, i)); /* the last fill of a block stands */
    assert_int_equal(words[8][i], kvp_payload_word(UINT64_MAX, i));
  }
  assert_int_equal(kvp_device_write_payload(harness.device, 0, 1, 2, words[7]), KVP_OK);
  assert_int_equal(kvp_device_read_payload(harness.device, 0, 2, 1, words[0]), KVP_OK);
  assert_memory_equal(words[0], words[8], sizeof words[0]);
  close_harness(&harness);
}

static void ranges_are_kept(void **state)
{
  (void)state;
  struct harness harness;
  uint32_t words[80] = {0}, wrong = 9, right = 8;
  uint64_t seed = 0;

  open_harness(&harness, &small, 5, 1);
  struct kvp_device *device = harness.device;
  assert_int_equal(kvp_device_read_payload(device, 0, 9, 0, NULL), KVP_OK);
  assert_int_equal(kvp_device_read_payload(device, 0, 9, 1, words), KVP_RANGE);
  assert_int_equal(kvp_device_read_payload(device, 0, 1, UINT32_MAX, words), KVP_RANGE);
  assert_int_equal(kvp_device_read_payload(device, 0, 0, 1, NULL), KVP_ARGUMENT);
  assert_int_equal(kvp_device_write_payload(device, 0, 8, 2, words), KVP_RANGE);
  assert_int_equal(kvp_device_write_payload(device, 1, 0, 1, words), KVP_RANGE);
  assert_int_equal(kvp_device_read_payload(device, UINT32_MAX, 0, 1, words), KVP_RANGE);
  assert_int_equal(kvp_device_digest(device, 9, 0, NULL), KVP_OK);
  assert_int_equal(kvp_device_digest(device, 8, 2, &seed), KVP_RANGE);
  assert_int_equal(kvp_device_digest(device, UINT32_MAX, 1, &seed), KVP_RANGE);
  assert_int_equal(kvp_device_digest(device, 0, 1, NULL), KVP_ARGUMENT);
  assert_int_equal(kvp_device_fill(device, &wrong, &seed, 1), KVP_RANGE);
  assert_int_equal(kvp_device_fill(device, NULL, &seed, 1), KVP_ARGUMENT);
  assert_int_equal(kvp_device_write_table(device, 6, 2, words), KVP_RANGE);
  assert_int_equal(kvp_device_write_table(device, 6, 1, &wrong), KVP_RANGE);
  assert_int_equal(kvp_device_read_table(device, 0, 8, words), KVP_RANGE);
  name_entries(&harness, 6, 1, &right);
  assert_same_state(&harness);
  close_harness(&harness);
}

static void views_out_of_range_are_refused(void **state)
{
  (void)state;
  struct harness harness;
  struct kvp_view view;
  uint32_t next = 0;

  open_harness(&harness, &small, 5, 1);
  assert_int_equal(kvp_device_view(harness.device, 9, &view), KVP_RANGE);
  assert_int_equal(kvp_device_next_cached(harness.device, 9, &next), KVP_OK);
  assert_int_equal(next, KVP_NONE);
  close_harness(&harness);
}

/* Devices of one process share no state, though they share memory that was given back. */
static void devices_side_by_side_and_one_after_the_other(void **state)
{
  (void)state;
  for (uint32_t round = 0; round < 4; round++) {
    struct harness a, b;
    const struct kvp_op pops[2] = {{.kind = KVP_POP}, {.kind = KVP_POP}};
    struct kvp_result results[2];
    struct kvp_device_shape larger = small;
    larger.max_blocks = 40 << (4 * round);
    open_harness(&a, &small, 1, 1);
    open_harness(&b, &larger, 2, 1);
    apply_batch(&a, pops, 2, results);
    assert_same_state(&b);
    apply_batch(&b, pops, 1, results);
    close_harness(&a);
    assert_same_state(&b);
    close_harness(&b);
  }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_open_that_cannot_be_is_refused_in_words),
    cmocka_unit_test(payload_is_what_was_filled_and_written),
    cmocka_unit_test(ranges_are_kept),
    cmocka_unit_test(views_out_of_range_are_refused),
    cmocka_unit_test(devices_side_by_side_and_one_after_the_other),
  };
  choose_backend(argc, argv);
  return run_on_backends("memory", tests, sizeof tests / sizeof *tests);
}
