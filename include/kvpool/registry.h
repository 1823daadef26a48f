/* SPDX-License-Identifier: Apache-2.0 */
/* The registry: blocks that sequences fill with tokens, register under a hash, share, and leave in
   a cache from which they are evicted by priority and age.

   Semantics: spec/registry.md. No function allocates, blocks, prints or keeps a pointer but the
   token plane. Not thread-safe; engine.h is. `registry` is never NULL. */
#ifndef KVPOOL_REGISTRY_H
#define KVPOOL_REGISTRY_H

#include <stddef.h>

#include <kvpool/registry_layout.h>

/* Bytes of a registry of this shape and of its token plane. KVP_RANGE unless
   num_blocks <= max_blocks <= KVP_CAPACITY, block_size is not 0, and max_handles and max_events are
   at most KVP_CAPACITY; KVP_OVERFLOW if size_t cannot hold them. Align as malloc does. */
enum kvp_status kvp_registry_memory(const struct kvp_registry_shape *shape, size_t *registry_bytes,
                                    size_t *plane_bytes);

/* A registry whose blocks are all empty. plane: max_blocks * block_size tokens, or NULL if
   max_blocks is 0 (else KVP_ARGUMENT); it stays the caller's and must outlive the registry.
   KVP_RANGE as kvp_registry_memory. O(max_blocks + max_handles). */
enum kvp_status kvp_registry_init(struct kvp_registry *registry,
                                  const struct kvp_registry_shape *shape, uint32_t *plane);

/* Any operation. `result` is always written. */
void kvp_registry_apply(struct kvp_registry *registry, const struct kvp_registry_op *op,
                        struct kvp_registry_result *result);

/* How many blocks are in which state. */
void kvp_registry_counts(const struct kvp_registry *registry, struct kvp_registry_counts *counts);

/* A block's state. KVP_RANGE unless block < num_blocks. */
enum kvp_status kvp_registry_view(const struct kvp_registry *registry, uint32_t block,
                                  struct kvp_block_view *view);

/* The empty block that is allocated next after `block`, or the first one for KVP_NONE; KVP_NONE
   after the last, and for a block that is not empty. */
uint32_t kvp_registry_next_empty(const struct kvp_registry *registry, uint32_t block);

/* The cached block that would be evicted now, or KVP_NONE. */
uint32_t kvp_registry_victim(const struct kvp_registry *registry);

#endif
