/* SPDX-License-Identifier: Apache-2.0 */
/* The reference pool as C code: memory and set-up, sizes at the edges of its id set, counters at
   their maximum, and what can be seen of it. */
#include <stdlib.h>

#include "tests/snapshot.h"

#define NUM(array) (sizeof(array) / sizeof((array)[0]))

/* Memory for a pool of any size, with rubbish in it. */
static struct kvp_pool *new_memory(void)
{
  struct kvp_pool *pool = malloc(sizeof *pool);
  assert_non_null(pool);
  return pool;
}

static struct kvp_pool *new_pool(uint32_t num_blocks, uint32_t max_blocks, uint32_t block_size,
                                 uint32_t *plane)
{
  struct kvp_pool *pool = new_memory();
  assert_int_equal(kvp_pool_init(pool, num_blocks, max_blocks, block_size, plane), KVP_OK);
  return pool;
}

static void memory_has_its_sizes(void **state)
{
  static const struct {
    uint32_t max_blocks, block_size;
    enum kvp_status status;
    uint64_t plane_bytes;
  } cases[] = {
    {0, 0, KVP_OK, 0},
    {0, UINT32_MAX, KVP_OK, 0},
    {1, 0, KVP_OK, 0},
    {3, 5, KVP_OK, 60},
    {KVP_CAPACITY, 16, KVP_OK, UINT64_C(64) * KVP_CAPACITY},
    {KVP_CAPACITY, UINT32_MAX, SIZE_MAX > UINT32_MAX ? KVP_OK : KVP_OVERFLOW,
     UINT64_C(4) * KVP_CAPACITY * UINT32_MAX},
    {KVP_CAPACITY + 1, 0, KVP_RANGE, 0},
    {UINT32_MAX, UINT32_MAX, KVP_RANGE, 0},
  };
  (void)state;
  for (size_t i = 0; i < NUM(cases); i++) {
    size_t pool_bytes = 1, plane_bytes = 1;
    enum kvp_status status =
      kvp_pool_memory(cases[i].max_blocks, cases[i].block_size, &pool_bytes, &plane_bytes);
    assert_int_equal(status, cases[i].status);
    if (status == KVP_OK) {
      assert_int_equal(pool_bytes, sizeof(struct kvp_pool));
      assert_int_equal(plane_bytes, cases[i].plane_bytes);
    }
  }
}

static void init_refuses_a_bad_shape(void **state)
{
  static uint32_t plane[4];
  static const struct {
    uint32_t num_blocks, max_blocks, block_size;
    uint32_t *plane;
    enum kvp_status status;
  } cases[] = {
    {3, 2, 2, plane, KVP_RANGE},
    {0, KVP_CAPACITY + 1, 0, NULL, KVP_RANGE},
    {UINT32_MAX, UINT32_MAX, 0, NULL, KVP_RANGE},
    {2, 2, 2, NULL, KVP_ARGUMENT},
    {2, 2, 2, plane, KVP_OK},
    {2, 2, 0, NULL, KVP_OK},
    {0, 0, 2, NULL, KVP_OK},
  };
  struct kvp_pool *pool = new_pool(1, 1, 0, NULL);
  (void)state;
  for (size_t i = 0; i < NUM(cases); i++) {
    assert_int_equal(kvp_pool_init(pool, cases[i].num_blocks, cases[i].max_blocks,
                                   cases[i].block_size, cases[i].plane),
                     cases[i].status);
    if (cases[i].status != KVP_OK) {
      struct kvp_counts counts;
      struct kvp_view view;
      kvp_pool_counts(pool, &counts);
      assert_int_equal(counts.num_blocks, 1);
      assert_int_equal(kvp_pool_view(pool, 1, &view), KVP_RANGE);
    }
  }
  free(pool);
}

static void small_pool_touches_little(void **state)
{
  enum { RUBBISH = 0xA5, BLOCKS = 64 };
  size_t touched = 0;
  (void)state;
  if (sizeof(struct kvp_pool) > (size_t)512 << 20)
    skip(); /* a build for so many blocks would need as much memory here */
  unsigned char *bytes = malloc(sizeof(struct kvp_pool));
  assert_non_null(bytes);
  memset(bytes, RUBBISH, sizeof(struct kvp_pool));
  assert_int_equal(kvp_pool_init((struct kvp_pool *)(void *)bytes, BLOCKS, BLOCKS, 0, NULL),
                   KVP_OK);
  for (size_t i = 0; i < sizeof(struct kvp_pool); i++)
    touched += bytes[i] != RUBBISH;
  free(bytes);
  /* The id set's smallest form has 64 words a level. */
  assert_in_range(touched, 1, 64 * BLOCKS + 4096);
}

/* A fresh pool looks the same whatever was in its memory. */
static void init_forgets_what_was_there(void **state)
{
  static uint32_t plane[16];
  struct kvp_applier used, fresh;
  (void)state;
  assert_int_equal(kvp_open_reference(8, 8, 2, &used), KVP_OK);
  assert_int_equal(kvp_open_reference(4, 8, 2, &fresh), KVP_OK);
  struct kvp_pool *pool = used.self;
  uint32_t *own_plane = pool->plane;
  for (uint32_t i = 0; i < 8; i++) {
    struct kvp_evicted evicted;
    assert_int_equal(kvp_pool_allocate(pool, i, &evicted), KVP_OK);
    assert_int_equal(kvp_pool_publish(pool, i, i, &i, 1, &evicted), KVP_OK);
    if (i % 2 == 0)
      assert_int_equal(kvp_pool_free(pool, i), KVP_OK);
  }
  assert_int_equal(kvp_pool_init(pool, 4, 8, 2, plane), KVP_OK);
  struct snapshot want = snapshot_of(&fresh), got = snapshot_of(&used);
  snapshot_print_difference(&want, &got);
  assert_true(snapshot_equal(&want, &got));
  for (uint64_t hash = 0; hash < 8; hash++)
    assert_int_equal(kvp_pool_lookup(pool, hash), KVP_NONE);
  pool->plane = own_plane;
  kvp_close_reference(&used);
  kvp_close_reference(&fresh);
}

static uint64_t hash_of(uint32_t block) { return block * UINT64_C(0x9E3779B97F4A7C15); }

/* Takes every block, lowest id first, gives it content, and frees all from the highest down. */
static void fill(struct kvp_pool *pool, uint32_t n)
{
  struct kvp_evicted evicted;
  uint32_t block;

  for (uint32_t b = 0; b < n; b++) {
    assert_int_equal(kvp_pool_pop(pool, &block), KVP_OK);
    assert_int_equal(block, b);
    assert_int_equal(kvp_pool_allocate(pool, b, &evicted), KVP_OK);
    assert_int_equal(evicted.count, 0);
    assert_int_equal(kvp_pool_publish(pool, b, hash_of(b), &b, 1, &evicted), KVP_OK);
  }
  assert_int_equal(kvp_pool_pop(pool, &block), KVP_EMPTY);
  for (uint32_t b = n; b-- > 0;)
    assert_int_equal(kvp_pool_free(pool, b), KVP_OK);
}

static void check_counts(const struct kvp_pool *pool, uint32_t num_blocks, uint32_t num_free,
                         uint32_t num_indexed)
{
  struct kvp_counts counts;
  kvp_pool_counts(pool, &counts);
  assert_int_equal(counts.num_blocks, num_blocks);
  assert_int_equal(counts.num_free, num_free);
  assert_int_equal(counts.num_used, num_blocks - num_free);
  assert_int_equal(counts.num_reserved, 0);
  assert_int_equal(counts.num_indexed, num_indexed);
}

/* A test whose state is the size of the pool. */
static void whole_life(void **state)
{
  const uint32_t n = *(const uint32_t *)*state;
  uint32_t *plane = malloc(((size_t)n + 1) * sizeof *plane);
  struct kvp_pool *pool = new_pool(n, n, 1, plane);
  struct kvp_retirement retirement;
  struct kvp_evicted evicted;
  uint32_t block;

  fill(pool, n);
  check_counts(pool, n, n, n);
  for (uint32_t b = 0; b < n; b++)
    assert_int_equal(kvp_pool_lookup(pool, hash_of(b)), b);
  for (uint32_t b = n; b-- > n / 2;) {
    assert_int_equal(kvp_pool_pop(pool, &block), KVP_OK);
    assert_int_equal(block, b);
    assert_int_equal(kvp_pool_allocate(pool, b, &evicted), KVP_OK);
    assert_int_equal(evicted.count, 1);
    assert_true(evicted.hash == hash_of(b));
  }
  for (uint32_t b = n / 2; b < n; b++)
    assert_int_equal(kvp_pool_free(pool, b), KVP_OK);
  check_counts(pool, n, n, n / 2);
  for (uint32_t b = n; b-- > 0;) {
    assert_int_equal(kvp_pool_retire_top(pool, &retirement), KVP_OK);
    assert_int_equal(retirement.retired, b);
    assert_int_equal(retirement.moved_to, KVP_NONE);
    assert_int_equal(retirement.evicted.count, b < n / 2);
  }
  assert_int_equal(kvp_pool_retire_top(pool, &retirement), KVP_EMPTY);
  check_counts(pool, 0, 0, 0);
  assert_int_equal(kvp_pool_extend(pool, UINT32_MAX), n);
  fill(pool, n);
  kvp_pool_clear_index(pool);
  check_counts(pool, n, n, 0);
  free(pool);
  free(plane);
}

static void holders_at_their_maximum(void **state)
{
  struct kvp_pool *pool = new_pool(1, 1, 0, NULL);
  struct kvp_evicted evicted;
  struct kvp_view view;
  (void)state;
  assert_int_equal(kvp_pool_allocate(pool, 0, &evicted), KVP_OK);
  pool->ref_count[0] = UINT32_MAX - 1;
  assert_int_equal(kvp_pool_claim(pool, 0), KVP_OK);
  assert_int_equal(kvp_pool_claim(pool, 0), KVP_OVERFLOW);
  assert_int_equal(kvp_pool_view(pool, 0, &view), KVP_OK);
  assert_true(view.ref_count == UINT32_MAX);
  assert_int_equal(kvp_pool_free(pool, 0), KVP_OK);
  assert_int_equal(kvp_pool_claim(pool, 0), KVP_OK);
  free(pool);
}

/* free is refused by the clock of releases, publish and retire_top by that of index entries. */
static void clock_used_up(void **state)
{
  struct kvp_applier reference;
  struct kvp_retirement retirement;
  struct kvp_evicted evicted;
  (void)state;
  assert_int_equal(kvp_open_reference(3, 3, 0, &reference), KVP_OK);
  struct kvp_pool *pool = reference.self;
  assert_int_equal(kvp_pool_allocate(pool, 0, &evicted), KVP_OK);
  assert_int_equal(kvp_pool_allocate(pool, 2, &evicted), KVP_OK);
  pool->cached.clock = UINT64_MAX - 1;
  pool->index.chains.clock = UINT64_MAX - 1;
  assert_int_equal(kvp_pool_publish(pool, 0, 7, NULL, 0, &evicted), KVP_OK);
  assert_int_equal(kvp_pool_free(pool, 0), KVP_OK);

  struct snapshot before = snapshot_of(&reference);
  assert_int_equal(kvp_pool_publish(pool, 2, 8, NULL, 0, &evicted), KVP_OVERFLOW);
  assert_int_equal(kvp_pool_retire_top(pool, &retirement), KVP_OVERFLOW);
  assert_int_equal(kvp_pool_free(pool, 2), KVP_OVERFLOW);
  assert_int_equal(kvp_pool_free(pool, 1), KVP_OVERFLOW); /* before its class is looked at */
  assert_int_equal(kvp_pool_free(pool, 3), KVP_RANGE);    /* but after its range */
  struct snapshot after = snapshot_of(&reference);
  assert_true(snapshot_equal(&before, &after));
  kvp_close_reference(&reference);
}

static void what_can_be_seen(void **state)
{
  static uint32_t plane[8];
  static const uint32_t tokens[] = {7, 8};
  struct kvp_pool *pool = new_pool(3, 4, 2, plane);
  struct kvp_retirement retirement;
  struct kvp_evicted evicted;
  struct kvp_view view;
  (void)state;

  assert_true(kvp_pool_has_free(pool, 0) && kvp_pool_has_free(pool, 3));
  assert_false(kvp_pool_has_free(pool, 4));
  assert_int_equal(kvp_pool_view(pool, 3, &view), KVP_OK);
  assert_int_equal(view.state, KVP_RETIRED);
  assert_int_equal(kvp_pool_view(pool, 4, &view), KVP_RANGE);
  assert_int_equal(kvp_pool_view(pool, KVP_NONE, &view), KVP_RANGE);

  assert_int_equal(kvp_pool_allocate(pool, 2, &evicted), KVP_OK);
  assert_int_equal(kvp_pool_publish(pool, 2, 0, tokens, 2, &evicted), KVP_OK);
  assert_true(kvp_pool_is_used(pool, 2));
  assert_false(kvp_pool_is_used(pool, 0) || kvp_pool_is_used(pool, 3) || kvp_pool_is_used(pool, 4)
               || kvp_pool_is_used(pool, KVP_NONE));
  assert_false(kvp_pool_has_free(pool, 3));
  assert_int_equal(kvp_pool_view(pool, 2, &view), KVP_OK);
  assert_ptr_equal(view.tokens, plane + 4);
  assert_memory_equal(view.tokens, tokens, sizeof tokens);

  assert_int_equal(kvp_pool_retire_top(pool, &retirement), KVP_OK);
  assert_int_equal(retirement.moved_to, 0);
  assert_int_equal(kvp_pool_view(pool, 0, &view), KVP_OK);
  assert_ptr_equal(view.tokens, plane);
  assert_memory_equal(view.tokens, tokens, sizeof tokens);

  assert_int_equal(kvp_pool_next_cached(pool, KVP_NONE), KVP_NONE);
  assert_int_equal(kvp_pool_free(pool, 0), KVP_OK);
  assert_int_equal(kvp_pool_next_cached(pool, KVP_NONE), 0);
  assert_int_equal(kvp_pool_next_cached(pool, 0), KVP_NONE);
  assert_int_equal(kvp_pool_next_cached(pool, 1), KVP_NONE); /* not cached */
  assert_int_equal(kvp_pool_next_cached(pool, 4), KVP_NONE); /* no id */
  assert_false(kvp_pool_is_used(pool, 0));
  free(pool);
}

#define WHOLE_LIFE(n)                                                                              \
  {                                                                                                \
    "a pool of " #n " blocks lives its whole life", whole_life, NULL, NULL, &(uint32_t) { n }      \
  }

int main(void)
{
  const struct CMUnitTest tests[] = {
    {"the sizes of memory are exact, or refused", memory_has_its_sizes, NULL, NULL, NULL},
    {"init refuses a bad shape and leaves the pool alone", init_refuses_a_bad_shape, NULL, NULL,
     NULL},
    {"init of a small pool touches little memory", small_pool_touches_little, NULL, NULL, NULL},
    {"init forgets what was in the memory", init_forgets_what_was_there, NULL, NULL, NULL},
    /* The edges of the id set: words of 64 ids, summaries of 64 words. */
    WHOLE_LIFE(0),
    WHOLE_LIFE(1),
    WHOLE_LIFE(63),
    WHOLE_LIFE(64),
#if KVP_CAPACITY > 4096
    WHOLE_LIFE(65),
    WHOLE_LIFE(4095),
    WHOLE_LIFE(4096),
    WHOLE_LIFE(4097),
#endif
    WHOLE_LIFE(KVP_CAPACITY),
    {"claim refuses one holder too many", holders_at_their_maximum, NULL, NULL, NULL},
    {"a clock that is used up refuses and changes nothing", clock_used_up, NULL, NULL, NULL},
    {"views, tokens, counts and order show the state", what_can_be_seen, NULL, NULL, NULL},
  };
  return cmocka_run_group_tests_name("the reference pool", tests, NULL, NULL);
}
