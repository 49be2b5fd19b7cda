// Whether Go runs, and its return in a forked child: see go_state.h.
#include "go_state.h"

#include <stdio.h>
#include <string.h>

#include "bridge.h"
#include "calls.h"
#include "selfsame/internal/process.h"

static SsBridgeGo own_state = {.entries = {.invoke = ssgo_bridge_invoke,
                                           .collect = ssgo_bridge_collect,
                                           .dropped = ssgo_bridge_dropped,
                                           .stop = ssgo_bridge_stop,
                                           .setenv = ssgo_bridge_setenv}};
SsBridgeGo* ss_bridge_go = &own_state;

#define OWN_F(result, name, params, args) .name = ss_bridge_##name,
#define OWN_P(name, params, args) .name = ss_bridge_##name,
static const SsBridgeCalls own_calls = {SS_BRIDGE_EACH(OWN_F, OWN_P)};
const SsBridgeCalls* ss_bridge_calls = &own_calls;

// The rest of this file is the original's only.
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static int (*load_copy)(char* message, size_t size);  // NULL in a program
static char failure[512];                             // why the phase is SS_GO_FAILED; guarded by `loading`
static SsBridgeOriginal own;

static void set_phase(SsBridgeGoPhase phase) {
  uint64_t forks = own_state.word >> SS_GO_PHASE_BITS;
  __atomic_store_n(&own_state.word, forks << SS_GO_PHASE_BITS | phase, __ATOMIC_RELEASE);
}

static void after_fork_in_child(void) {
  own_state.word = ((own_state.word >> SS_GO_PHASE_BITS) + 1) << SS_GO_PHASE_BITS | SS_GO_DEAD;
  pthread_mutex_init(&loading, NULL);  // another thread of the parent may have held it
}

// The low bits of a thread's value of `inside`: its number of calls from Go to C. The others: the generation.
enum { DEPTH_BITS = 16 };

// Set in what ss_out_begin returns while a copy is being loaded, so that ss_out_end sees another word.
#define BEGUN_LOADING (UINT64_C(1) << 63)

// Before Go starts, and after the constructor of internal/extension.
__attribute__((constructor(102))) static void watch_fork(void) {
  if (ss_bridge_go != &own_state) return;
  if (pthread_key_create(&own_state.inside, NULL) != 0) load_copy = NULL;
  ss_watch_forks(NULL, NULL, after_fork_in_child);
}

static uintptr_t inside_of(uint64_t generation) {
  uintptr_t value = (uintptr_t)pthread_getspecific(ss_bridge_go->inside);
  return value >> DEPTH_BITS == generation ? value : (uintptr_t)generation << DEPTH_BITS;
}

uint64_t ss_bridge_out_begin_loading(uint64_t word) {
  pthread_setspecific(ss_bridge_go->inside, (void*)(inside_of(word >> SS_GO_PHASE_BITS) + 1));
  return word | BEGUN_LOADING;
}

void ss_bridge_out_end_other(uint64_t begun) {
  static const char message[] =
      "selfsame: this process was forked inside a call from Go, and that call has now returned, but the Go code that "
      "made it exists in the parent only; end such a child inside the call, with os._exit() or as multiprocessing "
      "does, or fork outside of Go functions\n";
  uint64_t generation = (begun & ~BEGUN_LOADING) >> SS_GO_PHASE_BITS;
  if (ss_bridge_go_generation() != generation) {
    ss_say(message, sizeof(message) - 1);
    _exit(255);  // as the runtime does
  }
  if (begun & BEGUN_LOADING) pthread_setspecific(ss_bridge_go->inside, (void*)(inside_of(generation) - 1));
}

// Raises the reason why there is no Go. Returns -1.
static int refuse(const char* reason) {
  return ss_bridge_raise(
      "RuntimeError",
      "selfsame: a Go function was called in a forked child, where %s; use the start method spawn or "
      "forkserver",
      reason);
}

// Replaces the error that the package's registrations raised in the copy by one that says so, and keeps its text.
static void registration_failed(void) {
  TVMFFIObjectHandle raised = NULL;
  ss_bridge_fail(&raised);
  const TVMFFIErrorCell* cell = (const TVMFFIErrorCell*)((TVMFFIObject*)raised + 1);
  snprintf(failure, sizeof(failure), "the package failed to register its classes and functions again: %.*s: %.*s",
           (int)cell->kind.size, cell->kind.data, (int)cell->message.size, cell->message.data);
  TVMFFIObjectDecRef(raised);
}

// Brings Go back. The caller must hold `loading`. Returns 0, or -1 with the error raised.
static int load_locked(void) {
  if (load_copy == NULL) return refuse("Go cannot run");
  char message[256] = "";
  char reason[320];
  SsBridgeEntries dead = own_state.entries;
  set_phase(SS_GO_LOADING);
  if (load_copy(message, sizeof(message)) != 0) {
    set_phase(SS_GO_DEAD);
    snprintf(reason, sizeof(reason), "Go cannot be started again: %s", message);
    return refuse(reason);
  }
  if (own_state.entries.start == dead.start) {
    set_phase(SS_GO_DEAD);
    return refuse("Go cannot be started again: the copy of the library did not take over");
  }
  if (own_state.entries.start() != 0) {
    registration_failed();
    set_phase(SS_GO_FAILED);
    return refuse(failure);
  }
  set_phase(SS_GO_RUNS);
  return 0;
}

int ss_bridge_go_return(void) {
  // A thread of the new Go, which registers the package or calls a func of AfterFork: the thread that loads the copy
  // waits for it, so it must not wait for that thread.
  uint64_t generation = ss_bridge_go_generation();
  if ((inside_of(generation) & ((1u << DEPTH_BITS) - 1)) != 0) return 0;
  pthread_mutex_lock(&loading);
  int rc = 0;
  switch (__atomic_load_n(&own_state.word, __ATOMIC_RELAXED) & SS_GO_PHASE_MASK) {
    case SS_GO_RUNS:
      break;
    case SS_GO_FAILED:
      rc = refuse(failure);
      break;
    default:
      rc = load_locked();
  }
  pthread_mutex_unlock(&loading);
  return rc;
}

const SsBridgeOriginal* ss_bridge_become_original(int (*start)(void), int (*load)(char* message, size_t size),
                                                  const void* extension) {
  own_state.entries.start = start;
  load_copy = load;
  own = (SsBridgeOriginal){&own_calls, &own_state, extension};
  return &own;
}

void ss_bridge_become_copy(const SsBridgeOriginal* original, int (*start)(void)) {
  ss_bridge_calls = original->calls;
  ss_bridge_go = original->state;
  ss_bridge_go->entries = (SsBridgeEntries){ssgo_bridge_invoke, ssgo_bridge_collect, ssgo_bridge_dropped,
                                            ssgo_bridge_stop,   ssgo_bridge_setenv,  start};
}
