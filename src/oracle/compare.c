/* SPDX-License-Identifier: Apache-2.0 */
/* The comparer: the first difference between two sides' answers or states, and its words. */
#include "src/oracle/compare.h"

#include <inttypes.h>
#include <string.h>

#include "src/oracle/text.h"

/* Field names are told apart by their text only here, where words are printed. */
static int is_field(const struct kvp_difference *difference, const char *name)
{
  return strcmp(difference->field, name) == 0;
}

/* Compares one number. Where the sides differ it is noted. */
static int differ(struct kvp_difference *difference, const char *field, uint64_t left,
                  uint64_t right)
{
  if (left == right)
    return 0;
  difference->field = field;
  difference->left = left;
  difference->right = right;
  return 1;
}

/* Adds where the difference that was just noted lies. */
static int found(struct kvp_difference *difference, enum kvp_place place, size_t index,
                 size_t element)
{
  difference->place = place;
  difference->index = index;
  difference->element = element;
  return 1;
}

static int evictions_differ(const struct kvp_evicted *left, const struct kvp_evicted *right,
                            struct kvp_difference *difference)
{
  return differ(difference, "evicted.count", left->count, right->count)
         || differ(difference, "evicted.hash", left->hash, right->hash);
}

/* A status is negative; it is carried as the two's complement of its number. */
static uint64_t status_number(enum kvp_status status) { return (uint64_t)(int64_t)status; }

static int units_differ(const struct kvp_op *left, const struct kvp_op *right, size_t index,
                        struct kvp_difference *difference)
{
  for (uint32_t k = 0; k < left->count; k++) {
    const struct kvp_unit *l = &left->units[k], *r = &right->units[k];
    if (differ(difference, "block", l->block, r->block)
        || evictions_differ(&l->evicted, &r->evicted, difference))
      return found(difference, KVP_IN_UNIT, index, k);
  }
  return 0;
}

int kvp_results_differ(const struct kvp_op *left_ops, const struct kvp_result *left,
                       const struct kvp_op *right_ops, const struct kvp_result *right, size_t n,
                       struct kvp_difference *difference)
{
  for (size_t i = 0; i < n; i++) {
    const struct kvp_result *l = &left[i], *r = &right[i];
    if (differ(difference, "status", status_number(l->status), status_number(r->status))
        || differ(difference, "block", l->block, r->block)
        || differ(difference, "moved_to", l->moved_to, r->moved_to)
        || differ(difference, "count", l->count, r->count)
        || evictions_differ(&l->evicted, &r->evicted, difference))
      return found(difference, KVP_IN_RESULT, i, 0);
    if (left_ops[i].kind == KVP_RESERVE && l->status == KVP_OK
        && units_differ(&left_ops[i], &right_ops[i], i, difference))
      return 1;
  }
  return 0;
}

static int counts_differ(const struct kvp_applier *left, const struct kvp_applier *right,
                         struct kvp_difference *difference)
{
  struct kvp_counts l, r;
  left->counts(left->self, &l);
  right->counts(right->self, &r);
  return (differ(difference, "num_blocks", l.num_blocks, r.num_blocks)
          || differ(difference, "num_free", l.num_free, r.num_free)
          || differ(difference, "num_used", l.num_used, r.num_used)
          || differ(difference, "num_reserved", l.num_reserved, r.num_reserved)
          || differ(difference, "num_indexed", l.num_indexed, r.num_indexed))
         && found(difference, KVP_IN_COUNTS, 0, 0);
}

static int views_differ(const struct kvp_applier *left, const struct kvp_applier *right,
                        uint32_t block, struct kvp_difference *difference)
{
  struct kvp_view l, r;
  enum kvp_status left_status = left->view(left->self, block, &l);
  enum kvp_status right_status = right->view(right->self, block, &r);
  if (differ(difference, "status", status_number(left_status), status_number(right_status)))
    return found(difference, KVP_IN_VIEW, block, 0);
  if (left_status != KVP_OK)
    return 0; /* neither side shows this block */
  if (differ(difference, "state", l.state, r.state)
      || differ(difference, "ref_count", l.ref_count, r.ref_count)
      || differ(difference, "has_hash", l.has_hash, r.has_hash)
      || differ(difference, "indexed", l.indexed, r.indexed)
      || differ(difference, "hash", l.hash, r.hash)
      || differ(difference, "length", l.length, r.length)
      || differ(difference, "tokens", l.tokens != NULL, r.tokens != NULL)
      || differ(difference, "owner", l.owner, r.owner)
      || differ(difference, "first", l.first, r.first)
      || differ(difference, "left", l.left, r.left))
    return found(difference, KVP_IN_VIEW, block, 0);
  for (uint32_t k = 0; l.tokens != NULL && k < l.length; k++)
    if (differ(difference, "token", l.tokens[k], r.tokens[k]))
      return found(difference, KVP_IN_TOKEN, block, k);
  return 0;
}

/* Walks both orders in step; neither can have more than max_blocks. */
static int orders_differ(const struct kvp_applier *left, const struct kvp_applier *right,
                         uint32_t max_blocks, struct kvp_difference *difference)
{
  uint32_t l = KVP_NONE, r = KVP_NONE;
  for (size_t i = 0; i <= max_blocks; i++) {
    l = left->next_cached(left->self, l);
    r = right->next_cached(right->self, r);
    if (differ(difference, "block", l, r))
      return found(difference, KVP_IN_ORDER, i, 0);
    if (l == KVP_NONE)
      return 0;
  }
  return 0;
}

int kvp_states_differ(const struct kvp_applier *left, const struct kvp_applier *right,
                      uint32_t max_blocks, struct kvp_difference *difference)
{
  if (counts_differ(left, right, difference))
    return 1;
  for (uint32_t b = 0; b < max_blocks; b++)
    if (views_differ(left, right, b, difference))
      return 1;
  return orders_differ(left, right, max_blocks, difference);
}

int kvp_payloads_differ(const uint32_t *left, const uint32_t *right, uint32_t max_blocks,
                        uint32_t block_words, struct kvp_difference *difference)
{
  size_t n = (size_t)max_blocks * block_words;
  for (size_t i = 0; i < n; i++)
    if (differ(difference, "word", left[i], right[i]))
      return found(difference, KVP_IN_PAYLOAD, i / block_words, i % block_words);
  return 0;
}

int kvp_tables_differ(const uint32_t *left, const uint32_t *right, size_t n,
                      struct kvp_difference *difference)
{
  for (size_t i = 0; i < n; i++)
    if (differ(difference, "block", left[i], right[i]))
      return found(difference, KVP_IN_TABLE, i, 0);
  return 0;
}

static void print_value(FILE *out, const struct kvp_difference *difference, uint64_t value)
{
  if (is_field(difference, "status"))
    fprintf(out, "%s", kvp_strerror((enum kvp_status)(int64_t)value));
  else if (is_field(difference, "state"))
    fprintf(out, "%s", kvp_class_name((enum kvp_class)value));
  else if (is_field(difference, "hash") || is_field(difference, "evicted.hash")
           || difference->place == KVP_IN_PAYLOAD || difference->place == KVP_IN_DIGEST)
    fprintf(out, "0x%" PRIx64, value);
  else if (is_field(difference, "block") || is_field(difference, "moved_to")
           || is_field(difference, "first"))
    kvp_print_block(out, (uint32_t)value);
  else if (is_field(difference, "tokens"))
    fprintf(out, "%s", value ? "there" : "missing");
  else
    fprintf(out, "%" PRIu64, value);
}

void kvp_print_difference(FILE *out, const struct kvp_difference *difference, const char *left,
                          const char *right, const struct kvp_op *ops)
{
  size_t index = difference->index, element = difference->element;
  const char *field = difference->field;
  switch (difference->place) {
  case KVP_IN_RESULT:
  case KVP_IN_UNIT:
    fprintf(out, "operation %zu: ", index);
    if (ops != NULL)
      fprintf(out, "%s: ", kvp_kind_name(ops[index].kind));
    if (difference->place == KVP_IN_UNIT)
      fprintf(out, "unit %zu: ", element);
    fprintf(out, "%s: ", field);
    break;
  case KVP_IN_COUNTS: fprintf(out, "counts: %s: ", field); break;
  case KVP_IN_VIEW: fprintf(out, "block %zu: %s: ", index, field); break;
  case KVP_IN_TOKEN: fprintf(out, "block %zu: token %zu: ", index, element); break;
  case KVP_IN_ORDER: fprintf(out, "cached order: position %zu: ", index); break;
  case KVP_IN_PAYLOAD: fprintf(out, "payload of block %zu: word %zu: ", index, element); break;
  case KVP_IN_DIGEST: fprintf(out, "payload of block %zu: %s: ", index, field); break;
  case KVP_IN_TABLE: fprintf(out, "table entry %zu: ", index); break;
  }
  fprintf(out, "%s ", left);
  print_value(out, difference, difference->left);
  fprintf(out, ", %s ", right);
  print_value(out, difference, difference->right);
  fputc('\n', out);
}
