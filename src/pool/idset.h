/* SPDX-License-Identifier: Apache-2.0 */
/* A set of block ids that gives its lowest id in four steps. */
#ifndef KVP_POOL_IDSET_H
#define KVP_POOL_IDSET_H

#include <kvpool/layout.h>

/* The empty set, with room for ids below num_ids. */
void kvp_idset_init(struct kvp_idset *set, uint32_t num_ids);
void kvp_idset_add(struct kvp_idset *set, uint32_t id);
void kvp_idset_remove(struct kvp_idset *set, uint32_t id);
/* The lowest id, or KVP_NONE. */
uint32_t kvp_idset_lowest(const struct kvp_idset *set);

#endif
