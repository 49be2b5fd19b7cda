// What the cycle collector sees of natives.
//
// A full collection is one round: when the collector looks at the first wrapper, an account is made of all natives that
// wrappers own or owned, and of what they lead to (account.h). A reference that a native owns to something of Python's,
// a held wrapper, a callable, an opaque value, is shown to the collector when the native is closed: all of its owners
// are wrappers that this collection looks at, or natives that such wrappers own. Then the collector asks what is in
// use: whatever a native leads to that a used wrapper owns is so. What is left over is dead: its Python part is cleared
// by the collector as always, and a cycle of natives among themselves is opened here.
//
// CPython asks each object twice with two different functions: first to take the references between the objects of the
// collection off their counts, then to find what is reachable. Each owned reference is to be shown once to the first
// function, and from every owner to the second. That is why they are told apart. After the finalizers both are called
// anew for what seemed dead; the account is made anew for it.
//
// The collector of a free-threaded CPython 3.13 does the same, with all other threads stopped; between the two parts,
// and after, they go on.
//
// Collections of young objects only, and interpreters whose collector works otherwise, go by edges.h alone: what one
// wrapper owns by itself.
#ifndef SELFSAME_PY_ROUND_H_
#define SELFSAME_PY_ROUND_H_

#include "tie/core.h"

// Once, when the core starts: makes the object by which a full collection is known. 0, or -1 with an error set.
SS_HIDDEN int ss_rounds_init(void);

// The part of tp_traverse that concerns natives. 1: done, and *rc is what tp_traverse is to return, if that is not 0;
// 0: this is no full collection, see edges.h.
SS_HIDDEN int ss_round_traverse(SsWrapper* wrapper, visitproc visit, void* arg, int* rc);

// How many owners of a wrapper's native are dead for certain: those that the round has found, or 1 for the wrapper.
// 0 when no round is under way that knows the wrapper. `cleared`: this is the wrapper's tp_clear.
SS_HIDDEN uint32_t ss_round_dead_owners(const SsWrapper* wrapper, int cleared);

// The part of tp_clear that concerns natives. 1: the wrapper may be let go; 0: the round does not know it.
SS_HIDDEN int ss_round_clear(const SsWrapper* wrapper);

// Called when a wrapper with a handle dies.
extern SS_HIDDEN int ss_round_phase;  // 0: no round is under way
SS_HIDDEN void ss_round_forget_slow(const SsWrapper* wrapper);
static inline void ss_round_forget(const SsWrapper* wrapper) {
  if (SS_UNLIKELY(__atomic_load_n(&ss_round_phase, __ATOMIC_RELAXED) != 0)) ss_round_forget_slow(wrapper);
}

// For gc.callbacks: called with "start" and "stop". Ends a round, and opens cycles of natives that no wrapper had part
// in.
SS_HIDDEN PyObject* ss_round_callback(PyObject* module, PyObject* const* args, Py_ssize_t count);

// Natives that the last full collection looked at; how many of them were closed, and how many it could not read.
SS_HIDDEN PyObject* ss_round_report(PyObject* module, PyObject* unused);

// Natives that no account can close because of something of their own: a list of (type index or -1, reason, number of
// unknown owners). The reasons: "owner", "weak", "call", "unread".
SS_HIDDEN PyObject* ss_round_unaccounted(PyObject* module, PyObject* unused);

#endif  // SELFSAME_PY_ROUND_H_
