// The functions of Python's module gc that return the collector's objects: get_objects, get_referrers, get_referents.
//
// They may return a held wrapper, and then Python refers to it without a fetch or the call of a weak reference. So their C
// functions are replaced by functions of ours, which call them and let such wrappers own their native objects. The function
// objects remain: it does not matter who has got hold of them before.
#ifndef SELFSAME_PY_GC_FUNCTIONS_H_
#define SELFSAME_PY_GC_FUNCTIONS_H_

#include "tie/core.h"

// Once, when the core starts. A function that the program has replaced, or that has another signature in this interpreter, is
// left alone. 0, or -1 with an error set.
SS_HIDDEN int ss_gc_functions_init(void);

#endif  // SELFSAME_PY_GC_FUNCTIONS_H_
