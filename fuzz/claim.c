/* SPDX-License-Identifier: Apache-2.0 */
/* Claims, and what becomes of an input on which one fails. */
#include "fuzz/claim.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz/one_input.h"

static int tells; /* whether the input that is run is told */

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
  if (!tells)
    kvp_tell_again();
  fprintf(stderr,
          "divergence: %s, %" PRIu64 ": %" PRId64 " (0x%" PRIx64 ") and not %" PRId64 " (0x%" PRIx64
          ")\n",
          what, at, (int64_t)found, found, (int64_t)expected, expected);
  abort();
}

size_t kvp_run_input(struct kvp_bytes input, int is_told)
{
  tells = is_told;
  return kvp_run_claims(input);
}
