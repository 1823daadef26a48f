/* SPDX-License-Identifier: Apache-2.0 */
/* The class of every id, with the counts kept beside it. */
#ifndef KVP_POOL_CLASSES_H
#define KVP_POOL_CLASSES_H

#include <kvpool/layout.h>

/* Every id is retired. */
void kvp_classes_init(struct kvp_classes *classes, uint32_t num_ids);
void kvp_classes_set(struct kvp_classes *classes, uint32_t id, uint8_t state);

#endif
