/* SPDX-License-Identifier: Apache-2.0 */
/* The custom mutator as AFL++ calls it, a shared object for each target, with KVP_HEAD and
   KVP_STEP, the bytes of its inputs' head and steps. */
#include <stdlib.h>
#include <string.h>

#include "src/oracle/mutate.h"

enum { MOST_BYTES = 1 << 16 };

struct mutator {
  uint64_t random;
  uint8_t bytes[MOST_BYTES];
};

static const struct kvp_format format = {KVP_HEAD, KVP_STEP};

void *afl_custom_init(void *afl, unsigned int seed);
size_t afl_custom_fuzz(void *data, uint8_t *bytes, size_t size, uint8_t **out, uint8_t *other,
                       size_t other_size, size_t most);
void afl_custom_deinit(void *data);

void *afl_custom_init(void *afl, unsigned int seed)
{
  struct mutator *mutator = calloc(1, sizeof *mutator);
  (void)afl;
  if (mutator != NULL)
    mutator->random = seed;
  return mutator;
}

/* `other` is another input of the queue, or NULL. */
size_t afl_custom_fuzz(void *data, uint8_t *bytes, size_t size, uint8_t **out, uint8_t *other,
                       size_t other_size, size_t most)
{
  struct mutator *mutator = data;
  most = most < MOST_BYTES ? most : MOST_BYTES;
  *out = mutator->bytes;
  if (other != NULL && mutator->random >> 62 == 0)
    size =
      kvp_cross(&format, bytes, size, other, other_size, mutator->bytes, most, &mutator->random);
  else
    memcpy(mutator->bytes, bytes, size = size < most ? size : most);
  return kvp_mutate(&format, mutator->bytes, size, most, &mutator->random);
}

void afl_custom_deinit(void *data) { free(data); }
