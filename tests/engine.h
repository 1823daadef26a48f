/* SPDX-License-Identifier: Apache-2.0 */
/* What the engine's tests have in common: engines of the seed's tests, and tickets for each kind of
   request that they make. */
#ifndef KVP_TESTS_ENGINE_H
#define KVP_TESTS_ENGINE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <kvpool/engine.h>

#define PAGE 4 /* tokens of a block */
#define SALT 1337
/* Of the tokens 1, 2, 3, 4; the seed's own number. */
#define HASH UINT64_C(14643705804678351452)

static inline struct kvp_engine *new_engine(uint32_t num_blocks, int manual)
{
  const struct kvp_engine_shape shape = {.registry = {.num_blocks = num_blocks,
                                                      .max_blocks = num_blocks,
                                                      .block_size = PAGE,
                                                      .max_handles = 16,
                                                      .max_events = 16,
                                                      .tag = 7},
                                         .manual = (uint8_t)manual};
  struct kvp_engine *engine = NULL;
  assert_int_equal(kvp_engine_new(&shape, &engine), KVP_OK);
  return engine;
}

/* A request with the memory of its lists. */
struct asked {
  struct kvp_ticket ticket;
  struct kvp_grant grant;
  uint64_t value; /* a handle or a hash */
};

static inline struct kvp_ticket *ask(struct asked *asked, enum kvp_registry_kind kind,
                                     uint64_t value)
{
  static const uint32_t tokens[PAGE] = {1, 2, 3, 4};
  *asked = (struct asked){.value = value};
  asked->ticket.op = (struct kvp_registry_op){.kind = kind,
                                              .count = 1,
                                              .length = PAGE,
                                              .handle = value,
                                              .hash = value,
                                              .salt = SALT,
                                              .hashes = &asked->value,
                                              .handles = &asked->value,
                                              .tokens = tokens,
                                              .grants = &asked->grant};
  return &asked->ticket;
}

/* The same with a list of one, blocking: what it answers, and the handle granted. */
static inline enum kvp_status do_now(struct kvp_engine *engine, enum kvp_registry_kind kind,
                                     uint64_t value, uint64_t *handle)
{
  struct asked asked;
  struct kvp_registry_result result;
  const struct kvp_registry_op *op = &ask(&asked, kind, value)->op;
  enum kvp_status status = kvp_engine_apply(engine, op, &result);
  assert_int_equal(status, result.status);
  if (handle != NULL)
    *handle = asked.grant.handle;
  return status;
}

static inline uint32_t available(struct kvp_engine *engine)
{
  struct kvp_registry_counts counts;
  assert_int_equal(kvp_engine_counts(engine, &counts), KVP_OK);
  return counts.num_available;
}

/* A block with the tokens 1, 2, 3, 4, registered and shared once. */
static inline uint64_t registered_block(struct kvp_engine *engine)
{
  uint64_t handle;
  assert_int_equal(do_now(engine, KVP_REGISTRY_ALLOCATE, 0, &handle), KVP_OK);
  assert_int_equal(do_now(engine, KVP_REGISTRY_WRITE, handle, NULL), KVP_OK);
  assert_int_equal(do_now(engine, KVP_REGISTRY_REGISTER, handle, &handle), KVP_OK);
  return handle;
}

#endif
