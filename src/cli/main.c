/* SPDX-License-Identifier: Apache-2.0 */
/* kvpool: picks the subcommand. */
#include <stdio.h>
#include <string.h>

#include "src/cli/cli.h"

static const char help[] =
  "usage: kvpool replay TRACE [options]\n"
  "       kvpool fuzz [options]\n"
  "       kvpool devices\n"
  "       kvpool --help | --version\n"
  "\n"
  "  replay   drive a pool with the requests of a trace; kvpool replay --help says how\n"
  "  fuzz     search for operations on which model, reference and device differ\n"
  "  devices  list the devices that a pool can be put on, and what is not there\n"
  "\n"
  "Exit codes: 0 all agree, 1 a divergence, 2 usage, 3 unreadable input,\n"
  "4 a component is missing or failed.\n";

static const struct {
  const char *name;
  int (*run)(int argc, char **argv);
} commands[] = {{"replay", kvp_cli_replay}, {"fuzz", kvp_cli_fuzz}, {"devices", kvp_cli_devices}};

int main(int argc, char **argv)
{
  if (argc < 2) {
    fputs(help, stderr);
    return KVP_EXIT_USAGE;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    fputs(help, stdout);
    return KVP_EXIT_AGREED;
  }
  if (strcmp(argv[1], "--version") == 0) {
    puts("kvpool 0.1.0");
    return KVP_EXIT_AGREED;
  }
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    if (strcmp(argv[1], commands[i].name) == 0)
      return commands[i].run(argc - 1, argv + 1);
  }
  fprintf(stderr, "kvpool: no such command: %s\n%s", argv[1], help);
  return KVP_EXIT_USAGE;
}
