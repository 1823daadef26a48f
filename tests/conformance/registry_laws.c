/* SPDX-License-Identifier: Apache-2.0 */
/* The registry's laws on random walks: what must hold in every state and of every step, under each
   policy, with handles and events that run out. */
#include "tests/registry_run.h"

#define WALK_BLOCKS 6
#define WALK_STEPS 4000
#define WALK_HANDLES 9
#define NUM_CONTENTS 6

struct walk {
  struct run run;
  struct kvp_registry_shape shape;
  uint64_t seed;
  struct kvp_grant out[WALK_HANDLES]; /* whose handles are out */
  size_t num_out;
  uint64_t gone;            /* one that is not any more */
  int stored[NUM_CONTENTS]; /* by what the events say */
  uint64_t last_event;
  uint32_t refused[8], done; /* by status; so that a walk that does nothing shows */
};

static uint32_t draw(struct walk *walk, uint32_t below)
{
  walk->seed = walk->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(walk->seed >> 33) % below;
}

static uint64_t hash_of(uint32_t content) { return content_of((char)('0' + content)).hash; }

static struct kvp_block_view view_of(const struct walk *walk, uint32_t block)
{
  struct kvp_block_view view;
  assert_int_equal(walk->run.subject->view(walk->run.self, block, &view), KVP_OK);
  return view;
}

static int is_registered_view(const struct kvp_block_view *view)
{
  return view->state == KVP_BLOCK_ACTIVE || view->state == KVP_BLOCK_CACHED;
}

static int has_child(const struct walk *walk, uint64_t hash, uint32_t position)
{
  for (uint32_t b = 0; b < WALK_BLOCKS; b++) {
    struct kvp_block_view view = view_of(walk, b);
    if (is_registered_view(&view) && view.position == position + 1 && view.parent == hash)
      return 1;
  }
  return 0;
}

static int may_be_evicted(const struct walk *walk, const struct kvp_block_view *view)
{
  return view->state == KVP_BLOCK_CACHED && view->pins == 0
         && !(walk->shape.leaf_first && has_child(walk, view->hash, view->position));
}

/* Laws of a state. */

static void counts_are_of_the_blocks(const struct walk *walk)
{
  struct kvp_registry_counts c;
  uint32_t in[KVP_NUM_BLOCK_STATES] = {0}, handles = 0;
  walk->run.subject->counts(walk->run.self, &c);
  for (uint32_t b = 0; b < WALK_BLOCKS; b++) {
    struct kvp_block_view view = view_of(walk, b);
    in[view.state]++;
    handles += view.handles;
    assert_true((view.handles == 0)
                == (view.state == KVP_BLOCK_EMPTY || view.state == KVP_BLOCK_CACHED));
    assert_true(view.handles < 2 || view.state == KVP_BLOCK_ACTIVE);
    assert_true(view.pins == 0 || is_registered_view(&view));
  }
  assert_int_equal(c.num_empty, in[KVP_BLOCK_EMPTY]);
  assert_int_equal(c.num_held,
                   in[KVP_BLOCK_RESET] + in[KVP_BLOCK_PARTIAL] + in[KVP_BLOCK_COMPLETE]);
  assert_int_equal(c.num_active, in[KVP_BLOCK_ACTIVE]);
  assert_int_equal(c.num_cached, in[KVP_BLOCK_CACHED]);
  assert_int_equal(c.num_blocks, WALK_BLOCKS);
  assert_int_equal(c.num_handles, handles);
  assert_int_equal(c.num_handles, walk->num_out);
}

/* One registered block a hash, no two ticks of cached blocks the same, and the events so far
   say what is registered. */
static void hashes_are_unique(const struct walk *walk)
{
  uint32_t registered = 0, stored = 0;
  for (uint32_t b = 0; b < WALK_BLOCKS; b++) {
    struct kvp_block_view view = view_of(walk, b), other;
    if (!is_registered_view(&view))
      continue;
    registered++;
    for (uint32_t k = 0; k < b; k++) {
      other = view_of(walk, k);
      if (is_registered_view(&other))
        assert_true(other.hash != view.hash);
      if (other.state == KVP_BLOCK_CACHED && view.state == KVP_BLOCK_CACHED)
        assert_true(other.returned_tick != view.returned_tick);
    }
    for (uint32_t c = 0; c < NUM_CONTENTS; c++)
      stored += walk->stored[c] && hash_of(c) == view.hash;
  }
  assert_int_equal(stored, registered);
  for (uint32_t c = 0; c < NUM_CONTENTS; c++)
    stored -= (uint32_t)walk->stored[c];
  assert_int_equal(stored, 0);
}

static void victim_is_the_least(const struct walk *walk)
{
  uint32_t victim = walk->run.subject->victim(walk->run.self);
  struct kvp_block_view least = {0};
  if (victim != KVP_NONE) {
    least = view_of(walk, victim);
    assert_true(may_be_evicted(walk, &least));
  }
  for (uint32_t b = 0; b < WALK_BLOCKS; b++) {
    struct kvp_block_view view = view_of(walk, b);
    if (b == victim || !may_be_evicted(walk, &view))
      continue;
    assert_true(victim != KVP_NONE);
    assert_true(least.priority < view.priority
                || (least.priority == view.priority && least.returned_tick < view.returned_tick));
  }
}

/* Each hash is stored and removed in turn, and under leaf_first none goes before its children. */
static void events_alternate(struct walk *walk)
{
  struct kvp_event events[EVENTS];
  struct kvp_registry_op op = {.kind = KVP_REGISTRY_POLL, .count = EVENTS, .events = events};
  struct kvp_registry_result got;
  walk->run.subject->apply(walk->run.self, &op, &got);
  assert_int_equal(got.status, KVP_OK);
  assert_int_equal(got.dropped, 0);
  for (uint32_t i = 0; i < got.count; i++) {
    assert_true(events[i].number == ++walk->last_event);
    if (events[i].kind == KVP_EVENT_CLEARED) {
      memset(walk->stored, 0, sizeof walk->stored);
      continue;
    }
    uint32_t c = 0;
    while (c < NUM_CONTENTS && hash_of(c) != events[i].hash)
      c++;
    assert_true(c < NUM_CONTENTS);
    assert_int_equal(walk->stored[c], events[i].kind == KVP_EVENT_REMOVED);
    walk->stored[c] = events[i].kind == KVP_EVENT_STORED;
    if (walk->shape.leaf_first && events[i].kind == KVP_EVENT_REMOVED)
      assert_false(has_child(walk, events[i].hash, events[i].position));
  }
}

/* Steps. */

/* One that is out, now and then one that is not; most often of a block in this state. */
static uint64_t some_handle(struct walk *walk, enum kvp_block_state state)
{
  if (walk->num_out == 0 || draw(walk, 30) == 0)
    return walk->gone;
  uint32_t i = draw(walk, (uint32_t)walk->num_out);
  for (int tries = 0; tries < 8 && view_of(walk, walk->out[i].block).state != state; tries++)
    i = draw(walk, (uint32_t)walk->num_out);
  return walk->out[i].handle;
}

static void forget_handle(struct walk *walk, uint64_t handle)
{
  for (size_t i = 0; i < walk->num_out; i++)
    if (walk->out[i].handle == handle)
      walk->out[i--] = walk->out[--walk->num_out];
  walk->gone = handle;
}

/* What a granted or given up handle does to those that are out. */
static void follow(struct walk *walk, const struct kvp_registry_op *op, uint32_t count)
{
  int registers = op->kind == KVP_REGISTRY_REGISTER;
  int grants = registers || op->kind == KVP_REGISTRY_ALLOCATE || op->kind == KVP_REGISTRY_MATCH
               || op->kind == KVP_REGISTRY_SHARE;
  for (uint32_t i = 0; i < count; i++) {
    if (op->kind == KVP_REGISTRY_RELEASE
        || (registers && op->grants[i].kind != KVP_GRANT_DUPLICATE))
      forget_handle(walk, op->handles[i]);
    if (!grants)
      continue;
    assert_true(walk->num_out < WALK_HANDLES);
    for (size_t k = 0; k < walk->num_out; k++)
      assert_true(walk->out[k].handle != op->grants[i].handle);
    walk->out[walk->num_out++] = op->grants[i];
  }
}

static void step(struct walk *walk)
{
  /* As often as they are wanted. */
  static const enum kvp_registry_kind kinds[] = {
    KVP_REGISTRY_ALLOCATE,     KVP_REGISTRY_ALLOCATE, KVP_REGISTRY_ALLOCATE, KVP_REGISTRY_ALLOCATE,
    KVP_REGISTRY_ALLOCATE,     KVP_REGISTRY_WRITE,    KVP_REGISTRY_WRITE,    KVP_REGISTRY_WRITE,
    KVP_REGISTRY_WRITE,        KVP_REGISTRY_REGISTER, KVP_REGISTRY_REGISTER, KVP_REGISTRY_REGISTER,
    KVP_REGISTRY_REGISTER,     KVP_REGISTRY_RELEASE,  KVP_REGISTRY_RELEASE,  KVP_REGISTRY_RELEASE,
    KVP_REGISTRY_RELEASE,      KVP_REGISTRY_RELEASE,  KVP_REGISTRY_RELEASE,  KVP_REGISTRY_UNPIN,
    KVP_REGISTRY_UNPIN,        KVP_REGISTRY_PIN,      KVP_REGISTRY_MATCH,    KVP_REGISTRY_TOUCH,
    KVP_REGISTRY_SET_PRIORITY, KVP_REGISTRY_SHARE,    KVP_REGISTRY_CLEAR,    KVP_REGISTRY_RESET};
  struct buffers buffers;
  struct kvp_registry_counts before;
  struct kvp_registry_result got;
  struct content content = content_of((char)('0' + draw(walk, NUM_CONTENTS)));
  enum kvp_registry_kind kind = kinds[draw(walk, sizeof kinds / sizeof kinds[0])];
  enum kvp_block_state state = kind == KVP_REGISTRY_WRITE      ? KVP_BLOCK_RESET
                               : kind == KVP_REGISTRY_REGISTER ? KVP_BLOCK_COMPLETE
                                                               : KVP_BLOCK_ACTIVE;
  uint32_t first = draw(walk, NUM_CONTENTS);
  for (uint32_t i = 0; i < MOST; i++) {
    buffers.hashes[i] = hash_of((first + i) % NUM_CONTENTS);
    buffers.handles[i] = some_handle(walk, state);
  }
  struct kvp_registry_op op = {.kind = kind,
                               .count = draw(walk, 2) ? 1 : draw(walk, 4),
                               .length = PAGE,
                               .position = content.position,
                               .priority = draw(walk, 2),
                               .handle = some_handle(walk, state),
                               .hash = content.hash,
                               .parent = content.parent,
                               .salt = SALT,
                               .hashes = buffers.hashes,
                               .handles = buffers.handles,
                               .tokens = content.tokens,
                               .grants = buffers.grants};
  struct picture was = picture_of(&walk->run);
  walk->run.subject->counts(walk->run.self, &before);
  walk->run.subject->apply(walk->run.self, &op, &got);
  if (op.kind == KVP_REGISTRY_ALLOCATE)
    assert_int_equal(got.status, op.count <= before.num_available ? KVP_OK : KVP_FULL);
  if (got.status != KVP_OK) {
    struct picture now = picture_of(&walk->run);
    assert_memory_equal(&was, &now, sizeof was);
    walk->refused[-got.status]++;
    return;
  }
  walk->done++;
  follow(walk, &op,
         op.kind == KVP_REGISTRY_MATCH   ? got.count
         : op.kind == KVP_REGISTRY_SHARE ? 1
                                         : op.count);
}

static void walk_keeps_the_laws(void **state)
{
  (void)state;
  for (size_t s = 0; s < NUM_REGISTRY_SUBJECTS; s++)
    for (uint32_t policy = 0; policy < 4; policy++) {
      struct walk walk = {.seed = policy, .run = {.subject = &registry_subjects[s]}};
      walk.shape = (struct kvp_registry_shape){.num_blocks = WALK_BLOCKS,
                                               .max_blocks = WALK_BLOCKS,
                                               .block_size = PAGE,
                                               .max_handles = WALK_HANDLES,
                                               .max_events = EVENTS,
                                               .leaf_first = policy & 1,
                                               .keep_duplicates = (policy & 2) != 0};
      walk.run.self = walk.run.subject->open(&walk.shape);
      assert_non_null(walk.run.self);
      for (uint32_t i = 0; i < WALK_STEPS; i++) {
        step(&walk);
        events_alternate(&walk);
        counts_are_of_the_blocks(&walk);
        hashes_are_unique(&walk);
        victim_is_the_least(&walk);
      }
      walk.run.subject->close(walk.run.self);
      assert_true(walk.done > WALK_STEPS / 4 && walk.last_event > WALK_STEPS / 40);
      assert_true(walk.refused[-KVP_RANGE] && walk.refused[-KVP_STATE] && walk.refused[-KVP_FULL]
                  && walk.refused[-KVP_EMPTY] && walk.refused[-KVP_BUSY]);
    }
}

/* Two registries with one content: each reports it, and refuses the other's handles. */
static void two_of_a_subject_are_apart(const struct registry_subject *subject)
{
  struct content content = content_of('0');
  void *of[2];
  uint64_t handle[2];
  struct kvp_registry_result got;
  struct kvp_grant grant = {0};
  struct kvp_event event;
  for (size_t i = 0; i < 2; i++) {
    struct kvp_registry_shape shape = {1, 1, PAGE, 1, 1, (uint8_t)i, 0, 0};
    struct kvp_registry_op ops[] = {
      {.kind = KVP_REGISTRY_ALLOCATE, .count = 1, .grants = &grant},
      {.kind = KVP_REGISTRY_WRITE, .length = PAGE, .tokens = content.tokens, .salt = SALT},
      {.kind = KVP_REGISTRY_REGISTER, .count = 1, .handles = &grant.handle, .grants = &grant},
      {.kind = KVP_REGISTRY_POLL, .count = 1, .events = &event}};
    of[i] = subject->open(&shape);
    assert_non_null(of[i]);
    for (size_t k = 0; k < 4; k++) {
      uint64_t given = grant.handle;
      ops[k].handle = k == 1 ? given : 0;
      if (k == 2)
        ops[k].handles = &given;
      subject->apply(of[i], &ops[k], &got);
      assert_int_equal(got.status, KVP_OK);
    }
    assert_true(got.count == 1 && event.kind == KVP_EVENT_STORED && event.hash == content.hash);
    handle[i] = grant.handle;
  }
  for (size_t i = 0; i < 2; i++) {
    struct kvp_registry_op op = {.kind = KVP_REGISTRY_RELEASE, .count = 1};
    op.handles = &handle[1 - i];
    subject->apply(of[i], &op, &got);
    assert_int_equal(got.status, KVP_RANGE);
    op.handles = &handle[i];
    subject->apply(of[i], &op, &got);
    assert_int_equal(got.status, KVP_OK);
    subject->close(of[i]);
  }
}

static void two_registries_are_apart(void **state)
{
  (void)state;
  for (size_t s = 0; s < NUM_REGISTRY_SUBJECTS; s++)
    two_of_a_subject_are_apart(&registry_subjects[s]);
}

int main(void)
{
  static const struct CMUnitTest tests[] = {
    {"random walks keep the laws of the registry", walk_keeps_the_laws, NULL, NULL, NULL},
    {"E13: F-18: two registries of one content are apart", two_registries_are_apart, NULL, NULL,
     NULL},
  };
  return cmocka_run_group_tests_name("laws of the registry", tests, NULL, NULL);
}
