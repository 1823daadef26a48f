/* SPDX-License-Identifier: Apache-2.0 */
/* kvpool fuzz: searches for operations on which model, reference and device differ, and tells the
   fewest that it finds. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/cli/cli.h"
#include "src/oracle/decimal.h"
#include "src/oracle/print_test.h"
#include "src/oracle/search.h"

static const char help[] =
  "usage: kvpool fuzz [options]\n"
  "\n"
  "Runs random operations on the executable model, the reference and a device pool, and compares\n"
  "answers, state, payload and block tables after every batch. Half of the runs do without some\n"
  "groups of operations; those that show an operation with an outcome not seen before are varied.\n"
  "\n"
  "  --seconds N    ends after N seconds (10)\n"
  "  --runs N       ends after N runs\n"
  "  --seed N       the same seed makes the same runs (taken from the clock, and printed)\n"
  "  --device NAME  as kvpool devices lists it, or opencl or cuda for the first of these (host)\n"
  "  --input FILE   runs this one input instead, as a fuzzer of the pool's target wrote it\n"
  "  --test FILE    writes what was found as a C test for cmocka\n"
  "\n"
  "What is found is made small: the operations left, with the model's answers, and which side\n"
  "differs are printed. pairs are those of operation and outcome seen so far.\n";

struct options {
  uint64_t seconds, runs, seed;
  const char *device, *input, *test;
  int help;
};

static struct kvp_search search;

static int usage(const char *what, const char *value, const char *expected)
{
  fprintf(stderr, "kvpool fuzz: %s %s: expected %s\n", what, value, expected);
  return KVP_EXIT_USAGE;
}

static int read_number(const char *name, const char *text, uint64_t *number)
{
  const char *end = text;
  if (kvp_decimal(&end, UINT64_MAX, number) && *end == '\0')
    return KVP_EXIT_AGREED;
  return usage(name, text, "a whole number");
}

static int read_options(int argc, char **argv, struct options *options)
{
  static const struct option names[] = {
    {"seconds", required_argument, NULL, 's'}, {"runs", required_argument, NULL, 'r'},
    {"seed", required_argument, NULL, 'e'},    {"device", required_argument, NULL, 'd'},
    {"input", required_argument, NULL, 'i'},   {"test", required_argument, NULL, 't'},
    {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0}};
  int option, status = KVP_EXIT_AGREED;
  while (status == KVP_EXIT_AGREED && (option = getopt_long(argc, argv, "", names, NULL)) != -1) {
    switch (option) {
    case 's': status = read_number("--seconds", optarg, &options->seconds); break;
    case 'r': status = read_number("--runs", optarg, &options->runs); break;
    case 'e': status = read_number("--seed", optarg, &options->seed); break;
    case 'd': options->device = optarg; break;
    case 'i': options->input = optarg; break;
    case 't': options->test = optarg; break;
    case 'h': options->help = 1; break;
    default: return KVP_EXIT_USAGE; /* getopt has said it */
    }
  }
  if (status == KVP_EXIT_AGREED && optind < argc)
    return usage("argument", argv[optind], "options only");
  return status;
}

static double seconds_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void print_progress(double seconds)
{
  fprintf(stderr,
          "%4.0f s %10" PRIu64 " runs %12" PRIu64 " operations %9.0f a second %5" PRIu32 " pairs\n",
          seconds, search.num_runs, search.num_ops, (double)search.num_ops / seconds,
          search.num_pairs);
}

static int report(const struct options *options, struct kvp_kept_input *small,
                  struct kvp_finding *finding)
{
  kvp_search_shrink(&search, small, finding);
  struct kvp_input input = {small->bytes, small->size};
  kvp_print_story(stdout, &search.run, input, finding->batch);
  kvp_print_finding(stdout, &search.run, finding);
  if (options->test == NULL)
    return KVP_EXIT_DIVERGED;
  FILE *file = fopen(options->test, "w");
  if (file != NULL)
    kvp_print_test(file, &search.run, input, finding->batch, strcmp(finding->right, "device") == 0);
  if (file == NULL || ferror(file) | fclose(file)) {
    fprintf(stderr, "kvpool fuzz: %s: %s\n", options->test, strerror(errno));
    return KVP_EXIT_COMPONENT;
  }
  return KVP_EXIT_DIVERGED;
}

/* What no search can go on from. */
static int broken(const struct kvp_finding *finding)
{
  fprintf(stderr, "kvpool fuzz: %s: %s: %s\n", finding->right, kvp_strerror(finding->status),
          finding->message);
  return KVP_EXIT_COMPONENT;
}

static int look_for(const struct options *options)
{
  struct kvp_finding finding;
  double start = seconds_now(), next = 1;
  printf("seed %" PRIu64 ", device %s\n", options->seed, options->device);
  fflush(stdout);
  while (search.num_runs < options->runs) {
    double seconds = seconds_now() - start;
    if (seconds >= (double)options->seconds)
      break;
    if (seconds >= next) {
      print_progress(seconds);
      next += 1;
    }
    if (!kvp_search_step(&search, &finding))
      continue;
    if (finding.left == NULL && search.num_ops == 0)
      return broken(&finding);
    print_progress(seconds_now() - start);
    printf("found in run %" PRIu64 "\n", search.num_runs);
    return report(options, &search.tried, &finding);
  }
  print_progress(seconds_now() - start);
  printf("all agree in %" PRIu64 " runs of %" PRIu64 " operations, %" PRIu32 " pairs\n",
         search.num_runs, search.num_ops, search.num_pairs);
  return KVP_EXIT_AGREED;
}

static int run_input(const struct options *options)
{
  struct kvp_kept_input *input = &search.tried;
  struct kvp_finding finding;
  FILE *file = fopen(options->input, "rb");
  if (file == NULL) {
    fprintf(stderr, "kvpool fuzz: %s: %s\n", options->input, strerror(errno));
    return KVP_EXIT_INPUT;
  }
  input->size = fread(input->bytes, 1, sizeof input->bytes, file);
  int is_whole = !ferror(file) && fgetc(file) == EOF && !ferror(file);
  fclose(file);
  if (!is_whole) {
    fprintf(stderr, "kvpool fuzz: %s: expected a file of at most %d bytes\n", options->input,
            KVP_SEARCH_BYTES);
    return KVP_EXIT_INPUT;
  }
  if (kvp_differential_run(&search.run, (struct kvp_input){input->bytes, input->size}, &finding))
    return finding.left == NULL && search.run.num_ops == 0 ? broken(&finding)
                                                           : report(options, input, &finding);
  printf("all agree in %zu operations\n", search.run.num_ops);
  return KVP_EXIT_AGREED;
}

int kvp_cli_fuzz(int argc, char **argv)
{
  struct options options = {.seconds = 10, .runs = UINT64_MAX, .device = "host"};
  options.seed = (uint64_t)time(NULL);
  int status = read_options(argc, argv, &options);
  if (status != KVP_EXIT_AGREED)
    return status;
  if (options.help) {
    fputs(help, stdout);
    return KVP_EXIT_AGREED;
  }
  kvp_search_begin(&search, options.seed, options.device);
  return options.input != NULL ? run_input(&options) : look_for(&options);
}
