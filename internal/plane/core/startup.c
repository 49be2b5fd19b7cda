// Waiting for the runtime's start, and bringing Go up in a forked child.
//
// In a shared library the Go side starts on a separate thread, which may still run when dlopen returns. Until it is
// done, a look-up that finds nothing must wait and look again, except on the thread that runs the start.
//
// In an executable the Go side starts on the main thread. C code that runs earlier on that thread, in a static
// constructor or another Go package's init, would wait for itself: it gets an error, or the process ends with that
// message where the function cannot fail. Three facts identify such a call: the start has not begun, this is the
// process's first thread, and this code is part of the executable.
#include "startup.h"

#include <pthread.h>

#include "child.h"
#include "fork.h"
#include "live_counts.h"
#include "raise.h"
#include "selfsame/internal/process.h"
#include "system.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t started = PTHREAD_COND_INITIALIZER;
static int ready;
static int begun;
static int forked;
static int no_go = 1;  // not begun, or a forked child without a copy: one load for the usual case
static __thread int in_start SS_STATIC_TLS;

static int is_too_early(void) {
  if (__atomic_load_n(&begun, __ATOMIC_ACQUIRE) || !ss_on_first_thread()) return 0;
  return ss_in_executable();
}

int ss_too_early(const char* function) {
  if (!is_too_early()) return 0;
  ss_raise(
      "RuntimeError",
      "%s: the runtime has not started: in a Go program it does so before main, but after the static constructors of "
      "C and C++ code, and after the init functions of Go packages that do not import it",
      function);
  return 1;
}

int ss_wait_ready(void) {
  char reason[SS_REASON_SIZE];
  if (in_start) return 0;
  // The start may have ended after the caller's look-up.
  if (__atomic_load_n(&ready, __ATOMIC_ACQUIRE)) return 1;
  // Forked before the parent's start had ended: the copy's start does the rest.
  if (__atomic_load_n(&forked, __ATOMIC_RELAXED) && !ss_load_go(reason, sizeof reason)) return 0;
  if (is_too_early()) return 0;
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&started, &mutex);
  pthread_mutex_unlock(&mutex);
  return 1;
}

int ss_start_begin(void) {
  in_start = 1;
  if (__atomic_load_n(&forked, __ATOMIC_RELAXED)) {
    return __atomic_load_n(&ready, __ATOMIC_ACQUIRE) ? SS_START_AGAIN : SS_START_REST;
  }
  __atomic_store_n(&begun, 1, __ATOMIC_RELEASE);
  __atomic_store_n(&no_go, 0, __ATOMIC_RELEASE);
  return SS_START_FIRST;
}

void ss_start_end(void) {
  in_start = 0;
  pthread_mutex_lock(&mutex);
  __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
  pthread_cond_broadcast(&started);
  pthread_mutex_unlock(&mutex);
}

int ss_may_enter_go(const char* function) {
  // Together with the store in ss_go_is_back: a thread that sees Go sees its entries.
  if (__builtin_expect(!__atomic_load_n(&no_go, __ATOMIC_ACQUIRE), 1)) return 1;
  if (!__atomic_load_n(&forked, __ATOMIC_RELAXED)) return !ss_too_early(function);
  char reason[SS_REASON_SIZE];
  if (ss_load_go(reason, sizeof reason)) return 1;
  ss_raise("RuntimeError",
           "%s: the Go runtime does not survive fork, and this is a forked child that cannot load a copy of it (%s); "
           "start processes with \"spawn\" or \"forkserver\" instead",
           function, reason);
  return 0;
}

int ss_has_go(void) { return !__atomic_load_n(&no_go, __ATOMIC_ACQUIRE); }

void ss_go_is_back(void) { __atomic_store_n(&no_go, 0, __ATOMIC_RELEASE); }

static SsForkHandlers* others;

void ss_add_fork_handlers(SsForkHandlers* handlers) {
  if (ss_is_copy()) return;
  handlers->next = others;
  others = handlers;
}

static void in_child(void) {
  __atomic_store_n(&forked, 1, __ATOMIC_RELAXED);
  __atomic_store_n(&no_go, 1, __ATOMIC_RELAXED);
  in_start = 0;
  pthread_mutex_init(&mutex, NULL);
  pthread_cond_init(&started, NULL);
  ss_child_fork_child();
  ss_live_fork_child();
  ss_tables_fork_child();
  ss_names_fork_child();
  ss_module_symbols_fork_child();
  ss_initonce_fork_child();
  for (const SsForkHandlers* other = others; other != NULL; other = other->next) other->child();
}

// In the order in which a thread that needs two of these locks takes them.
static void before_fork(void) {
  for (const SsForkHandlers* other = others; other != NULL; other = other->next) other->prepare();
  ss_child_fork_prepare();
  ss_module_symbols_fork_prepare();
  ss_tables_lock();
  ss_names_fork_prepare();
  ss_live_fork_prepare();
}

static void in_parent(void) {
  ss_live_fork_parent();
  ss_names_fork_parent();
  ss_tables_unlock();
  ss_module_symbols_fork_parent();
  ss_child_fork_parent();
  for (const SsForkHandlers* other = others; other != NULL; other = other->next) other->parent();
}

__attribute__((constructor)) static void watch_fork(void) {
  if (!ss_is_copy()) ss_watch_forks(before_fork, in_parent, in_child);
}
