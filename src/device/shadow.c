/* SPDX-License-Identifier: Apache-2.0 */
/* The race rules. Two accesses to a word, one of them a write and not both atomic, are ordered
   only if they are of different launches, of one item, or of one group in different phases. */
#include "src/device/shadow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/device/arrays.h"
#include "src/device/lane.h"

_Thread_local struct kvp_lane kvp_lane;

#define MANY UINT32_MAX /* groups, or items of the phase */

/* Runs at every access of every kernel, and what it reads is its own. */
#define UNCHECKED __attribute__((no_sanitize("address", "undefined")))

/* All accesses of one kind to a word in a launch, as far as they can still race: former phases of
   the group that alone touched it cannot. */
struct summary {
  uint32_t epoch, group, phase, item;
};

struct kvp_shadow_cell {
  struct summary by[3]; /* for each enum kvp_access */
};

static const char *const access_names[] = {"read", "write", "atomic"};
static const char *const array_names[] = {
#define X(type, name) #name,
  KVP_ARRAYS(X)
#undef X
};

int kvp_shadow_open(struct kvp_shadow *shadow, size_t words)
{
  shadow->words = words;
  shadow->epoch = 0;
  shadow->cells = calloc(words, sizeof *shadow->cells);
  return shadow->cells != NULL;
}

void kvp_shadow_close(struct kvp_shadow *shadow) { free(shadow->cells); }

static uint32_t next_epoch(struct kvp_shadow *shadow)
{
  if (++shadow->epoch == 0) { /* all numbers were used: forget who had them */
    memset(shadow->cells, 0, shadow->words * sizeof *shadow->cells);
    shadow->epoch = 1;
  }
  return shadow->epoch;
}

void kvp_shadow_begin_launch(struct kvp_shadow *shadow)
{
  shadow->launch_epoch = next_epoch(shadow);
}

void kvp_shadow_begin_group(struct kvp_shadow *shadow) { shadow->group_epoch = next_epoch(shadow); }

UNCHECKED static inline int races(const struct summary *former, uint32_t epoch)
{
  if (former->epoch != epoch)
    return 0;
  if (former->group != kvp_lane.group)
    return 1;
  return former->phase == kvp_lane.phase && former->item != kvp_lane.item;
}

UNCHECKED static inline void note(struct summary *summary, uint32_t epoch)
{
  uint32_t group = kvp_lane.group, item = kvp_lane.item;

  if (summary->epoch == epoch) {
    if (summary->group != group)
      group = MANY;
    else if (summary->phase == kvp_lane.phase && summary->item != item)
      item = MANY;
  }
  summary->epoch = epoch;
  summary->group = group;
  summary->phase = kvp_lane.phase;
  summary->item = item;
}

static void describe(char *text, size_t size, uint32_t group, uint32_t item, uint32_t phase)
{
  if (group == MANY)
    snprintf(text, size, "several groups");
  else if (item == MANY)
    snprintf(text, size, "several items of group %u in phase %u", group, phase);
  else
    snprintf(text, size, "item %u of group %u in phase %u", item, group, phase);
}

static _Noreturn void report(size_t word, const struct summary *former, int former_access,
                             enum kvp_access access)
{
  const struct kvp_shadow *shadow = kvp_lane.shadow;
  const char *array = "group memory";
  size_t begin = shadow->words - shadow->group_words;
  char before[80], now[80];

  for (int i = 0; i < NUM_ARRAYS; i++) {
    if (word * 4 < shadow->offsets[i] || word * 4 - shadow->offsets[i] >= shadow->sizes[i])
      continue;
    array = array_names[i];
    begin = shadow->offsets[i] / 4;
  }
  describe(before, sizeof before, former->group, former->item, former->phase);
  describe(now, sizeof now, kvp_lane.group, kvp_lane.item, kvp_lane.phase);
  fprintf(stderr, "kvpool: race in kernel %s on word %zu of %s: %s by %s, and %s by %s\n",
          kvp_lane.kernel, word - begin, array, access_names[former_access], before,
          access_names[access], now);
  abort();
}

UNCHECKED void kvp_shadow_access(const void *address, size_t size, enum kvp_access access)
{
  struct kvp_shadow *shadow = kvp_lane.shadow;
  size_t word = (size_t)((const unsigned char *)address - shadow->base) / 4;

  if (word >= shadow->words || size / 4 > shadow->words - word) {
    fprintf(stderr, "kvpool: kernel %s leaves device memory\n", kvp_lane.kernel);
    abort();
  }
  for (size_t end = word + size / 4; word < end; word++) {
    int of_group = word >= shadow->words - shadow->group_words;
    uint32_t epoch = of_group ? shadow->group_epoch : shadow->launch_epoch;
    struct kvp_shadow_cell *cell = &shadow->cells[word];
    for (int former = KVP_READ; former <= KVP_ATOMIC; former++)
      if (((int)access != former || access == KVP_WRITE) && races(&cell->by[former], epoch))
        report(word, &cell->by[former], former, access);
    note(&cell->by[access], epoch);
  }
}
