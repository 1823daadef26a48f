/* SPDX-License-Identifier: Apache-2.0 */
/* What the subcommands share: exit codes, and how each is called. */
#ifndef KVP_CLI_CLI_H
#define KVP_CLI_CLI_H

enum kvp_exit {
  KVP_EXIT_AGREED = 0,
  KVP_EXIT_DIVERGED = 1, /* a divergence, or a check that failed */
  KVP_EXIT_USAGE = 2,    /* the command line makes no sense */
  KVP_EXIT_INPUT = 3,    /* input that cannot be read */
  KVP_EXIT_COMPONENT = 4 /* something needed is missing or failed */
};

/* Each subcommand: argv[0] is its name; the answer is the exit code. */
int kvp_cli_replay(int argc, char **argv);
int kvp_cli_devices(int argc, char **argv);
int kvp_cli_fuzz(int argc, char **argv);

#endif
