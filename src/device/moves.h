/* SPDX-License-Identifier: Apache-2.0 */
/* The moves of a run of retire_top, composed. */

/* forward[] of the retired ids low .. high - 1 becomes the last destination. A block moves
   to a lower id, so in ascending order what is followed is composed already. */
FUNCTION void compose_moves(GLOBAL uint32_t *forward, uint32_t low, uint32_t high)
{
  for (uint32_t block = low; block < high; block++) {
    uint32_t to = LOAD(&forward[block]);
    if (to != KVP_NONE && to >= low)
      STORE(&forward[block], LOAD(&forward[to]));
  }
}
