/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a trace a line at a time; jansson does the JSON. */
#include "src/oracle/workload.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A workload as it grows, and where its reader stands. */
struct reader {
  struct kvp_workload *workload;
  size_t num_ids, room_ids, room_requests;
  const char *path;
  size_t line;
  char *message;
  size_t size;
};

/* A message may quote the file, so it is made safe to print. */
static enum kvp_status refuse(struct reader *reader, const char *expected, const char *found)
{
  snprintf(reader->message, reader->size, "%s:%zu: expected %s%s%s", reader->path, reader->line,
           expected, *found == '\0' ? "" : "; ", found);
  for (char *at = reader->message; reader->size > 0 && *at != '\0'; at++) {
    if (*at < ' ' || *at > '~')
      *at = '?';
  }
  return KVP_ARGUMENT;
}

static enum kvp_status out_of_memory(struct reader *reader)
{
  snprintf(reader->message, reader->size, "%s:%zu: no memory for more of the trace", reader->path,
           reader->line);
  return KVP_MEMORY;
}

/* Makes room for `more` elements after the `used` ones. */
static void *grow(void *array, size_t *room, size_t used, size_t more, size_t element)
{
  size_t wanted = *room < 64 ? 64 : *room;
  void *grown;

  if (more > SIZE_MAX / element - used)
    return NULL;
  while (wanted < used + more)
    wanted = wanted > SIZE_MAX / 2 ? used + more : wanted * 2;
  if (wanted == *room)
    return array;
  grown = wanted > SIZE_MAX / element ? NULL : realloc(array, wanted * element);
  if (grown != NULL)
    *room = wanted;
  return grown;
}

static enum kvp_status append(struct reader *reader, const json_t *ids)
{
  struct kvp_workload *workload = reader->workload;
  size_t count = json_array_size(ids);
  void *grown;

  grown = grow(workload->ids, &reader->room_ids, reader->num_ids, count, sizeof *workload->ids);
  if (grown == NULL)
    return out_of_memory(reader);
  workload->ids = grown;
  grown = grow(workload->first, &reader->room_requests, workload->num_requests, 2,
               sizeof *workload->first);
  if (grown == NULL)
    return out_of_memory(reader);
  workload->first = grown;
  for (size_t i = 0; i < count; i++)
    workload->ids[reader->num_ids + i] = (uint64_t)json_integer_value(json_array_get(ids, i));
  workload->first[workload->num_requests++] = reader->num_ids;
  reader->num_ids += count;
  workload->first[workload->num_requests] = reader->num_ids;
  if (count > workload->longest)
    workload->longest = (uint32_t)count;
  return KVP_OK;
}

static enum kvp_status check_ids(struct reader *reader, const json_t *ids)
{
  const char *expected = "\"hash_ids\" to be an array of integers that are not negative";
  size_t count = json_array_size(ids);

  if (!json_is_array(ids))
    return refuse(reader, expected, ids == NULL ? "it is missing" : "it is no array");
  if (count >= UINT32_MAX)
    return refuse(reader, "at most 2^32 - 2 ids in \"hash_ids\"", "");
  for (size_t i = 0; i < count; i++) {
    const json_t *id = json_array_get(ids, i);
    char found[48];
    if (json_is_integer(id) && json_integer_value(id) >= 0)
      continue;
    snprintf(found, sizeof found, "element %zu is none", i + 1);
    return refuse(reader, expected, found);
  }
  return KVP_OK;
}

static enum kvp_status read_request(struct reader *reader, const json_t *request)
{
  static const char *const numbers[] = {"timestamp", "input_length", "output_length"};
  const json_t *ids = json_object_get(request, "hash_ids");
  enum kvp_status status;

  if (!json_is_object(request))
    return refuse(reader, "a JSON object", "it is another value");
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    const json_t *number = json_object_get(request, numbers[i]);
    char expected[48];
    snprintf(expected, sizeof expected, "\"%s\" to be an integer", numbers[i]);
    if (number != NULL && !json_is_integer(number))
      return refuse(reader, expected, "");
  }
  status = check_ids(reader, ids);
  return status == KVP_OK ? append(reader, ids) : status;
}

static enum kvp_status read_line(struct reader *reader, const char *text, size_t length)
{
  json_error_t error;
  json_t *request = json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
  enum kvp_status status;

  if (request == NULL && json_error_code(&error) == json_error_out_of_memory)
    return out_of_memory(reader);
  if (request == NULL)
    return refuse(reader, "a JSON object", error.text);
  status = read_request(reader, request);
  json_decref(request);
  return status;
}

static enum kvp_status read_lines(struct reader *reader, FILE *file, size_t limit)
{
  enum kvp_status status = KVP_OK;
  char *text = NULL;
  size_t room = 0;

  while (status == KVP_OK && reader->workload->num_requests < limit) {
    ssize_t length;
    reader->line++;
    errno = 0;
    length = getline(&text, &room, file);
    if (length >= 0) {
      status = read_line(reader, text, (size_t)length);
      continue;
    }
    if (errno == ENOMEM)
      status = out_of_memory(reader);
    else if (ferror(file))
      status = refuse(reader, "a line that can be read", strerror(errno));
    break;
  }
  free(text);
  return status;
}

enum kvp_status kvp_workload_read(const char *path, size_t limit, struct kvp_workload *workload,
                                  char *message, size_t size)
{
  struct reader reader = {.workload = workload, .path = path, .message = message, .size = size};
  enum kvp_status status;
  FILE *file = fopen(path, "r");

  memset(workload, 0, sizeof *workload);
  if (file == NULL) {
    snprintf(message, size, "%s: %s", path, strerror(errno));
    return KVP_ARGUMENT;
  }
  status = read_lines(&reader, file, limit);
  fclose(file);
#ifndef KVP_PLANT_WORKLOAD_BUG /* a canary: what was read before an error stays */
  if (status != KVP_OK)
    kvp_workload_release(workload);
#endif
  return status;
}

void kvp_workload_release(struct kvp_workload *workload)
{
  free(workload->ids);
  free(workload->first);
  memset(workload, 0, sizeof *workload);
}
