/* SPDX-License-Identifier: Apache-2.0 */
/* The formulas, length class by length class in the specification's order. */
#include "fuzz/formula.h"

enum { STRIPE = 64, SECRET = 192, STRIPES = (SECRET - STRIPE) / 8 };

#define PRIME32_1 UINT64_C(0x9E3779B1)
#define PRIME32_2 UINT64_C(0x85EBCA77)
#define PRIME32_3 UINT64_C(0xC2B2AE3D)
#define PRIME64_1 UINT64_C(0x9E3779B185EBCA87)
#define PRIME64_2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define PRIME64_3 UINT64_C(0x165667B19E3779F9)
#define PRIME64_4 UINT64_C(0x85EBCA77C2B2AE63)
#define PRIME64_5 UINT64_C(0x27D4EB2F165667C5)
#define PRIME_MX1 UINT64_C(0x165667919E3779F9)
#define PRIME_MX2 UINT64_C(0x9FB21C651E98DF25)

static const uint8_t secret[SECRET] = {
  0xB8, 0xFE, 0x6C, 0x39, 0x23, 0xA4, 0x4B, 0xBE, 0x7C, 0x01, 0x81, 0x2C, 0xF7, 0x21, 0xAD, 0x1C,
  0xDE, 0xD4, 0x6D, 0xE9, 0x83, 0x90, 0x97, 0xDB, 0x72, 0x40, 0xA4, 0xA4, 0xB7, 0xB3, 0x67, 0x1F,
  0xCB, 0x79, 0xE6, 0x4E, 0xCC, 0xC0, 0xE5, 0x78, 0x82, 0x5A, 0xD0, 0x7D, 0xCC, 0xFF, 0x72, 0x21,
  0xB8, 0x08, 0x46, 0x74, 0xF7, 0x43, 0x24, 0x8E, 0xE0, 0x35, 0x90, 0xE6, 0x81, 0x3A, 0x26, 0x4C,
  0x3C, 0x28, 0x52, 0xBB, 0x91, 0xC3, 0x00, 0xCB, 0x88, 0xD0, 0x65, 0x8B, 0x1B, 0x53, 0x2E, 0xA3,
  0x71, 0x64, 0x48, 0x97, 0xA2, 0x0D, 0xF9, 0x4E, 0x38, 0x19, 0xEF, 0x46, 0xA9, 0xDE, 0xAC, 0xD8,
  0xA8, 0xFA, 0x76, 0x3F, 0xE3, 0x9C, 0x34, 0x3F, 0xF9, 0xDC, 0xBB, 0xC7, 0xC7, 0x0B, 0x4F, 0x1D,
  0x8A, 0x51, 0xE0, 0x4B, 0xCD, 0xB4, 0x59, 0x31, 0xC8, 0x9F, 0x7E, 0xC9, 0xD9, 0x78, 0x73, 0x64,
  0xEA, 0xC5, 0xAC, 0x83, 0x34, 0xD3, 0xEB, 0xC3, 0xC5, 0x81, 0xA0, 0xFF, 0xFA, 0x13, 0x63, 0xEB,
  0x17, 0x0D, 0xDD, 0x51, 0xB7, 0xF0, 0xDA, 0x49, 0xD3, 0x16, 0x55, 0x26, 0x29, 0xD4, 0x68, 0x9E,
  0x2B, 0x16, 0xBE, 0x58, 0x7D, 0x47, 0xA1, 0xFC, 0x8F, 0xF8, 0xB8, 0xD1, 0x7A, 0xD0, 0x31, 0xCE,
  0x45, 0xCB, 0x3A, 0x8F, 0x95, 0x16, 0x04, 0x28, 0xAF, 0xD7, 0xFB, 0xCA, 0xBB, 0x4B, 0x40, 0x7E,
};

static uint64_t rotate(uint64_t value, int bits) { return value << bits | value >> (64 - bits); }

/* The little-endian number of n bytes. */
static uint64_t number(const uint8_t *bytes, int n)
{
  uint64_t value = 0;
  for (int i = n - 1; i >= 0; i--)
    value = value << 8 | bytes[i];
  return value;
}

static uint64_t reversed(uint64_t value, int n)
{
  uint64_t result = 0;
  for (int i = 0; i < n; i++)
    result = result << 8 | (value >> 8 * i & 0xFF);
  return result;
}

/* Both halves of the 128-bit product, one upon the other. */
static uint64_t fold(uint64_t a, uint64_t b)
{
  uint64_t a0 = a & UINT32_MAX, a1 = a >> 32, b0 = b & UINT32_MAX, b1 = b >> 32;
  uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (middle & UINT32_MAX);
  uint64_t high = a1 * b1 + (middle >> 32) + (other >> 32);
  return a * b ^ high;
}

static uint64_t avalanche64(uint64_t hash)
{
  hash = (hash ^ hash >> 33) * PRIME64_2;
  hash = (hash ^ hash >> 29) * PRIME64_3;
  return hash ^ hash >> 32;
}

static uint64_t avalanche(uint64_t hash)
{
  hash = (hash ^ hash >> 37) * PRIME_MX1;
  return hash ^ hash >> 32;
}

static uint64_t round64(uint64_t lane, uint64_t input)
{
  return rotate(lane + input * PRIME64_2, 31) * PRIME64_1;
}

uint64_t kvp_formula_xxh64(const uint8_t *bytes, size_t size, uint64_t seed)
{
  static const int turns[] = {1, 7, 12, 18};
  uint64_t hash = seed + PRIME64_5;
  size_t at = 0;
  if (size >= 32) {
    uint64_t lanes[] = {seed + PRIME64_1 + PRIME64_2, seed + PRIME64_2, seed, seed - PRIME64_1};
    for (; size - at >= 32; at += 32)
      for (int i = 0; i < 4; i++)
        lanes[i] = round64(lanes[i], number(bytes + at + 8 * i, 8));
    hash = 0;
    for (int i = 0; i < 4; i++)
      hash += rotate(lanes[i], turns[i]);
    for (int i = 0; i < 4; i++)
      hash = (hash ^ round64(0, lanes[i])) * PRIME64_1 + PRIME64_4;
  }
  hash += size;
  for (; size - at >= 8; at += 8)
    hash = rotate(hash ^ round64(0, number(bytes + at, 8)), 27) * PRIME64_1 + PRIME64_4;
  for (; size - at >= 4; at += 4)
    hash = rotate(hash ^ number(bytes + at, 4) * PRIME64_1, 23) * PRIME64_2 + PRIME64_3;
  for (; at < size; at++)
    hash = rotate(hash ^ bytes[at] * PRIME64_5, 11) * PRIME64_1;
  return avalanche64(hash);
}

/* The number in the secret at `at`, upon the one 8 or 4 bytes further. */
static uint64_t key(int at, int n) { return number(secret + at, n) ^ number(secret + at + n, n); }

static uint64_t up_to_16(const uint8_t *bytes, size_t size, uint64_t seed)
{
  if (size == 0)
    return avalanche64(seed ^ key(56, 8));
  if (size <= 3) {
    uint64_t word = bytes[size - 1] | (uint64_t)size << 8 | (uint64_t)bytes[0] << 16
                    | (uint64_t)bytes[size / 2] << 24;
    return avalanche64(word ^ (key(0, 4) + seed));
  }
  if (size <= 8) {
    uint64_t word = number(bytes, 4) << 32 | number(bytes + size - 4, 4);
    word ^= key(8, 8) - (seed ^ reversed(seed & UINT32_MAX, 4) << 32);
    word = (word ^ rotate(word, 49) ^ rotate(word, 24)) * PRIME_MX2;
    word = (word ^ ((word >> 35) + size)) * PRIME_MX2;
    return word ^ word >> 28;
  }
  uint64_t first = number(bytes, 8) ^ (key(24, 8) + seed);
  uint64_t last = number(bytes + size - 8, 8) ^ (key(40, 8) - seed);
  return avalanche(size + reversed(first, 8) + last + fold(first, last));
}

/* 16 bytes, with the secret from `at` on. */
static uint64_t mix(const uint8_t *bytes, size_t at, uint64_t seed)
{
  return fold(number(bytes, 8) ^ (number(secret + at, 8) + seed),
              number(bytes + 8, 8) ^ (number(secret + at + 8, 8) - seed));
}

static uint64_t up_to_128(const uint8_t *bytes, size_t size, uint64_t seed)
{
  uint64_t sum = size * PRIME64_1;
  for (size_t i = 0; i <= (size - 1) / 32; i++)
    sum += mix(bytes + 16 * i, 32 * i, seed) + mix(bytes + size - 16 * (i + 1), 32 * i + 16, seed);
  return avalanche(sum);
}

static uint64_t up_to_240(const uint8_t *bytes, size_t size, uint64_t seed)
{
  uint64_t sum = size * PRIME64_1;
  for (size_t i = 0; i < 8; i++)
    sum += mix(bytes + 16 * i, 16 * i, seed);
  sum = avalanche(sum);
  for (size_t i = 8; i < size / 16; i++)
    sum += mix(bytes + 16 * i, 16 * (i - 8) + 3, seed);
  return avalanche(sum + mix(bytes + size - 16, 119, seed));
}

/* A stripe goes into eight lanes under these bytes of a secret. */
static void accumulate(uint64_t lanes[8], const uint8_t *stripe, const uint8_t *under)
{
  for (int i = 0; i < 8; i++) {
    uint64_t data = number(stripe + 8 * i, 8), value = data ^ number(under + 8 * i, 8);
    lanes[i ^ 1] += data;
    lanes[i] += (value & UINT32_MAX) * (value >> 32);
  }
}

static void scramble(uint64_t lanes[8], const uint8_t *under)
{
  for (int i = 0; i < 8; i++)
    lanes[i] = (lanes[i] ^ lanes[i] >> 47 ^ number(under + 8 * i, 8)) * PRIME32_1;
}

static uint64_t above_240(const uint8_t *bytes, size_t size, uint64_t seed)
{
  uint64_t lanes[] = {PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3,
                      PRIME64_4, PRIME32_2, PRIME64_5, PRIME32_1};
  uint64_t sum = size * PRIME64_1;
  uint8_t salted[SECRET];
  for (int i = 0; i < SECRET; i++) {
    uint64_t word = number(secret + i / 8 * 8, 8);
    salted[i] = (uint8_t)((i / 8 % 2 == 0 ? word + seed : word - seed) >> i % 8 * 8);
  }
  for (size_t stripe = 0; stripe < (size - 1) / STRIPE; stripe++) {
    accumulate(lanes, bytes + stripe * STRIPE, salted + stripe % STRIPES * 8);
    if (stripe % STRIPES == STRIPES - 1)
      scramble(lanes, salted + SECRET - STRIPE);
  }
  accumulate(lanes, bytes + size - STRIPE, salted + SECRET - STRIPE - 7);
  for (int i = 0; i < 8; i += 2)
    sum += fold(lanes[i] ^ number(salted + 11 + 8 * i, 8),
                lanes[i + 1] ^ number(salted + 19 + 8 * i, 8));
  return avalanche(sum);
}

uint64_t kvp_formula_xxh3(const uint8_t *bytes, size_t size, uint64_t seed)
{
  if (size <= 16)
    return up_to_16(bytes, size, seed);
  if (size <= 128)
    return up_to_128(bytes, size, seed);
  return size <= 240 ? up_to_240(bytes, size, seed) : above_240(bytes, size, seed);
}
