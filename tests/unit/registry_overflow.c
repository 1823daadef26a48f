/* SPDX-License-Identifier: Apache-2.0 */
/* The reference registry with a 64-bit counter past its half: an operation that needs one number
   more answers OVERFLOW and changes nothing. No test could get there by counting. */
#include "tests/registry_run.h"

#define HALF (UINT64_C(1) << 63)

enum counter { TICK, EVENT, EMPTY, READY, HASHES, CALM, BLOCKING, ORPHANS, NUM_COUNTERS };
#define USES(counter) (1u << (counter))

static uint64_t *counter_of(struct kvp_registry *registry, enum counter counter)
{
  switch (counter) {
  case TICK: return &registry->tick;
  case EVENT: return &registry->events.last;
  case EMPTY: return &registry->store.empty.clock;
  case READY: return &registry->handles.ready.clock;
  case HASHES: return &registry->store.index.chains.clock;
  case CALM: return &registry->store.calm.clock;
  case BLOCKING: return &registry->store.blocking.clock;
  default: return &registry->store.orphans.clock;
  }
}

/* Six blocks, none empty: "0" and its child "1" cached, another child of "0" shared, complete ones
   of "1" again and of "2", the child of "1", and a reset one. */
enum { NUM_BLOCKS = 6, SHARED = 2, SAME, CHILD, HELD };

struct fixture {
  struct run run;
  uint64_t handles[NUM_BLOCKS]; /* of a block */
};

static struct kvp_registry_result apply(struct fixture *fixture, const struct kvp_registry_op *op)
{
  struct kvp_registry_result result;
  fixture->run.subject->apply(fixture->run.self, op, &result);
  return result;
}

static void must(struct fixture *fixture, const struct kvp_registry_op *op)
{
  assert_int_equal(apply(fixture, op).status, KVP_OK);
}

static void write_content(struct fixture *fixture, uint32_t block, char name)
{
  struct content content = content_of(name);
  const struct kvp_registry_op op = {.kind = KVP_REGISTRY_WRITE,
                                     .handle = fixture->handles[block],
                                     .length = PAGE,
                                     .tokens = content.tokens,
                                     .salt = SALT,
                                     .position = content.position,
                                     .parent = content.parent};
  must(fixture, &op);
}

static void release(struct fixture *fixture, uint32_t first, uint32_t count)
{
  const struct kvp_registry_op op = {
    .kind = KVP_REGISTRY_RELEASE, .count = count, .handles = &fixture->handles[first]};
  must(fixture, &op);
}

static struct fixture begin(int is_pinned, int is_idle)
{
  static const struct kvp_registry_shape shape = {.num_blocks = NUM_BLOCKS,
                                                  .max_blocks = NUM_BLOCKS + 1,
                                                  .block_size = PAGE,
                                                  .max_handles = NUM_BLOCKS + 2,
                                                  .max_events = 4,
                                                  .leaf_first = 1};
  static const char names[] = "01412";
  struct fixture fixture = {.run.subject = &registry_subjects[1]};
  struct kvp_grant grants[NUM_BLOCKS];
  fixture.run.self = fixture.run.subject->open(&shape);
  assert_non_null(fixture.run.self);
  must(&fixture, &(struct kvp_registry_op){
                   .kind = KVP_REGISTRY_ALLOCATE, .count = NUM_BLOCKS, .grants = grants});
  for (uint32_t b = 0; b < NUM_BLOCKS; b++) {
    assert_int_equal(grants[b].block, b);
    fixture.handles[b] = grants[b].handle;
  }
  for (uint32_t b = 0; b < HELD; b++)
    write_content(&fixture, b, names[b]);
  must(&fixture, &(struct kvp_registry_op){.kind = KVP_REGISTRY_REGISTER,
                                           .count = SHARED + 1,
                                           .handles = fixture.handles,
                                           .grants = grants});
  for (uint32_t b = 0; b <= SHARED; b++)
    fixture.handles[b] = grants[b].handle;
  release(&fixture, 0, SHARED);
  if (is_pinned)
    must(&fixture,
         &(struct kvp_registry_op){.kind = KVP_REGISTRY_PIN, .hash = content_of('1').hash});
  if (is_idle)
    release(&fixture, SHARED, NUM_BLOCKS - SHARED);
  return fixture;
}

/* Operations that succeed, and the counters of which they need a number. */
struct need {
  const char *what;
  enum kvp_registry_kind kind;
  uint32_t block; /* whose handle is given */
  unsigned uses;
};

static const struct need needs[] = {
  {"add_blocks", KVP_REGISTRY_ADD_BLOCKS, 0, USES(EMPTY)},
  {"allocate, evicting", KVP_REGISTRY_ALLOCATE, 0, USES(TICK) | USES(EVENT) | USES(EMPTY)},
  {"init", KVP_REGISTRY_INIT, HELD, 0},
  {"write", KVP_REGISTRY_WRITE, HELD, 0},
  {"clear", KVP_REGISTRY_CLEAR, SAME, 0},
  {"register, a child", KVP_REGISTRY_REGISTER, CHILD, USES(EVENT) | USES(HASHES) | USES(BLOCKING)},
  {"register, merged", KVP_REGISTRY_REGISTER, SAME, USES(TICK) | USES(EMPTY) | USES(BLOCKING)},
  {"match", KVP_REGISTRY_MATCH, 0, USES(BLOCKING)},
  {"touch", KVP_REGISTRY_TOUCH, 0, USES(TICK)},
  {"share", KVP_REGISTRY_SHARE, SHARED, 0},
  {"release, to be cached", KVP_REGISTRY_RELEASE, SHARED, USES(TICK) | USES(READY) | USES(CALM)},
  {"release, to be empty", KVP_REGISTRY_RELEASE, HELD, USES(TICK) | USES(READY) | USES(EMPTY)},
  {"set_priority", KVP_REGISTRY_SET_PRIORITY, SHARED, 0},
  {"pin", KVP_REGISTRY_PIN, 0, USES(BLOCKING)},
  {"unpin", KVP_REGISTRY_UNPIN, 0, USES(CALM)},
  {"reset", KVP_REGISTRY_RESET, 0, USES(EVENT) | USES(EMPTY)},
  {"poll", KVP_REGISTRY_POLL, 0, 0},
};

/* The answer with the counter at this value; one but OK must change nothing. */
static enum kvp_status answer(const struct need *need, enum counter counter, uint64_t value)
{
  struct fixture fixture =
    begin(need->kind == KVP_REGISTRY_UNPIN, need->kind == KVP_REGISTRY_RESET);
  struct content content = content_of('1');
  struct kvp_grant grant = {0};
  struct kvp_event event = {0};
  const struct kvp_registry_op op = {.kind = need->kind,
                                     .count = 1,
                                     .length = PAGE,
                                     .handle = fixture.handles[need->block],
                                     .hash = content.hash,
                                     .hashes = &content.hash,
                                     .handles = &fixture.handles[need->block],
                                     .tokens = content.tokens,
                                     .grants = &grant,
                                     .events = &event};
  *counter_of(fixture.run.self, counter) = value;
  struct picture before = picture_of(&fixture.run);
  struct kvp_registry_result result = apply(&fixture, &op);
  struct picture after = picture_of(&fixture.run);
  if (result.status != KVP_OK) {
    assert_memory_equal(&before, &after, sizeof before);
    assert_true(*counter_of(fixture.run.self, counter) == value);
    assert_true(grant.handle == 0 && event.number == 0 && result.count == 0);
  }
  fixture.run.subject->close(fixture.run.self);
  return result.status;
}

static int is_refused(const struct need *need, enum counter counter, uint64_t value)
{
  enum kvp_status status = answer(need, counter, value);
  /* An operation that uses some counter may heed them all. */
  if (status == KVP_OVERFLOW ? need->uses != 0
                             : status == KVP_OK && (need->uses & USES(counter)) == 0)
    return 1;
  fprintf(stderr, "  %s, counter %d: %s\n", need->what, (int)counter, kvp_strerror(status));
  return 0;
}

static void past_its_half_a_counter_is_overflow(void **state)
{
  (void)state;
  int good = 1;
  for (size_t n = 0; n < sizeof needs / sizeof needs[0]; n++)
    for (enum counter c = 0; c < NUM_COUNTERS; c++)
      good &= is_refused(&needs[n], c, HALF + 1) & is_refused(&needs[n], c, UINT64_MAX);
  assert_true(good);
}

static void half_a_counter_does_not_matter(void **state)
{
  (void)state;
  for (size_t n = 0; n < sizeof needs / sizeof needs[0]; n++)
    for (enum counter c = 0; c < NUM_COUNTERS; c++)
      assert_int_equal(answer(&needs[n], c, HALF), KVP_OK);
}

/* What else is wrong is answered before, or after, as the errors' order says. */
static void overflow_has_its_place(void **state)
{
  (void)state;
  struct fixture fixture = begin(0, 0);
  const uint64_t gone = fixture.handles[0];
  struct kvp_grant grants[NUM_BLOCKS];
  struct kvp_registry *registry = fixture.run.self;
  registry->tick = registry->events.last = UINT64_MAX;
  const struct kvp_registry_op argument = {.kind = KVP_REGISTRY_ALLOCATE, .count = 1};
  const struct kvp_registry_op range = {.kind = KVP_REGISTRY_RELEASE, .count = 1, .handles = &gone};
  const struct kvp_registry_op fault = {
    .kind = KVP_REGISTRY_REGISTER, .count = 1, .handles = &fixture.handles[HELD], .grants = grants};
  const struct kvp_registry_op full = {
    .kind = KVP_REGISTRY_ALLOCATE, .count = NUM_BLOCKS, .grants = grants};
  assert_int_equal(apply(&fixture, &argument).status, KVP_ARGUMENT);
  assert_int_equal(apply(&fixture, &range).status, KVP_RANGE);
  assert_int_equal(apply(&fixture, &fault).status, KVP_OVERFLOW);
  assert_int_equal(apply(&fixture, &full).status, KVP_OVERFLOW);
  fixture.run.subject->close(fixture.run.self);
}

int main(void)
{
  static const struct CMUnitTest tests[] = {
    {"a counter past its half is OVERFLOW, and nothing changes",
     past_its_half_a_counter_is_overflow, NULL, NULL, NULL},
    {"a counter at its half does no harm", half_a_counter_does_not_matter, NULL, NULL, NULL},
    {"argument and range come before overflow, state and fullness after", overflow_has_its_place,
     NULL, NULL, NULL},
  };
  return cmocka_run_group_tests_name("overflow of the registry's counters", tests, NULL, NULL);
}
