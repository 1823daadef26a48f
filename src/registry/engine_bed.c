/* SPDX-License-Identifier: Apache-2.0 */
/* Beds, of a mutex and a condition. */
#include "src/registry/engine_bed.h"

int kvp_engine_bed_init(struct kvp_engine_bed *bed)
{
  pthread_condattr_t attributes;
  if (pthread_condattr_init(&attributes) != 0)
    return 0;
  int good = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0
             && pthread_cond_init(&bed->changed, &attributes) == 0;
  pthread_condattr_destroy(&attributes);
  if (good && pthread_mutex_init(&bed->lock, NULL) != 0) {
    pthread_cond_destroy(&bed->changed);
    good = 0;
  }
  return good;
}

void kvp_engine_bed_destroy(struct kvp_engine_bed *bed)
{
  pthread_mutex_destroy(&bed->lock);
  pthread_cond_destroy(&bed->changed);
}

void kvp_engine_bed_sleep(struct kvp_engine_bed *bed, const atomic_int *word, int value,
                          const struct timespec *deadline)
{
  int failed = 0;
  pthread_mutex_lock(&bed->lock);
  while (atomic_load(word) == value && !failed)
    failed = deadline == NULL ? pthread_cond_wait(&bed->changed, &bed->lock)
                              : pthread_cond_timedwait(&bed->changed, &bed->lock, deadline);
  pthread_mutex_unlock(&bed->lock);
}

void kvp_engine_bed_wake(struct kvp_engine_bed *bed)
{
  pthread_mutex_lock(&bed->lock);
  pthread_cond_broadcast(&bed->changed);
  pthread_mutex_unlock(&bed->lock);
}
