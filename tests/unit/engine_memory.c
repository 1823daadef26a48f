/* SPDX-License-Identifier: Apache-2.0 */
/* An engine for which the system refuses something, be it memory, a lock or a thread, is not made,
   and leaves nothing behind. Linked so that the calls below come by here. */
#include "tests/engine.h"

#include <pthread.h>
#include <stdlib.h>

static int calls, refused; /* so far, and the number of the one that fails; 0: none */
static int alive;          /* what was got and not given back */

static int is_granted(void)
{
  int granted = ++calls != refused;
  alive += granted;
  return granted;
}

/* clang-format off */
#define WRAP(result, name, parameters, arguments, refusal)                                         \
  result __real_##name parameters;                                                                 \
  result __wrap_##name parameters;                                                                 \
  result __wrap_##name parameters { return is_granted() ? __real_##name arguments : (refusal); }
#define WRAP_END(result, name, parameters, arguments)                                              \
  result __real_##name parameters;                                                                 \
  result __wrap_##name parameters;                                                                 \
  result __wrap_##name parameters { alive--; return __real_##name arguments; }

WRAP(void *, calloc, (size_t n, size_t size), (n, size), NULL)
WRAP(int, pthread_mutex_init, (pthread_mutex_t *m, const pthread_mutexattr_t *a), (m, a), 1)
WRAP(int, pthread_cond_init, (pthread_cond_t *c, const pthread_condattr_t *a), (c, a), 1)
WRAP(int, pthread_condattr_init, (pthread_condattr_t *a), (a), 1)
WRAP(int, pthread_create,
     (pthread_t *t, const pthread_attr_t *a, void *(*run)(void *), void *argument),
     (t, a, run, argument), 1)

void __real_free(void *memory);
void __wrap_free(void *memory);
void __wrap_free(void *memory)
{
  alive -= memory != NULL;
  __real_free(memory);
}

WRAP_END(int, pthread_mutex_destroy, (pthread_mutex_t *m), (m))
WRAP_END(int, pthread_cond_destroy, (pthread_cond_t *c), (c))
WRAP_END(int, pthread_condattr_destroy, (pthread_condattr_t *a), (a))
WRAP_END(int, pthread_join, (pthread_t thread, void **result), (thread, result))
/* clang-format on */

static void every_refusal(void **state)
{
  const struct kvp_engine_shape shape = {
    .registry = {.num_blocks = 2, .max_blocks = 2, .block_size = PAGE}};
  enum kvp_status status = KVP_MEMORY;
  (void)state;
  for (refused = 1; status == KVP_MEMORY; refused++) {
    struct kvp_engine *engine = NULL;
    calls = alive = 0;
    status = kvp_engine_new(&shape, &engine);
    if (status == KVP_OK)
      status = kvp_engine_free(engine);
    else
      assert_null(engine);
    assert_int_equal(alive, 0);
  }
  assert_int_equal(status, KVP_OK);
  assert_true(refused > 30);
}

int main(void)
{
  static const struct CMUnitTest tests[] = {
    {"an engine that is refused something leaves nothing behind", every_refusal, NULL, NULL, NULL},
  };
  return cmocka_run_group_tests_name("memory of the engine", tests, NULL, NULL);
}
