/* SPDX-License-Identifier: Apache-2.0 */
/* How the registry's parts lie in memory: what their contracts speak of. */
#ifndef KVP_REGISTRY_LAYOUT_H
#define KVP_REGISTRY_LAYOUT_H

#include <kvpool/layout.h>

/* A tournament over all ids: node 1 is the root, the children of node k are 2k and 2k + 1, and the
   leaf of id i is num_ids + i. A node holds an id or KVP_NONE. */
struct kvp_order {
  uint32_t num_ids;
  uint32_t node[2 * KVP_CAPACITY];
  uint32_t priority[KVP_CAPACITY]; /* of every id that was ever put in; */
  uint64_t tick[KVP_CAPACITY];     /* both kept after it left */
};

#endif
