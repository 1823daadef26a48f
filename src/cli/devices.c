/* SPDX-License-Identifier: Apache-2.0 */
/* kvpool devices: a line for each device that a pool can be put on, and for each that is not
   there, with the reason. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kvpool/device.h>

#include "src/cli/cli.h"

static const char help[] =
  "usage: kvpool devices\n"
  "\n"
  "Lists the devices that a pool can be put on: the name that --device takes, and what the device\n"
  "is, with versions. A backend without a device is listed as absent, with the reason.\n";

/* The devices of now; NULL if memory is short. There may be fewer than there were when counted. */
static struct kvp_device_info *list_devices(size_t *n)
{
  size_t room = kvp_device_list(NULL, 0);
  struct kvp_device_info *infos = calloc(room != 0 ? room : 1, sizeof *infos);

  if (infos == NULL)
    return NULL;
  *n = kvp_device_list(infos, room);
  if (*n > room)
    *n = room;
  return infos;
}

static void print_devices(const struct kvp_device_info *infos, size_t n)
{
  int width = 0;

  for (size_t i = 0; i < n; i++)
    if ((int)strlen(infos[i].name) > width)
      width = (int)strlen(infos[i].name);
  for (size_t i = 0; i < n; i++)
    printf("%-*s  %s%s\n", width, infos[i].name,
           infos[i].present ? "" : "absent: ", infos[i].description);
}

int kvp_cli_devices(int argc, char **argv)
{
  struct kvp_device_info *infos;
  size_t n = 0;

  if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
    fputs(help, stdout);
    return KVP_EXIT_AGREED;
  }
  if (argc != 1) {
    fprintf(stderr, "kvpool devices: %s is not expected\n%s", argv[1], help);
    return KVP_EXIT_USAGE;
  }
  infos = list_devices(&n);
  if (infos == NULL) {
    fputs("kvpool devices: host memory was refused\n", stderr);
    return KVP_EXIT_COMPONENT;
  }
  print_devices(infos, n);
  free(infos);
  return KVP_EXIT_AGREED;
}
