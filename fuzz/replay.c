/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target without a fuzzer: replays files, and the files of folders, in the order of
   their names. Names each before it runs, so that whatever a checker then says is about it. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz/target.h"

enum { MOST_BYTES = 1 << 20 };

static size_t num_replayed;

static int complain(const char *path)
{
  fprintf(stderr, "replay: %s: %s\n", path, strerror(errno));
  return 0;
}

/* In memory of just its size, so that a read past it is seen. */
static int replay_file(const char *path)
{
  static uint8_t bytes[MOST_BYTES];
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    return complain(path);
  size_t size = fread(bytes, 1, sizeof bytes, file);
  int failed = ferror(file);
  fclose(file);
  uint8_t *input = malloc(size + (size == 0));
  if (failed || input == NULL) {
    free(input);
    return complain(path);
  }
  memcpy(input, bytes, size);
  printf("%s\n", path);
  fflush(stdout);
  LLVMFuzzerTestOneInput(input, size);
  num_replayed++;
  free(input);
  return 1;
}

static int replay(const char *path);

static int replay_folder(const char *path)
{
  struct dirent **entries;
  int n = scandir(path, &entries, NULL, alphasort), ok = n >= 0 || complain(path);
  for (int i = 0; i < n; i++) {
    char name[4096];
    int length = snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
    if (entries[i]->d_name[0] != '.')
      ok &= (size_t)length < sizeof name && replay(name);
    free(entries[i]);
  }
  if (n >= 0)
    free(entries);
  return ok;
}

static int replay(const char *path)
{
  struct stat about;
  if (stat(path, &about) != 0)
    return complain(path);
  return S_ISDIR(about.st_mode) ? replay_folder(path) : replay_file(path);
}

int main(int argc, char **argv)
{
  int ok = LLVMFuzzerInitialize(&argc, &argv) == 0;
  for (int i = 1; i < argc; i++)
    ok &= replay(argv[i]);
  printf("replayed %zu inputs\n", num_replayed);
  return ok && num_replayed != 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
