/* SPDX-License-Identifier: Apache-2.0 */
/* Resize plans: what is one, what is none, and what a plan asks for at a request. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "src/oracle/resize.h"

/* All that a plan asks for at requests 1 .. 12, as text. */
static void describe(const struct kvp_resize_plan *plan, char *text, size_t size)
{
  size_t used = 0;

  text[0] = '\0';
  for (uint64_t number = 1; number <= 12; number++) {
    struct kvp_resize step;
    size_t cursor = 0;
    while (kvp_resize_next(plan, number, &cursor, &step))
      used += (size_t)snprintf(text + used, size - used, "%d%c%u ", (int)number,
                               step.grow ? '+' : '-', step.count);
  }
}

static void a_plan_asks_for_what_it_says(void **state)
{
  static const struct {
    const char *plan, *asks;
  } cases[] = {
    {"5:-3", "5-3 "},
    {"5:-3,7:+4", "5-3 7+4 "},
    {"7:+4,5:-3", "5-3 7+4 "},
    {"5:-3,5:+1,5:-2", "5-3 5+1 5-2 "},
    {"every:3:10", "3-10 6+10 9-10 12+10 "},
    {"every:12:1", "12-1 "},
    {"18446744073709551615:-4294967295", ""},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct kvp_resize_plan plan;
    char text[256];
    assert_int_equal(kvp_resize_parse(cases[i].plan, &plan), KVP_OK);
    describe(&plan, text, sizeof text);
    assert_string_equal(text, cases[i].asks);
    kvp_resize_release(&plan);
  }
}

static void no_plan_never_resizes(void **state)
{
  struct kvp_resize_plan plan = {0};
  char text[256];

  (void)state;
  describe(&plan, text, sizeof text);
  assert_string_equal(text, "");
}

static void what_is_no_plan_is_refused(void **state)
{
  static const char *const cases[] = {
    "",
    ",",
    "5",
    "5:",
    "5:3",
    "5:-",
    "5:+x",
    "5:-0",
    "0:-3",
    "-5:-3",
    "+5:-3",
    " 5:-3",
    "5:-3 ",
    "5:-3,",
    ",5:-3",
    "5:--3",
    "5:-4294967296",
    "18446744073709551616:-1",
    "5:-3;6:-1",
    "every",
    "every:",
    "every:3",
    "every:3:",
    "every:0:1",
    "every:3:0",
    "every:3:1,",
    "every:3:-1",
    "every:3:4294967296",
    "5:-3,every:3:1",
    "Every:3:1",
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct kvp_resize_plan plan;
    if (kvp_resize_parse(cases[i], &plan) != KVP_ARGUMENT)
      fail_msg("taken for a plan: \"%s\"", cases[i]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_plan_asks_for_what_it_says),
    cmocka_unit_test(no_plan_never_resizes),
    cmocka_unit_test(what_is_no_plan_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
