// Waiting for the runtime's start, and refusing Go in a forked child.
//
// In a shared library the Go side starts on a thread of its own after dlopen returned. Until it is done, a look-up that
// finds nothing has to wait and look again; the thread that runs the start must not.
#include "fork.h"
#include "live.h"
#include "plane.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t started = PTHREAD_COND_INITIALIZER;
static int ready;
static int forked;
static __thread int in_start __attribute__((tls_model("initial-exec")));

int ss_wait_ready(void) {
  if (in_start || __atomic_load_n(&forked, __ATOMIC_RELAXED)) return 0;
  // The start may have ended between the caller's look and this one.
  if (__atomic_load_n(&ready, __ATOMIC_ACQUIRE)) return 1;
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&started, &mutex);
  pthread_mutex_unlock(&mutex);
  return 1;
}

void ss_start_begin(void) { in_start = 1; }

void ss_start_end(void) {
  in_start = 0;
  pthread_mutex_lock(&mutex);
  __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
  pthread_cond_broadcast(&started);
  pthread_mutex_unlock(&mutex);
}

int ss_may_enter_go(const char* function) {
  if (__builtin_expect(!__atomic_load_n(&forked, __ATOMIC_RELAXED), 1)) return 1;
  ss_raise("RuntimeError",
           "%s: the Go runtime does not survive fork, and this is a forked child; start processes with \"spawn\" or "
           "\"forkserver\" instead",
           function);
  return 0;
}

static void in_child(void) {
  __atomic_store_n(&forked, 1, __ATOMIC_RELAXED);
  pthread_mutex_init(&mutex, NULL);
  ss_live_fork_child();
  ss_names_fork_child();
  ss_module_symbols_fork_child();
  ss_initonce_fork_child();
}

// Always in this order, in which a thread that takes two of these locks takes them too.
static void before_fork(void) {
  ss_module_symbols_fork_prepare();
  ss_names_fork_prepare();
  ss_live_fork_prepare();
}

static void in_parent(void) {
  ss_live_fork_parent();
  ss_names_fork_parent();
  ss_module_symbols_fork_parent();
}

__attribute__((constructor)) static void watch_fork(void) { pthread_atfork(before_fork, in_parent, in_child); }

int ss_in_forked_child(void) { return __atomic_load_n(&forked, __ATOMIC_RELAXED); }
