/* SPDX-License-Identifier: Apache-2.0 */
/* What libFuzzer calls, for targets that tell an input only once it has diverged. */
#include "fuzz/one_input.h"

#include <stdio.h>

#include "fuzz/harness.h"
#include "fuzz/target.h"

static struct kvp_bytes current; /* the input that is run */
static int tell_all;             /* every input's story, for a crash that tells none */

void kvp_tell_again(void)
{
  kvp_run_input(current, 1);
  fprintf(stderr, "divergence that does not come again\n");
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
