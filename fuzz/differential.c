/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target of the pool: model, reference and device path must answer and look the same
   after every batch. A divergence is told as a story on stderr, and is a crash. */
#include "src/oracle/differential.h"

#include <stdlib.h>

#include "fuzz/harness.h"
#include "fuzz/target.h"

static struct kvp_differential run = {.backend = "host"};
static int tell_all; /* the story of every input before it runs, for a crash that tells none */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
  (void)argc, (void)argv;
  if (getenv("KVP_FUZZ_DEVICE") != NULL)
    run.backend = getenv("KVP_FUZZ_DEVICE");
  if (getenv("KVP_FUZZ_ORDER") != NULL)
    run.order = strtoull(getenv("KVP_FUZZ_ORDER"), NULL, 10);
  tell_all = kvp_harness_begin();
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
  struct kvp_input input = {bytes, size};
  struct kvp_finding finding;
  if (tell_all)
    kvp_print_story(stderr, &run, input, SIZE_MAX);
  if (kvp_differential_run(&run, input, &finding)) {
    kvp_print_story(stderr, &run, input, finding.batch);
    kvp_print_finding(stderr, &run, &finding);
    abort();
  }
  kvp_harness_count(run.num_ops);
  return 0;
}
