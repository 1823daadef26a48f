/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a resize plan and asking it. */
#include "src/oracle/resize.h"

#include <stdlib.h>
#include <string.h>

#include "src/oracle/decimal.h"

static int read_number(const char **text, uint64_t most, uint64_t *value)
{
  return kvp_decimal(text, most, value) && *value > 0;
}

static int read_char(const char **text, char wanted)
{
  if (**text != wanted)
    return 0;
  ++*text;
  return 1;
}

static int read_period(const char *text, struct kvp_resize_plan *plan)
{
  uint64_t count;

  if (!read_number(&text, UINT64_MAX, &plan->period) || !read_char(&text, ':')
      || !read_number(&text, UINT32_MAX, &count) || *text != '\0')
    return 0;
  plan->count = (uint32_t)count;
  return 1;
}

static int read_step(const char **text, struct kvp_resize *step)
{
  uint64_t count;

  if (!read_number(text, UINT64_MAX, &step->at) || !read_char(text, ':'))
    return 0;
  step->grow = **text == '+';
  if (!read_char(text, step->grow ? '+' : '-') || !read_number(text, UINT32_MAX, &count))
    return 0;
  step->count = (uint32_t)count;
  return 1;
}

static int read_steps(const char *text, struct kvp_resize_plan *plan)
{
  do {
    if (!read_step(&text, &plan->steps[plan->num_steps++]))
      return 0;
  } while (read_char(&text, ','));
  return *text == '\0';
}

enum kvp_status kvp_resize_parse(const char *text, struct kvp_resize_plan *plan)
{
  size_t room = 1;
  int good;

  memset(plan, 0, sizeof *plan);
  if (strncmp(text, "every:", 6) == 0) {
    good = read_period(text + 6, plan);
  } else {
    for (const char *at = text; *at != '\0'; at++)
      room += *at == ',';
    plan->steps = calloc(room, sizeof *plan->steps);
    if (plan->steps == NULL)
      return KVP_MEMORY;
    good = read_steps(text, plan);
  }
  if (good)
    return KVP_OK;
  kvp_resize_release(plan);
  return KVP_ARGUMENT;
}

void kvp_resize_release(struct kvp_resize_plan *plan)
{
  free(plan->steps);
  memset(plan, 0, sizeof *plan);
}

int kvp_resize_next(const struct kvp_resize_plan *plan, uint64_t number, size_t *cursor,
                    struct kvp_resize *step)
{
  if (plan->period != 0) {
    if (number % plan->period != 0 || *cursor != 0)
      return 0;
    *cursor = 1;
    step->at = number;
    step->count = plan->count;
    step->grow = number / plan->period % 2 == 0;
    return 1;
  }
  while (*cursor < plan->num_steps) {
    *step = plan->steps[(*cursor)++];
    if (step->at == number)
      return 1;
  }
  return 0;
}
