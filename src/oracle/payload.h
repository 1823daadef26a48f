/* SPDX-License-Identifier: Apache-2.0 */
/* What a device's payload must be, block by block: each holds the pattern of a seed. Digests tell
   whether it does; the bytes are read only to say where it does not. */
#ifndef KVP_ORACLE_PAYLOAD_H
#define KVP_ORACLE_PAYLOAD_H

#include <stdint.h>

#include <kvpool/device.h>

#include "src/oracle/compare.h"

struct kvp_pattern {
  uint64_t seed;
  uint64_t digest; /* of the pattern, as kvp_device_digest gives it */
};

/* 32-bit words of a block, through all planes; fewer than 2^32 in a shape that opens. */
uint32_t kvp_payload_words(const struct kvp_device_shape *shape);

/* The pattern of a seed in a block of so many words. */
struct kvp_pattern kvp_pattern_of(uint64_t seed, uint32_t words);

/* Fills `difference`, with the pattern on the left, for a block whose digest is not the pattern's:
   the first word that differs, or else the digest itself. An error if the device cannot be read,
   or if memory is short. */
enum kvp_status kvp_payload_locate(struct kvp_device *device, const struct kvp_device_shape *shape,
                                   uint32_t block, const struct kvp_pattern *pattern,
                                   uint64_t digest, struct kvp_difference *difference);

#endif
