/* SPDX-License-Identifier: Apache-2.0 */
/* The registry's operations and results as text for people. */
#include "fuzz/registry_text.h"

#include <inttypes.h>

const char *kvp_registry_kind_name(enum kvp_registry_kind kind)
{
  static const char *const names[KVP_NUM_REGISTRY_KINDS] = {
    [KVP_REGISTRY_ADD_BLOCKS] = "add_blocks",
    [KVP_REGISTRY_ALLOCATE] = "allocate",
    [KVP_REGISTRY_INIT] = "init",
    [KVP_REGISTRY_PUSH] = "push",
    [KVP_REGISTRY_FILL] = "fill",
    [KVP_REGISTRY_POP] = "pop",
    [KVP_REGISTRY_COMMIT] = "commit",
    [KVP_REGISTRY_WRITE] = "write",
    [KVP_REGISTRY_CLEAR] = "clear",
    [KVP_REGISTRY_REGISTER] = "register",
    [KVP_REGISTRY_MATCH] = "match",
    [KVP_REGISTRY_TOUCH] = "touch",
    [KVP_REGISTRY_SHARE] = "share",
    [KVP_REGISTRY_RELEASE] = "release",
    [KVP_REGISTRY_SET_PRIORITY] = "set_priority",
    [KVP_REGISTRY_PIN] = "pin",
    [KVP_REGISTRY_UNPIN] = "unpin",
    [KVP_REGISTRY_RESET] = "reset",
    [KVP_REGISTRY_POLL] = "poll",
  };
  return (unsigned)kind < KVP_NUM_REGISTRY_KINDS ? names[kind] : "unknown kind";
}

static void print_handle(FILE *out, uint64_t handle)
{
  uint64_t above = handle / KVP_HANDLE_SLOTS;
  fprintf(out, "%" PRIu64 ":%" PRIu64 ":%" PRIu64, above >> 32, above & UINT32_MAX,
          handle % KVP_HANDLE_SLOTS);
}

static void print_hash(FILE *out, uint64_t hash) { fprintf(out, "0x%" PRIx64, hash); }

static void print_list(FILE *out, const char *what, const uint64_t *list, uint32_t n,
                       void (*print)(FILE *out, uint64_t element))
{
  fprintf(out, " %s [", what);
  if (list == NULL && n != 0)
    fprintf(out, "missing");
  for (uint32_t i = 0; list != NULL && i < n; i++) {
    fprintf(out, "%s", i == 0 ? "" : " ");
    print(out, list[i]);
  }
  fputc(']', out);
}

static void print_tokens(FILE *out, const struct kvp_registry_op *op)
{
  fprintf(out, " tokens [");
  if (op->tokens == NULL && op->length != 0)
    fprintf(out, "missing");
  for (uint32_t i = 0; op->tokens != NULL && i < op->length; i++)
    fprintf(out, "%s%" PRIu32, i == 0 ? "" : " ", op->tokens[i]);
  fputc(']', out);
}

static void print_place(FILE *out, const struct kvp_registry_op *op)
{
  fprintf(out, " salt %" PRIu64 " position %" PRIu32 " parent 0x%" PRIx64, op->salt, op->position,
          op->parent);
}

static void print_count(FILE *out, const struct kvp_registry_op *op, const void *missing)
{
  fprintf(out, " count %" PRIu32 "%s", op->count,
          missing == NULL && op->count != 0 ? " buffer missing" : "");
}

void kvp_print_registry_op(FILE *out, const struct kvp_registry_op *op)
{
  fprintf(out, "%s", kvp_registry_kind_name(op->kind));
  if ((op->kind >= KVP_REGISTRY_INIT && op->kind <= KVP_REGISTRY_CLEAR)
      || op->kind == KVP_REGISTRY_SHARE || op->kind == KVP_REGISTRY_SET_PRIORITY) {
    fprintf(out, " handle ");
    print_handle(out, op->handle);
  }
  switch (op->kind) {
  case KVP_REGISTRY_COMMIT:
  case KVP_REGISTRY_CLEAR:
  case KVP_REGISTRY_RESET: break;
  case KVP_REGISTRY_ADD_BLOCKS:
  case KVP_REGISTRY_POP: print_count(out, op, op); break;
  case KVP_REGISTRY_ALLOCATE: print_count(out, op, op->grants); break;
  case KVP_REGISTRY_POLL: print_count(out, op, op->events); break;
  case KVP_REGISTRY_SHARE: fprintf(out, "%s", op->grants == NULL ? " buffer missing" : ""); break;
  case KVP_REGISTRY_INIT: print_place(out, op); break;
  case KVP_REGISTRY_WRITE: print_place(out, op); /* fall through */
  case KVP_REGISTRY_PUSH:
  case KVP_REGISTRY_FILL: print_tokens(out, op); break;
  case KVP_REGISTRY_REGISTER: print_count(out, op, op->grants); /* fall through */
  case KVP_REGISTRY_RELEASE:
    print_list(out, "handles", op->handles, op->count, print_handle);
    break;
  case KVP_REGISTRY_MATCH: print_count(out, op, op->grants); /* fall through */
  case KVP_REGISTRY_TOUCH: print_list(out, "hashes", op->hashes, op->count, print_hash); break;
  case KVP_REGISTRY_SET_PRIORITY:
    fprintf(out, " priority %" PRIu32, op->priority); /* fall through */
  case KVP_REGISTRY_PIN:
  case KVP_REGISTRY_UNPIN: fprintf(out, " hash 0x%" PRIx64, op->hash); break;
  }
}

void kvp_print_registry_result(FILE *out, const struct kvp_registry_result *result)
{
  fprintf(out, "%s", kvp_strerror(result->status));
  if (result->count != 0)
    fprintf(out, " count %" PRIu32, result->count);
  if (result->requested != 0 || result->available != 0)
    fprintf(out, " requested %" PRIu32 " available %" PRIu32, result->requested, result->available);
  if (result->dropped != 0)
    fprintf(out, " dropped %" PRIu64, result->dropped);
  if (result->hash != 0 || result->block_hash != 0)
    fprintf(out, " block hash 0x%" PRIx64 " hash 0x%" PRIx64, result->block_hash, result->hash);
}
