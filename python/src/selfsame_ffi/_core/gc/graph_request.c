// Requests for the ownership graph: see graph.h.
#include "gc/graph.h"

#include <unistd.h>

#include "gc/cpython_gc.h"
#include "gc/full_collection.h"

#if SS_FREE_THREADED

enum { WAITING = 2 };

// Lies on the stack of the thread that asks.
typedef struct Request {
  struct Request* next;  // in `requests`
  SsGraphReader read;    // called with the graph on the thread that has it
  void* arg;             // the second argument of `read`; the asker's
  int result;            // WAITING, or what ss_graph_request returns
} Request;

static Request* requests;  // those that wait, under the graph's mutex

void ss_graph_answer(void) {
  ss_graph_lock();
  if (requests == NULL) {
    ss_graph_unlock();
    return;
  }
  int filled = ss_graph_fill(SS_ALL_WRAPPERS);
  for (; requests != NULL; requests = requests->next) {
    requests->result = filled != 0 ? -1 : requests->read(requests->arg);
  }
  ss_ownership_reset(&ss_graph);
  ss_graph_unlock();
  ss_graph_release_deaths();
}

void ss_graph_requests_after_fork(void) { requests = NULL; }

static int result_of(const Request* request) {
  ss_graph_lock();
  int result = request->result;
  ss_graph_unlock();
  return result;
}

// The request waits still, unless this is the child of a fork that a finalizer made.
static void withdraw(const Request* request) {
  Request** at = &requests;
  while (*at != NULL && *at != request) at = &(*at)->next;
  if (*at != NULL) *at = request->next;
}

// Runs collections until one has answered: a collection that runs already on another thread keeps this thread's from
// running, and may have begun before the request. Waits half a second in all.
static void collect_until_answered(const Request* request) {
  enum { TRIES = 100, MICROSECONDS_MORE = 100 };
  for (unsigned i = 0; i < TRIES && result_of(request) == WAITING; i++) {
    if (i > 0) {
      Py_BEGIN_ALLOW_THREADS;
      usleep(i * MICROSECONDS_MORE);
      Py_END_ALLOW_THREADS;
    }
    // Each time, because another thread that asks may have disabled the collector again.
    int enabled = PyGC_Enable();
    PyGC_Collect();
    if (!enabled) PyGC_Disable();
  }
}

int ss_graph_request(SsGraphReader read, void* arg) {
  if (ss_gc_kind == SS_GC_UNKNOWN) return 1;
  Request request = {.read = read, .arg = arg, .result = WAITING};
  ss_graph_lock();
  request.next = requests;
  requests = &request;
  ss_graph_unlock();
  collect_until_answered(&request);
  ss_graph_lock();
  if (request.result == WAITING) {
    withdraw(&request);
    request.result = 1;
  }
  ss_graph_unlock();
  return request.result;
}

#else

int ss_graph_request(SsGraphReader read, void* arg) {
  if (ss_gc_kind == SS_GC_UNKNOWN || !ss_collection_idle()) return 1;
  int result = ss_graph_fill(SS_ALL_WRAPPERS) != 0 ? -1 : read(arg);
  ss_ownership_reset(&ss_graph);
  if (ss_table->postpone_deaths(0)) ss_table->run_postponed();
  return result;
}

#endif  // SS_FREE_THREADED
