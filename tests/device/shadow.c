/* SPDX-License-Identifier: Apache-2.0 */
/* The race shadow's rule, as a table: two accesses, and whether the second ends the process. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "src/device/arrays.h"
#include "src/device/lane.h"
#include "src/device/shadow.h"

struct at {
  enum kvp_access access;
  uint32_t group, item, phase;
};

struct pair {
  struct at first, second;
  int races;
};

static const struct pair pairs[] = {
  {{KVP_WRITE, 0, 1, 0}, {KVP_WRITE, 0, 1, 0}, 0},   /* one item */
  {{KVP_WRITE, 0, 1, 0}, {KVP_READ, 0, 1, 0}, 0},    /* one item */
  {{KVP_WRITE, 0, 1, 0}, {KVP_READ, 0, 2, 1}, 0},    /* a barrier between */
  {{KVP_READ, 0, 1, 0}, {KVP_WRITE, 0, 2, 1}, 0},    /* a barrier between */
  {{KVP_READ, 0, 1, 0}, {KVP_READ, 1, 2, 0}, 0},     /* no write */
  {{KVP_ATOMIC, 0, 1, 0}, {KVP_ATOMIC, 1, 2, 0}, 0}, /* both atomic */
  {{KVP_WRITE, 0, 1, 0}, {KVP_WRITE, 0, 2, 0}, 1},
  {{KVP_WRITE, 0, 1, 0}, {KVP_READ, 0, 2, 0}, 1},
  {{KVP_READ, 0, 1, 0}, {KVP_WRITE, 0, 2, 0}, 1},
  {{KVP_WRITE, 0, 1, 0}, {KVP_READ, 1, 1, 1}, 1}, /* no barrier between groups */
  {{KVP_READ, 0, 1, 0}, {KVP_WRITE, 1, 1, 1}, 1},
  {{KVP_ATOMIC, 0, 1, 0}, {KVP_READ, 0, 2, 0}, 1},
  {{KVP_ATOMIC, 0, 1, 0}, {KVP_WRITE, 1, 2, 0}, 1},
  {{KVP_WRITE, 0, 1, 0}, {KVP_ATOMIC, 0, 2, 0}, 1},
  {{KVP_READ, 0, 1, 0}, {KVP_ATOMIC, 1, 2, 0}, 1},
};

static uint32_t words[8];

static void access_word(const struct at *at)
{
  kvp_lane.group = at->group;
  kvp_lane.item = at->item;
  kvp_lane.phase = at->phase;
  kvp_shadow_access(&words[3], sizeof words[3], at->access);
}

/* 1 if the accesses, the first n - 1 of one launch or each of its own, end the process. */
static int ends(const struct at *accesses, size_t n, int launches)
{
  int status = 0;
  pid_t child = fork();

  if (child == 0) {
    size_t none[NUM_ARRAYS] = {0};
    struct kvp_shadow shadow = {
      .base = (const unsigned char *)words, .offsets = none, .sizes = none};
    signal(SIGABRT, SIG_DFL);
    close(STDERR_FILENO);
    if (!kvp_shadow_open(&shadow, 8))
      _exit(2);
    kvp_lane.shadow = &shadow;
    kvp_lane.kernel = "test";
    kvp_shadow_begin_launch(&shadow);
    for (size_t i = 0; i < n; i++) {
      access_word(&accesses[i]);
      if (launches)
        kvp_shadow_begin_launch(&shadow);
    }
    _exit(0);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  if (WIFSIGNALED(status))
    return WTERMSIG(status) == SIGABRT;
  assert_int_equal(WEXITSTATUS(status), 0);
  return 0;
}

static void accesses_race_as_the_table_says(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    const struct at both[] = {pairs[i].first, pairs[i].second};
    assert_int_equal(ends(both, 2, 0), pairs[i].races);
    assert_int_equal(ends(both, 2, 1), 0); /* launches are ordered */
  }
}

/* What several items or groups did is not forgotten for what the last of them did. */
static void a_race_with_any_of_many_is_seen(void **state)
{
  (void)state;
  const struct at items[] = {{KVP_READ, 0, 1, 0}, {KVP_READ, 0, 2, 0}, {KVP_WRITE, 0, 2, 0}};
  const struct at groups[] = {{KVP_ATOMIC, 0, 1, 0}, {KVP_ATOMIC, 1, 1, 0}, {KVP_READ, 1, 1, 1}};
  const struct at phases[] = {{KVP_READ, 0, 1, 0}, {KVP_READ, 0, 2, 1}, {KVP_WRITE, 0, 2, 1}};
  assert_int_equal(ends(items, 3, 0), 1);
  assert_int_equal(ends(groups, 3, 0), 1);
  assert_int_equal(ends(phases, 3, 0), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(accesses_race_as_the_table_says),
    cmocka_unit_test(a_race_with_any_of_many_is_seen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
