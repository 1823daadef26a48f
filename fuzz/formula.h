/* SPDX-License-Identifier: Apache-2.0 */
/* XXH64 and XXH3 (64 bits) anew from xxHash's specification, as plain as it states them: a whole
   array at once, a byte at a time. Shares nothing with xxHash or src. */
#ifndef KVP_FUZZ_FORMULA_H
#define KVP_FUZZ_FORMULA_H

#include <stddef.h>
#include <stdint.h>

uint64_t kvp_formula_xxh64(const uint8_t *bytes, size_t size, uint64_t seed);
uint64_t kvp_formula_xxh3(const uint8_t *bytes, size_t size, uint64_t seed);

#endif
