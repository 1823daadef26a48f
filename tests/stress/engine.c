/* SPDX-License-Identifier: Apache-2.0 */
/* Many threads on one engine, and a judge of their history. Built with -fsanitize=thread by
   `make stress`, so that a data race fails it too.

   Arguments: threads, requests of each, seed, requests of each in a round. Between rounds nothing
   is under way, so a request that was forgotten is found out at a round's end: short rounds find
   more of these, long ones more of the rest. Exit status 1 on a violation. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "tests/stress/history.h"

#define MOST_EVENTS 2 /* that wait; fewer than one operation can make */
#define AT_ONCE 4     /* most requests that a thread has under way; learn counts on it */
#define PATIENCE 60   /* seconds that a round may take */

struct stress {
  struct kvp_engine *engine;
  uint32_t num_threads, num_rounds, length; /* of a round: requests of a thread */
  pthread_barrier_t begin, end;
  struct request *requests; /* [num_threads][length] */
  struct told told;
  _Atomic(uint64_t) board[BOARD];
  atomic_int failed; /* a call that may not fail did */
};

struct seat {
  struct stress *stress;
  struct player player;
  struct request *requests; /* [length] */
  int eventfd;
};

/* A clock, and no shared counter: a counter would order the threads, and hide their races. */
static int64_t now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Called by whoever serves, one at a time, so it may write without a lock. */
static void listen(void *context, const struct kvp_event *events, uint32_t count, uint64_t dropped)
{
  struct told *told = context;
  for (uint32_t i = 0; i < count; i++) {
    told->events[told->count] = events[i];
    told->dropped[told->count++] = i == 0 ? dropped : 0;
  }
}

static void expect(struct seat *seat, enum kvp_status status)
{
  if (status != KVP_OK)
    atomic_store(&seat->stress->failed, 1);
}

static void submit(struct seat *seat, struct request *request, int eventfd)
{
  request->ticket.eventfd = eventfd;
  request->invoked = now();
  expect(seat, kvp_engine_submit(seat->stress->engine, &request->ticket));
  request->submitted = now();
}

static void read_eventfd(int eventfd, uint64_t count)
{
  for (uint64_t value = 0; count > 0; count -= value)
    if (read(eventfd, &value, sizeof value) != sizeof value)
      value = 0;
}

enum manner { CALLED, WAITED, POLLED, READ, IMPATIENT, NUM_MANNERS };

static void await(struct seat *seat, struct request *request, enum manner manner)
{
  struct kvp_engine *engine = seat->stress->engine;
  const struct timespec past = {0};
  switch (manner) {
  case WAITED: expect(seat, kvp_engine_wait(engine, &request->ticket, NULL)); break;
  case POLLED:
    while (kvp_ticket_poll(&request->ticket) == KVP_BUSY)
      sched_yield();
    break;
  case IMPATIENT:
    while (kvp_engine_wait(engine, &request->ticket, &past) == KVP_BUSY)
      sched_yield();
    break;
  default: break;
  }
  expect(seat, kvp_ticket_poll(&request->ticket));
  request->answered = now();
}

/* As many of these as it draws, at least one; answers how many. */
static uint32_t play(struct seat *seat, struct request *requests, uint32_t room)
{
  enum manner manner =
    draw(&seat->player, 2) == 0 ? CALLED : (enum manner)draw(&seat->player, NUM_MANNERS);
  uint32_t count = manner == CALLED ? 1 : 1 + draw(&seat->player, AT_ONCE);
  if (count > room)
    count = room;
  for (uint32_t i = 0; i < count; i++) {
    draw_request(&seat->player, &requests[i]);
    requests[i].submitted = INT64_MAX;
    if (manner != CALLED) {
      submit(seat, &requests[i], manner == READ ? seat->eventfd : 0);
      continue;
    }
    requests[i].invoked = now();
    expect(seat, kvp_engine_call(seat->stress->engine, &requests[i].ticket));
  }
  if (manner == READ)
    read_eventfd(seat->eventfd, count);
  for (uint32_t i = 0; i < count; i++) {
    await(seat, &requests[i], manner);
    learn(&seat->player, &requests[i]);
  }
  return count;
}

static void look(struct seat *seat)
{
  struct kvp_registry_counts counts;
  struct kvp_block_view view;
  uint32_t tokens[PAGE];
  expect(seat, kvp_engine_counts(seat->stress->engine, &counts));
  expect(seat, kvp_engine_view(seat->stress->engine, 0, &view, tokens));
  if (counts.num_empty + counts.num_held + counts.num_active + counts.num_cached
      != counts.num_blocks)
    atomic_store(&seat->stress->failed, 1);
}

static void *sit(void *argument)
{
  struct seat *seat = argument;
  struct stress *stress = seat->stress;
  for (uint32_t round = 0; round < stress->num_rounds; round++) {
    pthread_barrier_wait(&stress->begin);
    for (uint32_t n = 0; n < stress->length;) {
      n += play(seat, seat->requests + n, stress->length - n);
      if (draw(&seat->player, 64) == 0)
        look(seat);
    }
    pthread_barrier_wait(&stress->end);
  }
  return NULL;
}

static void give_up(int number)
{
  static const char words[] = "stress: a round does not end: a request was forgotten\n";
  ssize_t written = write(2, words, sizeof words - 1);
  (void)number, (void)written;
  _exit(1);
}

/* The seconds that the threads took, without the judging; less than 0 on a violation. */
static double judge_rounds(struct stress *stress, struct history *history)
{
  uint32_t count = stress->num_threads * stress->length;
  struct request **sorted = calloc(count, sizeof *sorted);
  int64_t taken = 0;
  int good = sorted != NULL;
  for (uint32_t round = 0; good && round < stress->num_rounds; round++) {
    int64_t start = now();
    alarm(PATIENCE);
    pthread_barrier_wait(&stress->begin);
    pthread_barrier_wait(&stress->end);
    taken += now() - start;
    alarm(0);
    good = !atomic_load(&stress->failed);
    if (!good)
      fprintf(stderr, "stress: a call failed that may not, or counts do not add up\n");
    good = good && is_linearizable(history, stress->requests, count, sorted, &stress->told);
    stress->told.count = 0;
  }
  free(sorted);
  return good ? 1e-9 * (double)taken : -1;
}

static struct seat *take_seats(struct stress *stress, uint64_t seed)
{
  struct seat *seats = calloc(stress->num_threads, sizeof *seats);
  for (uint32_t i = 0; seats != NULL && i < stress->num_threads; i++) {
    pthread_t thread;
    seats[i] = (struct seat){.stress = stress,
                             .player = {.number = seed * 1000 + i, .board = stress->board},
                             .requests = stress->requests + (size_t)i * stress->length,
                             .eventfd = eventfd(0, 0)};
    /* On a violation the process ends with its threads; else they end by themselves. */
    if (seats[i].eventfd < 0 || pthread_create(&thread, NULL, sit, &seats[i]) != 0
        || pthread_detach(thread) != 0)
      return NULL;
  }
  return seats;
}

static int prepare(struct stress *stress, struct history *history, uint64_t seed)
{
  struct told *told = &stress->told;
  const struct kvp_engine_shape shape = {.registry = {.num_blocks = 16,
                                                      .max_blocks = 24,
                                                      .block_size = PAGE,
                                                      .max_handles = 40,
                                                      .max_events = MOST_EVENTS,
                                                      .tag = 7,
                                                      .leaf_first = seed & 1,
                                                      .keep_duplicates = seed >> 1 & 1},
                                         .listener = listen,
                                         .listener_context = told};
  make_contents();
  told->room = stress->num_threads * stress->length * MOST_EVENTS;
  told->events = calloc(told->room, sizeof *told->events);
  told->dropped = calloc(told->room, sizeof *told->dropped);
  stress->requests = calloc((size_t)stress->num_threads * stress->length, sizeof *stress->requests);
  history->model = kvp_registry_model_new(&shape.registry);
  history->max_events = shape.registry.max_events;
  return told->events != NULL && told->dropped != NULL && stress->requests != NULL
         && history->model != NULL && kvp_engine_new(&shape, &stress->engine) == KVP_OK
         && pthread_barrier_init(&stress->begin, NULL, stress->num_threads + 1) == 0
         && pthread_barrier_init(&stress->end, NULL, stress->num_threads + 1) == 0;
}

static uint64_t argument(int argc, char **argv, int number, uint64_t otherwise)
{
  return argc > number ? strtoull(argv[number], NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
  static struct stress stress;
  struct history history = {0};
  const uint64_t threads = argument(argc, argv, 1, 8), requests = argument(argc, argv, 2, 1000000),
                 seed = argument(argc, argv, 3, 1), length = argument(argc, argv, 4, 1000);
  if (threads == 0 || threads > 1024 || length == 0 || length > 100000 || requests < length
      || requests / length > UINT32_MAX) {
    fprintf(stderr, "usage: engine [THREADS [REQUESTS [SEED [REQUESTS OF A ROUND]]]]\n");
    return 2;
  }
  stress.num_threads = (uint32_t)threads;
  stress.num_rounds = (uint32_t)(requests / length);
  stress.length = (uint32_t)length;
  signal(SIGALRM, give_up);
  if (!prepare(&stress, &history, seed) || take_seats(&stress, seed) == NULL) {
    fprintf(stderr, "stress: memory or a thread is missing\n");
    return 4;
  }
  double taken = judge_rounds(&stress, &history);
  if (taken < 0)
    return 1;
  if (kvp_engine_free(stress.engine) != KVP_OK)
    return 1;
  double served = (double)history.num_served;
  /* Threads that lose handles end up with all requests refused. */
  if (history.num_served >= 100000 && history.num_events < history.num_served / 200) {
    fprintf(stderr, "stress: only %" PRIu64 " events of %.0f requests\n", history.num_events,
            served);
    return 1;
  }
  printf("stress: %" PRIu32 " threads, %.0f requests, linearizable; %.0f%% overlapping, %.0f%% "
         "refused, %" PRIu64 " events, %" PRIu64 " lost; %.0f requests a second\n",
         stress.num_threads, served, 100 * (double)history.overlapping / served,
         100 * (double)history.refused / served, history.num_events, history.lost, served / taken);
  return 0;
}
