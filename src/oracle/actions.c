/* SPDX-License-Identifier: Apache-2.0 */
/* What an input can do to a pool. The model runs along, so that arguments can be live ones. */
#include "src/oracle/actions.h"

#include <limits.h>
#include <string.h>

#include "src/oracle/draw.h"

enum { LONGEST_CHAIN = 24 }; /* of match_prefix: longer than a group of the host */

/* An operation whose every field holds something that a kind which does not name it ignores. */
static struct kvp_op blank(enum kvp_kind kind)
{
  return (struct kvp_op){.kind = kind, .block = 1, .count = 3, .length = 2, .hash = 1};
}

int kvp_batch_is_full(const struct kvp_batch *batch)
{
  size_t most = (KVP_FUZZ_BLOCKS + 2) * sizeof(struct kvp_unit) + 32; /* by one operation */
  return batch->n == KVP_FUZZ_OPS || kvp_arena_room(&batch->arena) < most;
}

static uint32_t *copy_tokens(struct kvp_batch *batch, const struct kvp_content *content)
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
  if (!kvp_batch_is_full(batch))
    push(decoder, batch, &op);
}

static void push_plain(struct kvp_decoder *decoder, struct kvp_batch *batch, enum kvp_kind kind,
                       uint32_t n)
{
  for (uint32_t k = 0; k < n; k++)
    push_on_block(decoder, batch, kind, 1);
}

/* A run over a series of blocks. */
static void push_holds(struct kvp_decoder *decoder, struct kvp_batch *batch, enum kvp_kind kind,
                       uint32_t n)
{
  static const enum kvp_class given[4] = {KVP_RESERVED, KVP_RESERVED, KVP_CACHED, KVP_VACANT};
  struct kvp_series series = kvp_draw_series(decoder, n);
  enum kvp_class wanted = KVP_USED;
  if (kind == KVP_ALLOCATE)
    wanted = given[series.choice % 4];
  else if (kind == KVP_CLAIM && series.choice % 2 == 0)
    wanted = KVP_CACHED;
  for (uint32_t k = 0; k < n; k++)
    push_on_block(decoder, batch, kind, kvp_next_block(decoder, &series, wanted));
}

static void push_publish(struct kvp_decoder *decoder, struct kvp_batch *batch, uint32_t block,
                         const struct kvp_content *content)
{
  if (kvp_batch_is_full(batch))
    return;
  struct kvp_op op = blank(KVP_PUBLISH);
  op.block = block;
  op.hash = content->hash;
  op.length = content->length;
  op.tokens = copy_tokens(batch, content);
  push(decoder, batch, &op);
}

/* Contents take turns on blocks, as the two series say. */
static void push_publishes(struct kvp_decoder *decoder, struct kvp_batch *batch, uint32_t n)
{
  struct kvp_series blocks = kvp_draw_series(decoder, n), contents = kvp_draw_series(decoder, n);
  uint8_t tokens = kvp_draw_byte(decoder);
  for (uint32_t k = 0; k < n && !kvp_batch_is_full(batch); k++) {
    struct kvp_content content;
    kvp_draw_content(decoder, kvp_next_choice(&contents), (uint8_t)(tokens + k % 2), &content);
    push_publish(decoder, batch, kvp_next_block(decoder, &blocks, KVP_USED), &content);
  }
}

static void push_probes(struct kvp_decoder *decoder, struct kvp_batch *batch, enum kvp_kind kind,
                        uint32_t n)
{
  struct kvp_series contents = kvp_draw_series(decoder, n);
  uint8_t tokens = kvp_draw_byte(decoder);
  for (uint32_t k = 0; k < n && !kvp_batch_is_full(batch); k++) {
    struct kvp_content content;
    kvp_draw_content(decoder, kvp_next_choice(&contents), tokens, &content);
    struct kvp_op op = blank(kind);
    op.hash = content.hash;
    op.length = content.length;
    if (kind == KVP_MATCH)
      op.tokens = copy_tokens(batch, &content);
    push(decoder, batch, &op);
  }
}

/* A chain of contents, all of the first one's length. */
static void push_prefix(struct kvp_decoder *decoder, struct kvp_batch *batch,
                        struct kvp_series contents, uint8_t tokens, uint32_t count)
{
  struct kvp_op op = blank(KVP_MATCH_PREFIX);
  uint64_t *hashes = kvp_arena_take(&batch->arena, count * sizeof *hashes);
  uint32_t chain[LONGEST_CHAIN * (KVP_FUZZ_TOKENS + 1)];
  op.count = count;
  op.length = 0;
  for (uint32_t k = 0; hashes != NULL && k < count; k++) {
    struct kvp_content content;
    kvp_draw_content(decoder, kvp_next_choice(&contents), tokens, &content);
    if (k == 0)
      op.length = content.length;
    hashes[k] = content.hash;
    memcpy(chain + k * op.length, content.tokens, op.length * sizeof *chain);
  }
  size_t bytes = (size_t)count * op.length * sizeof *chain;
  uint32_t *own = kvp_arena_take(&batch->arena, bytes);
  if (own != NULL)
    memcpy(own, chain, bytes);
  op.hashes = hashes;
  op.tokens = own;
  push(decoder, batch, &op);
}

/* Chains that begin one after the other in one series of contents. */
static void push_prefixes(struct kvp_decoder *decoder, struct kvp_batch *batch, uint32_t n)
{
  struct kvp_series contents = kvp_draw_series(decoder, 2);
  uint8_t tokens = kvp_draw_byte(decoder), count = kvp_draw_byte(decoder);
  for (uint32_t k = 0; k < n && !kvp_batch_is_full(batch); k++, kvp_next_choice(&contents))
    push_prefix(decoder, batch, contents, tokens, (count + k) % (LONGEST_CHAIN + 1));
}

static void push_reserve(struct kvp_decoder *decoder, struct kvp_batch *batch, uint8_t choice)
{
  struct kvp_op op = blank(KVP_RESERVE);
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

static void push_reserves(struct kvp_decoder *decoder, struct kvp_batch *batch, uint32_t n)
{
  struct kvp_series choices = kvp_draw_series(decoder, n);
  for (uint32_t k = 0; k < n && !kvp_batch_is_full(batch); k++)
    push_reserve(decoder, batch, kvp_next_choice(&choices));
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

/* Forgets the reservation that this block began. */
static void forget(struct kvp_decoder *decoder, uint32_t block)
{
  for (uint32_t i = 0; i < decoder->num_reservations; i++)
    if (decoder->reservations[i].blocks[0] == block) {
      decoder->reservations[i] = decoder->reservations[--decoder->num_reservations];
      return;
    }
}

static void push_release(struct kvp_decoder *decoder, struct kvp_batch *batch,
                         const struct kvp_reservation *from, uint8_t how)
{
  struct kvp_op op = blank(KVP_RELEASE);
  uint32_t room = from->count + (how == 11);
  op.owner = from->owner;
  op.count = from->count;
  op.units = kvp_arena_take(&batch->arena, room * sizeof *op.units);
  for (uint32_t k = 0; k < room; k++)
    op.units[k] = (struct kvp_unit){.block = k < from->count ? from->blocks[k] : how};
  spoil(&op, how, decoder->shape.max_blocks);
  push(decoder, batch, &op);
  if (batch->results[batch->n - 1].status == KVP_OK && op.count == from->count)
    forget(decoder, from->blocks[0]);
}

/* Of what was held before the first of them, so that the same may be released again. */
static void push_releases(struct kvp_decoder *decoder, struct kvp_batch *batch, uint32_t n)
{
  struct kvp_reservation held[KVP_FUZZ_RESERVATIONS] = {{.owner = 1, .count = 1, .blocks = {0}}};
  struct kvp_series choices = kvp_draw_series(decoder, n), ways = kvp_draw_series(decoder, n);
  uint32_t num_held = decoder->num_reservations == 0 ? 1 : decoder->num_reservations;
  memcpy(held, decoder->reservations, decoder->num_reservations * sizeof *held);
  for (uint32_t k = 0; k < n && !kvp_batch_is_full(batch); k++)
    push_release(decoder, batch, &held[kvp_next_choice(&choices) % num_held],
                 kvp_next_choice(&ways) % 12);
}

static void push_extends(struct kvp_decoder *decoder, struct kvp_batch *batch, uint32_t n)
{
  static const uint32_t growth[4] = {0, 1, 5, UINT32_MAX};
  struct kvp_series choices = kvp_draw_series(decoder, n);
  for (uint32_t k = 0; k < n && !kvp_batch_is_full(batch); k++) {
    struct kvp_op op = blank(KVP_EXTEND);
    op.count = growth[kvp_next_choice(&choices) % 4];
    push(decoder, batch, &op);
  }
}

/* Blocks that are taken one by one, and published if that is asked. */
static void push_fresh(struct kvp_decoder *decoder, struct kvp_batch *batch, uint32_t n,
                       int is_published)
{
  struct kvp_series contents = {0};
  uint8_t tokens = 0;
  if (is_published) {
    contents = kvp_draw_series(decoder, n);
    tokens = kvp_draw_byte(decoder);
  }
  for (uint32_t k = 0; k < n && !kvp_batch_is_full(batch); k++) {
    struct kvp_content content;
    push_plain(decoder, batch, KVP_POP, 1);
    push_on_block(decoder, batch, KVP_ALLOCATE, decoder->popped);
    if (!is_published)
      continue;
    kvp_draw_content(decoder, kvp_next_choice(&contents), tokens, &content);
    push_publish(decoder, batch, decoder->popped, &content);
  }
}

static void push_odd(struct kvp_decoder *decoder, struct kvp_batch *batch)
{
  static const int unknown[4] = {KVP_NUM_KINDS, -1, INT_MIN, INT_MAX};
  uint8_t choice = kvp_draw_byte(decoder);
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

void kvp_push_action(struct kvp_decoder *decoder, struct kvp_batch *batch, enum kvp_action action,
                     uint32_t n)
{
  switch (action) {
  case KVP_DO_POP: push_plain(decoder, batch, KVP_POP, n); return;
  case KVP_DO_ALLOCATE: push_holds(decoder, batch, KVP_ALLOCATE, n); return;
  case KVP_DO_CLAIM: push_holds(decoder, batch, KVP_CLAIM, n); return;
  case KVP_DO_FREE: push_holds(decoder, batch, KVP_FREE, n); return;
  case KVP_DO_PUBLISH: push_publishes(decoder, batch, n); return;
  case KVP_DO_LOOKUP: push_probes(decoder, batch, KVP_LOOKUP, n); return;
  case KVP_DO_MATCH: push_probes(decoder, batch, KVP_MATCH, n); return;
  case KVP_DO_MATCH_PREFIX: push_prefixes(decoder, batch, n); return;
  case KVP_DO_CLEAR_INDEX: push_plain(decoder, batch, KVP_CLEAR_INDEX, n); return;
  case KVP_DO_EXTEND: push_extends(decoder, batch, n); return;
  case KVP_DO_RETIRE_TOP: push_plain(decoder, batch, KVP_RETIRE_TOP, n); return;
  case KVP_DO_RESERVE: push_reserves(decoder, batch, n); return;
  case KVP_DO_RELEASE: push_releases(decoder, batch, n); return;
  case KVP_DO_TAKE: push_fresh(decoder, batch, n, 0); return;
  case KVP_DO_FRESH: push_fresh(decoder, batch, n, 1); return;
  case KVP_DO_ODD: push_odd(decoder, batch); return;
  case KVP_DO_END: return;
  }
}
