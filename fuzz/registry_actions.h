/* SPDX-License-Identifier: Apache-2.0 */
/* Actions on a registry, drawn from a fuzz target's input: operations that mostly make sense. */
#ifndef KVP_FUZZ_REGISTRY_ACTIONS_H
#define KVP_FUZZ_REGISTRY_ACTIONS_H

#include "fuzz/registry_draw.h"

/* The next action: gives each of its operations to play->apply. Their buffers are in the pair's
   arena, until the next operation is begun. */
void kvp_registry_act(struct kvp_play *play);

#endif
