/* SPDX-License-Identifier: Apache-2.0 */
/* The search. */
#include "src/oracle/search.h"

#include <string.h>

#include "src/oracle/mutate.h"
#include "src/oracle/shrink.h"

static const struct kvp_format format = {KVP_FUZZ_HEAD, KVP_FUZZ_STEP};

enum { MOST_SHRINK_RUNS = 20000 };

static unsigned outcome_of(const struct kvp_result *result)
{
  return 16 * (unsigned)(0 - (int)result->status) + 8 * (result->evicted.count != 0)
         + 4 * (result->moved_to != KVP_NONE) + 2 * (result->block != KVP_NONE)
         + (result->count != 0);
}

static void observe(void *context, const struct kvp_batch *batch)
{
  struct kvp_search *search = context;
  for (size_t i = 0; i < batch->n; i++) {
    unsigned kind = (unsigned)batch->ops[i].kind, outcome = outcome_of(&batch->results[i]);
    uint8_t *seen = &search->seen[kind < KVP_NUM_KINDS ? kind : KVP_NUM_KINDS][outcome];
    search->num_pairs += !*seen;
    search->is_new |= !*seen;
    *seen = 1;
  }
}

void kvp_search_begin(struct kvp_search *search, uint64_t seed, const char *backend)
{
  memset(search, 0, sizeof *search);
  search->random = seed;
  search->run.backend = backend;
  search->run.observe = observe;
  search->run.context = search;
}

/* A new input, in half of all cases without some groups of actions. */
static void make_up(struct kvp_search *search)
{
  struct kvp_kept_input *input = &search->tried;
  input->size = KVP_FUZZ_HEAD + KVP_FUZZ_STEP * (1 + kvp_random_below(&search->random, 14));
  for (size_t i = 0; i < input->size; i++)
    input->bytes[i] = (uint8_t)kvp_random_below(&search->random, 256);
  if (kvp_random_below(&search->random, 2) == 0)
    input->bytes[KVP_FUZZ_HEAD - 1] = 0;
}

static void vary(struct kvp_search *search)
{
  const struct kvp_kept_input *first =
    &search->kept[kvp_random_below(&search->random, search->num_kept)];
  const struct kvp_kept_input *second =
    &search->kept[kvp_random_below(&search->random, search->num_kept)];
  struct kvp_kept_input *input = &search->tried;
  *input = *first;
  if (kvp_random_below(&search->random, 4) == 0)
    input->size = kvp_cross(&format, first->bytes, first->size, second->bytes, second->size,
                            input->bytes, sizeof input->bytes, &search->random);
  input->size =
    kvp_mutate(&format, input->bytes, input->size, sizeof input->bytes, &search->random);
}

int kvp_search_step(struct kvp_search *search, struct kvp_finding *finding)
{
  struct kvp_kept_input *input = &search->tried;
  if (search->num_kept == 0 || kvp_random_below(&search->random, 2) == 0)
    make_up(search);
  else
    vary(search);
  search->is_new = 0;
  int found =
    kvp_differential_run(&search->run, (struct kvp_input){input->bytes, input->size}, finding);
  search->num_runs++;
  search->num_ops += search->run.num_ops;
  if (search->is_new)
    search->kept[search->num_kept < KVP_SEARCH_KEPT
                   ? search->num_kept++
                   : kvp_random_below(&search->random, KVP_SEARCH_KEPT)] = *input;
  return found;
}

struct wanted {
  struct kvp_search *search;
  const struct kvp_finding *finding;
};

static int fails(void *context, const uint8_t *bytes, size_t size)
{
  const struct wanted *wanted = context;
  struct kvp_finding finding;
  return kvp_differential_run(&wanted->search->run, (struct kvp_input){bytes, size}, &finding)
         && finding.left == wanted->finding->left && finding.right == wanted->finding->right;
}

void kvp_search_shrink(struct kvp_search *search, struct kvp_kept_input *input,
                       struct kvp_finding *finding)
{
  const struct kvp_finding before = *finding;
  struct wanted wanted = {search, &before};
  struct kvp_shrinker shrinker = {format, fails, &wanted, MOST_SHRINK_RUNS};
  input->size = kvp_shrink(&shrinker, input->bytes, input->size);
  kvp_differential_run(&search->run, (struct kvp_input){input->bytes, input->size}, finding);
}
