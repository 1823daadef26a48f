/* SPDX-License-Identifier: Apache-2.0 */
/* An engine without a thread and its model side by side: whoever calls the one has the other do the
   same, and then has them compared. */
#ifndef KVP_FUZZ_ENGINE_PAIR_H
#define KVP_FUZZ_ENGINE_PAIR_H

#include "fuzz/registry_draw.h"
#include "spec/engine_model.h"

#define KVP_SEATS 6

enum {
  KVP_ENGINE_HEAD = 6, /* bytes of an input's head */
  KVP_ENGINE_STEP = 8  /* and of each of its steps, a call */
};

/* A request as both sides are given it, each with buffers of its own. */
struct kvp_seat {
  struct kvp_ticket asked, judged; /* the engine's and the model's */
  struct kvp_arena arena;
  int under_way; /* admitted, and its answer not yet compared */
};

/* What the engine told its listener, and what that saw and did. */
struct kvp_telling {
  struct kvp_event events[KVP_PLAY_EVENTS];
  uint32_t count;
  uint64_t dropped;
  enum kvp_status polled[KVP_SEATS];
  uint32_t num_submitted;
  struct kvp_seat *submitted[KVP_SEATS];
  enum kvp_status answered[KVP_SEATS]; /* to these */
};

struct kvp_engine_pair {
  struct kvp_pair registries; /* the model's and the engine's */
  struct kvp_play play;
  struct kvp_engine *engine; /* NULL once it is freed */
  struct kvp_engine_model model;
  struct kvp_seat seats[KVP_SEATS], aside;    /* aside: for requests that have no ticket */
  struct kvp_telling tellings[KVP_SEATS + 1]; /* of one call: no more can be under way */
  uint32_t num_tellings, num_heard;           /* by the engine's listener and by the model's */
  struct kvp_telling *inside;                 /* what the engine's listener is busy with, or NULL */
};

/* Of a shape and habits drawn from the input; `apply` is as in struct kvp_play. The engine's
   listener, if there is one, does an action now and then, and what it submits is to be written down
   in `inside`. Ends the process if the engine does not open. */
void kvp_engine_pair_open(struct kvp_engine_pair *pair, struct kvp_bytes head, int tells,
                          void (*apply)(struct kvp_play *play, const struct kvp_registry_op *op));

/* Frees the engine with whatever waits. */
void kvp_engine_pair_close(struct kvp_engine_pair *pair);

/* Whose ticket is not under way, or NULL. */
struct kvp_seat *kvp_free_seat(struct kvp_engine_pair *pair);
uint32_t kvp_seat_number(const struct kvp_engine_pair *pair, const struct kvp_seat *seat);

/* The request is this from now on; the tickets are otherwise as their last use left them. */
void kvp_seat_place(struct kvp_seat *seat, const struct kvp_registry_op *op);

/* What the model says to kvp_ticket_poll. */
enum kvp_status kvp_judged_poll(const struct kvp_engine_pair *pair, const struct kvp_seat *seat);

/* After each call, once the model has done the same: the same tickets are answered, in the same
   order and with the same answers, the listener was told the same, the registries are alike. */
void kvp_engine_pair_settle(struct kvp_engine_pair *pair);

/* An answer, also of the seat aside: it is compared, and noted in play. */
void kvp_same_ticket(struct kvp_engine_pair *pair, struct kvp_seat *seat);

/* A number and a status that both sides have of their own. */
void kvp_engine_same(struct kvp_engine_pair *pair, const char *what, uint32_t index,
                     uint64_t judged, uint64_t asked);
void kvp_same_status(struct kvp_engine_pair *pair, const char *what, uint32_t index,
                     enum kvp_status judged, enum kvp_status asked);

#endif
