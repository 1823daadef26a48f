/* SPDX-License-Identifier: Apache-2.0 */
/* From the input's bytes to arguments of the registry's operations. */
#include "fuzz/registry_draw.h"

#include <string.h>

#include <kvpool/hash.h>

#include "spec/registry_model.h"

enum { SALT = 7 };

/* A tree: of each content the one before it, or its own number if it is a root. */
static const uint8_t parents[KVP_PLAY_CONTENTS] = {0, 0, 1,  2,  3,  4,  1,  6,
                                                   0, 8, 10, 10, 11, 10, 14, 15};

struct kvp_registry_shape kvp_draw_shape(struct kvp_bytes *head)
{
  uint8_t most = kvp_take_byte(head), now = kvp_take_byte(head);
  uint8_t style = kvp_take_byte(head), handles = kvp_take_byte(head);
  uint32_t max_blocks = most % (KVP_PLAY_BLOCKS + 1);
  return (struct kvp_registry_shape){
    .num_blocks = now < 192 ? max_blocks : now % (max_blocks + 1),
    .max_blocks = max_blocks,
    .block_size = 1 + most / 17 % KVP_PLAY_TOKENS,
    .max_handles = handles < 128 ? KVP_PLAY_HANDLES : handles % (KVP_PLAY_HANDLES + 1),
    .max_events = now % (KVP_PLAY_EVENTS + 1),
    .tag = style / 4 % 3 * 127,
    .leaf_first = style & 1,
    .keep_duplicates = style >> 1 & 1};
}

/* The contents of all block sizes, hashed once. */
static const struct kvp_block_content *contents_of(uint32_t block_size)
{
  static struct kvp_block_content all[KVP_PLAY_TOKENS][KVP_PLAY_CONTENTS];
  struct kvp_block_content *contents = all[block_size - 1];
  if (contents[0].length != 0)
    return contents;
  for (uint32_t c = 0; c < KVP_PLAY_CONTENTS; c++) {
    uint64_t hash = 0;
    for (uint32_t i = 0; i <= block_size; i++)
      contents[c].tokens[i] = c * 16 + i;
    contents[c].length = block_size;
    contents[c].salt = SALT;
    kvp_hash_block(contents[c].tokens, block_size, SALT, &hash);
    if (parents[c] != c) {
      contents[c].position = contents[parents[c]].position + 1;
      contents[c].parent = contents[parents[c]].hash;
      hash = kvp_hash_sequence(contents[c].parent, hash, SALT);
    }
    contents[c].hash = hash;
  }
  return contents;
}

static struct kvp_block_view view_of(const struct kvp_play *play, uint32_t block)
{
  struct kvp_block_view view = {0};
  kvp_registry_model_view(play->pair->judge, block, &view);
  return view;
}

static int is_registered(const struct kvp_block_view *view)
{
  return view->state == KVP_BLOCK_ACTIVE || view->state == KVP_BLOCK_CACHED;
}

static int is_pinned(const struct kvp_block_view *view) { return view->pins != 0; }

/* Such a block, from `choice` on and around; one of zeros if there is none. */
static struct kvp_block_view live_block(const struct kvp_play *play, uint8_t choice,
                                        int (*is_such)(const struct kvp_block_view *view))
{
  uint32_t n = play->pair->shape.max_blocks;
  for (uint32_t k = 0; k < n; k++) {
    struct kvp_block_view view = view_of(play, (choice + k) % n);
    if (is_such(&view))
      return view;
  }
  return (struct kvp_block_view){0};
}

void kvp_draw_block_content(struct kvp_play *play, uint8_t choice,
                            struct kvp_block_content *content)
{
  struct kvp_block_view view;
  *content = contents_of(play->pair->shape.block_size)[choice % KVP_PLAY_CONTENTS];
  switch (choice / KVP_PLAY_CONTENTS) {
  case 9: content->length = kvp_take_byte(&play->step) % (KVP_PLAY_TOKENS + 2); break;
  case 10: content->salt = 0; break;
  case 11: content->position = kvp_take_byte(&play->step) % 8; break;
  case 12: /* so near the greatest that there is none after it */
    content->position = UINT32_MAX - kvp_take_byte(&play->step) % 3;
    break;
  case 13: content->parent = kvp_draw_hash(play, kvp_take_byte(&play->step)); break;
  case 14:
  case 15: /* another child of what is there */
    view = live_block(play, kvp_take_byte(&play->step), is_registered);
    content->position = view.position + 1;
    content->parent = view.hash;
    break;
  default: break;
  }
}

uint64_t kvp_draw_hash(const struct kvp_play *play, uint8_t choice)
{
  if (choice < 128)
    return contents_of(play->pair->shape.block_size)[choice % KVP_PLAY_CONTENTS].hash;
  if (choice < 250)
    return live_block(play, choice, is_registered).hash;
  return (uint64_t)choice - 250;
}

uint64_t kvp_pinned_hash(const struct kvp_play *play, uint8_t choice)
{
  return live_block(play, choice, is_pinned).hash;
}

/* Handles that must be refused: not out, or not of this registry. */
static uint64_t refused_handle(const struct kvp_play *play, uint64_t handle, uint8_t how)
{
  switch (how % 8) {
  case 0: return play->gone;
  case 1: return 0;
  case 2: return handle ^ UINT64_C(1) << 56;             /* another tag, */
  case 3: return handle + KVP_HANDLE_SLOTS;              /* generation, */
  case 4: return handle - KVP_HANDLE_SLOTS;              /* or */
  case 5: return handle + 1;                             /* slot */
  case 6: return handle + play->pair->shape.max_handles; /* that there is not */
  default: return handle | (KVP_HANDLE_SLOTS - 1);
  }
}

uint32_t kvp_draw_handles(struct kvp_play *play, uint8_t choice, uint32_t states, uint64_t *handles,
                          uint32_t count)
{
  uint64_t good[KVP_PLAY_HANDLES];
  uint32_t n = 0;
  for (uint32_t i = 0; i < play->num_out; i++)
    if (states & KVP_IN(view_of(play, play->out[i].block).state))
      good[n++] = play->out[i].handle;
  if (n == 0)
    good[n++] = play->num_out == 0 ? play->gone : play->out[choice % play->num_out].handle;
  count = count < n ? count : n;
  for (uint32_t k = 0; k < count; k++)
    handles[k] = good[(choice + (choice & 64 ? n - k : k)) % n];
  if (choice < 224 || count == 0)
    return count;
  uint32_t where = choice / 8 % count;
  handles[where] =
    choice >= 252 ? handles[count - 1] : refused_handle(play, handles[where], choice);
  return count;
}

static void note_gone(struct kvp_play *play, uint64_t handle)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < play->num_out; i++)
    if (play->out[i].handle != handle)
      play->out[kept++] = play->out[i];
  play->num_out = kept;
  play->gone = handle;
}

void kvp_play_note(struct kvp_play *play, const struct kvp_registry_op *op,
                   const struct kvp_registry_result *result)
{
  int registers = op->kind == KVP_REGISTRY_REGISTER, releases = op->kind == KVP_REGISTRY_RELEASE;
  uint32_t given = 0;
  if (result->status != KVP_OK)
    return;
  if (registers || op->kind == KVP_REGISTRY_ALLOCATE)
    given = op->count;
  else if (op->kind == KVP_REGISTRY_MATCH)
    given = result->count;
  else if (op->kind == KVP_REGISTRY_SHARE)
    given = 1;
  for (uint32_t i = 0; (registers || releases) && i < op->count; i++)
    if (releases || op->grants[i].kind != KVP_GRANT_DUPLICATE)
      note_gone(play, op->handles[i]);
  for (uint32_t i = 0; i < given && play->num_out < KVP_PLAY_HANDLES; i++)
    play->out[play->num_out++] = op->grants[i];
}
