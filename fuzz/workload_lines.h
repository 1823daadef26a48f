/* SPDX-License-Identifier: Apache-2.0 */
/* Traces whose requests are known before they are read: bytes become lines of many styles, up to
   one that is wrong, if any is. */
#ifndef KVP_FUZZ_WORKLOAD_LINES_H
#define KVP_FUZZ_WORKLOAD_LINES_H

#include "src/oracle/bytes.h"
#include "src/oracle/workload.h"

enum { KVP_LINES_TEXT = 1 << 16, KVP_LINES_IDS = 2048, KVP_LINES_MOST = 512 };

struct kvp_lines {
  size_t size;
  char text[KVP_LINES_TEXT];
  struct kvp_workload requests; /* of the right lines */
  size_t first[KVP_LINES_MOST + 1];
  uint64_t ids[KVP_LINES_IDS];
  const char *expected; /* what the message about the line after them has to name, or NULL */
};

void kvp_write_lines(struct kvp_lines *lines, struct kvp_bytes input);

#endif
