/* SPDX-License-Identifier: Apache-2.0 */
/* Operations, results and the words they are made of, as text for people. */
#include "src/oracle/text.h"

#include <inttypes.h>

enum { shown = 8 }; /* elements of a buffer that are worth a reader's time */

const char *kvp_kind_name(enum kvp_kind kind)
{
  static const char *const names[KVP_NUM_KINDS] = {
    [KVP_POP] = "pop",
    [KVP_ALLOCATE] = "allocate",
    [KVP_CLAIM] = "claim",
    [KVP_FREE] = "free",
    [KVP_PUBLISH] = "publish",
    [KVP_LOOKUP] = "lookup",
    [KVP_MATCH] = "match",
    [KVP_MATCH_PREFIX] = "match_prefix",
    [KVP_CLEAR_INDEX] = "clear_index",
    [KVP_EXTEND] = "extend",
    [KVP_RETIRE_TOP] = "retire_top",
    [KVP_RESERVE] = "reserve",
    [KVP_RELEASE] = "release",
  };
  return (unsigned)kind < KVP_NUM_KINDS ? names[kind] : "unknown kind";
}

const char *kvp_class_name(enum kvp_class state)
{
  static const char *const names[KVP_NUM_CLASSES] = {
    [KVP_VACANT] = "vacant",     [KVP_CACHED] = "cached", [KVP_USED] = "used",
    [KVP_RESERVED] = "reserved", [KVP_UNIT] = "unit",     [KVP_RETIRED] = "retired",
  };
  return (unsigned)state < KVP_NUM_CLASSES ? names[state] : "unknown class";
}

void kvp_print_block(FILE *out, uint32_t block)
{
  if (block == KVP_NONE)
    fprintf(out, "none");
  else
    fprintf(out, "%" PRIu32, block);
}

static void print_tokens(FILE *out, const uint32_t *tokens, uint64_t n)
{
  fprintf(out, " tokens [");
  if (tokens == NULL && n != 0)
    fprintf(out, "missing");
  for (uint64_t i = 0; tokens != NULL && i < n && i < shown; i++)
    fprintf(out, "%s%" PRIu32, i == 0 ? "" : " ", tokens[i]);
  fprintf(out, "%s]", tokens != NULL && n > shown ? " ..." : "");
}

static void print_hashes(FILE *out, const uint64_t *hashes, uint32_t n)
{
  fprintf(out, " hashes [");
  if (hashes == NULL && n != 0)
    fprintf(out, "missing");
  for (uint32_t i = 0; hashes != NULL && i < n && i < shown; i++)
    fprintf(out, "%s0x%" PRIx64, i == 0 ? "" : " ", hashes[i]);
  fprintf(out, "%s]", hashes != NULL && n > shown ? " ..." : "");
}

static void print_units(FILE *out, const struct kvp_unit *units, uint32_t n)
{
  fprintf(out, " units [");
  if (units == NULL && n != 0)
    fprintf(out, "missing");
  for (uint32_t i = 0; units != NULL && i < n && i < shown; i++) {
    fprintf(out, "%s", i == 0 ? "" : " ");
    kvp_print_block(out, units[i].block);
  }
  fprintf(out, "%s]", units != NULL && n > shown ? " ..." : "");
}

static void print_owner(FILE *out, uint64_t owner)
{
  if (owner != 0)
    fprintf(out, " owner %" PRIu64, owner);
}

void kvp_print_op(FILE *out, const struct kvp_op *op)
{
  fprintf(out, "%s", kvp_kind_name(op->kind));
  switch (op->kind) {
  case KVP_POP:
  case KVP_CLEAR_INDEX:
  case KVP_RETIRE_TOP: break;
  case KVP_ALLOCATE:
  case KVP_CLAIM:
  case KVP_FREE:
    fprintf(out, " block ");
    kvp_print_block(out, op->block);
    print_owner(out, op->owner);
    break;
  case KVP_PUBLISH:
    fprintf(out, " block ");
    kvp_print_block(out, op->block);
    fprintf(out, " hash 0x%" PRIx64, op->hash);
    print_tokens(out, op->tokens, op->length);
    break;
  case KVP_LOOKUP: fprintf(out, " hash 0x%" PRIx64, op->hash); break;
  case KVP_MATCH:
    fprintf(out, " hash 0x%" PRIx64, op->hash);
    print_tokens(out, op->tokens, op->length);
    break;
  case KVP_MATCH_PREFIX:
    fprintf(out, " count %" PRIu32 " length %" PRIu32, op->count, op->length);
    print_hashes(out, op->hashes, op->count);
    print_tokens(out, op->tokens, (uint64_t)op->count * op->length);
    break;
  case KVP_EXTEND: fprintf(out, " count %" PRIu32, op->count); break;
  case KVP_RESERVE:
    fprintf(out, " count %" PRIu32, op->count);
    print_owner(out, op->owner);
    break;
  case KVP_RELEASE:
    fprintf(out, " count %" PRIu32, op->count);
    print_owner(out, op->owner);
    print_units(out, op->units, op->count);
    break;
  }
}

void kvp_print_result(FILE *out, const struct kvp_result *result)
{
  fprintf(out, "%s", kvp_strerror(result->status));
  if (result->block != KVP_NONE)
    fprintf(out, " block %" PRIu32, result->block);
  if (result->moved_to != KVP_NONE)
    fprintf(out, " moved to %" PRIu32, result->moved_to);
  if (result->count != 0)
    fprintf(out, " count %" PRIu32, result->count);
  if (result->evicted.count != 0)
    fprintf(out, " evicted 0x%" PRIx64, result->evicted.hash);
}
