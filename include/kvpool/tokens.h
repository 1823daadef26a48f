/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens on their way into blocks: a finished block, a block that is being filled, and a sequence
   of blocks that is cut as tokens come and go.

   Memory for tokens and hashes is the caller's and must outlive what uses it. No function
   allocates; pointers to structures are never NULL. What the seed calls Full, Empty,
   InsufficientTokens and Incomplete is KVP_FULL, KVP_EMPTY, KVP_RANGE and KVP_STATE here; a block
   size of 0 is KVP_ARGUMENT. On any status but KVP_OK nothing has changed. */
#ifndef KVPOOL_TOKENS_H
#define KVPOOL_TOKENS_H

#include <kvpool/op.h>
#include <kvpool/status.h>
#include <kvpool/token_block.h>

#ifdef __FRAMAC__
#include "spec/logic/sequence.h"
#endif

/* A finished block of these tokens that no block comes before. KVP_ARGUMENT if tokens is NULL or
   length is 0. */
/*@ requires tokens: tokens != \null ==> 0 < length ==> \valid_read(tokens + (0 .. length - 1));
    requires out: \valid(block) && \separated(block, tokens + (0 .. length - 1));
    terminates \true;
    exits \false;
    assigns *block;
    ensures status: \result == (tokens == \null || length == 0 ? KVP_ARGUMENT : KVP_OK);
    ensures unchanged: \result != KVP_OK ==> *block == \old(*block);
    ensures root: \result == KVP_OK ==> block->has_parent == 0 && block->parent == 0 &&
      block->sequence_hash == block->block_hash;
*/
enum kvp_status kvp_token_block_root(const uint32_t *tokens, uint32_t length, uint64_t salt,
                                     struct kvp_token_block *block);

/* The same, after the block with this sequence hash. */
/*@ requires tokens: tokens != \null ==> 0 < length ==> \valid_read(tokens + (0 .. length - 1));
    requires out: \valid(block) && \separated(block, tokens + (0 .. length - 1));
    terminates \true;
    exits \false;
    assigns *block;
    ensures status: \result == (tokens == \null || length == 0 ? KVP_ARGUMENT : KVP_OK);
    ensures unchanged: \result != KVP_OK ==> *block == \old(*block);
    ensures child: \result == KVP_OK ==> block->has_parent == 1 && block->parent == parent;
*/
enum kvp_status kvp_token_block_after(uint64_t parent, const uint32_t *tokens, uint32_t length,
                                      uint64_t salt, struct kvp_token_block *block);

/* An empty block that no block comes before. KVP_ARGUMENT if block_size is 0 or tokens is NULL. */
/*@ requires valid: \valid(partial);
    terminates \true;
    exits \false;
    assigns *partial;
    ensures status: \result == (block_size == 0 || tokens == \null ? KVP_ARGUMENT : KVP_OK);
    ensures unchanged: \result != KVP_OK ==> *partial == \old(*partial);
    ensures made: \result == KVP_OK ==> Partial(*partial) && partial->block_size == block_size &&
      partial->tokens == tokens && partial->salt == salt;
    ensures empty: \result == KVP_OK ==> partial->length == 0;
    ensures root: \result == KVP_OK ==> partial->has_parent == 0 && partial->parent == 0;
*/
enum kvp_status kvp_partial_init(struct kvp_partial *partial, uint32_t block_size, uint32_t *tokens,
                                 uint64_t salt);

/* The same, after the block with this sequence hash. */
/*@ requires valid: \valid(partial);
    terminates \true;
    exits \false;
    assigns *partial;
    ensures status: \result == (block_size == 0 || tokens == \null ? KVP_ARGUMENT : KVP_OK);
    ensures unchanged: \result != KVP_OK ==> *partial == \old(*partial);
    ensures made: \result == KVP_OK ==> Partial(*partial) && partial->block_size == block_size &&
      partial->tokens == tokens && partial->salt == salt;
    ensures empty: \result == KVP_OK ==> partial->length == 0;
    ensures child: \result == KVP_OK ==> partial->has_parent == 1 && partial->parent == parent;
*/
enum kvp_status kvp_partial_init_after(struct kvp_partial *partial, uint32_t block_size,
                                       uint32_t *tokens, uint64_t salt, uint64_t parent);

/* How many tokens are missing until it is full. */
/*@ requires valid: \valid_read(partial);
    requires partial: Partial(*partial);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures remaining: \result == partial->block_size - partial->length;
*/
uint32_t kvp_partial_remaining(const struct kvp_partial *partial);

/* One token more. KVP_FULL if it is full. */
/*@ KVP_REQUIRES_PARTIAL;
    terminates \true;
    exits \false;
    assigns partial->length, partial->tokens[partial->length];
    ensures status: \result ==
      (\old(partial->length) == partial->block_size ? KVP_FULL : KVP_OK);
    ensures unchanged: \result != KVP_OK ==> *partial == \old(*partial);
    ensures partial: Partial(*partial);
    ensures same: SameSettings(\old(*partial), *partial) && SameParent(\old(*partial), *partial);
    ensures length: \result == KVP_OK ==> partial->length == \old(partial->length) + 1;
    ensures token: \result == KVP_OK ==> partial->tokens[\old(partial->length)] == token;
    ensures kept: \forall integer k; 0 <= k < \old(partial->length) ==>
      partial->tokens[k] == \old(partial->tokens[k]);
*/
enum kvp_status kvp_partial_push(struct kvp_partial *partial, uint32_t token);

/* As many of the tokens as it has room for, from the first on: *taken of them. KVP_ARGUMENT if
   tokens is NULL while count is not 0. */
/*@ KVP_REQUIRES_PARTIAL;
    requires in: tokens != \null ==> 0 < count ==> \valid_read(tokens + (0 .. count - 1)) &&
      \separated(tokens + (0 .. count - 1), partial, taken, KVP_PARTIAL_TOKENS);
    requires out: \valid(taken) && \separated(taken, partial, KVP_PARTIAL_TOKENS);
    terminates \true;
    exits \false;
    assigns partial->length, *taken,
            partial->tokens[partial->length .. partial->block_size - 1];
    ensures status: \result == (tokens == \null && count != 0 ? KVP_ARGUMENT : KVP_OK);
    ensures unchanged: \result != KVP_OK ==> *partial == \old(*partial) && *taken == \old(*taken);
    ensures partial: Partial(*partial);
    ensures same: SameSettings(\old(*partial), *partial) && SameParent(\old(*partial), *partial);
    ensures taken: \result == KVP_OK ==>
      *taken == \min(count, partial->block_size - \old(partial->length));
    ensures length: \result == KVP_OK ==> partial->length == \old(partial->length) + *taken;
    ensures tokens: \result == KVP_OK ==>
      \forall integer k; \old(partial->length) <= k < partial->length ==>
        partial->tokens[k] == tokens[k - \old(partial->length)];
    ensures kept: \forall integer k; 0 <= k < \old(partial->length) ==>
      partial->tokens[k] == \old(partial->tokens[k]);
*/
enum kvp_status kvp_partial_push_many(struct kvp_partial *partial, const uint32_t *tokens,
                                      size_t count, uint32_t *taken);

/* The last token goes. KVP_EMPTY if there is none. */
/*@ requires valid: \valid(partial);
    requires partial: Partial(*partial);
    terminates \true;
    exits \false;
    assigns partial->length;
    ensures status: \result == (\old(partial->length) == 0 ? KVP_EMPTY : KVP_OK);
    ensures unchanged: \result != KVP_OK ==> *partial == \old(*partial);
    ensures partial: Partial(*partial);
    ensures length: \result == KVP_OK ==> partial->length == \old(partial->length) - 1;
*/
enum kvp_status kvp_partial_pop(struct kvp_partial *partial);

/* The last count tokens go. KVP_RANGE if there are fewer; count 0 is always OK. */
/*@ requires valid: \valid(partial);
    requires partial: Partial(*partial);
    terminates \true;
    exits \false;
    assigns partial->length;
    ensures status: \result == (\old(partial->length) < count ? KVP_RANGE : KVP_OK);
    ensures unchanged: \result != KVP_OK ==> *partial == \old(*partial);
    ensures partial: Partial(*partial);
    ensures length: \result == KVP_OK ==> partial->length == \old(partial->length) - count;
*/
enum kvp_status kvp_partial_pop_many(struct kvp_partial *partial, uint32_t count);

/* A full block is finished, and partial becomes the one after it: empty, in the same memory, of
   the same size and salt. KVP_STATE if it is not full. */
/*@ KVP_REQUIRES_PARTIAL;
    requires out: \valid(block) && \separated(block, partial, KVP_PARTIAL_TOKENS);
    terminates \true;
    exits \false;
    assigns partial->length, partial->parent, partial->has_parent, *block;
    ensures status: \result ==
      (\old(partial->length) == partial->block_size ? KVP_OK : KVP_STATE);
    ensures unchanged: \result != KVP_OK ==> *partial == \old(*partial) && *block == \old(*block);
    ensures partial: Partial(*partial);
    ensures same: SameSettings(\old(*partial), *partial);
    ensures root: \result == KVP_OK ==> \old(partial->has_parent) == 0 ==>
      block->has_parent == 0 && block->sequence_hash == block->block_hash;
    ensures child: \result == KVP_OK ==> \old(partial->has_parent) != 0 ==>
      block->has_parent == 1 && block->parent == \old(partial->parent);
    ensures next: \result == KVP_OK ==> partial->length == 0 && partial->has_parent == 1 &&
      partial->parent == block->sequence_hash;
*/
enum kvp_status kvp_partial_commit(struct kvp_partial *partial, struct kvp_token_block *block);

/* An empty sequence of at most max_blocks blocks. KVP_ARGUMENT if block_size is 0, or if memory is
   NULL while max_blocks is not 0; KVP_OVERFLOW if no memory could hold the tokens. */
/*@ requires valid: \valid(sequence);
    terminates \true;
    exits \false;
    assigns *sequence;
    ensures unchanged: \result != KVP_OK ==> *sequence == \old(*sequence);
    ensures argument: \result == KVP_ARGUMENT <==> block_size == 0 || (max_blocks != 0 &&
      (tokens == \null || block_hashes == \null || sequence_hashes == \null));
    ensures status: \result == KVP_OK || \result == KVP_ARGUMENT || \result == KVP_OVERFLOW;
    ensures fits: \result == KVP_OVERFLOW ==> 4611686018427387903 < max_blocks * block_size;
    ensures sequence: \result == KVP_OK ==> Sequence(*sequence);
    ensures settings: \result == KVP_OK ==> sequence->block_size == block_size &&
      sequence->max_blocks == max_blocks && sequence->salt == salt && sequence->tokens == tokens &&
      sequence->block_hashes == block_hashes && sequence->sequence_hashes == sequence_hashes;
    ensures empty: \result == KVP_OK ==> sequence->length == 0 && sequence->num_blocks == 0;
*/
enum kvp_status kvp_sequence_init(struct kvp_sequence *sequence, uint32_t block_size,
                                  uint32_t max_blocks, uint64_t salt, uint32_t *tokens,
                                  uint64_t *block_hashes, uint64_t *sequence_hashes);

/* How many tokens more there is room for. */
/*@ requires valid: \valid_read(sequence);
    requires sequence: Sequence(*sequence);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures room: \result == Room(*sequence) - sequence->length;
*/
size_t kvp_sequence_room(const struct kvp_sequence *sequence);

/* A finished block. KVP_RANGE unless index < num_blocks. */
/*@ KVP_REQUIRES_SEQUENCE;
    requires out: \valid(block) && \separated(block, sequence, KVP_SEQUENCE_MEMORY);
    terminates \true;
    exits \false;
    assigns *block;
    ensures status: \result == (index < sequence->num_blocks ? KVP_OK : KVP_RANGE);
    ensures unchanged: \result != KVP_OK ==> *block == \old(*block);
    ensures hashes: \result == KVP_OK ==> block->block_hash == sequence->block_hashes[index] &&
      block->sequence_hash == sequence->sequence_hashes[index];
    ensures root: \result == KVP_OK ==> index == 0 ==>
      block->has_parent == 0 && block->parent == 0 && block->sequence_hash == block->block_hash;
    ensures child: \result == KVP_OK ==> 0 < index ==>
      block->has_parent == 1 && block->parent == sequence->sequence_hashes[index - 1];
*/
enum kvp_status kvp_sequence_block(const struct kvp_sequence *sequence, uint32_t index,
                                   struct kvp_token_block *block);

/* One token more. *finished is the block that it fills, or KVP_NONE. KVP_FULL without room. */
/*@ KVP_REQUIRES_SEQUENCE;
    requires out: \valid(finished) && \separated(finished, sequence, KVP_SEQUENCE_MEMORY);
    terminates \true;
    exits \false;
    assigns *finished, sequence->length, sequence->open, sequence->num_blocks,
            sequence->tokens[sequence->length], sequence->block_hashes[sequence->num_blocks],
            sequence->sequence_hashes[sequence->num_blocks];
    KVP_ENSURES_SEQUENCE;
    KVP_SEQUENCE_KEPT(ensures, Old);
    ensures status: \result ==
      (\old(sequence->length) == Room(*sequence) ? KVP_FULL : KVP_OK);
    ensures unchanged: \result != KVP_OK ==>
      *sequence == \old(*sequence) && *finished == \old(*finished);
    ensures length: \result == KVP_OK ==> sequence->length == \old(sequence->length) + 1;
    ensures token: \result == KVP_OK ==> sequence->tokens[\old(sequence->length)] == token;
    ensures none: \result == KVP_OK ==> *finished == KVP_NONE ==>
      sequence->num_blocks == \old(sequence->num_blocks);
    ensures block: \result == KVP_OK ==> *finished != KVP_NONE ==>
      *finished == \old(sequence->num_blocks) && sequence->num_blocks == *finished + 1 &&
      sequence->open == 0;
*/
enum kvp_status kvp_sequence_append(struct kvp_sequence *sequence, uint32_t token,
                                    uint32_t *finished);

/* All of the tokens, in order. *finished are the blocks that they fill. KVP_FULL without room for
   all; KVP_ARGUMENT if tokens is NULL while count is not 0. */
/*@ KVP_REQUIRES_SEQUENCE;
    requires in: tokens != \null ==> 0 < count ==> \valid_read(tokens + (0 .. count - 1)) &&
      \separated(tokens + (0 .. count - 1), sequence, finished, KVP_SEQUENCE_MEMORY);
    requires out: \valid(finished) && \separated(finished, sequence, KVP_SEQUENCE_MEMORY);
    terminates \true;
    exits \false;
    assigns *finished, sequence->length, sequence->open, sequence->num_blocks,
            *(KVP_SEQUENCE_TOKENS), *(KVP_BLOCK_HASHES), *(KVP_SEQUENCE_HASHES);
    KVP_ENSURES_SEQUENCE;
    KVP_SEQUENCE_KEPT(ensures, Old);
    ensures status: \result == (tokens == \null && count != 0 ? KVP_ARGUMENT :
      Room(*sequence) < \old(sequence->length) + count ? KVP_FULL : KVP_OK);
    ensures unchanged: \result != KVP_OK ==>
      *sequence == \old(*sequence) && *finished == \old(*finished);
    ensures length: \result == KVP_OK ==> sequence->length == \old(sequence->length) + count;
    ensures tokens: \result == KVP_OK ==>
      \forall integer k; \old(sequence->length) <= k < sequence->length ==>
        sequence->tokens[k] == tokens[k - \old(sequence->length)];
    ensures finished: \result == KVP_OK ==> finished->first == \old(sequence->num_blocks) &&
      sequence->num_blocks == finished->first + finished->count;
*/
enum kvp_status kvp_sequence_extend(struct kvp_sequence *sequence, const uint32_t *tokens,
                                    size_t count, struct kvp_block_range *finished);

/* Only the first length tokens stay, and the blocks that they fill. Nothing happens if there are
   no more. */
/*@ KVP_REQUIRES_SEQUENCE;
    terminates \true;
    exits \false;
    assigns sequence->length, sequence->open, sequence->num_blocks;
    KVP_ENSURES_SEQUENCE;
    ensures length: sequence->length == \min(length, \old(sequence->length));
    ensures fewer: sequence->num_blocks <= \old(sequence->num_blocks);
*/
void kvp_sequence_truncate(struct kvp_sequence *sequence, size_t length);

/* The last count tokens go. KVP_RANGE if there are fewer. */
/*@ KVP_REQUIRES_SEQUENCE;
    terminates \true;
    exits \false;
    assigns sequence->length, sequence->open, sequence->num_blocks;
    ensures status: \result == (\old(sequence->length) < count ? KVP_RANGE : KVP_OK);
    ensures unchanged: \result != KVP_OK ==> *sequence == \old(*sequence);
    KVP_ENSURES_SEQUENCE;
    ensures length: \result == KVP_OK ==> sequence->length == \old(sequence->length) - count;
    ensures fewer: sequence->num_blocks <= \old(sequence->num_blocks);
*/
enum kvp_status kvp_sequence_unwind(struct kvp_sequence *sequence, size_t count);

/* The last token goes. KVP_EMPTY if there is none. */
/*@ KVP_REQUIRES_SEQUENCE;
    requires out: \valid(token) && \separated(token, sequence, KVP_SEQUENCE_MEMORY);
    terminates \true;
    exits \false;
    assigns *token, sequence->length, sequence->open, sequence->num_blocks;
    ensures status: \result == (\old(sequence->length) == 0 ? KVP_EMPTY : KVP_OK);
    ensures unchanged: \result != KVP_OK ==>
      *sequence == \old(*sequence) && *token == \old(*token);
    KVP_ENSURES_SEQUENCE;
    ensures length: \result == KVP_OK ==> sequence->length == \old(sequence->length) - 1;
    ensures token: \result == KVP_OK ==> *token == sequence->tokens[sequence->length];
    ensures fewer: sequence->num_blocks <= \old(sequence->num_blocks);
*/
enum kvp_status kvp_sequence_pop(struct kvp_sequence *sequence, uint32_t *token);

#endif
