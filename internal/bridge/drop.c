// Instances of classes with OnDrop. Their deleter does not delete them: it pushes them on a list, tells Go, and
// returns. Go then runs their funcs on goroutines of its own, and deletes them.
//
// An instance on the list has no strong reference, so that no other code can reach it, and one weak reference, the
// list's. Its deleter, which nothing reads while there is that reference, is the link to the next instance.
//
// Why OnDrop runs on another goroutine. The thread that drops the last reference may hold the GIL or a lock of its
// user, and a func that closes a file or calls Python can wait for that very thread. So the deleter only pushes the
// object on a list and tells Go, which runs the func on a goroutine and then lets the object die. On the list it has no
// strong reference, so that no weak one can bring it back; when its func begins it has one again, so the func may even
// store it.
//
// The call that tells Go is made only when the list was empty. A thread that sleeps in C would be one more in every
// process with such a class; a pipe would break in programs that close all file descriptors. OnDrop is meant for
// objects that own something outside of memory. The wait at the end of a program is bounded, because a func that hangs
// must not hang the program.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bridge.h"
#include "go_state.h"
#include "selfsame/internal/process.h"
#include "selfsame/internal/refcount.h"
#include "numbered_functions.h"

static TVMFFIObject* dropped;  // atomic; a stack
static TVMFFIObject* taken;    // in the order of the deaths; only the thread in ss_bridge_take_dropped uses it
static int64_t pending;        // atomic; instances that were dropped and have not ended
int64_t* const ss_bridge_pending = &pending;

typedef void (*Deleter)(void*, int);

static void set_next(TVMFFIObject* object, TVMFFIObject* next) {
  __atomic_store_n(&object->deleter, (Deleter)(uintptr_t)next, __ATOMIC_RELAXED);
}
static TVMFFIObject* next_of(const TVMFFIObject* object) { return (TVMFFIObject*)(uintptr_t)object->deleter; }

// Each generation of Go has deleters of its own, so that an instance made before a fork is known by its deleter: its Go
// values and its func belong to the parent, and the child only deletes it. After 16 forks in a row the numbers repeat.
enum { GENERATIONS = 16 };

static void drop(TVMFFIObject* object, int flags, uint64_t generation) {
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) == 0 || !ss_bridge_go_runs() ||
      generation != ss_bridge_go_generation() % GENERATIONS) {
    ss_bridge_delete_instance(object, flags);
    return;
  }
  // Without the weak phase the caller releases a weak reference next; this one keeps the memory.
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskWeak) == 0) ss_weak_incref(object);
  __atomic_fetch_add(&pending, 1, __ATOMIC_RELAXED);
  TVMFFIObject* below = __atomic_load_n(&dropped, __ATOMIC_RELAXED);
  do {
    set_next(object, below);
  } while (!__atomic_compare_exchange_n(&dropped, &below, object, 1, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
  if (below == NULL) ss_bridge_go->entries.dropped();
}

#define DELETER(n) \
  static void drop_##n(void* self, int flags) { drop(self, flags, n); }
SS_NUMBERED_16(DELETER, 0x)
#define DELETER_NAME(n) drop_##n,
static const Deleter deleters[GENERATIONS] = {SS_NUMBERED_16(DELETER_NAME, 0x)};

void (*ss_bridge_dropping_deleter(void))(void* object, int flags) {
  return deleters[ss_bridge_go_generation() % GENERATIONS];
}

int32_t ss_bridge_take_dropped(uint64_t* objects, int32_t n) {
  if (taken == NULL) {
    TVMFFIObject* last = __atomic_exchange_n(&dropped, NULL, __ATOMIC_ACQUIRE);
    while (last != NULL) {
      TVMFFIObject* before = next_of(last);
      set_next(last, taken);
      taken = last;
      last = before;
    }
  }
  int32_t count = 0;
  for (; taken != NULL && count < n; count++) {
    TVMFFIObject* object = taken;
    taken = next_of(object);
    __atomic_store_n(&object->deleter, ss_bridge_delete_instance, __ATOMIC_RELAXED);
    ss_incref(object);
    objects[count] = (uint64_t)(uintptr_t)object;
  }
  return count;
}

int64_t ss_bridge_drop_ended(void) { return __atomic_sub_fetch(&pending, 1, __ATOMIC_RELEASE); }

int64_t ss_bridge_pending_drops(const SelfsameTieTable* table) {
  if (table == NULL) return __atomic_load_n(&pending, __ATOMIC_ACQUIRE);
  int64_t sum = 0;
  for (SelfsameCollector* c = table->collectors(); c != NULL; c = c->next) {
    if (c->pending != NULL) sum += __atomic_load_n(c->pending, __ATOMIC_ACQUIRE);
  }
  return sum;
}

// At exit: other threads, those of Go included, still run. Not on Windows, where a process ends them before it calls what
// libraries gave to atexit. There the Python package has waited, at the end of the interpreter (collectors.c).
#ifdef _WIN32
enum { THREADS_RUN_AT_EXIT = 0 };
#else
enum { THREADS_RUN_AT_EXIT = 1 };
#endif

static void wait_at_exit(void) {
  char buffer[32];
  const char* given = ss_variable("SELFSAME_DROP_TIMEOUT", buffer, sizeof(buffer));
  double seconds = given == NULL ? SELFSAME_DROP_SECONDS : strtod(given, NULL);
  struct timespec millisecond = {.tv_nsec = 1000000};
  for (double left = seconds; THREADS_RUN_AT_EXIT && left > 0 && __atomic_load_n(&pending, __ATOMIC_ACQUIRE) != 0;
       left -= 0.001) {
    nanosleep(&millisecond, NULL);
  }
  int64_t n = __atomic_load_n(&pending, __ATOMIC_ACQUIRE);
  if (n != 0) {
    fprintf(stderr, "selfsame: %lld funcs of OnDrop have not returned %g seconds after the end of the program\n",
            (long long)n, seconds);
  }
}

// The parent runs the funcs of what it has dropped: the child forgets it.
static void forget_in_child(void) {
  dropped = taken = NULL;
  pending = 0;
}

static void watch_exit(void) {
  atexit(wait_at_exit);
  ss_watch_forks(NULL, NULL, forget_in_child);
}

int ss_bridge_watch_exit(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  return pthread_once(&once, watch_exit);
}
