/* SPDX-License-Identifier: Apache-2.0 */
/* Raw units: blocks reserved for bytes that cannot move, all or none, in an order. */
#include <kvpool/pool.h>

#include "src/pool/blocks.h"

/* The next free block becomes a unit of the reservation that begins with `first`, or of one
   that begins here if that is KVP_NONE. */
static void reserve_one(struct kvp_pool *pool, uint64_t owner, uint32_t first, uint32_t left,
                        struct kvp_unit *unit)
{
  uint32_t b = kvp_next_free(pool);
  kvp_take(pool, b);
  kvp_forget(pool, b, &unit->evicted);
  kvp_hold(pool, b, KVP_UNIT);
  pool->unit_owner[b] = owner;
  pool->unit_first[b] = first == KVP_NONE ? b : first;
  pool->unit_left[b] = left;
  unit->block = b;
}

enum kvp_status kvp_pool_reserve(struct kvp_pool *pool, uint32_t count, uint64_t owner,
                                 struct kvp_unit *units)
{
  if (owner == 0 || (units == NULL && count != 0))
    return KVP_ARGUMENT;
  if (!kvp_pool_has_free(pool, count))
    return KVP_FULL;
  for (uint32_t k = 0; k < count; k++)
    reserve_one(pool, owner, k == 0 ? KVP_NONE : units[0].block, count - 1 - k, &units[k]);
  return KVP_OK;
}

/* Whether units[k] is unit k of a reservation of `count` units of this owner. */
static int is_unit(const struct kvp_pool *pool, const struct kvp_unit *units, uint32_t count,
                   uint64_t owner, uint32_t k)
{
  uint32_t b = units[k].block;
  return pool->classes.state[b] == KVP_UNIT && pool->unit_owner[b] == owner &&
         pool->unit_first[b] == units[0].block && pool->unit_left[b] == count - 1 - k;
}

enum kvp_status kvp_pool_release(struct kvp_pool *pool, const struct kvp_unit *units,
                                 uint32_t count, uint64_t owner)
{
  if (owner == 0 || (units == NULL && count != 0))
    return KVP_ARGUMENT;
  for (uint32_t k = 0; k < count; k++)
    if (units[k].block >= pool->num_blocks)
      return KVP_RANGE;
  for (uint32_t k = 0; k < count; k++)
    if (!is_unit(pool, units, count, owner, k))
      return KVP_STATE;
  for (uint32_t k = 0; k < count; k++)
    kvp_vacate(pool, units[k].block);
  return KVP_OK;
}
