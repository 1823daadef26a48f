/* SPDX-License-Identifier: Apache-2.0 */
/* The end that the targets of one subject turn to libFuzzer. */
#include "fuzz/claim.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz/harness.h"
#include "fuzz/target.h"

static struct kvp_bytes current; /* the input that is run */
static int tells;                /* whether it is told */

void kvp_tell(const char *format, ...)
{
  va_list arguments;
  if (!tells)
    return;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
}

_Noreturn void kvp_claim_failed(const char *what, uint64_t at, uint64_t expected, uint64_t found)
{
  if (!tells) {
    tells = 1;
    kvp_run_claims(current);
    fprintf(stderr, "divergence that does not come again\n");
  }
  fprintf(stderr,
          "divergence: %s, %" PRIu64 ": %" PRId64 " (0x%" PRIx64 ") and not %" PRId64 " (0x%" PRIx64
          ")\n",
          what, at, (int64_t)found, found, (int64_t)expected, expected);
  abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
  (void)argc, (void)argv;
  tells = kvp_harness_begin();
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
  current = (struct kvp_bytes){bytes, size};
  kvp_harness_count(kvp_run_claims(current));
  return 0;
}
