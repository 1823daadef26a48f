/* SPDX-License-Identifier: Apache-2.0 */
/* Logic: token blocks that are being filled, and sequences of them. What a hash is of, no
   contract says: to the provers a hash is any number. */
#ifndef KVP_LOGIC_SEQUENCE_H
#define KVP_LOGIC_SEQUENCE_H

#include <kvpool/token_block.h>

#include "spec/logic/tokens.h"

/*@
predicate Partial(struct kvp_partial p) = 0 < p.block_size && p.length <= p.block_size;

predicate SameSettings(struct kvp_partial o, struct kvp_partial p) =
  p.block_size == o.block_size && p.salt == o.salt && p.tokens == o.tokens;
predicate SameParent(struct kvp_partial o, struct kvp_partial p) =
  p.has_parent == o.has_parent && p.parent == o.parent;

// How many tokens a sequence has room for.
logic integer Room(struct kvp_sequence s) = Row(s.max_blocks, s.block_size);

// The open tokens may be a whole block.
predicate Filled(struct kvp_sequence s) =
  0 < s.block_size && s.num_blocks <= s.max_blocks &&
  s.length == Row(s.num_blocks, s.block_size) + s.open && s.open <= s.length &&
  s.open <= s.block_size &&
  s.length <= Room(s) && Room(s) <= 4611686018427387903;

predicate Sequence(struct kvp_sequence s) = Filled(s) && s.open < s.block_size;

// The first block has no parent.
predicate Rooted(struct kvp_sequence s) =
  0 < s.num_blocks ==> s.sequence_hashes[0] == s.block_hashes[0];

predicate SameMemory(struct kvp_sequence o, struct kvp_sequence s) =
  s.block_size == o.block_size && s.max_blocks == o.max_blocks && s.salt == o.salt &&
  s.tokens == o.tokens && s.block_hashes == o.block_hashes &&
  s.sequence_hashes == o.sequence_hashes;
*/

#define KVP_PARTIAL_TOKENS partial->tokens + (0 .. partial->block_size - 1)

#define KVP_REQUIRES_PARTIAL                                                                   \
  requires valid: \valid(partial);                                                             \
  requires partial: Partial(*partial);                                                         \
  requires memory: \valid(KVP_PARTIAL_TOKENS) && \separated(partial, KVP_PARTIAL_TOKENS)

#define KVP_SEQUENCE_TOKENS sequence->tokens + (0 .. Room(*sequence) - 1)
#define KVP_BLOCK_HASHES sequence->block_hashes + (0 .. sequence->max_blocks - 1)
#define KVP_SEQUENCE_HASHES sequence->sequence_hashes + (0 .. sequence->max_blocks - 1)
#define KVP_SEQUENCE_MEMORY KVP_SEQUENCE_TOKENS, KVP_BLOCK_HASHES, KVP_SEQUENCE_HASHES

#define KVP_REQUIRES_FILLED                                                                    \
  requires valid: \valid(sequence);                                                            \
  requires filled: Filled(*sequence);                                                          \
  requires tokens: 0 < Room(*sequence) ==> \valid(KVP_SEQUENCE_TOKENS);                        \
  requires hashes: 0 < sequence->max_blocks ==>                                                \
    \valid(KVP_BLOCK_HASHES) && \valid(KVP_SEQUENCE_HASHES);                                   \
  requires apart: \separated(sequence, KVP_SEQUENCE_MEMORY);                                   \
  requires root: Rooted(*sequence)

#define KVP_REQUIRES_SEQUENCE                                                                  \
  KVP_REQUIRES_FILLED;                                                                         \
  requires open: sequence->open < sequence->block_size

/* What every operation on a sequence promises. */
#define KVP_ENSURES_SEQUENCE                                                                   \
  ensures sequence: Sequence(*sequence);                                                       \
  ensures root: Rooted(*sequence);                                                             \
  ensures same: SameMemory(\old(*sequence), *sequence)

/* The blocks that were finished keep their hashes, and the tokens that were there stay. */
#define KVP_SEQUENCE_KEPT(clause, before)                                                      \
  clause kept_tokens: \forall integer k; 0 <= k < \at(sequence->length, before) ==>            \
    sequence->tokens[k] == \at(sequence->tokens[k], before);                                   \
  clause kept_hashes: \forall integer b; 0 <= b < \at(sequence->num_blocks, before) ==>        \
    sequence->block_hashes[b] == \at(sequence->block_hashes[b], before) &&                     \
    sequence->sequence_hashes[b] == \at(sequence->sequence_hashes[b], before)

#endif
