/* SPDX-License-Identifier: Apache-2.0 */
/* A bed: where threads sleep, each until a word of its own changes. Who wakes them names the bed
   and not the word, so the word's memory may be gone as soon as it has changed. */
#ifndef KVP_ENGINE_BED_H
#define KVP_ENGINE_BED_H

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

struct kvp_engine_bed {
  pthread_mutex_t lock;
  pthread_cond_t changed;
};

/* 0 if the system refuses one. */
int kvp_engine_bed_init(struct kvp_engine_bed *bed);
void kvp_engine_bed_destroy(struct kvp_engine_bed *bed);

/* Sleeps while *word is `value`, until the deadline on CLOCK_MONOTONIC if that is not NULL. */
void kvp_engine_bed_sleep(struct kvp_engine_bed *bed, const atomic_int *word, int value,
                          const struct timespec *deadline);

/* For whoever has changed a word. */
void kvp_engine_bed_wake(struct kvp_engine_bed *bed);

#endif
