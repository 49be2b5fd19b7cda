// Private to selfsame: whether the Go of this library runs, the functions through which C enters it, and its return in
// a forked child.
//
// A fork copies the memory of Go and none of its threads, so that Go is dead in the child. The first call of a Go func
// there loads a copy of the library, which starts a Go of its own, and enters the copy's table of entry points into the
// original's. The C code and all state of the original stay in use for ever, also in a child of the child, which loads
// another copy of the original. RATIONALE.md, "Why a forked child loads a copy of the library".
//
// Threads. Every function may be called on any thread. Only ss_bridge_enter_go waits: for the thread that loads the
// copy.
#ifndef SELFSAME_INTERNAL_BRIDGE_GO_STATE_H_
#define SELFSAME_INTERNAL_BRIDGE_GO_STATE_H_

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "selfsame/c_api.h"

#pragma GCC visibility push(hidden)

// The entry points of one Go: the only way from C into it.
typedef struct {
  // ssgo_bridge_invoke
  int (*invoke)(uint64_t id, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result);
  // ssgo_bridge_collect
  int64_t (*collect)(void);
  // ssgo_bridge_dropped
  void (*dropped)(void);
  // ssgo_bridge_stop
  void (*stop)(void);
  // ssgo_bridge_setenv
  void (*setenv)(char* name, char* value);
  // Finishes the registrations of the package, once; later calls do nothing. 0, or -1 with the error raised. NULL in a
  // program, which cannot be copied.
  int (*start)(void);
} SsBridgeEntries;

// How the Go runs that the entry points lead to.
typedef enum {
  SS_GO_RUNS = 0,
  SS_GO_DEAD = 1,     // in a forked child
  SS_GO_LOADING = 2,  // in a forked child: a copy has been loaded and registers its classes and functions
  SS_GO_FAILED = 3    // in a forked child: these registrations failed
} SsBridgeGoPhase;

enum { SS_GO_PHASE_BITS = 2, SS_GO_PHASE_MASK = 3 };

typedef struct {
  uint64_t word;            // atomic: number of forks since the original was loaded, and the phase in the lowest bits
  SsBridgeEntries entries;  // the funcs of the Go that serves calls now
  uint64_t last_id;         // atomic: highest id that was given to a Go value, by any Go
  // Per thread, while a copy is being loaded: in how many calls from the copy's Go it is, and the generation.
  pthread_key_t inside;
} SsBridgeGo;

// The original's. The pointer is set before Go starts and never changed.
extern SsBridgeGo* ss_bridge_go;

// Before C enters Go: brings Go back if it is dead. 0: the entry points may be called. -1: an error is raised.
int ss_bridge_go_return(void);
static inline int ss_bridge_enter_go(void) {
  uint64_t word = __atomic_load_n(&ss_bridge_go->word, __ATOMIC_ACQUIRE);
  return __builtin_expect((word & SS_GO_PHASE_MASK) == SS_GO_RUNS, 1) ? 0 : ss_bridge_go_return();
}

// Whether Go runs: a call into it needs no copy of the library.
static inline int ss_bridge_go_runs(void) {
  return (__atomic_load_n(&ss_bridge_go->word, __ATOMIC_ACQUIRE) & SS_GO_PHASE_MASK) == SS_GO_RUNS;
}

// The number of forks between the start of the original and this process.
static inline uint64_t ss_bridge_go_generation(void) {
  return __atomic_load_n(&ss_bridge_go->word, __ATOMIC_RELAXED) >> SS_GO_PHASE_BITS;
}

// Before and after a call from Go to C. ss_out_end ends the process if the Go that called is dead by now.
uint64_t ss_bridge_out_begin_loading(uint64_t word);
void ss_bridge_out_end_other(uint64_t begun);
static inline uint64_t ss_out_begin(void) {
  uint64_t word = __atomic_load_n(&ss_bridge_go->word, __ATOMIC_RELAXED);
  return __builtin_expect((word & SS_GO_PHASE_MASK) == SS_GO_RUNS, 1) ? word : ss_bridge_out_begin_loading(word);
}
static inline void ss_out_end(uint64_t begun) {
  uint64_t word = __atomic_load_n(&ss_bridge_go->word, __ATOMIC_RELAXED);
  if (__builtin_expect(word != begun, 0)) ss_bridge_out_end_other(begun);
}

// ---- for internal/extension -------------------------------------------------------------------------------------

// The state that a copy takes over from its original.
typedef struct SsBridgeOriginal {
  const struct SsBridgeCalls* calls;  // the C functions of the image that was loaded first
  SsBridgeGo* state;                  // its state, which all images share
  const void* extension;              // of internal/extension
} SsBridgeOriginal;

// In an original: makes it one that can be copied. `start` becomes its entry point of that name. load_copy loads a copy
// whose constructors call ss_bridge_become_copy with this original; it returns 0, or -1 with the reason in `message`.
// Returns what the copy takes over, with `extension` in it. Before Go starts.
const SsBridgeOriginal* ss_bridge_become_original(int (*start)(void), int (*load_copy)(char* message, size_t size),
                                                  const void* extension);

// In a copy, before Go starts: enters its entry points into the original's table, and uses the original's C code and
// state from now on.
void ss_bridge_become_copy(const SsBridgeOriginal* original, int (*start)(void));

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_BRIDGE_GO_STATE_H_
