/* SPDX-License-Identifier: Apache-2.0 */
/* The differential run: model, reference and device path are given what an input decodes to, and
   must answer and look the same after every batch. */
#ifndef KVP_ORACLE_DIFFERENTIAL_H
#define KVP_ORACLE_DIFFERENTIAL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "src/oracle/compare.h"
#include "src/oracle/decode.h"
#include "src/oracle/mirror.h"

struct kvp_input {
  const uint8_t *bytes;
  size_t size;
};

/* What went wrong first: two sides differ, or, where `left` is NULL, the right one failed. */
struct kvp_finding {
  size_t batch; /* it showed after this one */
  const char *left, *right;
  struct kvp_difference difference;
  enum kvp_status status; /* of the side that failed, and its words */
  char message[256];
};

/* A pool under test, with operations that have units of their own to write to. */
struct kvp_side {
  struct kvp_applier applier;
  struct kvp_op ops[KVP_FUZZ_OPS];
  struct kvp_result results[KVP_FUZZ_OPS];
  struct kvp_arena arena;
};

/* All zero at first, but for the choices; then used for one input after the other. */
struct kvp_differential {
  const char *backend; /* the device under test, as kvp_device_open takes it */
  uint64_t order;      /* gives the host's work-items another order */
  /* Is shown each batch with the model's results, or NULL. */
  void (*observe)(void *context, const struct kvp_batch *batch);
  void *context;

  size_t num_ops; /* of the input that was run last */
  struct kvp_batch batch;
  struct kvp_side reference, device;
  struct kvp_mirror mirror;
};

/* 1 and what was found, or 0 if all agree. */
int kvp_differential_run(struct kvp_differential *run, struct kvp_input input,
                         struct kvp_finding *finding);

/* A line an operation, with the model's answer, up to the end of batch `last`. */
void kvp_print_story(FILE *out, struct kvp_differential *run, struct kvp_input input, size_t last);

/* One line: "divergence after batch 3: operation 0: pop: block: model 3, device 4". After a run
   of the input that was found, for the operation's name. */
void kvp_print_finding(FILE *out, const struct kvp_differential *run,
                       const struct kvp_finding *finding);

#endif
