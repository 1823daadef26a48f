/* SPDX-License-Identifier: Apache-2.0 */
/* Actions on a registry, drawn from a fuzz target's input. An action is a step: five bits say what,
   three how much; its arguments follow. */
#include "fuzz/registry_actions.h"

#include <limits.h>
#include <string.h>

enum action {
  DO_ADD_BLOCKS,
  DO_ALLOCATE,
  DO_INIT,
  DO_PUSH,
  DO_FILL,
  DO_POP,
  DO_COMMIT,
  DO_WRITE,
  DO_CLEAR,
  DO_REGISTER,
  DO_MATCH,
  DO_TOUCH,
  DO_SHARE,
  DO_RELEASE,
  DO_SET_PRIORITY,
  DO_PIN,
  DO_UNPIN,
  DO_RESET,
  DO_POLL,
  DO_FRESH, /* allocate, write, register */
  DO_ODD    /* missing buffers and unknown kinds */
};

/* How often an action comes up: its share of these. */
static const uint8_t actions[32] = {
  DO_FRESH,      DO_FRESH,    DO_FRESH,    DO_FRESH,        DO_FRESH,        DO_ALLOCATE, DO_ODD,
  DO_WRITE,      DO_WRITE,    DO_INIT,     DO_FILL,         DO_PUSH,         DO_POP,      DO_COMMIT,
  DO_CLEAR,      DO_REGISTER, DO_REGISTER, DO_MATCH,        DO_MATCH,        DO_TOUCH,    DO_SHARE,
  DO_RELEASE,    DO_RELEASE,  DO_RELEASE,  DO_SET_PRIORITY, DO_SET_PRIORITY, DO_PIN,      DO_UNPIN,
  DO_ADD_BLOCKS, DO_RESET,    DO_POLL,     DO_RELEASE,
};
static const uint8_t amounts[8] = {1, 2, 3, 4, 5, 8, 1, 0};

/* An input can do without some of these. Odd operations are in all. */
enum group { TAKING, HOLDING, REGISTERING, LOOKING, SHARING, RELEASING, KEEPING, RESETTING };

static const uint8_t groups[DO_ODD] = {
  [DO_ADD_BLOCKS] = TAKING,    [DO_ALLOCATE] = TAKING,      [DO_FRESH] = TAKING,
  [DO_INIT] = HOLDING,         [DO_PUSH] = HOLDING,         [DO_FILL] = HOLDING,
  [DO_POP] = HOLDING,          [DO_COMMIT] = HOLDING,       [DO_WRITE] = HOLDING,
  [DO_CLEAR] = HOLDING,        [DO_REGISTER] = REGISTERING, [DO_MATCH] = LOOKING,
  [DO_TOUCH] = LOOKING,        [DO_SHARE] = SHARING,        [DO_RELEASE] = RELEASING,
  [DO_SET_PRIORITY] = KEEPING, [DO_PIN] = KEEPING,          [DO_UNPIN] = KEEPING,
  [DO_RESET] = RESETTING,      [DO_POLL] = RESETTING};

enum { ANY_STATE = (1 << KVP_NUM_BLOCK_STATES) - 1 };

/* An operation whose every field holds something that a kind which does not name it ignores. */
static struct kvp_registry_op begin(struct kvp_play *play, enum kvp_registry_kind kind)
{
  kvp_arena_reset(&play->pair->arena);
  return (struct kvp_registry_op){.kind = kind,
                                  .count = 3,
                                  .length = 2,
                                  .position = 1,
                                  .priority = 5,
                                  .handle = 1,
                                  .hash = 1,
                                  .parent = 1,
                                  .salt = 1};
}

static uint8_t draw(struct kvp_play *play) { return kvp_take_byte(&play->step); }

static void *room(struct kvp_play *play, size_t size)
{
  void *bytes = kvp_arena_take(&play->pair->arena, size);
  if (bytes != NULL)
    memset(bytes, 0x5A, size);
  return bytes;
}

/* An operation on the blocks in these states, one after the other, up to n. */
typedef void (*each)(struct kvp_play *play, enum kvp_registry_kind kind, uint64_t handle,
                     uint8_t choice);

static void for_each(struct kvp_play *play, enum kvp_registry_kind kind, uint32_t states,
                     uint32_t n, each act)
{
  uint64_t handles[KVP_PLAY_LIST] = {0};
  uint8_t handle = draw(play), choice = draw(play);
  n = kvp_draw_handles(play, handle, states, handles, n);
  for (uint32_t k = 0; k < n; k++)
    act(play, kind, handles[k], (uint8_t)(choice + k));
}

static void act_plainly(struct kvp_play *play, enum kvp_registry_kind kind, uint64_t handle,
                        uint8_t choice)
{
  struct kvp_registry_op op = begin(play, kind);
  (void)choice;
  op.handle = handle;
  if (kind == KVP_REGISTRY_SHARE)
    op.grants = room(play, sizeof *op.grants);
  play->apply(play, &op);
}

static const uint32_t *copy_tokens(struct kvp_play *play, const uint32_t *tokens, uint32_t n)
{
  uint32_t *copy = room(play, n * sizeof *copy);
  if (copy != NULL)
    memcpy(copy, tokens, n * sizeof *copy);
  return copy;
}

/* init or write. */
static void act_whole(struct kvp_play *play, enum kvp_registry_kind kind, uint64_t handle,
                      uint8_t choice)
{
  struct kvp_block_content content;
  struct kvp_registry_op op = begin(play, kind);
  kvp_draw_block_content(play, choice, &content);
  op.handle = handle;
  op.salt = content.salt;
  op.position = content.position;
  op.parent = content.parent;
  if (kind == KVP_REGISTRY_WRITE) {
    op.length = content.length;
    op.tokens = copy_tokens(play, content.tokens, content.length);
  }
  play->apply(play, &op);
}

/* push, fill or pop: some tokens of a content, from its first on. */
static void act_partly(struct kvp_play *play, enum kvp_registry_kind kind, uint64_t handle,
                       uint8_t choice)
{
  struct kvp_block_content content;
  struct kvp_registry_op op = begin(play, kind);
  uint32_t n = choice / KVP_PLAY_CONTENTS % (KVP_PLAY_TOKENS + 2);
  kvp_draw_block_content(play, choice % KVP_PLAY_CONTENTS, &content);
  op.handle = handle;
  if (kind == KVP_REGISTRY_POP) {
    op.count = choice == UINT8_MAX ? UINT32_MAX : n;
  } else {
    op.length = n;
    op.tokens = copy_tokens(play, content.tokens, n);
  }
  play->apply(play, &op);
}

static void act_priority(struct kvp_play *play, enum kvp_registry_kind kind, uint64_t handle,
                         uint8_t choice)
{
  struct kvp_registry_op op = begin(play, kind);
  op.handle = choice & 1 ? handle : 0;
  op.hash = kvp_draw_hash(play, draw(play));
  op.priority = choice < 240 ? choice / 2 % 4 : UINT32_MAX - choice % 4;
  play->apply(play, &op);
}

static void add_blocks(struct kvp_play *play, uint32_t n)
{
  struct kvp_registry_op op = begin(play, KVP_REGISTRY_ADD_BLOCKS);
  op.count = n == 8 ? UINT32_MAX : n;
  play->apply(play, &op);
}

static void allocate(struct kvp_play *play, uint32_t n)
{
  struct kvp_registry_op op = begin(play, KVP_REGISTRY_ALLOCATE);
  op.count = n;
  op.grants = room(play, n * sizeof *op.grants);
  play->apply(play, &op);
}

/* register or release. */
static void give_handles(struct kvp_play *play, enum kvp_registry_kind kind, uint32_t states,
                         uint32_t n)
{
  struct kvp_registry_op op = begin(play, kind);
  uint64_t *handles = room(play, n * sizeof *handles);
  op.count = kvp_draw_handles(play, draw(play), states, handles, n);
  op.handles = handles;
  if (kind == KVP_REGISTRY_REGISTER)
    op.grants = room(play, op.count * sizeof *op.grants);
  play->apply(play, &op);
}

/* match or touch: a sequence from its root, or any hashes. */
static void give_hashes(struct kvp_play *play, enum kvp_registry_kind kind, uint32_t n)
{
  struct kvp_registry_op op = begin(play, kind);
  uint8_t choice = draw(play), step = draw(play) % 8;
  uint64_t *hashes = room(play, n * sizeof *hashes);
  op.count = n;
  for (uint32_t k = 0; k < n; k++)
    hashes[k] = kvp_draw_hash(play, (uint8_t)(choice + k * step));
  op.hashes = hashes;
  if (kind == KVP_REGISTRY_MATCH)
    op.grants = room(play, n * sizeof *op.grants);
  play->apply(play, &op);
}

static void pin(struct kvp_play *play, enum kvp_registry_kind kind, uint32_t n)
{
  uint8_t choice = draw(play);
  for (uint32_t k = 0; k < n; k++) {
    struct kvp_registry_op op = begin(play, kind);
    op.hash = kind == KVP_REGISTRY_UNPIN && choice & 1 ? kvp_pinned_hash(play, choice / 2)
                                                       : kvp_draw_hash(play, (uint8_t)(choice + k));
    play->apply(play, &op);
  }
}

static void reset(struct kvp_play *play)
{
  struct kvp_registry_op op = begin(play, KVP_REGISTRY_RESET);
  play->apply(play, &op);
}

static void poll(struct kvp_play *play, uint32_t n)
{
  struct kvp_registry_op op = begin(play, KVP_REGISTRY_POLL);
  op.count = n;
  op.events = room(play, n * sizeof *op.events);
  play->apply(play, &op);
}

/* Blocks all the way; whoever else holds a reset or complete block takes part. */
static void fresh(struct kvp_play *play, uint32_t n)
{
  uint64_t handles[KVP_PLAY_LIST] = {0};
  uint8_t choice = draw(play), by_token = draw(play);
  allocate(play, n);
  n = kvp_draw_handles(play, 0, KVP_IN(KVP_BLOCK_RESET), handles, n);
  for (uint32_t k = 0; k < n; k++) {
    uint8_t content = (uint8_t)(choice + k);
    if (by_token < 224) {
      act_whole(play, KVP_REGISTRY_WRITE, handles[k], content);
      continue;
    }
    act_whole(play, KVP_REGISTRY_INIT, handles[k], content);
    act_partly(play, KVP_REGISTRY_FILL, handles[k],
               (uint8_t)(content % KVP_PLAY_CONTENTS + (KVP_PLAY_TOKENS + 1) * KVP_PLAY_CONTENTS));
    act_plainly(play, KVP_REGISTRY_COMMIT, handles[k], 0);
  }
  give_handles(play, KVP_REGISTRY_REGISTER, KVP_IN(KVP_BLOCK_COMPLETE), n);
}

static void be_odd(struct kvp_play *play, uint32_t n)
{
  static const int unknown[4] = {KVP_NUM_REGISTRY_KINDS, -1, INT_MIN, INT_MAX};
  uint8_t choice = draw(play);
  struct kvp_registry_op op =
    begin(play, (enum kvp_registry_kind)(choice % KVP_NUM_REGISTRY_KINDS));
  if (choice >= 224)
    op.kind = (enum kvp_registry_kind)unknown[choice % 4];
  op.count = op.length = n;
  op.handle = play->num_out == 0 ? 0 : play->out[0].handle;
  /* Of two buffers, the one or the other is missing. */
  if (choice & 128 && op.kind == KVP_REGISTRY_REGISTER)
    op.handles = room(play, n * sizeof *op.handles);
  else if (choice & 128 && op.kind == KVP_REGISTRY_MATCH)
    op.hashes = room(play, n * sizeof *op.hashes);
  else if (op.kind == KVP_REGISTRY_REGISTER || op.kind == KVP_REGISTRY_MATCH)
    op.grants = room(play, n * sizeof *op.grants);
  play->apply(play, &op);
}

void kvp_registry_act(struct kvp_play *play)
{
  uint8_t byte = draw(play);
  uint32_t n = amounts[byte / 32];
  enum action action = (enum action)actions[byte % 32];
  const uint32_t reset_one = KVP_IN(KVP_BLOCK_RESET), partial = KVP_IN(KVP_BLOCK_PARTIAL),
                 complete = KVP_IN(KVP_BLOCK_COMPLETE), active = KVP_IN(KVP_BLOCK_ACTIVE);
  if (action < DO_ODD && play->swarm >> groups[action] & 1)
    return;
  switch (action) {
  case DO_ADD_BLOCKS: add_blocks(play, n); return;
  case DO_ALLOCATE: allocate(play, n); return;
  case DO_INIT: for_each(play, KVP_REGISTRY_INIT, reset_one, n, act_whole); return;
  case DO_PUSH: for_each(play, KVP_REGISTRY_PUSH, partial, n, act_partly); return;
  case DO_FILL: for_each(play, KVP_REGISTRY_FILL, partial, n, act_partly); return;
  case DO_POP: for_each(play, KVP_REGISTRY_POP, partial, n, act_partly); return;
  case DO_COMMIT: for_each(play, KVP_REGISTRY_COMMIT, partial, n, act_plainly); return;
  case DO_WRITE: for_each(play, KVP_REGISTRY_WRITE, reset_one, n, act_whole); return;
  case DO_CLEAR: for_each(play, KVP_REGISTRY_CLEAR, partial | complete, n, act_plainly); return;
  case DO_REGISTER: give_handles(play, KVP_REGISTRY_REGISTER, complete, n); return;
  case DO_MATCH: give_hashes(play, KVP_REGISTRY_MATCH, n); return;
  case DO_TOUCH: give_hashes(play, KVP_REGISTRY_TOUCH, n); return;
  case DO_SHARE: for_each(play, KVP_REGISTRY_SHARE, active, n, act_plainly); return;
  case DO_RELEASE: give_handles(play, KVP_REGISTRY_RELEASE, n & 1 ? ANY_STATE : active, n); return;
  case DO_SET_PRIORITY:
    for_each(play, KVP_REGISTRY_SET_PRIORITY, ANY_STATE, n, act_priority);
    return;
  case DO_PIN: pin(play, KVP_REGISTRY_PIN, n); return;
  case DO_UNPIN: pin(play, KVP_REGISTRY_UNPIN, n); return;
  case DO_RESET: reset(play); return;
  case DO_POLL: poll(play, n); return;
  case DO_FRESH: fresh(play, n); return;
  case DO_ODD: be_odd(play, n); return;
  }
}
