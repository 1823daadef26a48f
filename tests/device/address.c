/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of payload against sums of 128 bits, in planes too large to allocate. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/device/address.h"

__extension__ typedef unsigned __int128 wide;

static const struct kvp_layout layouts[] = {
  {1, 1, 1},
  {3, 5, 7},
  {160, 409, 65536},                        /* 64 GiB: 160 planes of 409 blocks of 1 MiB */
  {64, 16384, 4096},                        /* 64 GiB: 64 planes of 16384 blocks of 64 KiB */
  {64, MOST_BLOCKS, 4},                     /* 64 GiB: slots of 64 bytes */
  {160, MOST_BLOCKS, 65536},                /* 2.5 PiB */
  {1, MOST_BLOCKS, UINT32_MAX / 16},        /* the largest slot */
  {MOST_UNITS, MOST_BLOCKS, 1},             /* the most planes */
  {MOST_UNITS / 65536, MOST_BLOCKS, 65536}, /* the most planes of 1 MiB */
};

static void check_unit(struct kvp_layout layout, uint32_t plane, uint32_t block, uint32_t unit)
{
  wide slot = (wide)plane * layout.max_blocks + block, at = slot * layout.slot_units + unit;

  assert_true(kvp_slot_at(layout, plane, block) == slot * layout.slot_units);
  assert_true(kvp_unit_at(layout, block, plane * layout.slot_units + unit) == at);
  assert_true(at < kvp_all_units(layout));
}

static void corners_are_where_128_bits_say(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
    const struct kvp_layout layout = layouts[i];
    const uint32_t planes[] = {0, layout.num_planes / 2, layout.num_planes - 1};
    const uint32_t blocks[] = {0, layout.max_blocks / 2, layout.max_blocks - 1};
    const uint32_t units[] = {0, layout.slot_units / 2, layout.slot_units - 1};
    for (int corner = 0; corner < 27; corner++)
      check_unit(layout, planes[corner % 3], blocks[corner / 3 % 3], units[corner / 9]);
  }
}

static void sizes_are_what_128_bits_say(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
    const struct kvp_layout layout = layouts[i];
    wide of_block = (wide)layout.num_planes * layout.slot_units;
    assert_true(of_block <= MOST_UNITS && kvp_block_units(layout) == of_block);
    assert_true(kvp_all_units(layout) == of_block * layout.max_blocks);
    assert_true(kvp_all_units(layout) * UNIT_BYTES == of_block * layout.max_blocks * UNIT_BYTES);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(corners_are_where_128_bits_say),
    cmocka_unit_test(sizes_are_what_128_bits_say),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
