/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target of the registry: any bytes become a shape and operations that mostly make sense,
   for model and reference. A divergence is told as a story on stderr, and is a crash. */
#include "fuzz/registry_actions.h"
#include "fuzz/one_input.h"

static struct kvp_pair pair;

static void apply(struct kvp_play *play, const struct kvp_registry_op *op)
{
  struct kvp_registry_result result;
  kvp_pair_apply(&pair, op, &result);
  kvp_play_note(play, op, &result);
}

size_t kvp_run_input(struct kvp_bytes input, int tells)
{
  struct kvp_bytes head = kvp_take_step(&input, KVP_PLAY_HEAD);
  struct kvp_registry_shape shape = kvp_draw_shape(&head);
  struct kvp_play play = {.swarm = kvp_take_byte(&head), .pair = &pair, .apply = apply};
  kvp_pair_open(&pair, &shape, tells);
  while (input.left != 0) {
    play.step = kvp_take_step(&input, KVP_PLAY_STEP);
    kvp_registry_act(&play);
  }
  kvp_pair_close(&pair);
  return pair.num_ops;
}
