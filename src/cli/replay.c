/* SPDX-License-Identifier: Apache-2.0 */
/* kvpool replay: a trace of requests through the serving loop, on the reference alone or with
   followers that must agree with it. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <kvpool/layout.h>

#include "src/cli/cli.h"
#include "src/oracle/appliers.h"
#include "src/oracle/decimal.h"
#include "src/oracle/serving.h"

static const char help[] =
  "usage: kvpool replay TRACE [options]\n"
  "\n"
  "Drives the serving loop with the requests of TRACE: one JSON object a line, whose \"hash_ids\"\n"
  "lists the content ids of a request.\n"
  "\n"
  "  --blocks N         blocks of the pool at first (20000)\n"
  "  --max-blocks N     blocks it may grow to (as --blocks)\n"
  "  --block-bytes N    payload of a block on the device, a multiple of 16 (64),\n"
  "  --planes N         in each of N buffers, as an engine has two for a layer (1)\n"
  "  --concurrency R    most requests that run at once (32)\n"
  "  --resize PLAN      AT:-K,AT:+K,... retires or adds K blocks after request AT;\n"
  "                     every:N:K retires K at N, 3N, ... and adds K at 2N, 4N, ...\n"
  "  --limit N          only the first N requests\n"
  "  --device NAME      as kvpool devices lists it, or opencl or cuda for the first of these:\n"
  "                     a device pool that does the same in batches; results, state, payload\n"
  "                     and block tables are compared after each request (none)\n"
  "  --model            compare with the executable model too (slow)\n"
  "  --json             print the counts as one JSON object\n"
  "\n"
  "operations counts every look-up, claim, free, pop, allocate, publish, retire and extend up to\n"
  "the last request; that those still running finish at the end is compared, but not counted.\n"
  "hits are those of the attempt that admitted a request; lookups are of every attempt.\n";

struct options {
  const char *trace, *backend; /* backend NULL: no device */
  uint64_t blocks, max_blocks, block_bytes, planes, concurrency, limit;
  struct kvp_resize_plan plan;
  int model, json, help;
};

/* The pools of a run; those that are not open have no self. */
struct pools {
  struct kvp_applier reference, model, device;
  struct kvp_device_shape shape;
  struct kvp_lockstep *followers;
};

static int usage(const char *what, const char *value, const char *expected)
{
  fprintf(stderr, "kvpool replay: %s %s: expected %s\n", what, value, expected);
  return 0;
}

static int parse_number(const char *name, const char *text, uint64_t least, uint64_t most,
                        uint64_t *number)
{
  const char *end = text;
  char expected[80];

  if (kvp_decimal(&end, most, number) && *end == '\0' && *number >= least)
    return 1;
  snprintf(expected, sizeof expected, "a number from %" PRIu64 " to %" PRIu64, least, most);
  return usage(name, text, expected);
}

/* Whether there is such a device is found out when it is opened. */
static int parse_device(const char *text, const char **backend)
{
  static const char *const backends[] = {"host", "opencl", "cuda"};
  size_t length = strcspn(text, ":");

  *backend = NULL;
  for (size_t i = 0; i < sizeof backends / sizeof *backends; i++) {
    if (strlen(backends[i]) == length && strncmp(text, backends[i], length) == 0)
      *backend = text;
  }
  return *backend != NULL || strcmp(text, "none") == 0
         || usage("--device", text, "none, or a name that kvpool devices lists");
}

static int parse_plan(const char *text, struct kvp_resize_plan *plan)
{
  enum kvp_status status;

  kvp_resize_release(plan);
  status = kvp_resize_parse(text, plan);
  if (status == KVP_ARGUMENT)
    return usage("--resize", text, "AT:-K or AT:+K, joined by commas, or every:N:K");
  return status == KVP_OK || usage("--resize", text, "a plan that fits the memory");
}

static int parse_option(int option, const char *text, struct options *options)
{
  switch (option) {
  case 'b': return parse_number("--blocks", text, 1, KVP_CAPACITY, &options->blocks);
  case 'm': return parse_number("--max-blocks", text, 1, KVP_CAPACITY, &options->max_blocks);
  case 'p': return parse_number("--block-bytes", text, 0, UINT32_MAX, &options->block_bytes);
  case 'n': return parse_number("--planes", text, 1, UINT32_MAX, &options->planes);
  case 'c': return parse_number("--concurrency", text, 1, UINT32_MAX, &options->concurrency);
  case 'l': return parse_number("--limit", text, 1, SIZE_MAX, &options->limit);
  case 'r': return parse_plan(text, &options->plan);
  case 'd': return parse_device(text, &options->backend);
  case 'o': return options->model = 1;
  case 'j': return options->json = 1;
  case 'h': return options->help = 1;
  default: return 0; /* getopt_long has said why */
  }
}

static int check_options(int argc, char **argv, struct options *options)
{
  if (optind + 1 != argc) {
    fprintf(stderr, "kvpool replay: expected one TRACE, found %d\n", argc - optind);
    return 0;
  }
  options->trace = argv[optind];
  if (options->max_blocks == 0)
    options->max_blocks = options->blocks;
  if (options->max_blocks < options->blocks) {
    fprintf(stderr, "kvpool replay: --max-blocks: expected no fewer than --blocks\n");
    return 0;
  }
  if (options->block_bytes % 16 != 0) {
    fprintf(stderr, "kvpool replay: --block-bytes: expected a multiple of 16\n");
    return 0;
  }
  return 1;
}

static int parse(int argc, char **argv, struct options *options)
{
  static const struct option known[] = {{"blocks", required_argument, NULL, 'b'},
                                        {"max-blocks", required_argument, NULL, 'm'},
                                        {"block-bytes", required_argument, NULL, 'p'},
                                        {"planes", required_argument, NULL, 'n'},
                                        {"concurrency", required_argument, NULL, 'c'},
                                        {"limit", required_argument, NULL, 'l'},
                                        {"resize", required_argument, NULL, 'r'},
                                        {"device", required_argument, NULL, 'd'},
                                        {"model", no_argument, NULL, 'o'},
                                        {"json", no_argument, NULL, 'j'},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};
  int option;

  *options = (struct options){
    .blocks = 20000, .block_bytes = 64, .planes = 1, .concurrency = 32, .limit = SIZE_MAX};
  while ((option = getopt_long(argc, argv, "h", known, NULL)) != -1) {
    if (!parse_option(option, optarg, options))
      return 0;
  }
  return options->help || check_options(argc, argv, options);
}

static void show_progress(size_t done, size_t all)
{
  fprintf(stderr, "\rrequest %zu of %zu%s", done, all, done == all ? "\n" : "");
}

static void close_pools(struct pools *pools)
{
  kvp_lockstep_close(pools->followers);
  kvp_close_device(&pools->device);
  kvp_close_model(&pools->model);
  kvp_close_reference(&pools->reference);
}

static int cannot_open(const char *what, enum kvp_status status, const char *why)
{
  fprintf(stderr, "kvpool replay: cannot open the %s: %s\n", what,
          *why == '\0' ? kvp_strerror(status) : why);
  return 0;
}

static int open_pools(const struct options *options, struct pools *pools)
{
  const struct kvp_device_shape *shape = &pools->shape;
  char why[1024] = "";
  enum kvp_status status;

  status =
    kvp_open_reference(shape->num_blocks, shape->max_blocks, shape->block_size, &pools->reference);
  if (status != KVP_OK)
    return cannot_open("reference", status, why);
  if (options->model) {
    status = kvp_open_model(shape->num_blocks, shape->max_blocks, shape->block_size, &pools->model);
    if (status != KVP_OK)
      return cannot_open("model", status, why);
  }
  if (options->backend != NULL) {
    struct kvp_device_options device = {.backend = options->backend};
    status = kvp_open_device(shape, &device, &pools->device, why, sizeof why);
    if (status != KVP_OK)
      return cannot_open(options->backend, status, why);
    pools->device.name = options->backend;
  }
  return 1;
}

/* Opens the pools and serves; nothing is closed. */
static enum kvp_outcome serve(const struct options *options, const struct kvp_workload *workload,
                              struct pools *pools, struct kvp_serving_counts *counts, char *message,
                              size_t size)
{
  struct kvp_applier followers[2];
  struct kvp_lockstep_setup setup = {.reference = &pools->reference, .followers = followers};
  struct kvp_serving serving = {.workload = workload,
                                .plan = &options->plan,
                                .reference = &pools->reference,
                                .concurrency = (uint32_t)options->concurrency,
                                .progress = isatty(STDERR_FILENO) ? show_progress : NULL};

  if (options->model)
    followers[setup.num_followers++] = pools->model;
  if (options->backend != NULL)
    followers[setup.num_followers++] = pools->device;
  setup.device = pools->device.self;
  setup.shape = pools->shape;
  if (setup.num_followers > 0) {
    pools->followers = kvp_lockstep_open(&setup);
    if (pools->followers == NULL) {
      snprintf(message, size, "no memory to compare in");
      return KVP_FAILED;
    }
  }
  serving.followers = pools->followers;
  return kvp_serve(&serving, counts, message, size);
}

static void print_text(const struct kvp_serving_counts *counts)
{
  const struct {
    const char *name;
    uint64_t count;
  } lines[] = {{"requests", counts->requests},
               {"skipped", counts->skipped},
               {"look-ups", counts->lookups},
               {"hits", counts->hits},
               {"evictions", counts->evictions},
               {"retired", counts->retired},
               {"moved", counts->moved},
               {"grown", counts->grown},
               {"divergences", counts->divergences},
               {"operations", counts->operations}};

  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    printf("%-21s %" PRIu64 "\n", lines[i].name, lines[i].count);
  printf("%-21s %.0f\n", "operations per second",
         counts->seconds > 0 ? (double)counts->operations / counts->seconds : 0.0);
}

static int print_json(const struct kvp_serving_counts *counts)
{
  json_t *object =
    json_pack("{sI sI sI sI sI sI sI sI sI sI sf}", "requests", (json_int_t)counts->requests,
              "skipped", (json_int_t)counts->skipped, "lookups", (json_int_t)counts->lookups,
              "hits", (json_int_t)counts->hits, "evictions", (json_int_t)counts->evictions,
              "retired", (json_int_t)counts->retired, "moved", (json_int_t)counts->moved, "grown",
              (json_int_t)counts->grown, "divergences", (json_int_t)counts->divergences,
              "operations", (json_int_t)counts->operations, "seconds", counts->seconds);
  int good = object != NULL && json_dumpf(object, stdout, 0) == 0 && putchar('\n') != EOF;

  json_decref(object);
  return good;
}

static int report(const struct options *options, enum kvp_outcome outcome,
                  const struct kvp_serving_counts *counts, const char *message)
{
  int good = 1;

  if (outcome == KVP_FAILED) {
    fprintf(stderr, "kvpool replay: %s\n", message);
    return KVP_EXIT_COMPONENT;
  }
  if (outcome == KVP_DIVERGED)
    printf("divergence at %s", message);
  if (options->json)
    good = print_json(counts);
  else
    print_text(counts);
  if (!good || fflush(stdout) != 0) {
    fprintf(stderr, "kvpool replay: cannot write the counts: %s\n", strerror(errno));
    return KVP_EXIT_COMPONENT;
  }
  return outcome == KVP_DIVERGED ? KVP_EXIT_DIVERGED : KVP_EXIT_AGREED;
}

static int replay(const struct options *options)
{
  struct kvp_workload workload;
  struct kvp_serving_counts counts = {0};
  struct pools pools = {.shape = {.num_blocks = (uint32_t)options->blocks,
                                  .max_blocks = (uint32_t)options->max_blocks,
                                  .num_planes = (uint32_t)options->planes,
                                  .block_bytes = (uint32_t)options->block_bytes}};
  char message[2048] = "";
  int code = KVP_EXIT_COMPONENT;
  enum kvp_status status =
    kvp_workload_read(options->trace, options->limit, &workload, message, sizeof message);

  if (status != KVP_OK) {
    fprintf(stderr, "kvpool replay: %s\n", message);
    return status == KVP_MEMORY ? KVP_EXIT_COMPONENT : KVP_EXIT_INPUT;
  }
  if (kvp_serving_table(&workload, pools.shape.max_blocks, (uint32_t)options->concurrency,
                        &pools.shape.table_entries)
      != KVP_OK)
    fprintf(stderr, "kvpool replay: block tables of more than 2^32 entries: lower --concurrency\n");
  else if (open_pools(options, &pools))
    code = report(options, serve(options, &workload, &pools, &counts, message, sizeof message),
                  &counts, message);
  close_pools(&pools);
  kvp_workload_release(&workload);
  return code;
}

int kvp_cli_replay(int argc, char **argv)
{
  struct options options;
  int code = KVP_EXIT_USAGE;

  if (!parse(argc, argv, &options)) {
    fputs("kvpool replay --help says what it takes\n", stderr);
  } else if (options.help) {
    fputs(help, stdout);
    code = KVP_EXIT_AGREED;
  } else {
    code = replay(&options);
  }
  kvp_resize_release(&options.plan);
  return code;
}
