/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that get in each other's way: few blocks, few contents, and now and then a handle that
   another thread was given. */
#ifndef KVP_STRESS_REQUESTS_H
#define KVP_STRESS_REQUESTS_H

#include <stdatomic.h>
#include <string.h>

#include <kvpool/engine.h>
#include <kvpool/hash.h>

#define PAGE 4      /* tokens of a block */
#define LIST 3      /* most elements of a list */
#define CONTENTS 24 /* a chain of blocks */
#define BAG 40      /* most handles that a thread has, */
#define PLENTY 16   /* from how many on it only gives them up, */
#define ENOUGH 3    /* and from how many on it often does */
#define BOARD 16    /* handles that all threads see */

/* A request, what it names, and when it was made, on CLOCK_MONOTONIC in nanoseconds. */
struct request {
  int64_t invoked, submitted, answered; /* submitted: when submit had returned, if it was called */
  struct kvp_ticket ticket;
  uint64_t handles[LIST], hashes[LIST];
  int own[LIST]; /* whether the handle came out of the thread's bag */
  uint32_t tokens[PAGE];
  struct kvp_grant grants[LIST];
  struct kvp_event event;
};

enum stage { STAGE_RESET, STAGE_COMPLETE, STAGE_SHARE };

/* What one thread has and knows. */
struct player {
  uint64_t number; /* of the generator */
  uint64_t bag[BAG];
  enum stage stage[BAG];
  uint32_t num_bag;
  _Atomic(uint64_t) *board; /* [BOARD] */
};

struct content {
  uint32_t tokens[PAGE];
  uint64_t parent, hash;
};

static struct content contents[CONTENTS];

static inline void make_contents(void)
{
  for (uint32_t c = 0; c < CONTENTS; c++) {
    uint64_t block_hash = 0;
    for (uint32_t i = 0; i < PAGE; i++)
      contents[c].tokens[i] = PAGE * c + i;
    kvp_hash_block(contents[c].tokens, PAGE, 0, &block_hash);
    contents[c].parent = c == 0 ? 0 : contents[c - 1].hash;
    contents[c].hash = c == 0 ? block_hash : kvp_hash_sequence(contents[c].parent, block_hash, 0);
  }
}

static inline uint32_t draw(struct player *player, uint32_t below)
{
  player->number = player->number * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(player->number >> 33) % below;
}

/* Relaxed, so that the board orders nothing that the engine should. */
static inline uint64_t anybodys(struct player *player)
{
  return atomic_load_explicit(&player->board[draw(player, BOARD)], memory_order_relaxed);
}

static inline int has(const struct player *player, uint64_t handle)
{
  for (uint32_t i = 0; i < player->num_bag; i++)
    if (player->bag[i] == handle)
      return 1;
  return 0;
}

static inline void forget(struct player *player, uint64_t handle)
{
  for (uint32_t i = 0; i < player->num_bag; i++)
    if (player->bag[i] == handle) {
      player->num_bag--;
      player->bag[i] = player->bag[player->num_bag];
      player->stage[i] = player->stage[player->num_bag];
    }
}

static inline void keep(struct player *player, uint64_t handle, enum stage stage)
{
  forget(player, handle);
  player->bag[player->num_bag] = handle;
  player->stage[player->num_bag++] = stage;
  atomic_store_explicit(&player->board[draw(player, BOARD)], handle, memory_order_relaxed);
}

/* A handle of the stage, if there is one and chance does not want another's. */
static inline uint64_t pick(struct player *player, enum stage stage)
{
  uint32_t start = draw(player, BAG);
  if (draw(player, 64) != 0)
    for (uint32_t n = 0; n < player->num_bag; n++) {
      uint32_t i = (start + n) % player->num_bag;
      if (player->stage[i] == stage)
        return player->bag[i];
    }
  return anybodys(player);
}

static inline enum kvp_registry_kind draw_kind(struct player *player)
{
  static const struct {
    enum kvp_registry_kind kind;
    uint32_t weight;
  } rows[] = {
    {KVP_REGISTRY_ALLOCATE, 18}, {KVP_REGISTRY_WRITE, 16},       {KVP_REGISTRY_REGISTER, 16},
    {KVP_REGISTRY_MATCH, 14},    {KVP_REGISTRY_TOUCH, 4},        {KVP_REGISTRY_SHARE, 4},
    {KVP_REGISTRY_RELEASE, 13},  {KVP_REGISTRY_SET_PRIORITY, 2}, {KVP_REGISTRY_PIN, 1},
    {KVP_REGISTRY_UNPIN, 3},     {KVP_REGISTRY_ADD_BLOCKS, 1},   {KVP_REGISTRY_RESET, 1},
    {KVP_REGISTRY_POLL, 1},      {KVP_REGISTRY_INIT, 2},         {KVP_REGISTRY_FILL, 2},
    {KVP_REGISTRY_COMMIT, 1},    {KVP_REGISTRY_CLEAR, 1},
  };
  uint32_t chance = draw(player, 100);
  if (player->num_bag >= PLENTY || (player->num_bag >= ENOUGH && draw(player, 2) == 0))
    return KVP_REGISTRY_RELEASE;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (chance < rows[i].weight)
      return rows[i].kind;
    chance -= rows[i].weight;
  }
  return KVP_REGISTRY_RELEASE;
}

static inline void draw_handles(struct player *player, struct request *request)
{
  struct kvp_registry_op *op = &request->ticket.op;
  for (uint32_t i = 0; i < op->count; i++) {
    enum stage stage = op->kind == KVP_REGISTRY_REGISTER ? STAGE_COMPLETE : STAGE_SHARE;
    if (op->kind == KVP_REGISTRY_RELEASE && draw(player, 2) == 0)
      stage = (enum stage)draw(player, 3);
    request->handles[i] = pick(player, stage);
    request->own[i] = has(player, request->handles[i]);
    /* What is under way is not asked for again, or most would be refused. */
    forget(player, request->handles[i]);
  }
}

static inline void draw_request(struct player *player, struct request *request)
{
  struct kvp_registry_op *op = &request->ticket.op;
  uint32_t c = draw(player, CONTENTS), first = draw(player, 4) == 0 ? c : 0;
  memset(request, 0, sizeof *request);
  op->kind = draw_kind(player);
  op->count = draw(player, 2) == 0 ? 1 : 1 + draw(player, LIST);
  op->priority = draw(player, 3);
  op->hashes = request->hashes;
  op->handles = request->handles;
  op->grants = request->grants;
  op->events = &request->event;
  op->tokens = request->tokens;
  op->length = op->kind == KVP_REGISTRY_FILL ? draw(player, PAGE + 1) : PAGE;
  op->position = c;
  op->parent = contents[c].parent;
  op->hash = contents[c].hash;
  memcpy(request->tokens, contents[c].tokens, sizeof request->tokens);
  for (uint32_t i = 0; i < LIST; i++)
    request->hashes[i] = contents[(first + i) % CONTENTS].hash;
  if (op->kind == KVP_REGISTRY_POLL)
    op->count = 1;
  if (op->kind == KVP_REGISTRY_SHARE || op->kind == KVP_REGISTRY_SET_PRIORITY)
    op->handle = pick(player, STAGE_SHARE);
  else
    op->handle = pick(player, STAGE_RESET);
  if (op->kind == KVP_REGISTRY_REGISTER || op->kind == KVP_REGISTRY_RELEASE)
    draw_handles(player, request);
}

static inline uint32_t count_grants(const struct kvp_registry_op *op,
                                    const struct kvp_registry_result *result)
{
  if (result->status != KVP_OK)
    return 0;
  switch (op->kind) {
  case KVP_REGISTRY_ALLOCATE:
  case KVP_REGISTRY_REGISTER: return op->count;
  case KVP_REGISTRY_MATCH: return result->count;
  case KVP_REGISTRY_SHARE: return 1;
  default: return 0;
  }
}

/* What came out of the bag for a list that was refused goes back, but for a single handle that is
   not out: a handle that is lost is a block lost for all that follows. */
static inline void learn_refusal(struct player *player, const struct request *request)
{
  const struct kvp_registry_op *op = &request->ticket.op;
  int gone = request->ticket.result.status == KVP_RANGE;
  if (op->kind != KVP_REGISTRY_REGISTER && op->kind != KVP_REGISTRY_RELEASE) {
    if (gone)
      forget(player, op->handle);
    return;
  }
  for (uint32_t i = 0; i < op->count && !(gone && op->count == 1); i++)
    if (request->own[i])
      keep(player, request->handles[i], (enum stage)draw(player, 3));
}

/* Takes note of an answer. The bag never overflows: to less than PLENTY, four requests
   at once each bring LIST grants at most, and as many duplicates. */
static inline void learn(struct player *player, const struct request *request)
{
  const struct kvp_registry_op *op = &request->ticket.op;
  const struct kvp_registry_result *result = &request->ticket.result;
  enum stage stage = op->kind == KVP_REGISTRY_ALLOCATE ? STAGE_RESET : STAGE_SHARE;
  if (result->status != KVP_OK)
    learn_refusal(player, request);
  else if (op->kind == KVP_REGISTRY_WRITE || op->kind == KVP_REGISTRY_COMMIT)
    keep(player, op->handle, STAGE_COMPLETE);
  for (uint32_t i = 0; i < count_grants(op, result); i++) {
    keep(player, request->grants[i].handle, stage);
    if (request->grants[i].kind == KVP_GRANT_DUPLICATE)
      keep(player, request->handles[i], STAGE_COMPLETE);
  }
}

#endif
