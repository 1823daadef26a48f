/* SPDX-License-Identifier: Apache-2.0 */
/* Every state that a pool of a few blocks can reach, found breadth first by applying every move to
   every state. What an applier hides cannot be copied, so a state is stood in again by its path. */
#ifndef KVP_TESTS_EXPLORE_H
#define KVP_TESTS_EXPLORE_H

#include <stdlib.h>

#include "src/oracle/text.h"
#include "tests/snapshot.h"

/* The world: few blocks, holders, contents and owners, but every way in which they can stand. */
#define WORLD_BLOCKS 3
#define WORLD_HOLDERS 2 /* most holders of a block */
#define WORLD_UNITS 2   /* most units of a reservation */
#define WORLD_CONTENTS 3
#define MOST_MOVES 128

/* Two hashes; two contents that collide; one without tokens. */
static const uint64_t content_hash[WORLD_CONTENTS] = {0, 0, 7};
static const uint32_t content_token[WORLD_CONTENTS] = {1, 2, 0};
static const uint32_t content_length[WORLD_CONTENTS] = {1, 1, 0};

struct move {
  struct kvp_op op;
  struct kvp_unit units[WORLD_UNITS]; /* what a release names */
};

struct node {
  struct snapshot state;
  uint32_t parent; /* KVP_NONE for the first node */
  struct move move;
};

struct world {
  struct subjects subjects;
  struct node *nodes;
  uint32_t num_nodes, room;
  uint32_t *table; /* [2 * room]: nodes by the hash of their state, or KVP_NONE */
};

/* One move as it went. */
struct transition {
  const struct snapshot *before, *after;
  const struct kvp_op *op; /* its units are what a reserve gave */
  const struct kvp_result *result;
};

static inline struct move *next_move(struct move *moves, size_t *n, struct kvp_op op)
{
  assert_true(*n < MOST_MOVES);
  moves[*n] = (struct move){.op = op};
  return &moves[(*n)++];
}

static inline void add_block_moves(const struct snapshot *state, struct move *moves, size_t *n)
{
  for (uint32_t b = 0; b <= WORLD_BLOCKS; b++) {
    next_move(moves, n, (struct kvp_op){.kind = KVP_ALLOCATE, .block = b});
    next_move(moves, n, (struct kvp_op){.kind = KVP_FREE, .block = b});
    if (b == WORLD_BLOCKS || state->block[b][REF_COUNT] < WORLD_HOLDERS)
      next_move(moves, n, (struct kvp_op){.kind = KVP_CLAIM, .block = b});
    for (size_t c = 0; c < WORLD_CONTENTS; c++)
      next_move(moves, n,
                (struct kvp_op){.kind = KVP_PUBLISH,
                                .block = b,
                                .hash = content_hash[c],
                                .length = content_length[c],
                                .tokens = &content_token[c]});
  }
}

static inline void add_content_moves(struct move *moves, size_t *n)
{
  static const uint64_t chain_hashes[] = {0, 0, 7};
  static const uint32_t chain_tokens[] = {1, 2, 1};
  for (size_t c = 0; c < WORLD_CONTENTS; c++) {
    next_move(moves, n, (struct kvp_op){.kind = KVP_LOOKUP, .hash = content_hash[c]});
    next_move(moves, n,
              (struct kvp_op){.kind = KVP_MATCH,
                              .hash = content_hash[c],
                              .length = content_length[c],
                              .tokens = &content_token[c]});
  }
  for (uint32_t length = 0; length < 2; length++)
    next_move(moves, n,
              (struct kvp_op){.kind = KVP_MATCH_PREFIX,
                              .count = 3,
                              .length = length,
                              .hashes = chain_hashes,
                              .tokens = chain_tokens});
}

static inline void add_unit_moves(struct move *moves, size_t *n)
{
  for (uint64_t owner = 1; owner <= 2; owner++) {
    for (uint32_t count = 0; count <= WORLD_UNITS; count++)
      next_move(moves, n, (struct kvp_op){.kind = KVP_RESERVE, .owner = owner, .count = count});
    for (uint32_t a = 0; a <= WORLD_BLOCKS; a++)
      for (uint32_t b = 0; b <= WORLD_BLOCKS; b++) { /* b == WORLD_BLOCKS: a alone */
        struct move *release =
          next_move(moves, n, (struct kvp_op){.kind = KVP_RELEASE, .owner = owner});
        release->op.count = b == WORLD_BLOCKS ? 1 : 2;
        release->units[0].block = a;
        release->units[1].block = b;
      }
  }
}

/* Every operation that is worth a try in this state. */
static inline size_t moves_in(const struct snapshot *state, struct move *moves)
{
  size_t n = 0;
  next_move(moves, &n, (struct kvp_op){.kind = KVP_POP});
  next_move(moves, &n, (struct kvp_op){.kind = KVP_CLEAR_INDEX});
  next_move(moves, &n, (struct kvp_op){.kind = KVP_RETIRE_TOP});
  for (uint32_t count = 0; count <= 2; count++)
    next_move(moves, &n, (struct kvp_op){.kind = KVP_EXTEND, .count = count});
  add_block_moves(state, moves, &n);
  add_content_moves(moves, &n);
  add_unit_moves(moves, &n);
  return n;
}

/* Applies a move; what a reserve gives stands in units. */
static inline struct kvp_result make_move(const struct kvp_applier *subject,
                                          const struct move *move, struct kvp_unit *units)
{
  struct kvp_op op = move->op;
  memcpy(units, move->units, sizeof move->units);
  op.units = units;
  return apply_one(subject, op);
}

static inline void walk(struct world *world, uint32_t node)
{
  struct kvp_unit units[WORLD_UNITS];
  if (world->nodes[node].parent == KVP_NONE)
    return;
  walk(world, world->nodes[node].parent);
  for (int i = 0; i < NUM_SUBJECTS; i++)
    make_move(&world->subjects.of[i], &world->nodes[node].move, units);
}

/* Brings every subject to the state of a node. The reference's memory is used again, dirty. */
static inline void stand(struct world *world, uint32_t node)
{
  struct kvp_pool *pool = world->subjects.of[REFERENCE].self;
  kvp_close_model(&world->subjects.of[MODEL]);
  assert_int_equal(kvp_open_model(WORLD_BLOCKS, WORLD_BLOCKS, 1, &world->subjects.of[MODEL]),
                   KVP_OK);
  assert_int_equal(kvp_pool_init(pool, WORLD_BLOCKS, WORLD_BLOCKS, 1, pool->plane), KVP_OK);
  walk(world, node);
}

/* The operations that lead to a node, one a line. */
static inline void print_path(const struct world *world, uint32_t node)
{
  if (world->nodes[node].parent == KVP_NONE)
    return;
  print_path(world, world->nodes[node].parent);
  struct move move = world->nodes[node].move;
  move.op.units = move.units;
  fprintf(stderr, "    ");
  kvp_print_op(stderr, &move.op);
  fprintf(stderr, "\n");
}

static inline uint32_t *place_of(const struct world *world, const struct snapshot *state)
{
  uint64_t words[sizeof *state / sizeof(uint64_t)], sum = 0;
  memcpy(words, state, sizeof words);
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    sum = (sum ^ words[i]) * UINT64_C(0x9E3779B97F4A7C15), sum ^= sum >> 29;
  size_t at = (size_t)(sum % (2 * (uint64_t)world->room));
  while (world->table[at] != KVP_NONE
         && !snapshot_equal(&world->nodes[world->table[at]].state, state))
    at = (at + 1) % (2 * (size_t)world->room);
  return &world->table[at];
}

/* Keeps a state that was not seen before. */
static inline void meet(struct world *world, const struct snapshot *state, uint32_t parent,
                        const struct move *move)
{
  uint32_t *place = place_of(world, state);
  if (*place != KVP_NONE)
    return;
  assert_true(world->num_nodes < world->room);
  world->nodes[world->num_nodes] = (struct node){*state, parent, *move};
  *place = world->num_nodes++;
}

static inline void world_open(struct world *world, uint32_t room)
{
  *world = (struct world){.room = room};
  world->nodes = malloc(room * sizeof *world->nodes);
  world->table = malloc(2 * room * sizeof *world->table);
  assert_true(world->nodes != NULL && world->table != NULL);
  for (size_t i = 0; i < 2 * (size_t)room; i++)
    world->table[i] = KVP_NONE;
  subjects_open(&world->subjects, WORLD_BLOCKS, WORLD_BLOCKS, 1);
  struct snapshot start = snapshot_of(&world->subjects.of[MODEL]);
  meet(world, &start, KVP_NONE, &(struct move){.op = {.kind = KVP_POP}});
}

static inline void world_close(struct world *world)
{
  subjects_close(&world->subjects);
  free(world->nodes);
  free(world->table);
}

#endif
