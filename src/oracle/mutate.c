/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of inputs. */
#include "src/oracle/mutate.h"

#include <string.h>

/* An input that is being changed. */
struct subject {
  const struct kvp_format *format;
  uint8_t *bytes;
  size_t size, most;
  uint64_t *random;
};

uint32_t kvp_random_below(uint64_t *random, size_t below)
{
  *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return below == 0 ? 0 : (uint32_t)((*random >> 33) % below);
}

static size_t num_steps(const struct kvp_format *format, size_t size)
{
  return size <= format->head ? 0 : (size - format->head + format->step - 1) / format->step;
}

/* Where a step begins; that after the last one too. */
static size_t place_of(const struct kvp_format *format, size_t step)
{
  return format->head + step * format->step;
}

/* Makes the head and the last step whole; a step that there is no room for goes. */
static void complete(struct subject *subject)
{
  const struct kvp_format *format = subject->format;
  size_t whole = place_of(format, num_steps(format, subject->size));
  if (whole > subject->most && subject->most >= format->head)
    whole = place_of(format, (subject->most - format->head) / format->step);
  size_t size = whole < subject->most ? whole : subject->most;
  if (size > subject->size)
    memset(subject->bytes + subject->size, 0, size - subject->size);
  subject->size = size;
}

/* Room for n steps before step `at`; fewer if there is not enough. How many. */
static size_t open_gap(struct subject *subject, size_t at, size_t n)
{
  size_t step = subject->format->step, place = place_of(subject->format, at);
  size_t room = subject->most <= subject->size ? 0 : (subject->most - subject->size) / step;
  n = n < room ? n : room;
  memmove(subject->bytes + place + n * step, subject->bytes + place, subject->size - place);
  subject->size += n * step;
  return n;
}

static void insert(struct subject *subject)
{
  size_t n = num_steps(subject->format, subject->size),
         at = kvp_random_below(subject->random, n + 1);
  size_t place = place_of(subject->format, at);
  size_t bytes =
    open_gap(subject, at, 1 + kvp_random_below(subject->random, 2)) * subject->format->step;
  for (size_t i = 0; i < bytes; i++)
    subject->bytes[place + i] = (uint8_t)kvp_random_below(subject->random, 256);
}

static void delete_some(struct subject *subject)
{
  size_t n = num_steps(subject->format, subject->size), at = kvp_random_below(subject->random, n);
  size_t left = n - at, gone = 1 + kvp_random_below(subject->random, left < 4 ? left : 4);
  size_t from = place_of(subject->format, at + gone), to = place_of(subject->format, at);
  memmove(subject->bytes + to, subject->bytes + from, subject->size - from);
  subject->size -= from - to;
}

/* To another place, or right behind itself. */
static void copy_some(struct subject *subject, int behind)
{
  uint8_t copy[256];
  size_t n = num_steps(subject->format, subject->size), from = kvp_random_below(subject->random, n);
  size_t step = subject->format->step, left = n - from, most = sizeof copy / step;
  size_t count = 1 + kvp_random_below(subject->random, left < most ? left : most);
  size_t to = behind ? from + count : kvp_random_below(subject->random, n + 1);
  memcpy(copy, subject->bytes + place_of(subject->format, from), count * step);
  count = open_gap(subject, to, count);
  memcpy(subject->bytes + place_of(subject->format, to), copy, count * step);
}

/* Small numbers are ids from the lowest to just past the greatest, those from 64 on are blocks of
   the class that is wanted; the rest are neighbours. */
static uint8_t argument(uint64_t *random, uint8_t now)
{
  switch (kvp_random_below(random, 4)) {
  case 0: return (uint8_t)kvp_random_below(random, 64);
  case 1: return (uint8_t)(64 + kvp_random_below(random, 192));
  case 2: return (uint8_t)(now + 1 - 2 * kvp_random_below(random, 2));
  default: return (uint8_t)(now ^ 1u << kvp_random_below(random, 8));
  }
}

static void change_step(struct subject *subject, int is_deed)
{
  size_t at = kvp_random_below(subject->random, num_steps(subject->format, subject->size));
  size_t step = subject->format->step;
  size_t offset = is_deed || step == 1 ? 0 : 1 + kvp_random_below(subject->random, step - 1);
  uint8_t *byte = &subject->bytes[place_of(subject->format, at) + offset];
  *byte =
    is_deed ? (uint8_t)kvp_random_below(subject->random, 256) : argument(subject->random, *byte);
}

static void change_head(struct subject *subject)
{
  uint8_t *byte = &subject->bytes[kvp_random_below(subject->random, subject->format->head)];
  *byte = argument(subject->random, *byte);
}

static void change(struct subject *subject)
{
  complete(subject);
  size_t n = num_steps(subject->format, subject->size);
  uint32_t choice = kvp_random_below(subject->random, 16);
  if (subject->size < subject->format->head)
    subject->bytes[kvp_random_below(subject->random, subject->size)] =
      (uint8_t)kvp_random_below(subject->random, 256);
  else if (choice < 2)
    change_head(subject);
  else if (choice < 5 || n == 0)
    insert(subject);
  else if (choice < 7)
    delete_some(subject);
  else if (choice < 9)
    copy_some(subject, choice == 8);
  else
    change_step(subject, choice < 12);
}

size_t kvp_mutate(const struct kvp_format *format, uint8_t *bytes, size_t size, size_t most,
                  uint64_t *random)
{
  struct subject subject = {format, bytes, size, most, random};
  if (most == 0)
    return 0;
  if (size == 0) {
    bytes[0] = (uint8_t)kvp_random_below(random, 256);
    subject.size = 1;
  }
  for (uint32_t times = 1 + kvp_random_below(random, 3); times > 0; times--)
    change(&subject);
  return subject.size;
}

size_t kvp_cross(const struct kvp_format *format, const uint8_t *first, size_t first_size,
                 const uint8_t *second, size_t second_size, uint8_t *out, size_t most,
                 uint64_t *random)
{
  size_t from = place_of(format, kvp_random_below(random, num_steps(format, second_size) + 1));
  size_t to = place_of(format, kvp_random_below(random, num_steps(format, first_size) + 1));
  size_t kept = to < first_size ? to : first_size;
  kept = kept < most ? kept : most;
  size_t added = from < second_size && kept == to ? second_size - from : 0;
  added = added < most - kept ? added : most - kept;
  memcpy(out, first, kept);
  memcpy(out + kept, second + from, added);
  return kept + added;
}
