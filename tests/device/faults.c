/* SPDX-License-Identifier: Apache-2.0 */
/* A backend that passes everything on to another, except that one call fails. */
#include "tests/device/faults.h"

#include "src/device/backend.h"

static const struct kvp_backend *inner; /* what the calls are passed on to */
static struct {
  uint32_t calls, failing;
  enum kvp_status status; /* that the call answers */
  char words[64];         /* "" until it has failed */
  int open;               /* devices */
} plant;

static void arm(uint32_t call)
{
  plant.calls = 0;
  plant.failing = call;
  plant.words[0] = '\0';
}

static const char *has_failed(void) { return plant.words[0] != '\0' ? plant.words : NULL; }

static void assert_nothing_left(void) { assert_int_equal(plant.open, 0); }

static enum kvp_status plan(const char *what)
{
  if (++plant.calls != plant.failing)
    return KVP_OK;
  snprintf(plant.words, sizeof plant.words, "planted: %s, call %u", what, plant.calls);
  return plant.status;
}

static enum kvp_status open_inner(const struct kvp_backend_request *request, void **self,
                                  char *message, size_t size)
{
  enum kvp_status status = plan("open");

  *self = NULL;
  if (status == KVP_OK)
    status = inner->open(request, self, message, size);
  else
    snprintf(message, size, "%s", plant.words);
  plant.open += status == KVP_OK;
  return status;
}

static void close_inner(void *self)
{
  plant.open--;
  inner->close(self);
}

static enum kvp_status alloc(void *self, enum kvp_array array, size_t bytes)
{
  enum kvp_status status = plan("alloc");
  return status == KVP_OK ? inner->alloc(self, array, bytes) : status;
}

static enum kvp_status upload(void *self, enum kvp_array array, size_t at, size_t bytes,
                              const void *from)
{
  enum kvp_status status = plan("upload");
  return status == KVP_OK ? inner->upload(self, array, at, bytes, from) : status;
}

static enum kvp_status download(void *self, enum kvp_array array, size_t at, size_t bytes, void *to)
{
  enum kvp_status status = plan("download");
  return status == KVP_OK ? inner->download(self, array, at, bytes, to) : status;
}

static enum kvp_status wait_for_all(void *self)
{
  enum kvp_status status = plan("wait");
  return status == KVP_OK ? inner->wait(self) : status;
}

static enum kvp_status copy(void *self, enum kvp_array array, size_t to, size_t from, size_t bytes)
{
  enum kvp_status status = plan("copy");
  return status == KVP_OK ? inner->copy(self, array, to, from, bytes) : status;
}

static enum kvp_status launch(void *self, enum kvp_kernel kernel, uint32_t groups, uint32_t first,
                              uint32_t n)
{
  enum kvp_status status = plan("launch");
  return status == KVP_OK ? inner->launch(self, kernel, groups, first, n) : status;
}

static const char *error(const void *self)
{
  return has_failed() != NULL ? plant.words : inner->error(self);
}

static enum kvp_status open_planted(const struct kvp_device_shape *shape,
                                    const struct kvp_device_options *options,
                                    struct kvp_device **device, char *message, size_t size)
{
  static struct kvp_backend planted;
  const char *colon = strchr(options->backend, ':');

  planted = (struct kvp_backend){.name = inner->name,
                                 .local_size = inner->local_size,
                                 .list = inner->list,
                                 .open = open_inner,
                                 .close = close_inner,
                                 .alloc = alloc,
                                 .upload = upload,
                                 .download = download,
                                 .wait = wait_for_all,
                                 .copy = copy,
                                 .launch = launch,
                                 .error = error};
  return kvp_device_open_on(&planted, colon == NULL ? NULL : colon + 1, shape, options, device,
                            message, size);
}

static const struct plant every_call = {open_planted, arm, has_failed, assert_nothing_left};

static void plant_in_backend(enum kvp_status status)
{
  static const struct kvp_backend *const backends[] = {
    &kvp_backend_host,
#ifdef KVP_WITH_OPENCL
    &kvp_backend_opencl,
#endif
#ifdef KVP_WITH_CUDA
    &kvp_backend_cuda,
#endif
  };
  memset(&plant, 0, sizeof plant);
  plant.status = status;
  inner = NULL;
  for (size_t i = 0; i < sizeof backends / sizeof *backends; i++)
    if (strncmp(backend, backends[i]->name, strlen(backends[i]->name)) == 0)
      inner = backends[i];
  if (inner == NULL)
    fail_msg("no wrapper for %s", backend);
}

static void each_call_refused_for_memory(void **state)
{
  (void)state;
  plant_in_backend(KVP_MEMORY);
  fail_calls(&every_call, 1);
  assert_true(survivals != 0);
}

static void each_call_that_fails(void **state)
{
  (void)state;
  plant_in_backend(KVP_DEVICE);
  fail_calls(&every_call, 1);
  assert_int_equal(survivals, 0);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_call_refused_for_memory),
    cmocka_unit_test(each_call_that_fails),
  };
  choose_backend(argc, argv);
  return run_on_backends("faults", tests, sizeof tests / sizeof *tests);
}
