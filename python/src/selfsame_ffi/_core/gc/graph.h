// The ownership graph of the collection under way, and its making from the tie records.
#ifndef SELFSAME_PY_GRAPH_H_
#define SELFSAME_PY_GRAPH_H_

#include "gc/ownership.h"

// Guarded by ss_graph_lock. During the phases of a free-threaded collection the other threads are stopped; before and
// after them wrappers die on other threads. A thread that holds the mutex runs no Python code and does not sleep, so it
// is not stopped with the mutex. With the GIL there is no mutex.
extern SS_HIDDEN SsOwnership ss_graph;
#if SS_FREE_THREADED
SS_HIDDEN void ss_graph_lock(void);
SS_HIDDEN void ss_graph_unlock(void);
#else
static inline void ss_graph_lock(void) {}
static inline void ss_graph_unlock(void) {}
#endif

// The wrappers that a graph begins with; it always begins with the native objects that have a kept block, too.
typedef enum {
  SS_COLLECTED_WRAPPERS,  // those that the collection that begins now examines
  SS_DEAD_WRAPPERS,       // those that the collection under way has not found to be in use
  SS_ALL_WRAPPERS,
  SS_NO_WRAPPERS,
} SsGraphScope;

// Makes the graph. From here until ss_graph_release_deaths deaths are postponed. 0, or -1 without memory: then the
// graph is empty. The caller must hold the mutex, or all other threads are stopped.
SS_HIDDEN int ss_graph_fill(SsGraphScope scope);

// Ends the postponing of deaths. The deleters that were postponed run soon, after the collection.
SS_HIDDEN void ss_graph_release_deaths(void);

#endif  // SELFSAME_PY_GRAPH_H_
