/* SPDX-License-Identifier: Apache-2.0 */
/* The source: any bytes become a pool's shape and batches of operations. An action is a step: five
   bits say what, three how often; its arguments follow. */
#include "src/oracle/decode.h"

#include "src/oracle/actions.h"
#include "src/oracle/appliers.h"
#include "src/oracle/draw.h"

/* How often an action comes up: its share of these. */
static const uint8_t actions[32] = {
  KVP_DO_POP,          KVP_DO_POP,        KVP_DO_ALLOCATE,   KVP_DO_ALLOCATE,    KVP_DO_CLAIM,
  KVP_DO_CLAIM,        KVP_DO_FREE,       KVP_DO_FREE,       KVP_DO_FREE,        KVP_DO_FREE,
  KVP_DO_PUBLISH,      KVP_DO_PUBLISH,    KVP_DO_PUBLISH,    KVP_DO_LOOKUP,      KVP_DO_MATCH,
  KVP_DO_MATCH_PREFIX, KVP_DO_RETIRE_TOP, KVP_DO_RETIRE_TOP, KVP_DO_EXTEND,      KVP_DO_EXTEND,
  KVP_DO_RESERVE,      KVP_DO_RESERVE,    KVP_DO_RELEASE,    KVP_DO_CLEAR_INDEX, KVP_DO_TAKE,
  KVP_DO_TAKE,         KVP_DO_FRESH,      KVP_DO_FRESH,      KVP_DO_FRESH,       KVP_DO_ODD,
  KVP_DO_END,          KVP_DO_END,
};
static const uint8_t repeats[8] = {1, 1, 1, 2, 4, 8, 18, 40};

/* An input can do without some of these: a pool that is never freed, or only resized, meets what
   others do not. Odd operations and ends are in all. */
enum group { TAKING, CLAIMING, FREEING, PUBLISHING, LOOKING, CLEARING, RESIZING, RESERVING };

static const uint8_t groups[KVP_DO_ODD] = {
  [KVP_DO_POP] = TAKING,           [KVP_DO_ALLOCATE] = TAKING,      [KVP_DO_TAKE] = TAKING,
  [KVP_DO_CLAIM] = CLAIMING,       [KVP_DO_FREE] = FREEING,         [KVP_DO_PUBLISH] = PUBLISHING,
  [KVP_DO_FRESH] = PUBLISHING,     [KVP_DO_LOOKUP] = LOOKING,       [KVP_DO_MATCH] = LOOKING,
  [KVP_DO_MATCH_PREFIX] = LOOKING, [KVP_DO_CLEAR_INDEX] = CLEARING, [KVP_DO_EXTEND] = RESIZING,
  [KVP_DO_RETIRE_TOP] = RESIZING,  [KVP_DO_RESERVE] = RESERVING,    [KVP_DO_RELEASE] = RESERVING};

static int is_left_out(const struct kvp_decoder *decoder, enum kvp_action action)
{
  return action < KVP_DO_ODD && decoder->shape.swarm >> groups[action] & 1;
}

enum kvp_status kvp_decoder_open(struct kvp_decoder *decoder, const uint8_t *bytes, size_t size)
{
  decoder->input = (struct kvp_bytes){bytes, size};
  decoder->step = kvp_take_step(&decoder->input, KVP_FUZZ_HEAD);
  decoder->popped = KVP_NONE;
  decoder->num_reservations = 0;
  struct kvp_fuzz_shape *shape = &decoder->shape;
  uint8_t most = kvp_draw_byte(decoder), now = kvp_draw_byte(decoder);
  /* Small pools meet their limits sooner; large ones cross the borders of words and groups. */
  shape->max_blocks = most < 192 ? most % 24 : most % (KVP_FUZZ_BLOCKS + 1);
  shape->num_blocks = now < 128 ? shape->max_blocks : now % (shape->max_blocks + 1);
  shape->block_size = kvp_draw_below(decoder, KVP_FUZZ_TOKENS + 1);
  uint8_t payload = kvp_draw_byte(decoder), style = kvp_draw_byte(decoder);
  shape->block_words = 4 * (payload % (KVP_FUZZ_WORDS / 4 + 1)); /* 16 bytes at a time */
  shape->num_planes = 1 + payload / 4 % KVP_FUZZ_PLANES;
  shape->fill_on_publish = payload / 64 % 2;
  shape->parallel_min = style < 160 ? 1 : style % 10; /* mostly no run is too short */
  shape->order_seed = kvp_draw_byte(decoder);
  shape->swarm = kvp_draw_byte(decoder);
  return kvp_open_model(shape->num_blocks, shape->max_blocks, shape->block_size, &decoder->model);
}

void kvp_decoder_close(struct kvp_decoder *decoder) { kvp_close_model(&decoder->model); }

int kvp_decoder_batch(struct kvp_decoder *decoder, struct kvp_batch *batch)
{
  batch->n = 0;
  kvp_arena_reset(&batch->arena);
  if (decoder->input.left == 0)
    return 0;
  while (decoder->input.left != 0 && !kvp_batch_is_full(batch)) {
    decoder->step = kvp_take_step(&decoder->input, KVP_FUZZ_STEP);
    uint8_t byte = kvp_draw_byte(decoder);
    enum kvp_action action = (enum kvp_action)actions[byte % 32];
    if (action == KVP_DO_END)
      return 1;
    if (!is_left_out(decoder, action))
      kvp_push_action(decoder, batch, action, repeats[byte / 32]);
  }
  decoder->step.left = 0; /* no end, so nothing after it */
  return 1;
}

void kvp_decoder_touch(struct kvp_decoder *decoder, struct kvp_touch *touch)
{
  uint8_t choice = kvp_draw_byte(decoder);
  touch->filled = KVP_NONE;
  if (choice >= 128) {
    touch->seed = kvp_draw_byte(decoder);
    touch->filled = kvp_draw_block(decoder, (uint8_t)touch->seed, KVP_USED);
    if (touch->filled >= decoder->shape.max_blocks)
      touch->filled = KVP_NONE;
  }
  touch->num_written = choice % 4;
  for (uint32_t k = 0; k < touch->num_written; k++) {
    touch->entries[k] = kvp_draw_below(decoder, KVP_FUZZ_TABLE_ENTRIES);
    touch->blocks[k] = kvp_draw_block(decoder, kvp_draw_byte(decoder), KVP_USED);
    if (touch->blocks[k] >= decoder->shape.max_blocks)
      touch->blocks[k] = KVP_NONE;
  }
}
