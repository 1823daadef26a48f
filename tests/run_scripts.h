/* SPDX-License-Identifier: Apache-2.0 */
/* What programs of scripts have in common, whatever their steps are. */
#ifndef KVP_TEST_RUN_SCRIPTS_H
#define KVP_TEST_RUN_SCRIPTS_H

/* The body of main: each script is a test by the name of its claim, done by run_script. */
#define RUN_SCRIPTS(group, scripts)                                                                \
  do {                                                                                             \
    enum { num_scripts = sizeof(scripts) / sizeof((scripts)[0]) };                                 \
    struct CMUnitTest tests[num_scripts];                                                          \
    for (size_t i = 0; i < num_scripts; i++)                                                       \
      tests[i] = (struct CMUnitTest){(scripts)[i].claim, run_script, NULL, NULL,                   \
                                     (void *)(uintptr_t)((scripts) + i)};                          \
    return cmocka_run_group_tests_name(group, tests, NULL, NULL);                                  \
  } while (0)

#endif
