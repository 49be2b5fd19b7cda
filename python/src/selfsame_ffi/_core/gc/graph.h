// The ownership graph of the collection under way, and its making from the tie records.
#ifndef SELFSAME_CORE_GC_GRAPH_H_
#define SELFSAME_CORE_GC_GRAPH_H_

#include "gc/ownership.h"
#include "tie/core.h"

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

// ---- graph_request.c ------------------------------------------------------------------------------

// Looking at the ownership graph of all native objects, for reports.

// Copies what is wanted of ss_graph into memory of malloc. It may allocate with malloc. It must not run Python code,
// change a reference count or keep a pointer that it later follows: it may run inside the collector. 0, or -1 without
// memory.
typedef int (*SsGraphReader)(void* arg);

// Makes the graph of all native objects that have or had a wrapper and calls `read` with it, then empties it. Without
// the GIL the next collection does so, on whichever thread it runs: only a collection stops the other threads. This
// function runs one, and returns when `read` has been called or never will be. 0: it was called. 1: it was not, because
// a collection is under way, another thread's did not end in time, or CPython's collector is not known. -1: without
// memory, with no error set. The caller is attached. Not for use inside the collector.
SS_HIDDEN int ss_graph_request(SsGraphReader read, void* arg);

#if SS_FREE_THREADED
// To be called when a collection begins and all other threads are stopped: answers the requests that wait.
SS_HIDDEN void ss_graph_answer(void);

// For a forked child, whose other threads are gone: drops their requests, which lie on their stacks.
SS_HIDDEN void ss_graph_requests_after_fork(void);
#endif

#endif  // SELFSAME_CORE_GC_GRAPH_H_
