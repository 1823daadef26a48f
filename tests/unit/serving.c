/* SPDX-License-Identifier: Apache-2.0 */
/* The serving loop with followers: one that agrees, and ones that lie, each in its own way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "src/oracle/appliers.h"
#include "src/oracle/serving.h"

/* A pool of the host backend that can be told to lie. */
struct liar {
  struct kvp_applier truth;
  enum kvp_kind kind;                                      /* results of this kind are false, */
  int kinds, counts, views, order, payload, table, status; /* if told so; and so for the others */
};

static enum kvp_status apply(void *self, const struct kvp_op *ops, size_t n,
                             struct kvp_result *results)
{
  const struct liar *liar = self;
  enum kvp_status status = liar->truth.apply(liar->truth.self, ops, n, results);

  for (size_t i = 0; i < n; i++) {
    if (liar->kinds && ops[i].kind == liar->kind)
      results[i].block ^= 1;
  }
  if (liar->payload)
    kvp_device_write_payload(liar->truth.self, 0, 2, 1, (const uint32_t[]){7, 7, 7, 7});
  if (liar->table)
    kvp_device_write_table(liar->truth.self, 1, 1, (const uint32_t[]){5});
  return liar->status ? KVP_MEMORY : status;
}

static void counts(void *self, struct kvp_counts *counts)
{
  const struct liar *liar = self;

  liar->truth.counts(liar->truth.self, counts);
  counts->num_used += (uint32_t)liar->counts;
}

static enum kvp_status view(void *self, uint32_t block, struct kvp_view *view)
{
  const struct liar *liar = self;
  enum kvp_status status = liar->truth.view(liar->truth.self, block, view);

  view->ref_count += (uint32_t)(liar->views && block == 2);
  return status;
}

static uint32_t next_cached(void *self, uint32_t block)
{
  const struct liar *liar = self;

  return liar->order ? KVP_NONE : liar->truth.next_cached(liar->truth.self, block);
}

/* Five requests on 6 blocks, two at once: hits, evictions, a move, a shrink and a growth. */
static uint64_t ids[] = {0, 1, 2, 0, 1, 3, 0, 4, 5, 6, 7, 0, 1, 2, 8};
static size_t first[] = {0, 3, 6, 9, 11, 15};
static const struct kvp_workload workload = {
  .num_requests = 5, .longest = 4, .first = first, .ids = ids};

static enum kvp_outcome serve_with(struct liar *liar, struct kvp_serving_counts *found,
                                   char *message, size_t size)
{
  struct kvp_applier reference;
  struct kvp_applier follower = {"liar", liar, apply, counts, view, next_cached};
  struct kvp_lockstep_setup setup = {.reference = &reference,
                                     .followers = &follower,
                                     .num_followers = 1,
                                     .shape = {.num_blocks = 6, .max_blocks = 6, .block_bytes = 16}};
  struct kvp_device_options options = {.backend = "host"};
  struct kvp_resize_plan plan;
  struct kvp_serving serving = {
    .workload = &workload, .plan = &plan, .reference = &reference, .concurrency = 2};
  enum kvp_outcome outcome;

  assert_int_equal(kvp_resize_parse("3:-1,4:+1", &plan), KVP_OK);
  assert_int_equal(kvp_open_reference(6, 6, 0, &reference), KVP_OK);
  assert_int_equal(kvp_serving_table(&workload, 6, 2, &setup.shape.table_entries), KVP_OK);
  assert_int_equal(kvp_open_device(&setup.shape, &options, &liar->truth, message, size), KVP_OK);
  setup.device = liar->truth.self;
  serving.followers = kvp_lockstep_open(&setup);
  assert_non_null(serving.followers);
  outcome = kvp_serve(&serving, found, message, size);
  kvp_lockstep_close(serving.followers);
  kvp_close_device(&liar->truth);
  kvp_close_reference(&reference);
  kvp_resize_release(&plan);
  return outcome;
}

static void a_follower_that_does_the_same_agrees(void **state)
{
  struct liar honest = {.kinds = 0};
  struct kvp_serving_counts found;
  char message[2048] = "";

  (void)state;
  assert_int_equal(serve_with(&honest, &found, message, sizeof message), KVP_AGREED);
  assert_string_equal(message, "");
  assert_int_equal(found.requests, 5);
  assert_int_equal(found.retired, 1);
  assert_int_equal(found.moved, 1);
  assert_int_equal(found.grown, 1);
  assert_int_equal(found.divergences, 0);
}

static void every_lie_is_found_and_said(void **state)
{
  static const struct {
    struct liar liar;
    const char *says;
  } cases[] = {
    {{.kinds = 1, .kind = KVP_LOOKUP}, "request 1: lookup"},
    {{.kinds = 1, .kind = KVP_CLAIM}, "request 2: claim"},
    {{.kinds = 1, .kind = KVP_FREE}, "request 3: free"},
    {{.kinds = 1, .kind = KVP_POP}, "request 1: pop"},
    {{.kinds = 1, .kind = KVP_ALLOCATE}, "request 1: allocate"},
    {{.kinds = 1, .kind = KVP_PUBLISH}, "request 1: publish"},
    {{.kinds = 1, .kind = KVP_RETIRE_TOP}, "request 3: retire_top"},
    {{.kinds = 1, .kind = KVP_EXTEND}, "request 4: extend"},
    {{.counts = 1}, "request 1: counts: num_used"},
    {{.views = 1}, "request 1: block 2: ref_count"},
    {{.order = 1}, "request 5: cached order"},
    {{.payload = 1}, "request 2: payload of block 2: word 0"},
    {{.table = 1}, "request 1: table entry 1"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct liar liar = cases[i].liar;
    struct kvp_serving_counts found;
    char message[2048] = "";
    assert_int_equal(serve_with(&liar, &found, message, sizeof message), KVP_DIVERGED);
    assert_int_equal(found.divergences, 1);
    if (strncmp(message, cases[i].says, strlen(cases[i].says)) != 0)
      fail_msg("expected \"%s\" at the start of \"%s\"", cases[i].says, message);
    assert_non_null(strstr(message, "reference"));
    assert_non_null(strstr(message, "liar"));
  }
}

static void a_follower_that_fails_is_no_divergence(void **state)
{
  struct liar liar = {.status = 1};
  struct kvp_serving_counts found;
  char message[2048] = "";

  (void)state;
  assert_int_equal(serve_with(&liar, &found, message, sizeof message), KVP_FAILED);
  assert_int_equal(found.divergences, 0);
  assert_non_null(strstr(message, "liar"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_follower_that_does_the_same_agrees),
    cmocka_unit_test(every_lie_is_found_and_said),
    cmocka_unit_test(a_follower_that_fails_is_no_divergence),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
