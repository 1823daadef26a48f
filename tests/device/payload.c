/* SPDX-License-Identifier: Apache-2.0 */
/* Payload in planes: its bytes after fills, moves and publishes, and its digests. */
#include "tests/device/harness.h"

/* Slots smaller and larger than what a group does at a time, on any backend, and one word short of
   and past it. */
static const struct kvp_device_shape planed[] = {
  {.num_blocks = 5, .max_blocks = 7, .num_planes = 1, .block_bytes = 16},
  {.num_blocks = 5, .max_blocks = 7, .num_planes = 3, .block_bytes = 16},
  {.num_blocks = 5, .max_blocks = 7, .num_planes = 5, .block_bytes = 48},
  {.num_blocks = 5, .max_blocks = 7, .num_planes = 160, .block_bytes = 64},
  {.num_blocks = 5, .max_blocks = 7, .num_planes = 2, .block_bytes = 2048},
  {.num_blocks = 5, .max_blocks = 7, .num_planes = 3, .block_bytes = 2064},
  {.num_blocks = 5, .max_blocks = 7, .num_planes = 3, .block_bytes = 32768 - 16},
  {.num_blocks = 5, .max_blocks = 7, .num_planes = 2, .block_bytes = 32768 + 16},
};
#define NUM_PLANED (sizeof planed / sizeof *planed)

static struct kvp_device *open_planed(const struct kvp_device_shape *shape, int fill_on_publish)
{
  const struct kvp_device_options options = {backend, 1, 1, fill_on_publish};
  struct kvp_device *device;
  char message[256] = "";

  if (kvp_device_open(shape, &options, &device, message, sizeof message) != KVP_OK)
    fail_msg("%s: %s", backend, message);
  return device;
}

static void apply_one(struct kvp_device *device, struct kvp_op op)
{
  struct kvp_result result;

  assert_int_equal(kvp_device_apply(device, &op, 1, &result), KVP_OK);
  assert_int_equal(result.status, KVP_OK);
}

static size_t words_of(const struct kvp_device_shape *shape)
{
  return (size_t)shape->num_planes * shape->block_bytes / 4;
}

/* A block's words through all planes, in memory to be freed. */
static uint32_t *read_block(struct kvp_device *device, const struct kvp_device_shape *shape,
                            uint32_t block)
{
  uint32_t *words = malloc(words_of(shape) * 4);

  for (uint32_t plane = 0; plane < shape->num_planes; plane++)
    assert_int_equal(kvp_device_read_payload(device, plane, block, 1,
                                             words + (size_t)plane * shape->block_bytes / 4),
                     KVP_OK);
  return words;
}

static uint64_t digest_of_words(const uint32_t *words, size_t n)
{
  uint64_t sum = 0;

  for (uint32_t i = 0; i < n; i++)
    sum += kvp_payload_digest(i, words[i]);
  return sum;
}

/* Bytes and digest of a block are those of the pattern. */
static void assert_pattern(struct kvp_device *device, const struct kvp_device_shape *shape,
                           uint32_t block, uint64_t seed)
{
  uint32_t *words = read_block(device, shape, block);
  uint64_t digest = 0;

  for (uint32_t i = 0; i < words_of(shape); i++)
    if (words[i] != kvp_payload_word(seed, i))
      fail_msg("%u planes of %u bytes: word %u of block %u", shape->num_planes, shape->block_bytes,
               i, block);
  assert_int_equal(kvp_device_digest(device, block, 1, &digest), KVP_OK);
  assert_int_equal(digest, digest_of_words(words, words_of(shape)));
  free(words);
}

static void payload_is_zero_at_first(void **state)
{
  (void)state;
  for (size_t i = 0; i < NUM_PLANED; i++) {
    struct kvp_device *device = open_planed(&planed[i], 0);
    for (uint32_t block = 0; block < 7; block++) {
      uint32_t *words = read_block(device, &planed[i], block);
      for (size_t word = 0; word < words_of(&planed[i]); word++)
        assert_int_equal(words[word], 0);
      free(words);
    }
    kvp_device_close(device);
  }
}

static void a_fill_counts_words_through_all_planes(void **state)
{
  (void)state;
  const uint32_t blocks[] = {6, 0, 3};
  const uint64_t seeds[] = {1, UINT64_MAX, 0};
  for (size_t i = 0; i < NUM_PLANED; i++) {
    struct kvp_device *device = open_planed(&planed[i], 0);
    uint64_t digests[7] = {0};
    assert_int_equal(kvp_device_fill(device, blocks, seeds, 3), KVP_OK);
    for (int k = 0; k < 3; k++)
      assert_pattern(device, &planed[i], blocks[k], seeds[k]);
    assert_int_equal(kvp_device_digest(device, 0, 7, digests), KVP_OK);
    assert_true(digests[1] == digests[2] && digests[1] != digests[0]); /* both still zero */
    kvp_device_close(device);
  }
}

static void a_digest_changes_with_any_byte_of_any_plane(void **state)
{
  (void)state;
  const struct kvp_device_shape *shape = &planed[2];
  struct kvp_device *device = open_planed(shape, 0);
  unsigned char bytes[48];
  uint64_t before[7], after[7], twice;

  assert_int_equal(kvp_device_digest(device, 0, 7, before), KVP_OK);
  for (uint32_t at = 0; at < shape->num_planes * shape->block_bytes; at++) {
    uint32_t plane = at / shape->block_bytes;
    assert_int_equal(kvp_device_read_payload(device, plane, 4, 1, bytes), KVP_OK);
    bytes[at % shape->block_bytes] ^= (unsigned char)(1 << at % 8);
    assert_int_equal(kvp_device_write_payload(device, plane, 4, 1, bytes), KVP_OK);
    assert_int_equal(kvp_device_digest(device, 0, 7, after), KVP_OK);
    for (uint32_t block = 0; block < 7; block++)
      assert_true((before[block] != after[block]) == (block == 4));
    assert_int_equal(kvp_device_digest(device, 4, 1, &twice), KVP_OK);
    assert_int_equal(twice, after[4]);
    before[4] = after[4];
  }
  kvp_device_close(device);
}

static void a_retire_moves_every_plane(void **state)
{
  (void)state;
  for (size_t i = 0; i < NUM_PLANED; i++) {
    struct kvp_device *device = open_planed(&planed[i], 0);
    const uint32_t blocks[] = {3, 4, 0, 1, 2};
    const uint64_t seeds[] = {30, 40, 5, 6, 7};
    const struct kvp_op retires[] = {{.kind = KVP_RETIRE_TOP}, {.kind = KVP_RETIRE_TOP}};
    struct kvp_result results[2];
    apply_one(device, (struct kvp_op){.kind = KVP_ALLOCATE, .block = 3});
    apply_one(device, (struct kvp_op){.kind = KVP_ALLOCATE, .block = 4});
    assert_int_equal(kvp_device_fill(device, blocks, seeds, 5), KVP_OK);
    assert_int_equal(kvp_device_apply(device, retires, 2, results), KVP_OK);
    assert_true(results[0].moved_to == 0 && results[1].moved_to == 1);
    assert_pattern(device, &planed[i], 0, 40);
    assert_pattern(device, &planed[i], 1, 30);
    assert_pattern(device, &planed[i], 2, 7);
    kvp_device_close(device);
  }
}

static void fill_on_publish_leaves_the_pattern_of_the_last_hash(void **state)
{
  (void)state;
  for (size_t i = 0; i < NUM_PLANED; i++) {
    struct kvp_device *device = open_planed(&planed[i], 1);
    const struct kvp_op ops[] = {
      {.kind = KVP_ALLOCATE, .block = 0},           {.kind = KVP_ALLOCATE, .block = 1},
      {.kind = KVP_PUBLISH, .block = 0, .hash = 7}, {.kind = KVP_PUBLISH, .block = 1, .hash = 8},
      {.kind = KVP_PUBLISH, .block = 0, .hash = 9}, {.kind = KVP_PUBLISH, .block = 2, .hash = 7}};
    const uint32_t written = 1;
    const uint64_t seed = 1234;
    struct kvp_result results[6];
    assert_int_equal(kvp_device_apply(device, ops, 6, results), KVP_OK);
    assert_int_equal(results[5].status, KVP_STATE);
    assert_pattern(device, &planed[i], 0, 9);
    assert_pattern(device, &planed[i], 1, 8);
    /* What is written after the publish stays. */
    assert_int_equal(kvp_device_fill(device, &written, &seed, 1), KVP_OK);
    apply_one(device, ops[2]);
    assert_pattern(device, &planed[i], 0, 7);
    assert_pattern(device, &planed[i], 1, seed);
    kvp_device_close(device);
  }
}

static void a_publish_fills_nothing_unless_asked(void **state)
{
  (void)state;
  struct kvp_device *device = open_planed(&planed[2], 0);
  const uint32_t block = 0;
  const uint64_t seed = 5;

  assert_int_equal(kvp_device_fill(device, &block, &seed, 1), KVP_OK);
  apply_one(device, (struct kvp_op){.kind = KVP_ALLOCATE, .block = 1});
  apply_one(device, (struct kvp_op){.kind = KVP_PUBLISH, .block = 1, .hash = 6});
  uint32_t *words = read_block(device, &planed[2], 1);
  assert_int_not_equal(words[0], kvp_payload_word(6, 0));
  free(words);
  kvp_device_close(device);
}

static void a_pool_without_payload_has_digests_of_nothing(void **state)
{
  (void)state;
  const struct kvp_device_shape shape = {.num_blocks = 3, .max_blocks = 3, .num_planes = 2};
  struct kvp_device *device = open_planed(&shape, 1);
  uint64_t digests[3] = {1, 2, 3};

  apply_one(device, (struct kvp_op){.kind = KVP_ALLOCATE, .block = 1});
  apply_one(device, (struct kvp_op){.kind = KVP_PUBLISH, .block = 1, .hash = 6});
  assert_int_equal(kvp_device_digest(device, 0, 3, digests), KVP_OK);
  assert_true(digests[0] == 0 && digests[1] == 0 && digests[2] == 0);
  kvp_device_close(device);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(payload_is_zero_at_first),
    cmocka_unit_test(a_fill_counts_words_through_all_planes),
    cmocka_unit_test(a_digest_changes_with_any_byte_of_any_plane),
    cmocka_unit_test(a_retire_moves_every_plane),
    cmocka_unit_test(fill_on_publish_leaves_the_pattern_of_the_last_hash),
    cmocka_unit_test(a_publish_fills_nothing_unless_asked),
    cmocka_unit_test(a_pool_without_payload_has_digests_of_nothing),
  };
  choose_backend(argc, argv);
  return run_on_backends("payload", tests, sizeof tests / sizeof *tests);
}
