/* SPDX-License-Identifier: Apache-2.0 */
/* Handles against a twin that scans: long random sequences, slots that wear out, and lists. After
   each change every slot, share and count is compared, and which slot is next. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "src/pool/lists.h"
#include "src/registry/handles.h"

#define STEPS 20000
#define MOST_SLOTS 40
#define NUM_BLOCKS 5
#define TAG 200

/* What the handles should be. */
struct twin {
  uint32_t num_slots, block[MOST_SLOTS], generation[MOST_SLOTS];
  uint64_t clock, freed[MOST_SLOTS];
};

static struct kvp_handles handles;
static struct kvp_seen seen;

static uint32_t draw(uint64_t *number, uint32_t below)
{
  *number = *number * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*number >> 33) % below;
}

/* Every slot has given out `generation` handles before. */
static void start(struct twin *twin, uint32_t num_slots, uint32_t generation)
{
  memset(twin, 0, sizeof *twin);
  twin->num_slots = num_slots;
  kvp_handles_init(&handles, num_slots, NUM_BLOCKS, TAG);
  for (uint32_t s = 0; s < num_slots; s++) {
    twin->block[s] = KVP_NONE;
    twin->generation[s] = generation;
    twin->freed[s] = twin->clock++;
    handles.generation[s] = generation;
  }
}

static int usable(const struct twin *twin, uint32_t s)
{
  return twin->block[s] == KVP_NONE && twin->generation[s] < UINT32_MAX - 1;
}

static uint64_t handle_of(const struct twin *twin, uint32_t s)
{
  return ((uint64_t)TAG << 56) + ((uint64_t)twin->generation[s] << 24) + s;
}

static uint32_t next_ready(const struct twin *twin)
{
  uint32_t next = KVP_NONE;

  for (uint32_t s = 0; s < twin->num_slots; s++)
    if (usable(twin, s) && (next == KVP_NONE || twin->freed[s] < twin->freed[next]))
      next = s;
  return next;
}

static uint32_t find(const struct twin *twin, uint64_t handle)
{
  for (uint32_t s = 0; s < twin->num_slots; s++)
    if (twin->block[s] != KVP_NONE && handle_of(twin, s) == handle)
      return s;
  return KVP_NONE;
}

static void compare(const struct twin *twin)
{
  uint32_t num_out = 0, num_ready = 0, shares[NUM_BLOCKS] = {0};

  for (uint32_t s = 0; s < twin->num_slots; s++) {
    uint64_t handle = handle_of(twin, s);
    assert_int_equal(handles.block[s], twin->block[s]);
    assert_int_equal(handles.generation[s], twin->generation[s]);
    num_ready += usable(twin, s);
    if (twin->block[s] == KVP_NONE) {
      assert_int_equal(kvp_handles_find(&handles, handle), KVP_NONE);
      continue;
    }
    num_out++;
    shares[twin->block[s]]++;
    assert_true(kvp_handles_of(&handles, s) == handle);
    assert_int_equal(kvp_handles_find(&handles, handle), s);
    for (uint32_t bit = 0; bit < 64; bit++) {
      uint64_t other = handle ^ UINT64_C(1) << bit;
      assert_int_equal(kvp_handles_find(&handles, other), find(twin, other));
    }
  }
  assert_int_equal(handles.num_out, num_out);
  assert_int_equal(handles.num_ready, num_ready);
  assert_memory_equal(handles.shares, shares, sizeof shares);
  assert_int_equal(kvp_lists_first(&handles.ready, 0), next_ready(twin));
}

/* One handle more for a block, if a slot is ready. */
static void grant(struct twin *twin, uint32_t block)
{
  uint32_t s = next_ready(twin);

  if (s == KVP_NONE)
    return;
  assert_int_equal(kvp_handles_grant(&handles, block), s);
  twin->block[s] = block;
  twin->generation[s]++;
}

static void regrant(struct twin *twin, uint32_t s, uint32_t block)
{
  kvp_handles_regrant(&handles, s, block);
  twin->block[s] = block;
  twin->generation[s]++;
}

static void give_up(struct twin *twin, uint32_t s)
{
  kvp_handles_give_up(&handles, s);
  twin->block[s] = KVP_NONE;
  twin->freed[s] = twin->clock++;
}

static int all_out(const struct twin *twin, const uint64_t *list, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    if (find(twin, list[i]) == KVP_NONE)
      return 0;
    for (uint32_t k = 0; k < i; k++)
      if (list[k] == list[i])
        return 0;
  }
  return 1;
}

/* A list of handles of slots that are mostly out and mostly not the same. Returns the answer. */
static int look(const struct twin *twin, uint64_t *number)
{
  uint64_t list[MOST_SLOTS];
  uint32_t count = 0, first = draw(number, twin->num_slots);

  for (uint32_t i = 0; i < twin->num_slots; i++) {
    uint32_t s = (first + i) % twin->num_slots;
    if (draw(number, 20) == 0)
      s = draw(number, twin->num_slots);
    if (twin->block[s] != KVP_NONE || draw(number, 40) == 0)
      list[count++] = handle_of(twin, s) - (draw(number, 200) == 0 ? KVP_HANDLE_SLOTS : 0);
  }
  int want = all_out(twin, list, count);
  assert_int_equal(kvp_handles_all_out(&handles, &seen, list, count), want);
  return want;
}

static void long_random_sequences(void **state)
{
  static const uint32_t sizes[] = {1, 2, 3, 8, MOST_SLOTS};
  uint64_t number = 1;
  struct twin twin;

  (void)state;
  memset(&seen, 0xff, sizeof seen.place[0] * MOST_SLOTS / 2);
  for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
    uint32_t answers[2] = {0, 0};
    start(&twin, sizes[n], 0);
    compare(&twin);
    for (uint32_t k = 0; k < STEPS / sizes[n]; k++) {
      uint32_t s = draw(&number, sizes[n]), block = draw(&number, NUM_BLOCKS);
      uint32_t what = draw(&number, 5);
      if (what < 2)
        grant(&twin, block);
      else if (what == 2 && twin.block[s] != KVP_NONE)
        regrant(&twin, s, block);
      else if (what == 3 && twin.block[s] != KVP_NONE)
        give_up(&twin, s);
      answers[look(&twin, &number)]++;
      compare(&twin);
    }
    assert_true(answers[0] > 0 && answers[1] > 0);
  }
}

/* Each slot is regranted at most once before it is given up, as register does. */
static void a_slot_wears_out_after_its_last_generation(void **state)
{
  const uint32_t num_slots = 4;
  uint64_t number = 2;
  struct twin twin;

  (void)state;
  for (uint32_t before = 1; before < 6; before++) {
    start(&twin, num_slots, UINT32_MAX - 1 - before);
    compare(&twin);
    for (uint32_t left = before * num_slots; next_ready(&twin) != KVP_NONE; left--) {
      uint32_t s = next_ready(&twin);
      assert_true(left > 0);
      grant(&twin, 0);
      compare(&twin);
      if (draw(&number, 3) == 0)
        regrant(&twin, s, 1);
      compare(&twin);
      give_up(&twin, s);
      compare(&twin);
    }
    for (uint32_t s = 0; s < num_slots; s++)
      assert_true(twin.generation[s] >= UINT32_MAX - 1);
    assert_int_equal(handles.num_ready, 0);
    assert_int_equal(handles.num_out, 0);
  }
}

static void no_slots_is_a_size(void **state)
{
  (void)state;
  kvp_handles_init(&handles, 0, 0, 0);
  assert_int_equal(handles.num_ready, 0);
  assert_int_equal(kvp_handles_find(&handles, 0), KVP_NONE);
  assert_int_equal(kvp_handles_all_out(&handles, &seen, NULL, 0), 1);
}

/* A tag of 0 and a slot that never gave one out make the number 0. */
static void no_handle_is_0(void **state)
{
  const uint64_t none = 0;

  (void)state;
  kvp_handles_init(&handles, 1, 1, 0);
  assert_int_equal(kvp_handles_find(&handles, none), KVP_NONE);
  assert_int_equal(kvp_handles_all_out(&handles, &seen, &none, 1), 0);
  assert_int_equal(kvp_handles_grant(&handles, 0), 0);
  assert_true(kvp_handles_of(&handles, 0) == KVP_HANDLE(0, 1, 0));
  assert_int_equal(kvp_handles_find(&handles, none), KVP_NONE);
}

static void the_last_slot_has_handles(void **state)
{
  const uint32_t last = KVP_CAPACITY - 1;
  uint64_t handle = 0;

  (void)state;
  kvp_handles_init(&handles, KVP_CAPACITY, KVP_CAPACITY, UINT8_MAX);
  for (uint32_t s = 0; s <= last; s++)
    assert_int_equal(kvp_handles_grant(&handles, last), s);
  assert_int_equal(handles.shares[last], KVP_CAPACITY);
  assert_int_equal(handles.num_ready, 0);
  kvp_handles_regrant(&handles, last, 0);
  handle = kvp_handles_of(&handles, last);
  assert_true(handle == KVP_HANDLE(UINT8_MAX, 2, last));
  assert_int_equal(kvp_handles_find(&handles, handle), last);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(long_random_sequences),
    cmocka_unit_test(a_slot_wears_out_after_its_last_generation),
    cmocka_unit_test(no_slots_is_a_size),
    cmocka_unit_test(no_handle_is_0),
    cmocka_unit_test(the_last_slot_has_handles),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
