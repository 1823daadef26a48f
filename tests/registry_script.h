/* SPDX-License-Identifier: Apache-2.0 */
/* A test of the registry as a table: steps that are applied to every subject, each with what it
   must answer. Handles and contents have names of one character, so a list of them is a string. */
#ifndef KVP_TESTS_REGISTRY_SCRIPT_H
#define KVP_TESTS_REGISTRY_SCRIPT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <kvpool/hash.h>

#include "tests/registry_subjects.h"

#define PAGE 4 /* tokens of a block */
#define SALT 1337
#define MOST 16   /* elements of a list in a script */
#define EVENTS 64 /* most that are polled at once */

/* What a name of content stands for: "0" to "3" are a chain with tokens 1 to 16, "4" is another
   child of "0" and "5" to "9" are roots, as tokens go on. */
struct content {
  uint32_t tokens[PAGE];
  uint32_t position;
  uint64_t parent, block_hash, hash;
};

static inline struct content content_of(char name)
{
  static const char parents[] = {0, '0', '1', '2', '0', 0, 0, 0, 0, 0};
  uint32_t n = (uint32_t)(name - '0');
  struct content c = {.tokens = {4 * n + 1, 4 * n + 2, 4 * n + 3, 4 * n + 4}};
  assert_true(n < sizeof parents);
  kvp_hash_block(c.tokens, PAGE, SALT, &c.block_hash);
  c.hash = c.block_hash;
  if (parents[n] != 0) {
    struct content parent = content_of(parents[n]);
    c.position = parent.position + 1;
    c.parent = parent.hash;
    c.hash = kvp_hash_sequence(parent.hash, c.block_hash, SALT);
  }
  return c;
}

enum step_check { STEP_ANSWER, STEP_BLOCK, STEP_REPORT, STEP_TICKS, STEP_COUNTS };

struct step {
  enum step_check check;
  int line;                  /* where it stands in its table */
  struct kvp_registry_op op; /* count and buffers come from the strings, if there are any */
  const char *in;            /* names of handles, or of contents for match and touch */
  const char *out;           /* names that the granted handles get */
  const char *blocks;        /* a digit for each: the storage it must stand for */
  const char *kinds;         /* n, m or d for each; NULL: all new */
  const char *content;       /* that it writes or speaks of */
  const char *events;        /* +, - or ! for stored, removed, cleared, and the content's name */
  struct kvp_registry_result want;
  uint32_t block;
  struct kvp_block_view view;
  struct kvp_registry_counts counts;
};

struct script {
  const char *claim;
  struct kvp_registry_shape shape; /* what is 0 gets what scripts have in common */
  const struct step *steps;        /* [num_steps] */
  size_t num_steps;
};

/* clang-format would take an initializer's braces for those of a block. */
/* clang-format off */

#define LINE .line = __LINE__
#define ASK(what, ...) {LINE, .op = {.kind = KVP_REGISTRY_##what, __VA_ARGS__}}
#define REFUSED(why, what, ...)                                                                    \
  {LINE, .op = {.kind = KVP_REGISTRY_##what, __VA_ARGS__}, .want = {.status = why}}
#define TOKENS(...) (const uint32_t[]){__VA_ARGS__}
#define NUM_TOKENS(...) (uint32_t)(sizeof(TOKENS(__VA_ARGS__)) / sizeof(uint32_t))

/* The registry as a whole. */
#define ADD(n, taken)                                                                              \
  {LINE, .op = {.kind = KVP_REGISTRY_ADD_BLOCKS, .count = n}, .want = {.count = taken}}
#define ALLOCATE(names, in_blocks)                                                                 \
  {LINE, .op = {.kind = KVP_REGISTRY_ALLOCATE}, .out = names, .blocks = in_blocks}
#define ALLOCATE_FULL(n, can)                                                                      \
  {LINE,                                                                                           \
   .op = {.kind = KVP_REGISTRY_ALLOCATE, .count = n},                                              \
   .out = "",                                                                                      \
   .want = {.status = KVP_FULL, .requested = n, .available = can}}
#define REGISTER(from, to, in_blocks, how)                                                         \
  {LINE,                                                                                           \
   .op = {.kind = KVP_REGISTRY_REGISTER},                                                          \
   .in = from,                                                                                     \
   .out = to,                                                                                      \
   .blocks = in_blocks,                                                                            \
   .kinds = how}
#define REGISTER_REFUSED(why, from)                                                                \
  {LINE, .op = {.kind = KVP_REGISTRY_REGISTER}, .in = from, .out = "", .want = {.status = why}}
#define MATCH(contents, names, in_blocks)                                                          \
  {LINE,                                                                                           \
   .op = {.kind = KVP_REGISTRY_MATCH},                                                             \
   .in = contents,                                                                                 \
   .out = names,                                                                                   \
   .blocks = in_blocks,                                                                            \
   .want = {.count = sizeof(names) - 1}}
#define TOUCH(contents, n)                                                                         \
  {LINE, .op = {.kind = KVP_REGISTRY_TOUCH}, .in = contents, .want = {.count = n}}
#define SHARE(from, to, in_block)                                                                  \
  {LINE, .op = {.kind = KVP_REGISTRY_SHARE}, .in = from, .out = to, .blocks = in_block}
#define RELEASE(names) {LINE, .op = {.kind = KVP_REGISTRY_RELEASE}, .in = names}
#define RELEASE_REFUSED(names)                                                                     \
  {LINE, .op = {.kind = KVP_REGISTRY_RELEASE}, .in = names, .want = {.status = KVP_RANGE}}
#define RESET ASK(RESET, 0)
#define PIN(c) {LINE, .op = {.kind = KVP_REGISTRY_PIN}, .content = c}
#define UNPIN(c) {LINE, .op = {.kind = KVP_REGISTRY_UNPIN}, .content = c}
#define UNPIN_REFUSED(why, c)                                                                      \
  {LINE, .op = {.kind = KVP_REGISTRY_UNPIN}, .content = c, .want = {.status = why}}
#define PRIORITY(name, p)                                                                          \
  {LINE, .op = {.kind = KVP_REGISTRY_SET_PRIORITY, .priority = p}, .in = name}
#define PRIORITY_OF(c, p)                                                                          \
  {LINE, .op = {.kind = KVP_REGISTRY_SET_PRIORITY, .priority = p}, .content = c}
#define POLLED(what) {LINE, .op = {.kind = KVP_REGISTRY_POLL, .count = EVENTS}, .events = what}
#define POLLED_LOST(n, what)                                                                       \
  {LINE,                                                                                           \
   .op = {.kind = KVP_REGISTRY_POLL, .count = EVENTS},                                             \
   .events = what,                                                                                 \
   .want = {.dropped = n}}

/* A held block; a refusal is the same with a status before it. */
#define BLOCK(why, what, name, ...)                                                                \
  {LINE, .op = {.kind = KVP_REGISTRY_##what, __VA_ARGS__}, .in = name, .want = {.status = why}}
#define INIT(name) BLOCK(KVP_OK, INIT, name, .salt = SALT)
#define PUSH(name, ...)                                                                            \
  BLOCK(KVP_OK, PUSH, name, .length = NUM_TOKENS(__VA_ARGS__), .tokens = TOKENS(__VA_ARGS__))
#define PUSH_REFUSED(why, name, ...)                                                               \
  BLOCK(why, PUSH, name, .length = NUM_TOKENS(__VA_ARGS__), .tokens = TOKENS(__VA_ARGS__))
#define FILL(name, taken, ...)                                                                     \
  {LINE,                                                                                           \
   .op = {.kind = KVP_REGISTRY_FILL,                                                               \
          .length = NUM_TOKENS(__VA_ARGS__),                                                       \
          .tokens = TOKENS(__VA_ARGS__)},                                                          \
   .in = name,                                                                                     \
   .want = {.count = taken}}
#define POP(name, n) BLOCK(KVP_OK, POP, name, .count = n)
#define POP_REFUSED(why, name, n) BLOCK(why, POP, name, .count = n)
#define CLEAR(name) BLOCK(KVP_OK, CLEAR, name, 0)
#define COMMIT(name, c) {LINE, .op = {.kind = KVP_REGISTRY_COMMIT}, .in = name, .content = c}
#define WRITE(name, c) {LINE, .op = {.kind = KVP_REGISTRY_WRITE}, .in = name, .content = c}
#define WRITE_REFUSED(why, name, c)                                                                \
  {LINE, .op = {.kind = KVP_REGISTRY_WRITE}, .in = name, .content = c, .want = {.status = why}}

/* Blocks 0 … n-1 with the chain's contents, registered in handles a, b, c, d. */
#define CHAIN2                                                                                     \
  ALLOCATE("ab", "01"), WRITE("a", "0"), WRITE("b", "1"), REGISTER("ab", "ab", "01", "nn")
#define CHAIN3                                                                                     \
  ALLOCATE("abc", "012"), WRITE("a", "0"), WRITE("b", "1"), WRITE("c", "2"),                       \
    REGISTER("abc", "abc", "012", "nnn")
#define CHAIN4                                                                                     \
  ALLOCATE("abcd", "0123"), WRITE("a", "0"), WRITE("b", "1"), WRITE("c", "2"), WRITE("d", "3"),    \
    REGISTER("abcd", "abcd", "0123", "nnnn")

/* What a block, or the registry, must look like. */
#define IS(b, s, n) {LINE, .check = STEP_BLOCK, .block = b, .view = {.state = s, .handles = n}}
/* How many tokens, whether they can be read, and the content whose hash it has, or NULL. */
#define REPORTS(b, n, readable, c)                                                                 \
  {LINE,                                                                                           \
   .check = STEP_REPORT,                                                                           \
   .block = b,                                                                                     \
   .content = c,                                                                                   \
   .view = {.length = n, .tokens = (readable) ? TOKENS(0) : NULL}}
#define TICKS(b, a, r, p)                                                                          \
  {LINE,                                                                                           \
   .check = STEP_TICKS,                                                                            \
   .block = b,                                                                                     \
   .view = {.acquired_tick = a, .returned_tick = r, .priority = p}}
#define COUNTS(empty, held, active, cached, available)                                             \
  {LINE,                                                                                           \
   .check = STEP_COUNTS,                                                                           \
   .counts = {empty + held + active + cached, empty, held, active, cached, available, 0, 0}}

#define SCRIPT(what, table, ...)                                                                   \
  {what, {__VA_ARGS__}, table, sizeof(table) / sizeof((table)[0])}
#define BLOCKS(n) .num_blocks = n, .max_blocks = n

/* The same under both orders of eviction. */
#define BOTH(what, table, ...)                                                                     \
  SCRIPT(what, table, __VA_ARGS__), SCRIPT(what ", leaf first", table, __VA_ARGS__, .leaf_first = 1)

/* clang-format on */

#endif
