/* SPDX-License-Identifier: Apache-2.0 */
/* From the input's bytes to arguments. */
#include "src/oracle/draw.h"

#include <string.h>

/* Few enough to meet again, and equal in their low, middle or high bits, so that they share
   buckets of an index whatever it takes its bucket from. */
static const uint64_t usual_hashes[16] = {
  0,
  1,
  2,
  3,
  64,
  65,
  128,
  4096,
  UINT64_C(1) << 32,
  (UINT64_C(1) << 32) + 1,
  UINT64_C(1) << 63,
  (UINT64_C(1) << 63) + 64,
  UINT64_MAX,
  UINT64_MAX - 64,
  UINT64_C(0x9E3779B97F4A7C15),
  UINT64_C(0x9E3779B97F4A7C55),
};

uint8_t kvp_draw_byte(struct kvp_decoder *decoder) { return kvp_take_byte(&decoder->step); }

uint32_t kvp_draw_below(struct kvp_decoder *decoder, uint32_t limit)
{
  return kvp_draw_byte(decoder) % limit;
}

struct kvp_series kvp_draw_series(struct kvp_decoder *decoder, uint32_t n)
{
  struct kvp_series series = {.choice = kvp_draw_byte(decoder)};
  uint8_t byte = n > 1 ? kvp_draw_byte(decoder) : 0;
  series.step = byte % 32;
  series.period = byte / 32;
  return series;
}

uint8_t kvp_next_choice(struct kvp_series *series)
{
  uint32_t k = series->drawn++;
  if (series->period != 0)
    k %= series->period;
  return (uint8_t)(series->choice + k * series->step);
}

uint32_t kvp_next_block(struct kvp_decoder *decoder, struct kvp_series *series,
                        enum kvp_class wanted)
{
  uint32_t k = series->drawn;
  if (series->period != 0 && k >= series->period)
    return series->blocks[series->drawn++ % series->period];
  uint32_t block = kvp_draw_block(decoder, kvp_next_choice(series), wanted);
  if (k < KVP_LONGEST_PERIOD)
    series->blocks[k] = block;
  return block;
}

/* Of a block below max_blocks, which every pool shows. */
static struct kvp_view view_of(struct kvp_decoder *decoder, uint32_t block)
{
  struct kvp_view view;
  decoder->model.view(decoder->model.self, block, &view);
  return view;
}

enum { WITH_CONTENT = KVP_NUM_CLASSES }; /* not a class, but as good to look for */

/* The first such block from `choice` on and around, or KVP_NONE. */
static uint32_t live_block(struct kvp_decoder *decoder, uint8_t choice, int wanted)
{
  uint32_t n = decoder->shape.max_blocks;
  for (uint32_t k = 0; k < n; k++) {
    uint32_t block = (choice + k) % n;
    struct kvp_view view = view_of(decoder, block);
    if (wanted == WITH_CONTENT ? view.has_hash != 0 : (int)view.state == wanted)
      return block;
  }
  return KVP_NONE;
}

uint32_t kvp_draw_block(struct kvp_decoder *decoder, uint8_t choice, enum kvp_class wanted)
{
  uint32_t live = choice < 64 ? KVP_NONE : live_block(decoder, choice, (int)wanted);
  uint32_t any = choice % (decoder->shape.max_blocks + 2);
  if (live != KVP_NONE)
    return live;
  return any == decoder->shape.max_blocks + 1 ? KVP_NONE : any;
}

void kvp_draw_content(struct kvp_decoder *decoder, uint8_t choice, uint8_t tokens,
                      struct kvp_content *content)
{
  uint32_t live = choice < 128 ? KVP_NONE : live_block(decoder, choice, WITH_CONTENT);
  memset(content, 0, sizeof *content);
  if (live != KVP_NONE) {
    struct kvp_view view = view_of(decoder, live);
    content->hash = view.hash;
    content->length = view.length;
    for (uint32_t i = 0; i < view.length; i++)
      content->tokens[i] = view.tokens[i];
    return;
  }
  content->hash = usual_hashes[choice % 16];
  if (choice >= 112 && choice < 128) /* any: an odd factor maps different numbers differently */
    content->hash = (UINT64_C(256) * choice + tokens) * UINT64_C(0xD6E8FEB86659FD93);
  uint32_t block_size = decoder->shape.block_size;
  content->length = tokens >= 64 ? block_size : (tokens >> 2) % (block_size + 2);
  for (uint32_t i = 0; i < content->length; i++)
    content->tokens[i] = (tokens & 3) + i;
}
