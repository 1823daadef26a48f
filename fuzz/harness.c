/* SPDX-License-Identifier: Apache-2.0 */
/* What the fuzz targets share: how they are set up, and how hard they work. */
#include "fuzz/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

const char *__asan_default_options(void);

/* Freed memory is reused soon: untouched pages cost more than late reports are worth. New memory
   is full of rubbish, so that nobody can count on zeros. */
const char *__asan_default_options(void)
{
  return "quarantine_size_mb=4:max_malloc_fill_size=65536:malloc_fill_byte=90";
}

static size_t num_executions, executions_of[2048]; /* by their operations */

static void print_statistics(void)
{
  size_t median = 0;
  for (size_t seen = executions_of[0]; seen * 2 < num_executions; seen += executions_of[median])
    median++;
  double seconds = (double)clock() / CLOCKS_PER_SEC;
  fprintf(stderr, "executions: %zu, median of %zu operations, %.0f a second of processor time\n",
          num_executions, median, (double)num_executions / seconds);
}

int kvp_harness_begin(void)
{
  if (getenv("KVP_FUZZ_STATISTICS") != NULL)
    atexit(print_statistics);
  return getenv("KVP_FUZZ_STORY") != NULL;
}

void kvp_harness_count(size_t num_ops)
{
  num_executions++;
  executions_of[num_ops < 2047 ? num_ops : 2047]++;
}
