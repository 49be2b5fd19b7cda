// Stateful wrappers that a collection must leave alone although only garbage refers to them: their native objects have
// other owners, so a fetch must find them with their state and their weak references.
//
// Full collections know this from the ownership graph (full_collection.h). Collections of young objects make no graph: they
// take a wrapper for used whose native object has more than one owner. A wrong guess is put right by the next full one.
//
// CPython clears the weak references of garbage before it calls the first finalizer, so a finalizer that brings the
// wrapper back comes too late for those. The wrappers are noted in the collection's subtract phase, and in its reach
// phase the collector's mark, an object that is always in use, shows them as its own.
#ifndef SELFSAME_CORE_GC_COLLECTION_HOLDS_H_
#define SELFSAME_CORE_GC_COLLECTION_HOLDS_H_

#include "tie/core.h"

#if !SS_FREE_THREADED

// Forgets the wrappers noted before: a collection of young objects begins.
SS_HIDDEN void ss_young_begin(void);

// Notes a wrapper that the collector examines, if the collection must leave it alone. Without memory it is not noted.
SS_HIDDEN void ss_young_note(SsWrapper* wrapper);

// Visits the wrappers noted, and forgets them. Returns what `visit` returned when that was not 0.
SS_HIDDEN int ss_young_show(visitproc visit, void* arg);

#endif

// Keeps a wrapper until the collection under way has ended, and takes a reference to it. For a finalizer that finds the wrapper
// in use after all, because the native object has got an owner since the phases. And for a phase that meets a wrapper whose last
// reference was dropped before. Returns 0, with nothing done, without memory and when the collection's end will not be told.
SS_HIDDEN int ss_collection_keep(PyObject* wrapper);

// Ends that: a collection has ended. May run any code.
SS_HIDDEN void ss_collection_let_go(void);

#endif  // SELFSAME_CORE_GC_COLLECTION_HOLDS_H_
