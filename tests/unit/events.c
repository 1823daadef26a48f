/* SPDX-License-Identifier: Apache-2.0 */
/* The ring of events against all that were ever pushed: what is polled are the newest ones, in
   order, with their numbers, and what is missing was reported as dropped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "src/registry/events.h"

#define STEPS 50000
#define MOST_EVENTS 40

static struct kvp_events events;

/* What is to come out: of the events 1 … last, those from `next` on. */
struct twin {
  uint64_t last, next, dropped;
};

static uint32_t draw(uint64_t *number, uint32_t below)
{
  *number = *number * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*number >> 33) % below;
}

/* The event of a number: no two are alike in any field but the kind. */
static struct kvp_event event_of(uint64_t number)
{
  return (struct kvp_event){.number = number,
                            .kind = (enum kvp_event_kind)(number % 3),
                            .position = UINT32_MAX - (uint32_t)number,
                            .block_hash = number << 40,
                            .hash = UINT64_MAX - number,
                            .parent = number + 7};
}

static void push(struct twin *twin, uint32_t max_events)
{
  struct kvp_event event = event_of(++twin->last);

  kvp_events_push(&events, event.kind, event.position, event.block_hash, event.hash, event.parent);
  if (twin->last - twin->next + 1 > max_events) {
    twin->next++;
    twin->dropped++;
  }
}

static void compare_event(const struct kvp_event *got, const struct kvp_event *want)
{
  assert_true(got->number == want->number);
  assert_int_equal(got->kind, want->kind);
  assert_int_equal(got->position, want->position);
  assert_true(got->block_hash == want->block_hash);
  assert_true(got->hash == want->hash);
  assert_true(got->parent == want->parent);
}

static void poll(struct twin *twin, uint32_t count)
{
  struct kvp_event out[MOST_EVENTS + 1], untouched = event_of(UINT32_MAX);
  uint32_t waiting = (uint32_t)(twin->last - twin->next + 1);
  uint32_t n = count < waiting ? count : waiting;

  for (uint32_t k = 0; k <= MOST_EVENTS; k++)
    out[k] = untouched;
  assert_int_equal(kvp_events_poll(&events, count, out), n);
  for (uint32_t k = 0; k < n; k++) {
    struct kvp_event want = event_of(twin->next++);
    compare_event(&out[k], &want);
  }
  for (uint32_t k = n; k <= MOST_EVENTS; k++)
    compare_event(&out[k], &untouched);
}

static void take_dropped(struct twin *twin)
{
  assert_true(kvp_events_take_dropped(&events) == twin->dropped);
  twin->dropped = 0;
}

/* Pushes and polls of all sizes, so that the ring wraps, overflows and runs dry. */
static void long_random_sequences(void **state)
{
  static const uint32_t sizes[] = {0, 1, 2, 3, 7, MOST_EVENTS};
  uint64_t number = 1;

  (void)state;
  for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
    struct twin twin = {.next = 1};
    uint64_t dropped = 0, dry = 0;
    kvp_events_init(&events, sizes[n]);
    for (uint32_t k = 0; k < STEPS; k++) {
      if (draw(&number, sizes[n] + 2) > 0)
        push(&twin, sizes[n]);
      else
        poll(&twin, draw(&number, MOST_EVENTS + 1));
      if (draw(&number, 4) == 0)
        take_dropped(&twin);
      dropped += twin.dropped;
      dry += events.count == 0;
      assert_int_equal(events.count, twin.last - twin.next + 1);
      assert_true(events.last == twin.last);
      assert_true(events.first < sizes[n] || sizes[n] == 0);
    }
    assert_true(dropped > 0 && dry > 0);
  }
}

static void nothing_waits_at_first(void **state)
{
  (void)state;
  kvp_events_init(&events, 3);
  kvp_events_push(&events, KVP_EVENT_STORED, 1, 2, 3, 4);
  kvp_events_init(&events, 3);
  assert_int_equal(kvp_events_poll(&events, 0, NULL), 0);
  assert_true(kvp_events_take_dropped(&events) == 0);
  assert_true(events.last == 0);
}

static void the_most_events_have_room(void **state)
{
  struct kvp_event out, want = event_of(1);

  (void)state;
  kvp_events_init(&events, KVP_CAPACITY);
  for (uint64_t number = 1; number <= KVP_CAPACITY; number++) {
    struct kvp_event event = event_of(number);
    kvp_events_push(&events, event.kind, event.position, event.block_hash, event.hash,
                    event.parent);
  }
  assert_true(kvp_events_take_dropped(&events) == 0);
  assert_int_equal(kvp_events_poll(&events, 1, &out), 1);
  compare_event(&out, &want);
  assert_int_equal(events.count, KVP_CAPACITY - 1);
}

/* The last number there is. */
static void numbers_reach_their_end(void **state)
{
  struct kvp_event out;

  (void)state;
  kvp_events_init(&events, 2);
  events.last = UINT64_MAX - 1;
  kvp_events_push(&events, KVP_EVENT_CLEARED, 0, 0, 0, 0);
  assert_int_equal(kvp_events_poll(&events, 1, &out), 1);
  assert_true(out.number == UINT64_MAX);
  assert_int_equal(out.kind, KVP_EVENT_CLEARED);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(long_random_sequences),
    cmocka_unit_test(nothing_waits_at_first),
    cmocka_unit_test(the_most_events_have_room),
    cmocka_unit_test(numbers_reach_their_end),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
