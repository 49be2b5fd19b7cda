// Waiting for the runtime's start, and refusing Go in a forked child.
//
// In a shared library the Go side starts on a thread of its own after dlopen returned. Until it is done, a look-up that
// finds nothing has to wait and look again; the thread that runs the start must not.
//
// In an executable it starts in main. C code that runs before it on the same thread, a static constructor or another Go
// package's init, would wait for itself: it gets an error.
#include <elf.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fork.h"
#include "live_counts.h"
#include "plane.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t started = PTHREAD_COND_INITIALIZER;
static int ready;
static int begun;
static int forked;
static int no_go = 1;  // a call that goes on in Go has to look why it may not: !begun or forked
static __thread int in_start __attribute__((tls_model("initial-exec")));

// Whether this code is part of the executable, which has its program headers where the kernel says. No function of the
// loader is asked: it may be at work, on this thread or on one that waits for this one.
static int in_executable(void) {
  const ElfW(Phdr)* headers = (const ElfW(Phdr)*)getauxval(AT_PHDR);
  unsigned long count = headers == NULL ? 0 : getauxval(AT_PHNUM);
  uintptr_t base = 0, here = (uintptr_t)&in_executable;
  for (unsigned long i = 0; i < count; i++) {
    if (headers[i].p_type == PT_PHDR) base = (uintptr_t)headers - headers[i].p_vaddr;
  }
  for (unsigned long i = 0; i < count; i++) {
    if (headers[i].p_type == PT_LOAD && here - base - headers[i].p_vaddr < headers[i].p_memsz) return 1;
  }
  return 0;
}

static int is_too_early(void) {
  if (__atomic_load_n(&begun, __ATOMIC_ACQUIRE) || syscall(SYS_gettid) != getpid()) return 0;
  return in_executable();
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
  if (in_start || __atomic_load_n(&forked, __ATOMIC_RELAXED)) return 0;
  // The start may have ended between the caller's look and this one.
  if (__atomic_load_n(&ready, __ATOMIC_ACQUIRE)) return 1;
  if (is_too_early()) return 0;
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&started, &mutex);
  pthread_mutex_unlock(&mutex);
  return 1;
}

void ss_start_begin(void) {
  in_start = 1;
  __atomic_store_n(&begun, 1, __ATOMIC_RELEASE);
  __atomic_store_n(&no_go, 0, __ATOMIC_RELEASE);
}

void ss_start_end(void) {
  in_start = 0;
  pthread_mutex_lock(&mutex);
  __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
  pthread_cond_broadcast(&started);
  pthread_mutex_unlock(&mutex);
}

int ss_may_enter_go(const char* function) {
  if (__builtin_expect(!__atomic_load_n(&no_go, __ATOMIC_RELAXED), 1)) return 1;
  if (!__atomic_load_n(&forked, __ATOMIC_RELAXED)) return !ss_too_early(function);
  ss_raise("RuntimeError",
           "%s: the Go runtime does not survive fork, and this is a forked child; start processes with \"spawn\" or "
           "\"forkserver\" instead",
           function);
  return 0;
}

static void in_child(void) {
  __atomic_store_n(&forked, 1, __ATOMIC_RELAXED);
  __atomic_store_n(&no_go, 1, __ATOMIC_RELAXED);
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
