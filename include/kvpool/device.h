/* SPDX-License-Identifier: Apache-2.0 */
/* The accelerated path: the same pool in device memory, with its payload bytes and block
   tables, driven by batches. A batch gives what its operations give one by one. */
#ifndef KVPOOL_DEVICE_H
#define KVPOOL_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include <kvpool/op.h>
#include <kvpool/view.h>

struct kvp_device;

struct kvp_device_shape {
  uint32_t num_blocks, max_blocks;
  uint32_t block_size;    /* tokens a block can hold */
  uint32_t num_planes;    /* buffers in which a block has a slot, as layers × 2; 0 = 1 */
  uint32_t block_bytes;   /* of a slot, a multiple of 16; 0 = no payload */
  uint32_t table_entries; /* room for the block tables of all sequences, in entries */
};

struct kvp_device_options {
  const char *backend;   /* a name as kvp_device_list gives; "opencl" alone: its first device */
  uint64_t order_seed;   /* host: permutes the work-items of every phase */
  uint32_t parallel_min; /* runs of fewer operations go one by one; 0 = a default */
  int fill_on_publish;   /* 1: publish also fills the block, with its hash as the seed, unless
                            that content is gone again by the end of the batch */
};

/* A device that can be opened, or a backend that has none. */
struct kvp_device_info {
  int present;
  char name[32];         /* "host", "opencl:PLATFORM/DEVICE", "cuda:DEVICE" */
  char description[256]; /* what it is, with versions; if it is not present, why */
};

/* Writes up to `room` entries, of every backend in this build, and answers how many there are.
   infos may be NULL where room is 0. */
size_t kvp_device_list(struct kvp_device_info *infos, size_t room);

/* Opens a backend and puts a fresh pool on it. On an error *device is NULL and, if message is not
   NULL, message[0 .. size) holds the reason in words, the backend's own where it has one. */
enum kvp_status kvp_device_open(const struct kvp_device_shape *shape,
                                const struct kvp_device_options *options,
                                struct kvp_device **device, char *message, size_t size);
void kvp_device_close(struct kvp_device *device);

/* What the last KVP_DEVICE or KVP_MEMORY was about. Never NULL. After KVP_DEVICE the pool is dead:
   every call but close answers KVP_DEVICE. */
const char *kvp_device_error(const struct kvp_device *device);

/* Applies ops[0..n) in order; results[0..n) are written if the answer is KVP_OK. `units` of a
   reserve are written when the batch ends, so release them in a later batch. */
enum kvp_status kvp_device_apply(struct kvp_device *device, const struct kvp_op *ops, size_t n,
                                 struct kvp_result *results);

/* State as in view.h, downloaded when it is stale. */
enum kvp_status kvp_device_counts(struct kvp_device *device, struct kvp_counts *counts);
enum kvp_status kvp_device_view(struct kvp_device *device, uint32_t block, struct kvp_view *view);
enum kvp_status kvp_device_next_cached(struct kvp_device *device, uint32_t block, uint32_t *next);

/* A block's payload is what was written to it until the block is allocated, reserved or retired or
   clear_index takes its content; from then on, until it is written again, its bytes are
   undefined. Its words of 32 bits are counted through all planes: word i of plane p is word
   p * block_bytes / 4 + i of the block. */

/* Fills the payload of n blocks: word i of blocks[k] becomes kvp_payload_word(seeds[k], i).
   KVP_RANGE for an id >= max_blocks. */
enum kvp_status kvp_device_fill(struct kvp_device *device, const uint32_t *blocks,
                                const uint64_t *seeds, size_t n);

/* The payload bytes of blocks first .. first + n - 1 in one plane. KVP_RANGE outside max_blocks
   or num_planes. */
enum kvp_status kvp_device_read_payload(struct kvp_device *device, uint32_t plane, uint32_t first,
                                        uint32_t n, void *bytes);
enum kvp_status kvp_device_write_payload(struct kvp_device *device, uint32_t plane, uint32_t first,
                                         uint32_t n, const void *bytes);

/* digests[k] is that of block first + k: the sum of kvp_payload_digest(i, word i) over its words,
   modulo 2^64, taken on the device. KVP_RANGE outside max_blocks. */
enum kvp_status kvp_device_digest(struct kvp_device *device, uint32_t first, uint32_t n,
                                  uint64_t *digests);

/* Entries first .. first + n - 1 of the tables; an entry is a block id or KVP_NONE (as all are at
   first). A retire_top that moves a block rewrites every entry that names it. */
enum kvp_status kvp_device_write_table(struct kvp_device *device, uint32_t first, uint32_t n,
                                       const uint32_t *entries);
enum kvp_status kvp_device_read_table(struct kvp_device *device, uint32_t first, uint32_t n,
                                      uint32_t *entries);

/* MurmurHash3's finalizer: a bijection of 64 bits. */
static inline uint64_t kvp_payload_mix(uint64_t x)
{
  x = (x ^ (x >> 33)) * UINT64_C(0xFF51AFD7ED558CCD);
  x = (x ^ (x >> 33)) * UINT64_C(0xC4CEB9FE1A85EC53);
  return x ^ (x >> 33);
}

/* The fill pattern. */
static inline uint32_t kvp_payload_word(uint64_t seed, uint32_t i)
{
  return (uint32_t)kvp_payload_mix(seed + i * UINT64_C(0x9E3779B97F4A7C15));
}

/* What word i of a block adds to the block's digest. */
static inline uint64_t kvp_payload_digest(uint32_t i, uint32_t word)
{
  return kvp_payload_mix(((uint64_t)i << 32 | word) + UINT64_C(0x9E3779B97F4A7C15));
}

#endif
