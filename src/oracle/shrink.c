/* SPDX-License-Identifier: Apache-2.0 */
/* Shrinking by trial: whatever can go, goes. */
#include "src/oracle/shrink.h"

#include <string.h>

enum { MOST_BYTES = 4096 };

struct trial {
  const struct kvp_shrinker *shrinker;
  uint8_t *bytes;
  size_t size, runs;
};

static int fails(struct trial *trial, const uint8_t *bytes, size_t size)
{
  if (trial->runs == trial->shrinker->most_runs)
    return 0;
  trial->runs++;
  return trial->shrinker->fails(trial->shrinker->context, bytes, size);
}

/* Without bytes[from .. to), if it fails so too. */
static int cut(struct trial *trial, size_t from, size_t to)
{
  uint8_t shorter[MOST_BYTES];
  memcpy(shorter, trial->bytes, from);
  memcpy(shorter + from, trial->bytes + to, trial->size - to);
  if (!fails(trial, shorter, trial->size - (to - from)))
    return 0;
  trial->size -= to - from;
  memcpy(trial->bytes, shorter, trial->size);
  return 1;
}

/* Runs of n steps, from the last on, for what comes late is often in vain. */
static int cut_runs(struct trial *trial, size_t n)
{
  const struct kvp_format *format = &trial->shrinker->format;
  int better = 0;
  if (trial->size <= format->head)
    return 0;
  for (size_t at = (trial->size - format->head + format->step - 1) / format->step; at > 0;) {
    at = at > n ? at - n : 0;
    size_t from = format->head + at * format->step, to = from + n * format->step;
    if (from < trial->size)
      better |= cut(trial, from, to < trial->size ? to : trial->size);
  }
  return better;
}

static int put(struct trial *trial, size_t at, uint8_t value)
{
  uint8_t before = trial->bytes[at];
  if (value >= before)
    return 0;
  trial->bytes[at] = value;
  if (fails(trial, trial->bytes, trial->size))
    return 1;
  trial->bytes[at] = before;
  return 0;
}

/* 0 is simplest; a deed stays, but is done less often, for the upper bits say how often. */
static int lower(struct trial *trial)
{
  int better = 0;
  for (size_t i = 0; i < trial->size; i++) {
    uint8_t now = trial->bytes[i];
    better |= put(trial, i, 0) || put(trial, i, now % 32) || put(trial, i, (uint8_t)(now - 32))
              || put(trial, i, now / 2) || put(trial, i, (uint8_t)(now - 1));
  }
  return better;
}

size_t kvp_shrink(const struct kvp_shrinker *shrinker, uint8_t *bytes, size_t size)
{
  struct trial trial = {shrinker, bytes, size, 0};
  int better = size <= MOST_BYTES;
  while (better) {
    better = 0;
    for (size_t n = size / shrinker->format.step; n > 0; n /= 2)
      better |= cut_runs(&trial, n);
    better |= lower(&trial);
  }
  return trial.size;
}
