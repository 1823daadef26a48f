/* SPDX-License-Identifier: Apache-2.0 */
/* The law: a batch gives what its operations give one by one. Batches drawn from a seed, of
   stretches of one kind, over pools, hashes and contents so few that everything happens. */
#include "tests/device/harness.h"

#define MOST_OPS 120
#define MOST_BLOCKS 24
#define MOST_LENGTH 4 /* tokens; a block holds one less */
#define BATCHES 30

struct source {
  uint64_t random;
  uint32_t max_blocks;
  uint32_t tokens[3][MOST_BLOCKS * MOST_LENGTH]; /* two contents that differ, and equal ones */
  uint64_t hashes[MOST_BLOCKS];
  uint32_t num_held;                            /* reservations that stand */
  struct kvp_op held[MOST_BLOCKS];              /* the reserve of each */
  struct kvp_unit units[MOST_OPS][MOST_BLOCKS]; /* of this batch's reserves */
  struct kvp_unit kept[MOST_BLOCKS][MOST_BLOCKS];
};

/* Operations that follow each other, over a few blocks and hashes. */
struct stretch {
  enum kvp_kind kind;
  int mixed, pairs;
  uint32_t length, blocks, hashes;
};

static uint64_t drawn; /* the seed of the sequence that is running */

static uint32_t draw(struct source *source, uint32_t below)
{
  source->random = source->random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(source->random >> 33) % below;
}

static void draw_buffers(struct source *source, struct kvp_op *op, uint32_t at)
{
  op->tokens = draw(source, 30) != 0 ? source->tokens[draw(source, 3)] : NULL;
  op->hashes = draw(source, 30) != 0 ? source->hashes + draw(source, 4) : NULL;
  op->units = draw(source, 30) != 0 ? source->units[at] : NULL;
  if (op->kind == KVP_MATCH_PREFIX)
    op->count = draw(source, MOST_BLOCKS - 4);
  if (op->kind == KVP_RESERVE || op->kind == KVP_EXTEND)
    op->count = draw(source, 20) != 0 ? draw(source, 5) : draw(source, MOST_BLOCKS);
  if (op->kind != KVP_RELEASE)
    return;
  op->count = 0;
  if (source->num_held == 0)
    return;
  uint32_t held = draw(source, source->num_held);
  op->units = source->kept[held];
  op->owner = draw(source, 8) != 0 ? source->held[held].owner : op->owner;
  op->count = draw(source, 8) != 0 ? source->held[held].count : 1;
}

static struct stretch draw_stretch(struct source *source)
{
  uint32_t shape = draw(source, 5);
  return (struct stretch){.kind = (enum kvp_kind)draw(source, KVP_NUM_KINDS),
                          .mixed = shape == 0,
                          .pairs = shape == 1,
                          .length = 1 + draw(source, draw(source, 4) != 0 ? 14 : 70),
                          .blocks = 1 + draw(source, source->max_blocks + 2),
                          .hashes = 1 + draw(source, MOST_BLOCKS)};
}

static struct kvp_op draw_op(struct source *source, const struct stretch *stretch, uint32_t i)
{
  enum kvp_kind kind = stretch->kind;

  if (stretch->mixed)
    kind = (enum kvp_kind)draw(source, KVP_NUM_KINDS + 1);
  if (stretch->pairs)
    kind = i % 2 == 0 ? KVP_POP : KVP_ALLOCATE;
  if (kind == KVP_CLEAR_INDEX && draw(source, 8) != 0)
    kind = KVP_PUBLISH;
  return (struct kvp_op){.kind = kind,
                         .block = draw(source, stretch->blocks),
                         .length = draw(source, MOST_LENGTH + 1),
                         .owner = draw(source, 3),
                         .hash = source->hashes[draw(source, stretch->hashes)]};
}

static uint32_t draw_batch(struct source *source, struct kvp_op *ops)
{
  uint32_t n = 0, most = 1 + draw(source, MOST_OPS);

  while (n < most) {
    const struct stretch stretch = draw_stretch(source);
    for (uint32_t i = 0; i < stretch.length && n < most; i++, n++) {
      ops[n] = draw_op(source, &stretch, i);
      draw_buffers(source, &ops[n], n);
    }
  }
  return n;
}

/* Makes allocates name what pop will give, as a caller that knows the pool does. */
static void foresee_pairs(struct harness *harness, struct source *source, struct kvp_op *ops,
                          uint32_t n)
{
  const struct kvp_applier *judge = &harness->judge;
  uint32_t cached = KVP_NONE, vacant = 0;
  struct kvp_view view;

  for (uint32_t i = 1; i < n; i++) {
    if (ops[i - 1].kind != KVP_POP || ops[i].kind != KVP_ALLOCATE || draw(source, 40) == 0)
      continue;
    while (vacant < source->max_blocks
           && (judge->view(judge->self, vacant, &view), view.state != KVP_VACANT))
      vacant++;
    if (vacant < source->max_blocks) {
      ops[i].block = vacant++;
      continue;
    }
    cached = judge->next_cached(judge->self, cached);
    if (cached == KVP_NONE)
      return;
    ops[i].block = cached;
  }
}

/* Remembers reservations, for releases to come; a slot is taken again when all are full. */
static void keep_units(struct source *source, const struct kvp_op *ops, uint32_t n,
                       const struct kvp_result *results)
{
  for (uint32_t i = 0; i < n; i++) {
    if (ops[i].kind != KVP_RESERVE || results[i].status != KVP_OK || ops[i].count == 0)
      continue;
    uint32_t held = source->num_held < MOST_BLOCKS ? source->num_held++ : i % MOST_BLOCKS;
    source->held[held] = ops[i];
    memcpy(source->kept[held], ops[i].units, ops[i].count * sizeof *ops[i].units);
  }
}

static void write_payload(struct harness *harness, struct source *source)
{
  uint32_t block = draw(source, source->max_blocks), entry = draw(source, MOST_BLOCKS);
  fill_block(harness, block, source->random);
  block = draw(source, 5) != 0 ? draw(source, source->max_blocks) : KVP_NONE;
  name_entries(harness, entry, 1, &block);
}

static void open_source(struct source *source, uint64_t seed)
{
  memset(source, 0, sizeof *source);
  source->random = seed * 2654435761u + 1;
  for (uint32_t i = 0; i < MOST_BLOCKS * MOST_LENGTH; i++)
    source->tokens[1][i] = draw(source, 2);
  for (uint32_t i = 0; i < MOST_BLOCKS; i++)
    source->hashes[i] = i < 8 ? i : draw(source, 12);
  source->max_blocks = 1 + draw(source, MOST_BLOCKS);
}

static void open_drawn(struct harness *harness, struct source *source, uint64_t seed)
{
  const struct kvp_device_shape shape = {.num_blocks = draw(source, source->max_blocks + 1),
                                         .max_blocks = source->max_blocks,
                                         .block_size = MOST_LENGTH - 1,
                                         .num_planes = draw(source, 4),
                                         .block_bytes = 16 * (1 + draw(source, 5)),
                                         .table_entries = MOST_BLOCKS};
  const struct kvp_device_options options = {.backend = backend,
                                             .order_seed = seed,
                                             .parallel_min = draw(source, 5),
                                             .fill_on_publish = draw(source, 2) != 0};
  open_harness_with(harness, &shape, &options);
}

static void run_sequence(uint64_t seed)
{
  static struct source source;
  struct kvp_op ops[MOST_OPS];
  struct kvp_result results[MOST_OPS];
  struct harness harness;

  drawn = seed;
  open_source(&source, seed);
  open_drawn(&harness, &source, seed);
  for (uint32_t i = 0; i < BATCHES; i++) {
    uint32_t n = draw_batch(&source, ops);
    foresee_pairs(&harness, &source, ops, n);
    apply_batch(&harness, ops, n, results);
    keep_units(&source, ops, n, results);
    for (uint32_t writes = 0; writes < 4; writes++)
      write_payload(&harness, &source);
  }
  close_harness(&harness);
}

static void a_batch_gives_what_its_operations_give_one_by_one(void **state)
{
  (void)state;
  uint64_t sequences = strcmp(backend, "host") == 0 ? 1000 : 40;
  for (uint64_t seed = 0; seed < sequences; seed++)
    run_sequence(seed);
}

/* Of a test that failed, the one to look at. */
static int say_seed(void **state)
{
  (void)state;
  printf("law: the last sequence was of seed %llu\n", (unsigned long long)drawn);
  return 0;
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(a_batch_gives_what_its_operations_give_one_by_one, say_seed),
  };
  choose_backend(argc, argv);
  return run_on_backends("law", tests, sizeof tests / sizeof *tests);
}
