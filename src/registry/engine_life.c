/* SPDX-License-Identifier: Apache-2.0 */
/* An engine's beginning and end. */
#include <kvpool/engine.h>

#include <signal.h>
#include <stdlib.h>

#include <kvpool/registry.h>

#include "src/registry/engine_serve.h"

static int init_beds(struct kvp_engine *engine)
{
  int n = 0;
  while (n < KVP_ENGINE_BEDS && kvp_engine_bed_init(&engine->beds[n]))
    n++;
  if (n == KVP_ENGINE_BEDS && kvp_engine_bed_init(&engine->thread_bed))
    return 1;
  while (n-- > 0)
    kvp_engine_bed_destroy(&engine->beds[n]);
  return 0;
}

static int init_locks(struct kvp_engine *engine)
{
  if (pthread_mutex_init(&engine->lock, NULL) != 0)
    return 0;
  if (pthread_mutex_init(&engine->closing, NULL) == 0) {
    if (init_beds(engine))
      return 1;
    pthread_mutex_destroy(&engine->closing);
  }
  pthread_mutex_destroy(&engine->lock);
  return 0;
}

static void destroy_locks(struct kvp_engine *engine)
{
  for (int n = 0; n < KVP_ENGINE_BEDS; n++)
    kvp_engine_bed_destroy(&engine->beds[n]);
  kvp_engine_bed_destroy(&engine->thread_bed);
  pthread_mutex_destroy(&engine->closing);
  pthread_mutex_destroy(&engine->lock);
}

static void free_memory(struct kvp_engine *engine)
{
  free(engine->registry);
  free(engine->plane);
  free(engine->events);
  free(engine);
}

/* From calloc, which touches nothing of large memory; an element at least, so that NULL means that
   memory was refused. */
static struct kvp_engine *new_memory(const struct kvp_engine_shape *shape, size_t registry_bytes,
                                     size_t plane_bytes)
{
  struct kvp_engine *engine = calloc(1, sizeof *engine);
  if (engine == NULL)
    return NULL;
  engine->shape = *shape;
  engine->registry = calloc(1, registry_bytes);
  engine->plane = calloc(1, plane_bytes != 0 ? plane_bytes : 1);
  engine->events = calloc(shape->listener != NULL ? (size_t)shape->registry.max_events + 1 : 1,
                          sizeof *engine->events);
  if (engine->registry != NULL && engine->plane != NULL && engine->events != NULL)
    return engine;
  free_memory(engine);
  return NULL;
}

/* A thread to which no signal of the program's is delivered. */
static int start_thread(struct kvp_engine *engine)
{
  sigset_t all, before;
  sigfillset(&all);
  if (pthread_sigmask(SIG_BLOCK, &all, &before) != 0)
    return 0;
  engine->thread_runs = pthread_create(&engine->thread, NULL, kvp_engine_run_thread, engine) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return engine->thread_runs;
}

enum kvp_status kvp_engine_new(const struct kvp_engine_shape *shape, struct kvp_engine **engine)
{
  if (shape == NULL || engine == NULL)
    return KVP_ARGUMENT;
  size_t registry_bytes, plane_bytes;
  enum kvp_status status = kvp_registry_memory(&shape->registry, &registry_bytes, &plane_bytes);
  if (status != KVP_OK)
    return status;
  struct kvp_engine *made = new_memory(shape, registry_bytes, plane_bytes);
  if (made == NULL)
    return KVP_MEMORY;
  status = kvp_registry_init(made->registry, &shape->registry, made->plane);
  if (status == KVP_OK && !init_locks(made))
    status = KVP_MEMORY;
  else if (status == KVP_OK && !shape->manual && !start_thread(made)) {
    destroy_locks(made);
    status = KVP_MEMORY;
  }
  if (status == KVP_OK)
    *engine = made;
  else
    free_memory(made);
  return status;
}

enum kvp_status kvp_engine_close(struct kvp_engine *engine)
{
  if (engine == NULL)
    return KVP_ARGUMENT;
  if (kvp_engine_is_owner(engine))
    return KVP_STATE;
  pthread_mutex_lock(&engine->closing);
  kvp_engine_enter(engine);
  kvp_engine_queue_close(&engine->queue);
  while (kvp_engine_serve(engine))
    ;
  kvp_engine_leave(engine);
  if (engine->thread_runs) {
    kvp_engine_wake_thread(engine);
    pthread_join(engine->thread, NULL);
    engine->thread_runs = 0;
  }
  pthread_mutex_unlock(&engine->closing);
  return KVP_OK;
}

enum kvp_status kvp_engine_free(struct kvp_engine *engine)
{
  if (engine == NULL)
    return KVP_OK;
  enum kvp_status status = kvp_engine_close(engine);
  if (status != KVP_OK)
    return status;
  destroy_locks(engine);
  free_memory(engine);
  return KVP_OK;
}
