/* SPDX-License-Identifier: Apache-2.0 */
/* The custom mutator as libFuzzer calls it. Compiled for each target, with KVP_HEAD and KVP_STEP,
   the bytes of its inputs' head and steps. */
#include "src/oracle/mutate.h"

/* libFuzzer's own changes: now and then bytes are just bytes. */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size, const uint8_t *second,
                                 size_t second_size, uint8_t *out, size_t most, unsigned int seed);

static const struct kvp_format format = {KVP_HEAD, KVP_STEP};

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned int seed)
{
  uint64_t random = seed;
  return seed % 4 == 0 ? LLVMFuzzerMutate(bytes, size, most)
                       : kvp_mutate(&format, bytes, size, most, &random);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size, const uint8_t *second,
                                 size_t second_size, uint8_t *out, size_t most, unsigned int seed)
{
  uint64_t random = seed;
  return kvp_cross(&format, first, first_size, second, second_size, out, most, &random);
}
