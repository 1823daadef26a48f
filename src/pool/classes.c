/* SPDX-License-Identifier: Apache-2.0 */
/* The class of every id. Every change of a class is one call of kvp_classes_set. */
#include "src/pool/classes.h"

void kvp_classes_init(struct kvp_classes *classes, uint32_t num_ids)
{
  classes->num_ids = num_ids;
  for (uint32_t i = 0; i < num_ids; i++)
    classes->state[i] = KVP_RETIRED;
  for (uint32_t c = 0; c < KVP_NUM_CLASSES; c++)
    classes->count[c] = 0;
  classes->count[KVP_RETIRED] = num_ids;
}

void kvp_classes_set(struct kvp_classes *classes, uint32_t id, uint8_t state)
{
  uint8_t before = classes->state[id];
  classes->state[id] = state;
  classes->count[before]--;
  classes->count[state]++;
}
