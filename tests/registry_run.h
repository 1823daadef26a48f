/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the scripts of registry_script.h: every step on every subject; a refusal must leave the
   registry and the caller's buffers as they were. */
#ifndef KVP_TESTS_REGISTRY_RUN_H
#define KVP_TESTS_REGISTRY_RUN_H

#include "tests/registry_script.h"
#include "tests/run_scripts.h"

#define SEEN_BLOCKS 10 /* most blocks of a script */
#define GIVEN 256      /* most handles that a script is given */

struct run {
  const struct registry_subject *subject;
  void *self;
  uint64_t named[128]; /* the handle of a name, or 0 */
  uint64_t given[GIVEN];
  size_t num_given;
  uint64_t last_event;
};

/* All that can be seen, as numbers. */
struct picture {
  struct kvp_registry_counts counts;
  uint64_t order[SEEN_BLOCKS + 2]; /* the next empty block of each and of none, and the victim */
  uint64_t block[SEEN_BLOCKS][12];
  uint32_t tokens[SEEN_BLOCKS][PAGE];
};

static inline struct picture picture_of(const struct run *run)
{
  struct picture p = {0};
  struct kvp_block_view v;
  const struct registry_subject *subject = run->subject;

  subject->counts(run->self, &p.counts);
  p.order[SEEN_BLOCKS] = subject->next_empty(run->self, KVP_NONE);
  p.order[SEEN_BLOCKS + 1] = subject->victim(run->self);
  for (uint32_t b = 0; subject->view(run->self, b, &v) == KVP_OK; b++) {
    assert_true(b < SEEN_BLOCKS && v.length <= PAGE);
    const uint64_t row[12] = {v.state,      v.handles,       v.pins,          v.priority,
                              v.length,     v.position,      v.salt,          v.parent,
                              v.block_hash, v.acquired_tick, v.returned_tick, v.hash};
    memcpy(p.block[b], row, sizeof row);
    p.order[b] = subject->next_empty(run->self, b);
    for (uint32_t i = 0; v.tokens != NULL && i < v.length; i++)
      p.tokens[b][i] = v.tokens[i];
  }
  return p;
}

static inline int is(const char *what, uint64_t got, uint64_t want)
{
  if (got == want)
    return 1;
  fprintf(stderr, "  %s: %llu, not %llu\n", what, (unsigned long long)got,
          (unsigned long long)want);
  return 0;
}

struct buffers {
  uint64_t handles[MOST], hashes[MOST];
  struct kvp_grant grants[MOST];
  struct kvp_event events[EVENTS];
};

/* The step's operation, with its names looked up. */
static inline struct kvp_registry_op op_of(const struct run *run, const struct step *step,
                                           struct content *content, struct buffers *buffers)
{
  struct kvp_registry_op op = step->op;
  int hashes = op.kind == KVP_REGISTRY_MATCH || op.kind == KVP_REGISTRY_TOUCH;
  int list = hashes || op.kind == KVP_REGISTRY_REGISTER || op.kind == KVP_REGISTRY_RELEASE;

  if (step->in != NULL) {
    for (uint32_t i = 0; step->in[i] != 0; i++) {
      assert_true(i < MOST);
      if (hashes)
        buffers->hashes[i] = content_of(step->in[i]).hash;
      else
        buffers->handles[i] = run->named[(int)step->in[i]];
    }
    op.hashes = buffers->hashes;
    op.handles = buffers->handles;
    op.handle = buffers->handles[0];
    if (list)
      op.count = (uint32_t)strlen(step->in);
  }
  if (step->out != NULL)
    op.grants = buffers->grants;
  if (op.kind == KVP_REGISTRY_ALLOCATE && step->want.status == KVP_OK && step->out != NULL)
    op.count = (uint32_t)strlen(step->out);
  if (step->events != NULL)
    op.events = buffers->events;
  if (step->content != NULL) {
    *content = content_of(step->content[0]);
    op.hash = content->hash;
    if (op.kind == KVP_REGISTRY_WRITE) {
      op.tokens = content->tokens;
      op.length = PAGE;
      op.salt = SALT;
      op.position = content->position;
      op.parent = content->parent;
    }
  }
  return op;
}

static inline int result_is(const struct kvp_registry_result *got,
                            const struct kvp_registry_result *want)
{
  return is("status", (uint64_t)(int64_t)got->status, (uint64_t)(int64_t)want->status)
         & is("count", got->count, want->count) & is("requested", got->requested, want->requested)
         & is("available", got->available, want->available)
         & is("dropped", got->dropped, want->dropped)
         & is("block hash", got->block_hash, want->block_hash) & is("hash", got->hash, want->hash);
}

/* A handle is given once only, and stands for the storage that the step says. */
static inline int grants_are(struct run *run, const struct step *step,
                             const struct kvp_grant *grants)
{
  int good = 1;
  for (size_t i = 0; step->out[i] != 0; i++) {
    char kind = step->kinds == NULL ? 'n' : step->kinds[i];
    good &= is("granted block", grants[i].block, (uint64_t)(step->blocks[i] - '0'));
    good &= is("grant's kind", (unsigned char)"nmd"[grants[i].kind % 3], (unsigned char)kind);
    good &= is("no handle", grants[i].handle == 0, 0);
    for (size_t k = 0; k < run->num_given; k++)
      good &= is("a handle given before", run->given[k] == grants[i].handle, 0);
    assert_true(run->num_given < GIVEN);
    run->given[run->num_given++] = grants[i].handle;
    run->named[(int)step->out[i]] = grants[i].handle;
  }
  return good;
}

static inline int event_is(const struct kvp_event *got, char sign, char name)
{
  struct content c = {0};
  enum kvp_event_kind kind = sign == '+'   ? KVP_EVENT_STORED
                             : sign == '-' ? KVP_EVENT_REMOVED
                                           : KVP_EVENT_CLEARED;
  if (sign != '!')
    c = content_of(name);
  return is("event's kind", got->kind, kind) & is("event's hash", got->hash, c.hash)
         & is("event's block hash", got->block_hash, c.block_hash)
         & is("event's parent", got->parent, c.parent)
         & is("event's position", got->position, c.position);
}

/* Events come in the order of the text, numbered on without a gap but for what was dropped. */
static inline int events_are(struct run *run, const struct step *step,
                             const struct kvp_event *events, uint32_t count)
{
  int good = 1;
  uint32_t n = 0;
  run->last_event += step->want.dropped;
  for (const char *c = step->events; *c != 0 && n < count; n++) {
    good &= event_is(&events[n], c[0], c[1]) & is("number", events[n].number, run->last_event + 1);
    run->last_event = events[n].number;
    c += *c == '!' ? 1 : 2;
  }
  return good;
}

static inline uint32_t count_events(const char *events)
{
  uint32_t n = 0;
  for (; *events != 0; events += *events == '!' ? 1 : 2)
    n++;
  return n;
}

/* Whether everything from a list's end on is still the rubbish that was put there. */
static inline int is_rubbish(const void *end, const void *buffer, size_t size)
{
  for (const unsigned char *c = end; c < (const unsigned char *)buffer + size; c++)
    if (*c != 0x5A)
      return 0;
  return 1;
}

static inline int step_answers(struct run *run, const struct step *step)
{
  struct content content;
  struct buffers buffers;
  memset(&buffers, 0x5A, sizeof buffers);
  struct kvp_registry_op op = op_of(run, step, &content, &buffers);
  struct kvp_registry_result got, want = step->want;
  struct picture before = picture_of(run);
  memset(&got, 0x5A, sizeof got);
  if (want.status == KVP_OK && step->content != NULL
      && (op.kind == KVP_REGISTRY_COMMIT || op.kind == KVP_REGISTRY_WRITE)) {
    want.block_hash = content.block_hash;
    want.hash = content.hash;
  }
  if (want.status == KVP_OK && step->events != NULL)
    want.count = count_events(step->events);

  run->subject->apply(run->self, &op, &got);
  int good = result_is(&got, &want);
  struct picture after = picture_of(run);
  if (want.status != KVP_OK)
    good &= is("changed by a refusal", memcmp(&before, &after, sizeof before) != 0, 0);
  if (!good)
    return 0;
  size_t granted = want.status == KVP_OK && step->out != NULL ? strlen(step->out) : 0;
  size_t polled = step->events != NULL ? want.count : 0;
  good &= is("written behind the grants",
             !is_rubbish(buffers.grants + granted, buffers.grants, sizeof buffers.grants), 0);
  good &= is("written behind the events",
             !is_rubbish(buffers.events + polled, buffers.events, sizeof buffers.events), 0);
  if (granted != 0)
    good &= grants_are(run, step, buffers.grants);
  if (polled != 0)
    good &= events_are(run, step, buffers.events, want.count);
  return good;
}

static inline int step_holds(struct run *run, const struct step *step)
{
  struct kvp_block_view v = {0};
  struct kvp_registry_counts c;
  struct content content = {0};
  uint64_t salt;

  switch (step->check) {
  case STEP_ANSWER: return step_answers(run, step);
  case STEP_BLOCK:
    run->subject->view(run->self, step->block, &v);
    return is("state", v.state, step->view.state) & is("handles", v.handles, step->view.handles);
  case STEP_REPORT:
    run->subject->view(run->self, step->block, &v);
    if (step->content != NULL)
      content = content_of(step->content[0]);
    salt = step->content == NULL ? v.salt : step->view.tokens != NULL ? SALT : 0;
    return is("length", v.length, step->view.length)
           & is("tokens there", v.tokens != NULL, step->view.tokens != NULL)
           & is("hash", v.hash, content.hash) & is("block hash", v.block_hash, content.block_hash)
           & is("parent", v.parent, content.parent) & is("position", v.position, content.position)
           & is("salt", v.salt, salt);
  case STEP_TICKS:
    run->subject->view(run->self, step->block, &v);
    return is("acquired", v.acquired_tick, step->view.acquired_tick)
           & is("returned", v.returned_tick, step->view.returned_tick)
           & is("priority", v.priority, step->view.priority);
  case STEP_COUNTS:
    run->subject->counts(run->self, &c);
    return is("empty", c.num_empty, step->counts.num_empty)
           & is("held", c.num_held, step->counts.num_held)
           & is("active", c.num_active, step->counts.num_active)
           & is("cached", c.num_cached, step->counts.num_cached)
           & is("blocks", c.num_blocks, step->counts.num_blocks)
           & is("available", c.num_available, step->counts.num_available);
  }
  return 0;
}

static inline struct kvp_registry_shape shape_of(const struct script *script)
{
  struct kvp_registry_shape shape = script->shape;
  shape.block_size = PAGE;
  shape.tag = 7;
  if (shape.max_handles == 0)
    shape.max_handles = MOST;
  if (shape.max_events == 0)
    shape.max_events = EVENTS;
  return shape;
}

/* A test of cmocka, whose state is a script. */
static inline void run_script(void **state)
{
  const struct script *script = *state;
  const struct kvp_registry_shape shape = shape_of(script);
  int good = 1;

  for (size_t s = 0; s < NUM_REGISTRY_SUBJECTS; s++) {
    struct run run = {.subject = &registry_subjects[s]};
    run.self = run.subject->open(&shape);
    assert_non_null(run.self);
    for (size_t i = 0; i < script->num_steps; i++)
      if (!step_holds(&run, &script->steps[i])) {
        fprintf(stderr, "  by the %s, at line %d of the test\n", run.subject->name,
                script->steps[i].line);
        good = 0;
        break;
      }
    run.subject->close(run.self);
  }
  assert_true(good);
}

#endif
