/* SPDX-License-Identifier: Apache-2.0 */
/* A block's whole life. If any contract on the way contradicted itself, or asked for what no
   pool can be, anything would follow, also this.
   Must stay unproved: typed_ref_life_assert_never */
#include <kvpool/pool.h>

/*@ requires valid: \valid(pool) && \valid(plane + (0 .. 15)) && \valid(evicted);
    requires apart: \separated(pool, plane + (..), evicted);
    terminates \true;
    exits \false;
    assigns *pool, plane[0 .. 15], *evicted;
*/
void life(struct kvp_pool *pool, uint32_t *plane, struct kvp_evicted *evicted)
{
  uint32_t block;
  kvp_pool_init(pool, 2, 2, 8, plane);
  if (kvp_pool_pop(pool, &block) != KVP_OK)
    return;
  kvp_pool_allocate(pool, block, evicted);
  kvp_pool_publish(pool, block, 1, plane, 0, evicted);
  kvp_pool_claim(pool, block);
  kvp_pool_free(pool, block);
  kvp_pool_free(pool, block);
  kvp_pool_clear_index(pool);
  //@ assert never: \false;
}
