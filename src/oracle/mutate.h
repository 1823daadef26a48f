/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of inputs that know where steps begin: the same for every fuzzer. */
#ifndef KVP_ORACLE_MUTATE_H
#define KVP_ORACLE_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* An input is a head, then steps. Of a step the first byte says what is done. */
struct kvp_format {
  size_t head, step; /* bytes, at least 1 each */
};

/* A number below `below`, or 0 if that is 0. `random` is drawn from and moves on. */
uint32_t kvp_random_below(uint64_t *random, size_t below);

/* Changes bytes[0 .. size), of which there is room for `most`, in one or a few ways: a step or some
   are put in, taken out, copied to another place or repeated, do something else, or do it to
   something else; or the pool is another one. The new size, at least 1 if `most` is. `random` is
   drawn from and moves on. */
size_t kvp_mutate(const struct kvp_format *format, uint8_t *bytes, size_t size, size_t most,
                  uint64_t *random);

/* The head and the first steps of one input, then steps of another; at most `most` bytes into out.
   How many. */
size_t kvp_cross(const struct kvp_format *format, const uint8_t *first, size_t first_size,
                 const uint8_t *second, size_t second_size, uint8_t *out, size_t most,
                 uint64_t *random);

#endif
