/* SPDX-License-Identifier: Apache-2.0 */
/* Steps that several operations of the registry share. */
#ifndef KVP_REGISTRY_BLOCKS_H
#define KVP_REGISTRY_BLOCKS_H

#include <kvpool/registry.h>

/* Whether a clock has come so far that an operation might use it up: past 2^63. */
int kvp_registry_is_worn(const struct kvp_registry *registry);

/* The block that a handle stands for, or KVP_NONE if it is not out. */
uint32_t kvp_block_of(const struct kvp_registry *registry, uint64_t handle);

/* The state of a block below max_blocks; one that is absent is empty. */
enum kvp_block_state kvp_state_of(const struct kvp_registry *registry, uint32_t b);

/* The handle of a slot and its block, as a grant. */
void kvp_write_grant(const struct kvp_registry *registry, uint32_t slot, enum kvp_grant_kind kind,
                     struct kvp_grant *grant);

/* A registered block is reported. */
void kvp_report(struct kvp_registry *registry, enum kvp_event_kind kind, uint32_t b);

/* A new share of a registered block, in the slot that has been free for longest. */
void kvp_share_block(struct kvp_registry *registry, uint32_t b, enum kvp_grant_kind kind,
                     struct kvp_grant *grant);

/* A block without a handle is given back: cached if it was active, else empty. */
void kvp_give_back(struct kvp_registry *registry, uint32_t b);

#endif
