/* SPDX-License-Identifier: Apache-2.0 */
/* On the stand-in: the k-th call of the CUDA driver fails, for every k of a run from the first
   open to the last close. */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <kvpool/device.h>

#define MOST_OPS 40

enum outcome { NOTHING_FAILED = 20, TOLD, UNNOTICED, LIED };

static unsigned before_close; /* calls until the last close began */

static const struct kvp_device_shape shape = {
  .num_blocks = 40, .max_blocks = 60, .block_size = 2, .block_bytes = 32, .table_entries = 4};

/* A function of the stand-in, in *function; it stays NULL if another driver was loaded. */
static void look_up(const char *name, void *function)
{
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  void *symbol = library != NULL ? dlsym(library, name) : NULL;

  memcpy(function, &symbol, sizeof symbol);
  if (library != NULL)
    dlclose(library);
}

/* Calls of the driver until now. */
static unsigned calls(void)
{
  unsigned (*function)(void);

  look_up("kvp_stand_in_calls", &function);
  return function != NULL ? function() : 0;
}

/* Whether the call that failed was of this function. */
static int has_failed(const char *name)
{
  const char *(*function)(void);

  look_up("kvp_stand_in_failed", &function);
  return function != NULL && function() != NULL && strcmp(function(), name) == 0;
}

/* A failure that need not be told: what was done is done, or there is nothing to do about it. */
static int may_go_unnoticed(unsigned k)
{
  return k > before_close || has_failed("cuCtxPopCurrent_v2");
}

/* Whether a refusal is one: a status that says so, in the driver's words. */
static int is_told(enum kvp_status status, const char *words)
{
  return (status == KVP_MEMORY || status == KVP_DEVICE) && strstr(words, "CUDA_ERROR_") != NULL;
}

/* What the script leaves behind, if the device says what it is. */
static enum kvp_status look(struct kvp_device *device)
{
  uint32_t words[60 * 8];
  struct kvp_counts counts;
  enum kvp_status status = kvp_device_counts(device, &counts);

  if (status == KVP_OK && counts.num_blocks != 41)
    exit(LIED);
  if (status == KVP_OK)
    status = kvp_device_read_payload(device, 0, 0, 60, words);
  if (status == KVP_OK && words[30 * 8] != kvp_payload_word(5, 0))
    exit(LIED);
  return status;
}

/* Operations of many kinds; *n says how many; units are what a reserve is to write. */
static const struct kvp_op *script(struct kvp_unit units[2], uint32_t *n)
{
  static const uint32_t token = 7;
  static struct kvp_op ops[MOST_OPS];

  *n = 0;
  for (uint32_t i = 0; i < 4; i++) {
    ops[(*n)++] = (struct kvp_op){.kind = KVP_POP};
    ops[(*n)++] = (struct kvp_op){.kind = KVP_ALLOCATE, .block = i, .owner = 1};
  }
  for (uint32_t i = 0; i < 4; i++)
    ops[(*n)++] = (struct kvp_op){
      .kind = KVP_PUBLISH, .block = i, .hash = 100 + i, .tokens = &token, .length = 1};
  for (uint32_t i = 0; i < 4; i++)
    ops[(*n)++] = (struct kvp_op){.kind = KVP_LOOKUP, .hash = 100 + i};
  for (uint32_t i = 0; i < 4; i++)
    ops[(*n)++] = (struct kvp_op){.kind = KVP_CLAIM, .block = i % 2, .owner = 1};
  for (uint32_t i = 0; i < 4; i++)
    ops[(*n)++] = (struct kvp_op){.kind = KVP_FREE, .block = i, .owner = 1};
  ops[(*n)++] = (struct kvp_op){.kind = KVP_EXTEND, .count = 5};
  for (uint32_t i = 0; i < 4; i++)
    ops[(*n)++] = (struct kvp_op){.kind = KVP_RETIRE_TOP};
  ops[(*n)++] = (struct kvp_op){.kind = KVP_RESERVE, .count = 2, .owner = 9, .units = units};
  return ops;
}

/* KVP_OK, or what went wrong first. Results and units are written only if all went well. */
static enum kvp_status drive(struct kvp_device *device)
{
  struct kvp_unit units[2], units_before[2];
  struct kvp_result results[MOST_OPS], before[MOST_OPS];
  uint32_t n, block = 30;
  const struct kvp_op *ops = script(units, &n);
  uint64_t seed = 5;
  enum kvp_status status = kvp_device_fill(device, &block, &seed, 1);

  memset(results, 0x5A, sizeof results);
  memset(units, 0x5A, sizeof units);
  memcpy(before, results, sizeof before);
  memcpy(units_before, units, sizeof units);
  if (status == KVP_OK)
    status = kvp_device_apply(device, ops, n, results);
  if (status != KVP_OK
      && (memcmp(before, results, sizeof before) != 0
          || memcmp(units_before, units, sizeof units) != 0))
    exit(LIED);
  return status == KVP_OK ? look(device) : status;
}

/* Opens, drives and closes; 1 if all went well, 0 if it was told what did not. */
static int run(void)
{
  const struct kvp_device_options options = {.backend = "cuda", .parallel_min = 1};
  struct kvp_device *device;
  char message[512] = "";
  enum kvp_status status = kvp_device_open(&shape, &options, &device, message, sizeof message);

  if (status != KVP_OK) {
    if (device != NULL || !is_told(status, message))
      exit(LIED);
    return 0;
  }
  status = drive(device);
  if (status != KVP_OK && !is_told(status, kvp_device_error(device)))
    exit(LIED);
  if (status == KVP_DEVICE && drive(device) != KVP_DEVICE)
    exit(LIED);
  if (status == KVP_MEMORY && drive(device) != KVP_OK)
    exit(LIED);
  before_close = calls();
  kvp_device_close(device);
  return status == KVP_OK;
}

/* Twice, for what the first run left behind would be in the second's way; the stand-in ends the
   process by a signal if it was not all given back. */
static enum outcome run_with_failure(unsigned k)
{
  char number[16];
  int well;

  snprintf(number, sizeof number, "%u", k);
  setenv("KVP_STAND_IN_FAIL", number, 1);
  well = run();
  if (calls() < k)
    return NOTHING_FAILED;
  if (well && !may_go_unnoticed(k))
    return LIED;
  run();
  return well ? UNNOTICED : TOLD;
}

static enum outcome in_a_child(unsigned k)
{
  int status = 0;
  pid_t child;

  fflush(NULL);
  child = fork();
  if (child == 0)
    exit((int)run_with_failure(k));
  assert_true(child > 0 && waitpid(child, &status, 0) == child);
  if (!WIFEXITED(status))
    fail_msg("call %u: the process ended by signal %d", k, WTERMSIG(status));
  return (enum outcome)WEXITSTATUS(status);
}

static void every_call_that_fails_is_told_and_leaves_nothing(void **state)
{
  unsigned told = 0, unnoticed = 0;
  enum outcome outcome;

  (void)state;
  for (unsigned k = 1; (outcome = in_a_child(k)) != NOTHING_FAILED; k++) {
    if (outcome != TOLD && outcome != UNNOTICED)
      fail_msg("call %u: outcome %d", k, (int)outcome);
    told += outcome == TOLD;
    unnoticed += outcome == UNNOTICED;
  }
  printf("# %u failures told, %u unnoticed: of calls that give back\n", told, unnoticed);
  assert_true(told > 100);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_call_that_fails_is_told_and_leaves_nothing)};

  return cmocka_run_group_tests_name("driver_faults on the stand-in", tests, NULL, NULL);
}
