/* SPDX-License-Identifier: Apache-2.0 */
/* The tests on every device there is, or on those that the test program's argument names. */
#ifndef KVP_TEST_DEVICE_BACKENDS_H
#define KVP_TEST_DEVICE_BACKENDS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <kvpool/device.h>

static const char *backend; /* that the tests run on now, a name of kvp_device_list */
static const char *chosen;  /* or NULL: every backend */

/* On the host a test tries several orders of work-items; launches elsewhere are slow. */
static inline uint64_t seeds(void) { return strcmp(backend, "host") == 0 ? 8 : 2; }

/* Whether the one argument of a test program, "cuda" or "cuda:0", names this device. */
static inline int is_chosen(const char *name)
{
  size_t length = chosen == NULL ? 0 : strlen(chosen);
  return chosen == NULL
         || (strncmp(name, chosen, length) == 0 && (name[length] == '\0' || name[length] == ':'));
}

static inline void choose_backend(int argc, char **argv) { chosen = argc > 1 ? argv[1] : NULL; }

/* TAP, which tests/run.sh reads, has its own words for it. */
static inline void skip_device(const char *group, const char *why)
{
  const char *output = getenv("CMOCKA_MESSAGE_OUTPUT");

  if (output != NULL && strcmp(output, "TAP") == 0)
    printf("1..1\nok 1 - %s # SKIP %s\n", group, why);
  else
    printf("SKIPPED %s: %s\n", group, why);
  fflush(stdout);
}

/* How many tests failed. */
static inline int run_on_device(const char *name, const struct kvp_device_info *info,
                                const struct CMUnitTest *tests, size_t n)
{
  char group[64];

  snprintf(group, sizeof group, "%s on %s", name, info->name);
  if (!info->present) {
    skip_device(group, info->description);
    return 0;
  }
  backend = info->name;
  printf("# %s: %s\n", group, info->description);
  fflush(stdout);
  return _cmocka_run_group_tests(group, tests, n, NULL, NULL);
}

/* The tests on every device there is, or those chosen; what is absent is named. */
static inline int run_on_backends(const char *name, const struct CMUnitTest *tests, size_t n)
{
  static struct kvp_device_info infos[16];
  size_t found = kvp_device_list(infos, sizeof infos / sizeof *infos), ran = 0;
  int failed = 0;

  for (size_t i = 0; i < found && i < sizeof infos / sizeof *infos; i++) {
    if (!is_chosen(infos[i].name))
      continue;
    failed += run_on_device(name, &infos[i], tests, n);
    ran += infos[i].present || chosen == NULL;
  }
  if (ran == 0)
    fprintf(stderr, "%s: %s is not there\n", name, chosen != NULL ? chosen : "any device");
  return failed != 0 || ran == 0;
}

#endif
