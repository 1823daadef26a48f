/* SPDX-License-Identifier: Apache-2.0 */
/* The end that the registry's and the engine's targets turn to libFuzzer. */
#include "fuzz/registry_harness.h"

#include <stdio.h>
#include <stdlib.h>

#include "fuzz/harness.h"
#include "fuzz/registry_pair.h"
#include "fuzz/target.h"

static struct kvp_bytes current; /* the input that is run */
static int tell_all;             /* every input's story, for a crash that tells none */

_Noreturn void kvp_diverge(const struct kvp_pair *pair)
{
  if (!pair->tells) {
    kvp_run_input(current, 1);
    fprintf(stderr, "divergence that does not come again\n");
  }
  abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
  (void)argc, (void)argv;
  tell_all = kvp_harness_begin();
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
  current = (struct kvp_bytes){bytes, size};
  kvp_harness_count(kvp_run_input(current, tell_all));
  return 0;
}
