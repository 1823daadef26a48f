/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target of the reader of traces. An input that begins with a byte below 8, which no text
   does, becomes lines whose ids are known; any other is the trace itself. */
#define _GNU_SOURCE /* memfd_create */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/claim.h"
#include "fuzz/workload_lines.h"

enum { MESSAGE = 160 };

struct reading {
  enum kvp_status status;
  struct kvp_workload workload;
  char message[MESSAGE];
};

/* A file in memory, by which name it can be opened. */
static int file = -1;
static char path[32];

static void need(int holds)
{
  if (holds)
    return;
  perror("workload");
  abort();
}

static void write_file(const void *bytes, size_t size)
{
  if (file < 0) {
    file = memfd_create("trace", 0);
    need(file >= 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  }
  need(ftruncate(file, 0) == 0 && pwrite(file, bytes, size, 0) == (ssize_t)size);
}

static struct reading read_file(size_t limit)
{
  struct reading reading;
  memset(&reading, 0x5A, sizeof reading);
  reading.message[0] = '\0';
  reading.status = kvp_workload_read(path, limit, &reading.workload, reading.message, MESSAGE);
  return reading;
}

static void same_requests(const struct kvp_workload *judge, const struct kvp_workload *workload,
                          size_t num_requests)
{
  for (size_t i = 0; i < num_requests; i++) {
    size_t count = judge->first[i + 1] - judge->first[i];
    kvp_claim("ids of request", i, count, workload->first[i + 1] - workload->first[i]);
    for (size_t k = 0; k < count; k++)
      kvp_claim("id", k, judge->ids[judge->first[i] + k], workload->ids[workload->first[i] + k]);
  }
}

/* A success is of the documented form. */
static void claim_form(const struct reading *reading, size_t num_requests)
{
  const struct kvp_workload *workload = &reading->workload;
  size_t longest = 0;
  kvp_claim_status(KVP_OK, reading->status);
  kvp_claim("message", 0, '\0', (uint8_t)reading->message[0]);
  kvp_claim("requests", 0, num_requests, workload->num_requests);
  for (size_t i = 0; i < num_requests; i++) {
    size_t first = i == 0 ? 0 : workload->first[i], end = workload->first[i + 1];
    kvp_claim("first id of request", i, first, workload->first[i]);
    kvp_claim("whether ids end before they begin, of request", i, 0, end < first);
    longest = end - first > longest ? end - first : longest;
    for (size_t k = first; k < end; k++)
      kvp_claim("whether an id is negative, of request", i, 0, workload->ids[k] > INT64_MAX);
  }
  kvp_claim("longest", 0, longest, workload->longest);
}

/* An error keeps nothing, and says where, what and no more than can be printed. The line. */
static size_t claim_error(const struct reading *reading, size_t num_lines)
{
  const struct kvp_workload *workload = &reading->workload;
  size_t named = strlen(path), line = 0;
  int end = 0;
  kvp_claim_status(KVP_ARGUMENT, reading->status);
  kvp_claim("requests kept", 0, 0, workload->num_requests);
  kvp_claim("longest kept", 0, 0, workload->longest);
  kvp_claim("whether memory is kept", 0, 0, workload->first != NULL || workload->ids != NULL);
  kvp_tell("%.*s", MESSAGE, reading->message);
  kvp_claim("whether the message ends", 0, 1, memchr(reading->message, '\0', MESSAGE) != NULL);
  kvp_claim("whether the file is named", 0, 0, strncmp(reading->message, path, named) != 0);
  sscanf(reading->message + named, ":%zu: expected %n", &line, &end);
  kvp_claim("whether something is expected", 0, 1,
            end > 0 && reading->message[named + end] != '\0');
  kvp_claim("whether there is that line", line, 1, line >= 1 && line <= num_lines);
  for (size_t i = 0; reading->message[i] != '\0'; i++)
    kvp_claim("whether it can be printed", i, 1,
              reading->message[i] >= ' ' && reading->message[i] <= '~');
  return line;
}

/* The same message as far as there is room, in memory of just that. */
static void claim_short_message(const struct reading *reading, size_t size)
{
  struct kvp_workload workload;
  char *message = malloc(size + (size == 0));
  need(message != NULL);
  kvp_claim_status(reading->status, kvp_workload_read(path, SIZE_MAX, &workload, message, size));
  if (size > 0) {
    kvp_claim("where the short message ends", size,
              strlen(reading->message) < size ? strlen(reading->message) : size - 1,
              strnlen(message, size));
    kvp_claim("whether it is another", size, 0,
              memcmp(message, reading->message, strnlen(message, size)) != 0);
  }
  free(message);
}

/* Of so many requests just the first ones are read. */
static void claim_limit(const struct reading *all, size_t limit)
{
  struct reading some = read_file(limit);
  kvp_tell("at most %zu requests", limit);
  claim_form(&some, limit);
  if (all->status == KVP_OK)
    same_requests(&all->workload, &some.workload, limit);
  kvp_workload_release(&some.workload);
}

/* Printed and read again, requests are the same. */
static void claim_again(const struct kvp_workload *workload)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  need(out != NULL);
  for (size_t i = 0; i < workload->num_requests; i++) {
    fputs("{\"hash_ids\": [", out);
    for (size_t k = workload->first[i]; k < workload->first[i + 1]; k++)
      fprintf(out, "%s%" PRIu64, k == workload->first[i] ? "" : ", ", workload->ids[k]);
    fputs("]}\n", out);
  }
  need(fclose(out) == 0);
  write_file(text, size);
  free(text);
  kvp_tell("what was read, printed and read again");
  struct reading again = read_file(SIZE_MAX);
  claim_form(&again, workload->num_requests);
  same_requests(workload, &again.workload, workload->num_requests);
  kvp_workload_release(&again.workload);
}

/* The requests are the known ones, or the message is about the line after them. */
static void claim_lines(const struct kvp_lines *lines, const struct reading *reading, size_t line)
{
  const struct kvp_workload *judge = &lines->requests;
  if (lines->expected == NULL) {
    kvp_claim("requests", 0, judge->num_requests, reading->workload.num_requests);
    kvp_claim("longest", 0, judge->longest, reading->workload.longest);
    same_requests(judge, &reading->workload, judge->num_requests);
  } else {
    kvp_claim("line of the error", 0, judge->num_requests + 1, line);
    kvp_claim("whether it says what was expected", line, 1,
              strstr(reading->message, lines->expected) != NULL);
  }
}

/* `lines` are those of the text where they are known, or NULL. */
static void claim_text(const char *text, size_t size, const struct kvp_lines *lines)
{
  size_t num_lines = 0, style = size == 0 ? 0 : (uint8_t)text[size / 2], line = 0;
  for (size_t i = 0; i < size; i++)
    num_lines += text[i] == '\n' || i + 1 == size;
  kvp_tell("%.*s", (int)size, text);
  write_file(text, size);
  struct reading reading = read_file(SIZE_MAX);
  if (lines != NULL)
    kvp_claim_status(lines->expected == NULL ? KVP_OK : KVP_ARGUMENT, reading.status);
  if (reading.status == KVP_OK)
    claim_form(&reading, num_lines);
  else
    line = claim_error(&reading, num_lines);
  if (lines != NULL)
    claim_lines(lines, &reading, line);
  if (reading.status == KVP_OK) {
    claim_limit(&reading, style % (num_lines + 1));
    claim_again(&reading.workload);
  } else {
    claim_limit(&reading, line - 1);
    claim_short_message(&reading, style % 64);
  }
  kvp_workload_release(&reading.workload);
}

size_t kvp_run_claims(struct kvp_bytes input)
{
  static struct kvp_lines lines;
  if (input.left == 0 || *input.next >= 8) {
    claim_text((const char *)input.next, input.left, NULL);
    return 1;
  }
  kvp_take_byte(&input);
  kvp_write_lines(&lines, input);
  claim_text(lines.text, lines.size, &lines);
  return lines.requests.num_requests;
}
