// Looking at the ownership graph of all native objects, for reports.
#ifndef SELFSAME_PY_GRAPH_REQUEST_H_
#define SELFSAME_PY_GRAPH_REQUEST_H_

#include "tie/core.h"

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

#endif  // SELFSAME_PY_GRAPH_REQUEST_H_
