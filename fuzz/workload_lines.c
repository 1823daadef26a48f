/* SPDX-License-Identifier: Apache-2.0 */
/* Writes traces. */
#include "fuzz/workload_lines.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { MOST_IDS = 12, LONGEST_LINE = 512 };

static const char an_object[] = "a JSON object", an_array[] = "\"hash_ids\" to be an array";

/* Lines that are wrong as a whole, and what the reader says that it expected. */
static const struct {
  const char *text, *expected;
} wrong_lines[] = {
  {"", an_object},
  {"[]", an_object},
  {"7", an_object},
  {"null", an_object},
  {"{", an_object},
  {"{\"hash_ids\": []} {}", an_object},
  {"{\"hash_ids\": [], \"hash_ids\": []}", an_object},
  {"{\"hash_ids\": [1,]}", an_object},
  {"{\"hash_ids\": [01]}", an_object},
  {"{\"hash_ids\": [9223372036854775808]}", an_object},
  {"{\"hash_ids\": [], \"\xff\": 1}", an_object},
  {"{\"hash_ids\": [], 'x': 1}", an_object},
  {"{}", an_array},
  {"{\"hash_ids\": {}}", an_array},
  {"{\"hash_ids\": null}", an_array},
  {"{\"hash_ids\": \"[]\"}", an_array},
  {"{\"HASH_IDS\": []}", an_array},
  {"{\"hash_ids\": [], \"timestamp\": null}", "\"timestamp\" to be an integer"},
  {"{\"hash_ids\": [], \"timestamp\": 1.0}", "\"timestamp\" to be an integer"},
  {"{\"input_length\": \"7\", \"hash_ids\": []}", "\"input_length\" to be an integer"},
  {"{\"hash_ids\": [], \"output_length\": [1]}", "\"output_length\" to be an integer"},
};

static const char *const wrong_ids[] = {
  "-1", "1.0", "1e3", "\"7\"", "null", "true", "[1, 2]", "{}", "-9223372036854775808"};

/* Members that say nothing of the ids. */
static const char *const others[] = {
  "\"timestamp\": 0",       "\"input_length\": -9223372036854775808",
  "\"output_length\": 17",  "\"request\": {\"hash_ids\": [-1]}",
  "\"hash_id\": [1, 2, 3]", "\"\\u00e9\": \"}\\n]\"",
  "\"ids\\u0020of\": 1e-7", "\"\": null"};

static void write_text(struct kvp_lines *lines, const char *format, ...)
  __attribute__((format(printf, 2, 3)));

/* There is room: no line is as long as LONGEST_LINE. */
static void write_text(struct kvp_lines *lines, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  lines->size += (size_t)vsnprintf(lines->text + lines->size, sizeof lines->text - lines->size,
                                   format, arguments);
  va_end(arguments);
}

static uint64_t draw_id(struct kvp_bytes *input)
{
  static const uint64_t extremes[] = {0, INT64_MAX, INT64_MAX - 1, UINT32_MAX, UINT64_C(1) << 32};
  uint8_t byte = kvp_take_byte(input);
  return byte >= 250 ? extremes[byte % 5] : byte;
}

/* Notes ids as it writes them; one of them may be wrong. */
static void write_ids(struct kvp_lines *lines, struct kvp_bytes *input, uint32_t count,
                      const char *comma)
{
  size_t at = lines->first[lines->requests.num_requests];
  write_text(lines, "\"hash_ids\":%s[", comma + 1);
  for (uint32_t i = 0; i < count; i++) {
    uint8_t byte = kvp_take_byte(input);
    lines->ids[at + i] = draw_id(input);
    if (byte < 250)
      write_text(lines, "%s%" PRIu64, i == 0 ? "" : comma, lines->ids[at + i]);
    else
      write_text(lines, "%s%s", i == 0 ? "" : comma,
                 wrong_ids[lines->ids[at + i] % (sizeof wrong_ids / sizeof *wrong_ids)]);
    if (byte >= 250)
      lines->expected = an_array;
  }
  write_text(lines, "]");
}

static void write_line(struct kvp_lines *lines, struct kvp_bytes *input)
{
  static const char *const commas[] = {",", ", ", ",\t", ",  \r"};
  struct kvp_workload *requests = &lines->requests;
  uint8_t style = kvp_take_byte(input), shape = kvp_take_byte(input);
  const char *comma = commas[style % 4], *end = style & 32 ? "\r\n" : "\n";
  uint32_t count = shape % MOST_IDS;
  if (style >= 250) {
    size_t which = shape % (sizeof wrong_lines / sizeof *wrong_lines);
    write_text(lines, "%s\n", wrong_lines[which].text);
    lines->expected = wrong_lines[which].expected;
    return;
  }
  write_text(lines, "%s{", comma + 1);
  if (style & 4)
    write_text(lines, "%s%s", others[shape % 8], comma);
  write_ids(lines, input, count, comma);
  if (style & 8)
    write_text(lines, "%s%s", comma, others[(shape + 1) % 8]);
  int is_last = style >= 240 && input->left == 0 && lines->expected == NULL;
  write_text(lines, "%s}%s", comma + 1, is_last ? "" : end);
  if (lines->expected != NULL)
    return;
  requests->num_requests++;
  lines->first[requests->num_requests] = lines->first[requests->num_requests - 1] + count;
  if (count > requests->longest)
    requests->longest = count;
}

/* What follows a wrong line does not matter. */
void kvp_write_lines(struct kvp_lines *lines, struct kvp_bytes input)
{
  lines->size = 0;
  lines->expected = NULL;
  lines->requests = (struct kvp_workload){0, 0, lines->first, lines->ids};
  lines->first[0] = 0;
  while (input.left != 0 && lines->expected == NULL && lines->requests.num_requests < KVP_LINES_MOST
         && lines->first[lines->requests.num_requests] + MOST_IDS <= KVP_LINES_IDS
         && lines->size + LONGEST_LINE <= KVP_LINES_TEXT)
    write_line(lines, &input);
  if (lines->expected != NULL)
    write_text(lines, "{\"hash_ids\": [1, 2, 3]}\n");
}
