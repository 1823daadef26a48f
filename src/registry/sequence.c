/* SPDX-License-Identifier: Apache-2.0 */
/* Sequences of token blocks. */
#include <kvpool/tokens.h>

/* How many tokens so many blocks have. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures row: \result == Row(blocks, block_size);
    ensures product: \result == blocks * block_size;
*/
static uint64_t tokens_of(uint32_t blocks, uint32_t block_size)
{
  /*@ ghost
      /@ loop invariant range: 0 <= i <= blocks;
         loop invariant product: Row(i, block_size) == i * block_size;
         loop assigns i;
         loop variant blocks - i; @/
      for (uint32_t i = 0; i < blocks; i++)
        ;
  */
  return (uint64_t)blocks * block_size;
}

/* How many blocks so many tokens fill: most, or fewer. */
/*@ requires size: 0 < block_size;
    requires most: length < Row(most, block_size) + block_size;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures most: \result <= most;
    ensures row: Row(\result, block_size) <= length < Row(\result, block_size) + block_size;
*/
static uint32_t blocks_of(size_t length, uint32_t block_size, uint32_t most)
{
  (void)most;
  /*@ ghost
      /@ loop invariant range: 0 <= i <= most;
         loop invariant product: \forall integer k; 0 <= k <= i ==>
           Row(k, block_size) == k * block_size;
         loop assigns i;
         loop variant most - i; @/
      for (uint32_t i = 0; i < most; i++)
        ;
  */
  size_t blocks = length / block_size;
  //@ assert below: blocks * block_size <= length;
  //@ assert above: length < blocks * block_size + block_size;
  //@ assert short: blocks * block_size < (most + 1) * block_size;
  //@ assert most: blocks < most + 1;
  return (uint32_t)blocks;
}

/* The open tokens, a whole block, become a finished block. */
/*@ KVP_REQUIRES_FILLED;
    requires whole: sequence->open == sequence->block_size;
    terminates \true;
    exits \false;
    assigns sequence->open, sequence->num_blocks, sequence->block_hashes[sequence->num_blocks],
            sequence->sequence_hashes[sequence->num_blocks];
    KVP_ENSURES_SEQUENCE;
    KVP_SEQUENCE_KEPT(ensures, Old);
    ensures block: sequence->num_blocks == \old(sequence->num_blocks) + 1 && sequence->open == 0;
    ensures length: sequence->length == \old(sequence->length);
*/
static void finish(struct kvp_sequence *sequence)
{
  uint32_t index = sequence->num_blocks, size = sequence->block_size;
  const uint32_t *tokens = sequence->tokens + (sequence->length - size);
  struct kvp_token_block block;

  if (index == 0)
    kvp_token_block_root(tokens, size, sequence->salt, &block);
  else
    kvp_token_block_after(sequence->sequence_hashes[index - 1], tokens, size, sequence->salt,
                          &block);
  sequence->block_hashes[index] = block.block_hash;
  sequence->sequence_hashes[index] = block.sequence_hash;
  sequence->num_blocks = index + 1;
  sequence->open = 0;
}

/* One token more, where there is room. */
/*@ KVP_REQUIRES_SEQUENCE;
    requires room: sequence->length < Room(*sequence);
    terminates \true;
    exits \false;
    assigns sequence->length, sequence->open, sequence->num_blocks,
            sequence->tokens[sequence->length], sequence->block_hashes[sequence->num_blocks],
            sequence->sequence_hashes[sequence->num_blocks];
    KVP_ENSURES_SEQUENCE;
    KVP_SEQUENCE_KEPT(ensures, Old);
    ensures length: sequence->length == \old(sequence->length) + 1;
    ensures token: sequence->tokens[\old(sequence->length)] == token;
    ensures block: sequence->num_blocks == \old(sequence->num_blocks) ||
      (sequence->num_blocks == \old(sequence->num_blocks) + 1 && sequence->open == 0);
*/
static void put(struct kvp_sequence *sequence, uint32_t token)
{
  sequence->tokens[sequence->length] = token;
  sequence->length++;
  sequence->open++;
  if (sequence->open == sequence->block_size)
    finish(sequence);
}

enum kvp_status kvp_sequence_init(struct kvp_sequence *sequence, uint32_t block_size,
                                  uint32_t max_blocks, uint64_t salt, uint32_t *tokens,
                                  uint64_t *block_hashes, uint64_t *sequence_hashes)
{
  if (block_size == 0)
    return KVP_ARGUMENT;
  if (max_blocks != 0 && (tokens == NULL || block_hashes == NULL || sequence_hashes == NULL))
    return KVP_ARGUMENT;
  if (tokens_of(max_blocks, block_size) > SIZE_MAX / sizeof *tokens)
    return KVP_OVERFLOW;
  sequence->block_size = block_size;
  sequence->num_blocks = 0;
  sequence->max_blocks = max_blocks;
  sequence->open = 0;
  sequence->length = 0;
  sequence->salt = salt;
  sequence->tokens = tokens;
  sequence->block_hashes = block_hashes;
  sequence->sequence_hashes = sequence_hashes;
  return KVP_OK;
}

size_t kvp_sequence_room(const struct kvp_sequence *sequence)
{
  return (size_t)tokens_of(sequence->max_blocks, sequence->block_size) - sequence->length;
}

enum kvp_status kvp_sequence_block(const struct kvp_sequence *sequence, uint32_t index,
                                   struct kvp_token_block *block)
{
  if (index >= sequence->num_blocks)
    return KVP_RANGE;
  block->block_hash = sequence->block_hashes[index];
  block->sequence_hash = sequence->sequence_hashes[index];
  block->parent = index == 0 ? 0 : sequence->sequence_hashes[index - 1];
  block->has_parent = index != 0;
  return KVP_OK;
}

enum kvp_status kvp_sequence_append(struct kvp_sequence *sequence, uint32_t token,
                                    uint32_t *finished)
{
  if (kvp_sequence_room(sequence) == 0)
    return KVP_FULL;
  uint32_t index = sequence->num_blocks;
  put(sequence, token);
  *finished = sequence->num_blocks == index ? KVP_NONE : index;
  return KVP_OK;
}

enum kvp_status kvp_sequence_extend(struct kvp_sequence *sequence, const uint32_t *tokens,
                                    size_t count, struct kvp_block_range *finished)
{
  if (tokens == NULL && count != 0)
    return KVP_ARGUMENT;
  if (count > kvp_sequence_room(sequence))
    return KVP_FULL;
  uint32_t first = sequence->num_blocks;
  /*@ loop invariant range: 0 <= i <= count;
      loop invariant sequence: Sequence(*sequence);
      loop invariant root: Rooted(*sequence);
      loop invariant same: SameMemory(\at(*sequence, Pre), *sequence);
      KVP_SEQUENCE_KEPT(loop invariant, Pre);
      loop invariant length: sequence->length == \at(sequence->length, Pre) + i;
      loop invariant blocks: first <= sequence->num_blocks;
      loop invariant tokens: \forall integer k;
        \at(sequence->length, Pre) <= k < \at(sequence->length, Pre) + i ==>
          sequence->tokens[k] == tokens[k - \at(sequence->length, Pre)];
      loop assigns i, sequence->length, sequence->open, sequence->num_blocks,
                   *(KVP_SEQUENCE_TOKENS), *(KVP_BLOCK_HASHES), *(KVP_SEQUENCE_HASHES);
      loop variant count - i; */
  for (size_t i = 0; i < count; i++)
    put(sequence, tokens[i]);
  finished->first = first;
  finished->count = sequence->num_blocks - first;
  return KVP_OK;
}

void kvp_sequence_truncate(struct kvp_sequence *sequence, size_t length)
{
  if (length >= sequence->length)
    return;
  uint32_t blocks = blocks_of(length, sequence->block_size, sequence->num_blocks);
  sequence->num_blocks = blocks;
  sequence->open = (uint32_t)(length - tokens_of(blocks, sequence->block_size));
  sequence->length = length;
}

enum kvp_status kvp_sequence_unwind(struct kvp_sequence *sequence, size_t count)
{
  if (count > sequence->length)
    return KVP_RANGE;
  kvp_sequence_truncate(sequence, sequence->length - count);
  return KVP_OK;
}

enum kvp_status kvp_sequence_pop(struct kvp_sequence *sequence, uint32_t *token)
{
  if (sequence->length == 0)
    return KVP_EMPTY;
  *token = sequence->tokens[sequence->length - 1];
  kvp_sequence_truncate(sequence, sequence->length - 1);
  return KVP_OK;
}
