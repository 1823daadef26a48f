/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target of the registry: any bytes become a shape and operations that mostly make sense,
   for model and reference. A divergence is told as a story on stderr, and is a crash. */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz/harness.h"
#include "fuzz/registry_actions.h"
#include "fuzz/target.h"

static struct kvp_pair pair;
static struct kvp_bytes current; /* the input that is run */
static int tell_all;             /* every input's story, for a crash that tells none */

static void apply(struct kvp_play *play, const struct kvp_registry_op *op)
{
  struct kvp_registry_result result;
  kvp_pair_apply(&pair, op, &result);
  kvp_play_note(play, op, &result);
}

static void run(struct kvp_bytes input, int tells)
{
  struct kvp_registry_shape shape = kvp_draw_shape(&input);
  struct kvp_play play = {.input = input, .pair = &pair, .apply = apply};
  kvp_pair_open(&pair, &shape, tells);
  while (play.input.left != 0)
    kvp_registry_act(&play);
  kvp_pair_close(&pair);
}

_Noreturn void kvp_diverge(const struct kvp_pair *diverged)
{
  if (!diverged->tells) {
    run(current, 1);
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
  run(current, tell_all);
  kvp_harness_count(pair.num_ops);
  return 0;
}
