/* SPDX-License-Identifier: Apache-2.0 */
/* The source: any bytes become a pool's shape and batches of operations. An action is a byte:
   five bits say what, three how often; its arguments follow. */
#include "fuzz/decode.h"

#include <limits.h>
#include <string.h>

#include "src/oracle/appliers.h"

enum action {
  POP,
  ALLOCATE, /* an id, or all that are reserved */
  CLAIM,
  FREE,
  PUBLISH,
  LOOKUP,
  MATCH,
  MATCH_PREFIX,
  CLEAR_INDEX,
  EXTEND,
  RETIRE_TOP,
  RESERVE,
  RELEASE,
  TAKE,  /* pop, then allocate what it gave */
  FRESH, /* pop, allocate, publish */
  ODD,   /* missing buffers and unknown kinds */
  END    /* of the batch */
};

/* How often an action comes up: its share of these. */
static const uint8_t actions[32] = {
  POP,        POP,        ALLOCATE, ALLOCATE, CLAIM,   CLAIM,   FREE,    FREE,
  FREE,       FREE,       PUBLISH,  PUBLISH,  PUBLISH, LOOKUP,  MATCH,   MATCH_PREFIX,
  RETIRE_TOP, RETIRE_TOP, EXTEND,   EXTEND,   RESERVE, RESERVE, RELEASE, CLEAR_INDEX,
  TAKE,       TAKE,       FRESH,    FRESH,    FRESH,   ODD,     END,     END,
};
static const uint8_t repeats[8] = {1, 1, 1, 2, 4, 8, 16, 40};

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

struct content {
  uint64_t hash;
  uint32_t length;
  uint32_t tokens[KVP_FUZZ_TOKENS + 1]; /* one more than a block takes */
};

static uint8_t next_byte(struct kvp_decoder *decoder)
{
  if (decoder->size == 0)
    return 0;
  decoder->size--;
  return *decoder->bytes++;
}

static uint32_t below(struct kvp_decoder *decoder, uint32_t limit)
{
  return next_byte(decoder) % limit;
}

enum kvp_status kvp_decoder_open(struct kvp_decoder *decoder, const uint8_t *bytes, size_t size)
{
  decoder->bytes = bytes;
  decoder->size = size;
  decoder->popped = KVP_NONE;
  decoder->num_reservations = 0;
  struct kvp_fuzz_shape *shape = &decoder->shape;
  uint8_t most = next_byte(decoder), now = next_byte(decoder);
  /* Small pools meet their limits sooner; large ones cross the borders of words and groups. */
  shape->max_blocks = most < 192 ? most % 24 : most % (KVP_FUZZ_BLOCKS + 1);
  shape->num_blocks = now < 128 ? shape->max_blocks : now % (shape->max_blocks + 1);
  shape->block_size = below(decoder, KVP_FUZZ_TOKENS + 1);
  shape->num_planes = 1;
  shape->fill_on_publish = 0;
  shape->block_words = 4 * below(decoder, KVP_FUZZ_WORDS / 4 + 1); /* 16 bytes at a time */
  shape->parallel_min = below(decoder, 10);
  shape->order_seed = next_byte(decoder);
  return kvp_open_model(shape->num_blocks, shape->max_blocks, shape->block_size, &decoder->model);
}

void kvp_decoder_close(struct kvp_decoder *decoder) { kvp_close_model(&decoder->model); }

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

/* A block id: mostly one of this class where there is one, else any up to just outside. */
static uint32_t draw_block(struct kvp_decoder *decoder, uint8_t choice, enum kvp_class wanted)
{
  uint32_t live = choice < 64 ? KVP_NONE : live_block(decoder, choice, (int)wanted);
  uint32_t any = choice % (decoder->shape.max_blocks + 2);
  if (live != KVP_NONE)
    return live;
  return any == decoder->shape.max_blocks + 1 ? KVP_NONE : any;
}

static void draw_content(struct kvp_decoder *decoder, struct content *content)
{
  uint8_t choice = next_byte(decoder);
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
  if (choice >= 112 && choice < 128)
    for (int i = 0; i < 8; i++)
      content->hash = content->hash << 8 | next_byte(decoder);
  uint8_t tokens = next_byte(decoder);
  uint32_t block_size = decoder->shape.block_size;
  content->length = tokens >= 64 ? block_size : (tokens >> 2) % (block_size + 2);
  for (uint32_t i = 0; i < content->length; i++)
    content->tokens[i] = (tokens & 3) + i;
}

/* An operation whose every field holds something that a kind which does not name it ignores. */
static struct kvp_op blank(enum kvp_kind kind)
{
  return (struct kvp_op){.kind = kind, .block = 1, .count = 3, .length = 2, .hash = 1};
}

static int is_full(const struct kvp_batch *batch)
{
  size_t most = (KVP_FUZZ_BLOCKS + 2) * sizeof(struct kvp_unit) + 32; /* by one operation */
  return batch->n == KVP_FUZZ_OPS || kvp_arena_room(&batch->arena) < most;
}

static uint32_t *copy_tokens(struct kvp_batch *batch, const struct content *content)
{
  uint32_t *tokens = kvp_arena_take(&batch->arena, content->length * sizeof *tokens);
  if (tokens != NULL)
    memcpy(tokens, content->tokens, content->length * sizeof *tokens);
  return tokens;
}

static void push(struct kvp_decoder *decoder, struct kvp_batch *batch, const struct kvp_op *op)
{
  struct kvp_result *result = &batch->results[batch->n];
  batch->ops[batch->n++] = *op;
  decoder->model.apply(decoder->model.self, op, 1, result);
  if (op->kind == KVP_POP)
    decoder->popped = result->block;
}

static void push_on_block(struct kvp_decoder *decoder, struct kvp_batch *batch, enum kvp_kind kind,
                          uint32_t block)
{
  struct kvp_op op = blank(kind);
  op.block = block;
  if (!is_full(batch))
    push(decoder, batch, &op);
}

static void push_plain(struct kvp_decoder *decoder, struct kvp_batch *batch, enum kvp_kind kind)
{
  push_on_block(decoder, batch, kind, 1);
}

/* A run over ids a step apart; a step of 0 is the same choice again. */
static void push_holds(struct kvp_decoder *decoder, struct kvp_batch *batch, enum kvp_kind kind,
                       uint32_t n)
{
  enum kvp_class wanted = kind == KVP_ALLOCATE ? KVP_RESERVED : KVP_USED;
  uint8_t choice = next_byte(decoder), step = n > 1 ? next_byte(decoder) : 0;
  if (kind == KVP_CLAIM && choice % 2 == 0)
    wanted = KVP_CACHED;
  for (uint32_t k = 0; k < n; k++, choice = (uint8_t)(choice + step))
    push_on_block(decoder, batch, kind, draw_block(decoder, choice, wanted));
}

static void push_publish(struct kvp_decoder *decoder, struct kvp_batch *batch, uint32_t block)
{
  struct content content;
  draw_content(decoder, &content);
  if (is_full(batch))
    return;
  struct kvp_op op = blank(KVP_PUBLISH);
  op.block = block;
  op.hash = content.hash;
  op.length = content.length;
  op.tokens = copy_tokens(batch, &content);
  push(decoder, batch, &op);
}

static void push_probe(struct kvp_decoder *decoder, struct kvp_batch *batch, enum kvp_kind kind)
{
  struct content content;
  draw_content(decoder, &content);
  struct kvp_op op = blank(kind);
  op.hash = content.hash;
  op.length = content.length;
  if (kind == KVP_MATCH)
    op.tokens = copy_tokens(batch, &content);
  push(decoder, batch, &op);
}

static void push_match_prefix(struct kvp_decoder *decoder, struct kvp_batch *batch)
{
  struct kvp_op op = blank(KVP_MATCH_PREFIX);
  uint64_t hashes[8];
  uint32_t tokens[8 * (KVP_FUZZ_TOKENS + 1)];
  op.count = below(decoder, 8);
  op.length = 0;
  for (uint32_t k = 0; k < op.count; k++) {
    struct content content;
    draw_content(decoder, &content);
    if (k == 0)
      op.length = content.length; /* all elements are of one length */
    hashes[k] = content.hash;
    memcpy(tokens + k * op.length, content.tokens, op.length * sizeof *tokens);
  }
  uint64_t *own_hashes = kvp_arena_take(&batch->arena, op.count * sizeof *hashes);
  if (own_hashes != NULL)
    memcpy(own_hashes, hashes, op.count * sizeof *hashes);
  size_t token_bytes = (size_t)op.count * op.length * sizeof *tokens;
  uint32_t *own_tokens = kvp_arena_take(&batch->arena, token_bytes);
  if (own_tokens != NULL)
    memcpy(own_tokens, tokens, token_bytes);
  op.hashes = own_hashes;
  op.tokens = own_tokens;
  push(decoder, batch, &op);
}

static void push_reserve(struct kvp_decoder *decoder, struct kvp_batch *batch)
{
  struct kvp_op op = blank(KVP_RESERVE);
  uint8_t choice = next_byte(decoder);
  op.owner = choice % 4;
  op.count = choice / 4 % 16;
  if (choice >= 240)
    op.count = decoder->shape.max_blocks + 1;
  op.units = kvp_arena_take(&batch->arena, op.count * sizeof *op.units);
  if (op.units != NULL)
    memset(op.units, 0, op.count * sizeof *op.units);
  push(decoder, batch, &op);
  if (batch->results[batch->n - 1].status != KVP_OK || op.count == 0
      || decoder->num_reservations == KVP_FUZZ_RESERVATIONS)
    return;
  struct kvp_reservation *held = &decoder->reservations[decoder->num_reservations++];
  held->owner = op.owner;
  held->count = op.count;
  for (uint32_t k = 0; k < op.count; k++)
    held->blocks[k] = op.units[k].block;
}

/* Spoils a release in one of the ways that must be refused; `how` 0 to 3 leaves it whole. */
static void spoil(struct kvp_op *op, uint8_t how, uint32_t max_blocks)
{
  struct kvp_unit *units = op->units, first = units[0];
  switch (how) {
  case 4: op->count--; break;
  case 5: op->owner++; break;
  case 6: op->owner = 0; break;
  case 7: units[0].block = max_blocks; break;
  case 8: units[op->count - 1] = first; break;
  case 9:
    units[0] = units[op->count - 1];
    units[op->count - 1] = first;
    break;
  case 10: op->units++, op->count--; break; /* all but the first */
  case 11: op->count++; break;              /* and the unit that follows here */
  default: break;
  }
}

static void push_release(struct kvp_decoder *decoder, struct kvp_batch *batch)
{
  struct kvp_op op = blank(KVP_RELEASE);
  uint8_t choice = next_byte(decoder), how = next_byte(decoder) % 12;
  uint32_t which = decoder->num_reservations == 0 ? 0 : choice % decoder->num_reservations;
  static const struct kvp_reservation nobody = {.owner = 1, .count = 1, .blocks = {0}};
  struct kvp_reservation *held = &decoder->reservations[which];
  const struct kvp_reservation *from = decoder->num_reservations == 0 ? &nobody : held;
  uint32_t room = from->count + (how == 11);
  op.owner = from->owner;
  op.count = from->count;
  op.units = kvp_arena_take(&batch->arena, room * sizeof *op.units);
  for (uint32_t k = 0; k < room; k++)
    op.units[k] = (struct kvp_unit){.block = k < from->count ? from->blocks[k] : choice};
  spoil(&op, how, decoder->shape.max_blocks);
  push(decoder, batch, &op);
  if (from == held && op.count == from->count && batch->results[batch->n - 1].status == KVP_OK)
    *held = decoder->reservations[--decoder->num_reservations];
}

static void push_odd(struct kvp_decoder *decoder, struct kvp_batch *batch)
{
  static const int unknown[4] = {KVP_NUM_KINDS, -1, INT_MIN, INT_MAX};
  uint8_t choice = next_byte(decoder);
  struct kvp_op op = blank(KVP_POP);
  op.owner = 1;
  op.count = 1 + choice / 16;
  op.length = choice / 8 % 4;
  uint64_t *hash = kvp_arena_take(&batch->arena, op.count * sizeof *hash);
  memset(hash, 0, op.count * sizeof *hash);
  switch (choice % 8) {
  case 0: op.kind = KVP_PUBLISH; break;
  case 1: op.kind = KVP_MATCH; break;
  case 2: op.kind = KVP_MATCH_PREFIX; break;
  case 3:
    op.kind = KVP_MATCH_PREFIX;
    op.hashes = hash;
    break;
  case 4: op.kind = KVP_RESERVE; break;
  case 5: op.kind = KVP_RELEASE; break;
  default: op.kind = (enum kvp_kind)unknown[op.length]; break;
  }
  push(decoder, batch, &op);
}

/* One action; each that can overfill the batch stops where it is full. */
static void push_action(struct kvp_decoder *decoder, struct kvp_batch *batch, enum action action,
                        uint32_t n)
{
  static const uint32_t growth[4] = {0, 1, 5, UINT32_MAX};
  struct kvp_op op = blank(KVP_EXTEND);
  switch (action) {
  case ALLOCATE: push_holds(decoder, batch, KVP_ALLOCATE, n); return;
  case CLAIM: push_holds(decoder, batch, KVP_CLAIM, n); return;
  case FREE: push_holds(decoder, batch, KVP_FREE, n); return;
  case LOOKUP: push_probe(decoder, batch, KVP_LOOKUP); return;
  case MATCH: push_probe(decoder, batch, KVP_MATCH); return;
  case MATCH_PREFIX: push_match_prefix(decoder, batch); return;
  case CLEAR_INDEX: push_plain(decoder, batch, KVP_CLEAR_INDEX); return;
  case EXTEND:
    op.count = n > 2 ? n : growth[below(decoder, 4)];
    push(decoder, batch, &op);
    return;
  case RESERVE: push_reserve(decoder, batch); return;
  case RELEASE: push_release(decoder, batch); return;
  case ODD: push_odd(decoder, batch); return;
  case PUBLISH:
    for (uint32_t k = 0; k < n && k < 16; k++) {
      uint8_t choice = next_byte(decoder);
      push_publish(decoder, batch, draw_block(decoder, choice, KVP_USED));
    }
    return;
  case POP:
  case RETIRE_TOP:
    for (uint32_t k = 0; k < n; k++)
      push_plain(decoder, batch, action == POP ? KVP_POP : KVP_RETIRE_TOP);
    return;
  case TAKE:
  case FRESH:
    for (uint32_t k = 0; k < n && !is_full(batch); k++) {
      push_plain(decoder, batch, KVP_POP);
      push_on_block(decoder, batch, KVP_ALLOCATE, decoder->popped);
      if (action == FRESH)
        push_publish(decoder, batch, decoder->popped);
    }
    return;
  case END: return;
  }
}

int kvp_decoder_batch(struct kvp_decoder *decoder, struct kvp_batch *batch)
{
  batch->n = 0;
  kvp_arena_reset(&batch->arena);
  if (decoder->size == 0)
    return 0;
  while (decoder->size != 0 && !is_full(batch)) {
    uint8_t byte = next_byte(decoder);
    enum action action = (enum action)actions[byte % 32];
    if (action == END)
      break;
    push_action(decoder, batch, action, repeats[byte / 32]);
  }
  return 1;
}

void kvp_decoder_touch(struct kvp_decoder *decoder, struct kvp_touch *touch)
{
  uint8_t choice = next_byte(decoder);
  touch->filled = KVP_NONE;
  if (choice >= 128) {
    touch->seed = next_byte(decoder);
    touch->filled = draw_block(decoder, (uint8_t)touch->seed, KVP_USED);
    if (touch->filled >= decoder->shape.max_blocks)
      touch->filled = KVP_NONE;
  }
  touch->num_written = choice % 4;
  for (uint32_t k = 0; k < touch->num_written; k++) {
    touch->entries[k] = below(decoder, KVP_FUZZ_TABLE_ENTRIES);
    touch->blocks[k] = draw_block(decoder, next_byte(decoder), KVP_USED);
    if (touch->blocks[k] >= decoder->shape.max_blocks)
      touch->blocks[k] = KVP_NONE;
  }
}
