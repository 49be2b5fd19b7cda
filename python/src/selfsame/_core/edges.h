// What a native owns, as far as the collector may know it.
#ifndef SELFSAME_PY_EDGES_H_
#define SELFSAME_PY_EDGES_H_

#include "core.h"

// Visits the Python objects that live through `root` alone: callables of closures and payloads of opaque objects, and
// the held wrappers of natives. The caller's wrapper owns root's only reference, and no call is using it.
//
// Followed are references whose storage says what it is (plain fields, elements of sequences, causes of errors) to
// natives with exactly one owner and no weak reference, and to natives with two: such a reference, and the native's own
// held wrapper. That wrapper's SS_ACCOUNTED is set: the reference it has from its native is visited here. Beyond such a
// wrapper the walk goes on only when nothing else in Python refers to it; else what it reaches may be alive without
// `root`.
//
// Nobody but the interpreter's holder can change natives that are owned so; that is why reading them is safe. Returns
// what `visit` returned when that was not 0.
SS_HIDDEN int ss_visit_owned(TVMFFIObject* root, visitproc visit, void* arg);

// Visits the held wrappers whose natives have no owner but `root`, directly or through natives without wrappers, and
// the wrapper. Not for the collector: fields that are no plain storage are read through their getters. `visit` runs no
// Python code; what it returns is ignored.
SS_HIDDEN void ss_visit_held_children(TVMFFIObject* root, visitproc visit, void* arg);

#endif  // SELFSAME_PY_EDGES_H_
