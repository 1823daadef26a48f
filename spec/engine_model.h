/* SPDX-License-Identifier: Apache-2.0 */
/* The executable engine: spec/engine.md for a single thread, to be checked by eye. Who is next is
   found by looking at all who wait; what a request does, by the registry's model. */
#ifndef KVP_SPEC_ENGINE_MODEL_H
#define KVP_SPEC_ENGINE_MODEL_H

#include <kvpool/engine.h>

#include "spec/registry_model.h"

#define KVP_ENGINE_MODEL_ROOM 16

/* All zero at first, but for the registry and, if there is one, the listener. Of a ticket the model
   reads `op` and writes `result`, `serial` and `round`. */
struct kvp_engine_model {
  struct kvp_registry_model *registry;
  kvp_engine_listener *listener; /* may submit */
  void *listener_context;
  uint32_t max_events; /* of the registry, KVP_ENGINE_MODEL_ROOM at most */
  uint64_t serial, round;
  uint32_t num_waiting; /* KVP_ENGINE_MODEL_ROOM at most */
  int closed;
  struct kvp_ticket *waiting[KVP_ENGINE_MODEL_ROOM]; /* in the order of submission */
};

/* Answer as the engine's functions do. */
enum kvp_status kvp_engine_model_submit(struct kvp_engine_model *model, struct kvp_ticket *ticket);
enum kvp_status kvp_engine_model_step(struct kvp_engine_model *model);
void kvp_engine_model_close(struct kvp_engine_model *model);

/* KVP_BUSY while it waits, else KVP_OK. */
enum kvp_status kvp_engine_model_poll(const struct kvp_engine_model *model,
                                      const struct kvp_ticket *ticket);

#endif
