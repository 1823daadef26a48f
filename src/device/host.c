/* SPDX-License-Identifier: Apache-2.0 */
/* The host backend: the kernels as C, the work-items of a phase and the groups of a launch in an
   order drawn from a seed, all arrays in one arena with gaps that AddressSanitizer guards. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/device/backend.h"
#include "src/device/guard.h"
#include "src/device/kernels.k"
#include "src/device/shadow.h"

#define LOCAL_SIZE_HOST 16
#define ALIGNMENT 64
#define GAP 64
#define GROUP_BYTES 8192 /* for the group arrays of any kernel, at the arena's end */
#define SMALLEST_ARENA 65536

struct arena {
  size_t capacity; /* a multiple of ALIGNMENT */
  unsigned char *bytes;
  struct kvp_shadow shadow; /* used with KVP_RACE_SHADOW only */
};

struct host {
  struct arena *arena;
  size_t used; /* of the arena, from its begin */
  size_t offsets[NUM_ARRAYS], sizes[NUM_ARRAYS];
  uint64_t random;
};

typedef void kernel_function(KVP_ARRAYS(KVP_PARAMETER) uint32_t first, uint32_t n);

static const struct {
  const char *name;
  kernel_function *run;
} kernels[] = {
#define X(name) {#name, name},
  KVP_KERNELS(X)
#undef X
};

/* The arena of the last device that closed, for the next that opens: fuzzers open many. */
static _Atomic(struct arena *) spare_arena;

static void free_arena(struct arena *arena)
{
  if (arena == NULL)
    return;
  kvp_hand_out(arena->bytes, arena->capacity);
  free(arena->bytes);
#ifdef KVP_RACE_SHADOW
  kvp_shadow_close(&arena->shadow);
#endif
  free(arena);
}

static struct arena *new_arena(size_t capacity)
{
  struct arena *arena = calloc(1, sizeof *arena);

  if (arena == NULL)
    return NULL;
  arena->capacity = (capacity + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  arena->bytes = aligned_alloc(ALIGNMENT, arena->capacity);
  if (arena->bytes == NULL) {
    free(arena);
    return NULL;
  }
#ifdef KVP_RACE_SHADOW
  if (!kvp_shadow_open(&arena->shadow, arena->capacity / 4)) {
    free(arena->bytes);
    free(arena);
    return NULL;
  }
#endif
  kvp_guard(arena->bytes, arena->capacity);
  return arena;
}

static size_t host_list(struct kvp_device_info *infos, size_t room)
{
  if (room != 0)
    infos[0] = (struct kvp_device_info){
      .present = 1,
      .name = "host",
      .description = "the kernels as C, one work-item at a time, compiler " __VERSION__};
  return 1;
}

static enum kvp_status host_open(const struct kvp_backend_request *request, void **self,
                                 char *message, size_t size)
{
  size_t bytes = request->bytes;
  size_t capacity = bytes + (size_t)NUM_ARRAYS * (GAP + ALIGNMENT) + GROUP_BYTES;
  uint64_t seed = request->order_seed;
  struct host *host;
  struct arena *arena;

  *self = NULL;
  if (request->select != NULL) {
    snprintf(message, size, "the host is one device, not :%s", request->select);
    return KVP_ARGUMENT;
  }
  host = calloc(1, sizeof *host);
  arena = atomic_exchange(&spare_arena, NULL);
  if (arena != NULL && arena->capacity < capacity) {
    free_arena(arena);
    arena = NULL;
  }
  if (arena == NULL && capacity > bytes)
    arena = new_arena(capacity > SMALLEST_ARENA ? capacity : SMALLEST_ARENA);
  if (host == NULL || arena == NULL) {
    free(host);
    free_arena(arena);
    snprintf(message, size, "host memory was refused: %zu bytes", bytes);
    return KVP_MEMORY;
  }
  host->arena = arena;
  host->random = (seed ^ (seed >> 29)) * 0xBF58476D1CE4E5B9u;
  host->random = host->random != 0 ? host->random : 0x9E3779B97F4A7C15u;
  *self = host;
  return KVP_OK;
}

static void host_close(void *self)
{
  struct host *host = self;

  kvp_guard(host->arena->bytes, host->arena->capacity);
  free_arena(atomic_exchange(&spare_arena, host->arena));
  free(host);
}

/* Moves everything to an arena that holds as much more. */
static int grow(struct host *host, size_t more)
{
  size_t used = host->used + GROUP_BYTES;
  struct arena *arena;

  if (more > SIZE_MAX / 4 || used > SIZE_MAX / 4)
    return 0;
  arena = new_arena(2 * used + more);
  if (arena == NULL)
    return 0;
  for (int i = 0; i < NUM_ARRAYS; i++) {
    kvp_hand_out(arena->bytes + host->offsets[i], host->sizes[i]);
    memcpy(arena->bytes + host->offsets[i], host->arena->bytes + host->offsets[i], host->sizes[i]);
  }
  free_arena(host->arena);
  host->arena = arena;
  return 1;
}

static enum kvp_status host_alloc(void *self, enum kvp_array array, size_t bytes)
{
  struct host *host = self;
  size_t step;

  if (bytes > SIZE_MAX / 4)
    return KVP_MEMORY;
  step = (bytes + GAP + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (step > host->arena->capacity - GROUP_BYTES - host->used && !grow(host, step))
    return KVP_MEMORY;
  kvp_guard(host->arena->bytes + host->offsets[array], host->sizes[array]);
  kvp_hand_out(host->arena->bytes + host->used, bytes);
  host->offsets[array] = host->used;
  host->sizes[array] = bytes;
  host->used += step;
  return KVP_OK;
}

static enum kvp_status host_upload(void *self, enum kvp_array array, size_t at, size_t bytes,
                                   const void *from)
{
  struct host *host = self;
  memcpy(host->arena->bytes + host->offsets[array] + at, from, bytes);
  return KVP_OK;
}

static enum kvp_status host_download(void *self, enum kvp_array array, size_t at, size_t bytes,
                                     void *to)
{
  struct host *host = self;
  memcpy(to, host->arena->bytes + host->offsets[array] + at, bytes);
  return KVP_OK;
}

static enum kvp_status host_wait(void *self)
{
  (void)self;
  return KVP_OK;
}

static enum kvp_status host_copy(void *self, enum kvp_array array, size_t to, size_t from,
                                 size_t bytes)
{
  struct host *host = self;
  unsigned char *begin = host->arena->bytes + host->offsets[array];
  memcpy(begin + to, begin + from, bytes);
  return KVP_OK;
}

static void prepare_lane(struct host *host, enum kvp_kernel kernel, uint32_t groups)
{
  struct arena *arena = host->arena;

  kvp_lane = (struct kvp_lane){.groups = groups,
                               .local_size = LOCAL_SIZE_HOST,
                               .random = host->random,
                               .kernel = kernels[kernel].name,
                               .group_memory = arena->bytes + arena->capacity - GROUP_BYTES,
                               .shadow = &arena->shadow};
#ifdef KVP_RACE_SHADOW
  arena->shadow.base = arena->bytes;
  arena->shadow.group_words = GROUP_BYTES / 4;
  arena->shadow.offsets = host->offsets;
  arena->shadow.sizes = host->sizes;
  kvp_shadow_begin_launch(&arena->shadow);
#endif
}

static void run_group(const struct host *host, enum kvp_kernel kernel, uint32_t group,
                      uint32_t first, uint32_t n)
{
  unsigned char *bytes = host->arena->bytes;

  kvp_lane.group = group;
  kvp_lane.phase = 0;
  kvp_lane.group_used = 0;
  kvp_guard(kvp_lane.group_memory, GROUP_BYTES);
#ifdef KVP_RACE_SHADOW
  kvp_shadow_begin_group(kvp_lane.shadow);
#endif
#define X(type, name) (type *)(void *)(bytes + host->offsets[ARRAY_##name]),
  kernels[kernel].run(KVP_ARRAYS(X) first, n);
#undef X
}

/* An odd step through a power of two, as for the items of a phase, past what is no group. */
static enum kvp_status host_launch(void *self, enum kvp_kernel kernel, uint32_t groups,
                                   uint32_t first, uint32_t n)
{
  struct host *host = self;
  uint32_t span = 1, at, step;

  while (span < groups)
    span *= 2;
  prepare_lane(host, kernel, groups);
  at = kvp_lane_random();
  step = kvp_lane_random() | 1;
  for (uint32_t i = 0; i < span; i++, at += step)
    if ((at & (span - 1)) < groups)
      run_group(host, kernel, at & (span - 1), first, n);
  host->random = kvp_lane.random;
  return KVP_OK;
}

static const char *host_error(const void *self)
{
  (void)self;
  return "host memory was refused";
}

const struct kvp_backend kvp_backend_host = {.name = "host",
                                             .local_size = LOCAL_SIZE_HOST,
                                             .list = host_list,
                                             .open = host_open,
                                             .close = host_close,
                                             .alloc = host_alloc,
                                             .upload = host_upload,
                                             .download = host_download,
                                             .wait = host_wait,
                                             .copy = host_copy,
                                             .launch = host_launch,
                                             .error = host_error};
