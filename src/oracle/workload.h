/* SPDX-License-Identifier: Apache-2.0 */
/* A workload: requests in the order they arrive, each a list of content ids.
   Read from a trace of JSON lines in the format that Mooncake published. */
#ifndef KVP_ORACLE_WORKLOAD_H
#define KVP_ORACLE_WORKLOAD_H

#include <stddef.h>
#include <stdint.h>

#include <kvpool/status.h>

struct kvp_workload {
  size_t num_requests;
  uint32_t longest; /* most ids in one request */
  size_t *first;    /* [num_requests + 1]: request i has ids[first[i]] .. ids[first[i + 1] - 1] */
  uint64_t *ids;
};

/* Reads at most `limit` requests. Each line is an object whose "hash_ids" is an array of
   integers that are not negative; "timestamp", "input_length" and "output_length" are integers
   where present. KVP_ARGUMENT if the file cannot be read or a line is not like that; then
   message[0 .. size) says where and what was expected. */
enum kvp_status kvp_workload_read(const char *path, size_t limit, struct kvp_workload *workload,
                                  char *message, size_t size);
void kvp_workload_release(struct kvp_workload *workload);

/* The hash of a content id: a one-to-one mix (SplitMix64's), so that no bucket of a pool sees
   consecutive numbers. */
static inline uint64_t kvp_content_hash(uint64_t id)
{
  id += UINT64_C(0x9E3779B97F4A7C15);
  id = (id ^ (id >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  id = (id ^ (id >> 27)) * UINT64_C(0x94D049BB133111EB);
  return id ^ (id >> 31);
}

#endif
