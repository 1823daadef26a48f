/* SPDX-License-Identifier: Apache-2.0 */
/* Host memory that is refused: one allocation of the device path fails. Linked with --wrap, so that
   the library's calls come by here; those of the test itself are told apart and pass. */
#include "tests/device/faults.h"

static int inside; /* how deep in calls of the device path */
static uint32_t calls, failing;
static int has_refused;
static size_t live, kept; /* pieces of memory: now, and after a run in which nothing failed */

static int refuses(void)
{
  if (inside == 0 || ++calls != failing)
    return 0;
  has_refused = 1;
  return 1;
}

static void *count(void *piece)
{
  live += inside != 0 && piece != NULL;
  return piece;
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size) { return refuses() ? NULL : count(__real_malloc(size)); }

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size)
{
  return refuses() ? NULL : count(__real_calloc(n, size));
}

void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
  return refuses() ? NULL : count(__real_aligned_alloc(alignment, size));
}

void __real_free(void *piece);
void __wrap_free(void *piece);
void __wrap_free(void *piece)
{
  live -= inside != 0 && piece != NULL;
  __real_free(piece);
}

/* A function of the device path, with what is allocated in it counted. */
#define INSIDE(name, parameters, ...)                                                              \
  enum kvp_status __real_##name parameters;                                                        \
  enum kvp_status __wrap_##name parameters;                                                        \
  enum kvp_status __wrap_##name parameters                                                         \
  {                                                                                                \
    enum kvp_status status;                                                                        \
    inside++;                                                                                      \
    status = __real_##name(__VA_ARGS__);                                                           \
    inside--;                                                                                      \
    return status;                                                                                 \
  }

INSIDE(kvp_device_open,
       (const struct kvp_device_shape *shape, const struct kvp_device_options *options,
        struct kvp_device **device, char *message, size_t size),
       shape, options, device, message, size)
INSIDE(kvp_device_apply,
       (struct kvp_device * device, const struct kvp_op *ops, size_t n, struct kvp_result *results),
       device, ops, n, results)
INSIDE(kvp_device_counts, (struct kvp_device * device, struct kvp_counts *counts), device, counts)
INSIDE(kvp_device_view, (struct kvp_device * device, uint32_t block, struct kvp_view *view), device,
       block, view)
INSIDE(kvp_device_next_cached, (struct kvp_device * device, uint32_t block, uint32_t *next), device,
       block, next)
INSIDE(kvp_device_fill,
       (struct kvp_device * device, const uint32_t *blocks, const uint64_t *with, size_t n), device,
       blocks, with, n)
INSIDE(kvp_device_read_payload,
       (struct kvp_device * device, uint32_t plane, uint32_t first, uint32_t n, void *bytes),
       device, plane, first, n, bytes)
INSIDE(kvp_device_write_payload,
       (struct kvp_device * device, uint32_t plane, uint32_t first, uint32_t n, const void *bytes),
       device, plane, first, n, bytes)
INSIDE(kvp_device_digest,
       (struct kvp_device * device, uint32_t first, uint32_t n, uint64_t *digests), device, first,
       n, digests)
INSIDE(kvp_device_write_table,
       (struct kvp_device * device, uint32_t first, uint32_t n, const uint32_t *entries), device,
       first, n, entries)
INSIDE(kvp_device_read_table,
       (struct kvp_device * device, uint32_t first, uint32_t n, uint32_t *entries), device, first,
       n, entries)

void __real_kvp_device_close(struct kvp_device *device);
void __wrap_kvp_device_close(struct kvp_device *device);
void __wrap_kvp_device_close(struct kvp_device *device)
{
  inside++;
  __real_kvp_device_close(device);
  inside--;
}

static void arm(uint32_t call)
{
  calls = 0;
  failing = call;
  has_refused = 0;
}

static const char *has_failed(void) { return has_refused ? "memory was refused" : NULL; }

/* What a backend keeps for the next device is no leak; nothing may come on top of it. */
static void assert_nothing_left(void)
{
  if (failing == 0)
    kept = live;
  assert_true(live <= kept);
}

static void each_allocation_that_is_refused(void **state)
{
  (void)state;
  static const struct plant plant = {kvp_device_open, arm, has_failed, assert_nothing_left};
  live = 0;
  run_script(&plant, 0);
  fail_calls(&plant, 1);
  assert_true(survivals != 0);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_that_is_refused)};
  choose_backend(argc, argv);
  return run_on_backends("memory faults", tests, sizeof tests / sizeof *tests);
}
