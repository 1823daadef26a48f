/* SPDX-License-Identifier: Apache-2.0 */
/* As much of cmocka as the device suite uses, for machines that have no cmocka. Its output is
   TAP. */
#ifndef KVP_TEST_STAND_IN_CMOCKA_H
#define KVP_TEST_STAND_IN_CMOCKA_H

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef int (*CMFixtureFunction)(void **state);

struct CMUnitTest {
  const char *name;
  void (*test)(void **state);
  CMFixtureFunction setup, teardown;
  void *initial_state;
};

/* clang-format off */
#define cmocka_unit_test(f) {#f, f, NULL, NULL, NULL}
#define cmocka_unit_test_teardown(f, end) {#f, f, NULL, end, NULL}
#define cmocka_unit_test_setup_teardown(f, begin, end) {#f, f, begin, end, NULL}
/* clang-format on */

enum { STAND_IN_FAILED = 1, STAND_IN_SKIPPED };

static jmp_buf stand_in_end; /* of the test that runs */

static inline void stand_in_check(int holds, const char *what, const char *file, int line)
{
  if (holds)
    return;
  printf("# %s:%d: not so: %s\n", file, line, what);
  longjmp(stand_in_end, STAND_IN_FAILED);
}

/* Values of all integer types, compared as 64 bits. */
static inline void stand_in_equal(uint64_t a, uint64_t b, const char *what, const char *file,
                                  int line)
{
  if (a != b)
    printf("# %#llx is not %#llx\n", (unsigned long long)a, (unsigned long long)b);
  stand_in_check(a == b, what, file, line);
}

#define stand_in_holds(condition, what) stand_in_check((condition) != 0, what, __FILE__, __LINE__)
#define assert_true(c) stand_in_holds(c, #c)
#define assert_false(c) stand_in_holds(!(c), "!(" #c ")")
#define assert_null(p) stand_in_holds((p) == NULL, #p " == NULL")
#define assert_non_null(p) stand_in_holds((p) != NULL, #p " != NULL")
#define assert_int_equal(a, b)                                                                     \
  stand_in_equal((uint64_t)(a), (uint64_t)(b), #a " == " #b, __FILE__, __LINE__)
#define assert_int_not_equal(a, b) stand_in_holds((uint64_t)(a) != (uint64_t)(b), #a " != " #b)
#define assert_in_range(x, low, high)                                                              \
  stand_in_holds((uint64_t)(x) >= (uint64_t)(low) && (uint64_t)(x) <= (uint64_t)(high),            \
                 #x " in " #low " .. " #high)
#define assert_string_equal(a, b) stand_in_holds(strcmp((a), (b)) == 0, #a " is as " #b)
#define assert_memory_equal(a, b, size)                                                            \
  stand_in_holds(memcmp((a), (b), (size)) == 0, #a " is as " #b)
#define fail() stand_in_holds(0, "fail()")
#define fail_msg(...) (printf("# " __VA_ARGS__), printf("\n"), stand_in_holds(0, "fail_msg"))
#define skip() longjmp(stand_in_end, STAND_IN_SKIPPED)
#define print_message printf

/* 0, or why the test did not pass. */
static inline int stand_in_run(const struct CMUnitTest *test, void **state)
{
  volatile int why = 0;

  if (test->setup != NULL && test->setup(state) != 0)
    return STAND_IN_FAILED;
  switch (setjmp(stand_in_end)) {
  case 0: test->test(state); break;
  case STAND_IN_SKIPPED: why = STAND_IN_SKIPPED; break;
  default: why = STAND_IN_FAILED;
  }
  if (test->teardown != NULL && test->teardown(state) != 0)
    why = STAND_IN_FAILED;
  return why;
}

/* The tests that failed. */
static inline int _cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests,
                                          size_t n, CMFixtureFunction begin, CMFixtureFunction end)
{
  void *state = NULL;
  int failed = 0;

  printf("# %s\n1..%zu\n", group, n);
  if (begin != NULL && begin(&state) != 0)
    return (int)n;
  for (size_t i = 0; i < n; i++) {
    void *own = tests[i].initial_state != NULL ? tests[i].initial_state : state;
    int result = stand_in_run(&tests[i], &own);
    printf("%sok %zu - %s%s\n", result == STAND_IN_FAILED ? "not " : "", i + 1, tests[i].name,
           result == STAND_IN_SKIPPED ? " # SKIP" : "");
    fflush(stdout);
    failed += result == STAND_IN_FAILED;
  }
  return end != NULL && end(&state) != 0 ? failed + 1 : failed;
}

#define cmocka_run_group_tests_name(group, tests, begin, end)                                      \
  _cmocka_run_group_tests(group, tests, sizeof(tests) / sizeof *(tests), begin, end)
#define cmocka_run_group_tests(tests, begin, end)                                                  \
  cmocka_run_group_tests_name(#tests, tests, begin, end)

#endif
