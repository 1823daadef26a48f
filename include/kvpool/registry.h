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

/* Any operation; the operations below by their number. `result` is always written. */
void kvp_registry_apply(struct kvp_registry *registry, const struct kvp_registry_op *op,
                        struct kvp_registry_result *result);

/* The operations, each as spec/registry.md says. What an operation hands out is written on KVP_OK
   only, a shortage on KVP_FULL only. Those that can move a clock answer KVP_OVERFLOW once one has
   passed 2^63. */

/* What was asked for, blocks or handles, and how many of them could have been had. */
struct kvp_shortage {
  uint32_t requested;
  uint32_t available;
};

struct kvp_hashes {
  uint64_t block_hash; /* of a block's tokens alone */
  uint64_t hash;       /* of the block and all before it */
};

/* *taken blocks join, at most count. */
enum kvp_status kvp_registry_add_blocks(struct kvp_registry *registry, uint32_t count,
                                        uint32_t *taken);

/* The most that allocate would give now. */
uint32_t kvp_registry_available(const struct kvp_registry *registry);

/* count blocks, each empty or evicted for it: grants[count]. */
enum kvp_status kvp_registry_allocate(struct kvp_registry *registry, uint32_t count,
                                      struct kvp_grant *grants, struct kvp_shortage *shortage);

/* A reset block begins to be filled. */
enum kvp_status kvp_registry_begin(struct kvp_registry *registry, uint64_t handle, uint64_t salt,
                                   uint32_t position, uint64_t parent);

/* All of tokens[length], or none. */
enum kvp_status kvp_registry_push(struct kvp_registry *registry, uint64_t handle,
                                  const uint32_t *tokens, uint32_t length);

/* As many of tokens[length] as there is room for: *taken of them. */
enum kvp_status kvp_registry_fill(struct kvp_registry *registry, uint64_t handle,
                                  const uint32_t *tokens, uint32_t length, uint32_t *taken);

/* The last count tokens go. */
enum kvp_status kvp_registry_pop(struct kvp_registry *registry, uint64_t handle, uint32_t count);

/* A full block becomes complete, with its hashes. */
enum kvp_status kvp_registry_commit(struct kvp_registry *registry, uint64_t handle,
                                    struct kvp_hashes *hashes);

/* begin, push and commit in one. */
enum kvp_status kvp_registry_write(struct kvp_registry *registry, uint64_t handle,
                                   const uint32_t *tokens, uint32_t length, uint64_t salt,
                                   uint32_t position, uint64_t parent, struct kvp_hashes *hashes);

/* A held block forgets what it holds. */
enum kvp_status kvp_registry_clear(struct kvp_registry *registry, uint64_t handle);

/* The complete blocks of handles[count] are registered: grants[count]. O(count), and O(count^2)
   with keep_duplicates if there are fewer free slots than handles. */
enum kvp_status kvp_registry_register(struct kvp_registry *registry, const uint64_t *handles,
                                      uint32_t count, struct kvp_grant *grants,
                                      struct kvp_shortage *shortage);

/* The leading hashes[count] that are registered: *matched of them, a share of each in grants. */
enum kvp_status kvp_registry_match(struct kvp_registry *registry, const uint64_t *hashes,
                                   uint32_t count, struct kvp_grant *grants, uint32_t *matched,
                                   struct kvp_shortage *shortage);

/* The leading hashes[count] that are registered, *matched of them, become the youngest. */
enum kvp_status kvp_registry_touch(struct kvp_registry *registry, const uint64_t *hashes,
                                   uint32_t count, uint32_t *matched);

/* One share more of an active block. */
enum kvp_status kvp_registry_share(struct kvp_registry *registry, uint64_t handle,
                                   struct kvp_grant *grant, struct kvp_shortage *shortage);

/* All of handles[count] are given up, the last one first. */
enum kvp_status kvp_registry_release(struct kvp_registry *registry, const uint64_t *handles,
                                     uint32_t count);

/* Of the block of a handle, or, where handle is 0, of the block registered under a hash. */
enum kvp_status kvp_registry_set_priority(struct kvp_registry *registry, uint64_t handle,
                                          uint64_t hash, uint32_t priority);

/* One pin more, or less, of the block registered under a hash. */
enum kvp_status kvp_registry_pin(struct kvp_registry *registry, uint64_t hash);
enum kvp_status kvp_registry_unpin(struct kvp_registry *registry, uint64_t hash);

/* Every block becomes empty. O(num_blocks). */
enum kvp_status kvp_registry_reset(struct kvp_registry *registry);

/* The oldest events, at most count: *written of them, and how many were dropped before them. */
enum kvp_status kvp_registry_poll(struct kvp_registry *registry, uint32_t count,
                                  struct kvp_event *events, uint32_t *written, uint64_t *dropped);

/* What can be seen. */

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
