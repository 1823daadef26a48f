/* SPDX-License-Identifier: Apache-2.0 */
/* The stand-in's one queue, and the kernels as C that its launches run. */
#include "tests/device/stand-in/work.h"

#include <stdlib.h>
#include <string.h>

#include "src/device/kernels.k"

#define GROUP_BYTES 65536 /* for the group arrays of any kernel */

struct function {
  const char *name;
  void (*run)(KVP_ARRAYS(KVP_PARAMETER) uint32_t first, uint32_t n);
};

static const struct function functions[] = {
#define X(name) {"kvp_" #name, name},
  KVP_KERNELS(X)
#undef X
};

static struct work *first, **last = &first;

const struct function *function_named(const char *name)
{
  for (int i = 0; i < NUM_KERNELS; i++)
    if (strcmp(functions[i].name, name) == 0)
      return &functions[i];
  return NULL;
}

static void run_function(const struct work *work)
{
  static _Alignas(64) unsigned char group_memory[GROUP_BYTES];
  static uint64_t launches;

  kvp_lane = (struct kvp_lane){.groups = work->groups,
                               .local_size = work->local_size,
                               .random = ++launches * 0x9E3779B97F4A7C15u,
                               .kernel = work->function->name,
                               .group_memory = group_memory};
  for (unsigned group = 0; group < work->groups; group++) {
    kvp_lane.group = group;
    kvp_lane.phase = 0;
    kvp_lane.group_used = 0;
#define X(type, name) (type *)work->arrays[ARRAY_##name],
    work->function->run(KVP_ARRAYS(X) work->first, work->n);
#undef X
  }
}

void run_work(void)
{
  while (first != NULL) {
    struct work *work = first;
    if (work->function != NULL)
      run_function(work);
    else
      memcpy(work->to, work->from, work->bytes);
    first = work->next;
    free(work);
  }
  last = &first;
}

int put_off(const struct work *what)
{
  struct work *work = malloc(sizeof *work);

  if (work == NULL)
    return 0;
  *work = *what;
  work->next = NULL;
  *last = work;
  last = &work->next;
  return 1;
}
