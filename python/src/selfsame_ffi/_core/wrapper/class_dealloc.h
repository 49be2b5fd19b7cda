// CPython's own dealloc of heap types, for stateful wrappers whose tp_dealloc is ours.
//
// Why ours comes first: the decision whether a dropped wrapper dies or is held must be taken before CPython's
// subtype_dealloc, which calls the tp_finalize that it finds. CPython replaces that slot when a class, or a base of it, is
// given a __del__ or loses one, and tells nobody; then subtype_dealloc would end a wrapper that its native object needs.
//
// Why it is not simply called: subtype_dealloc ends the state of each class from the object's on, up to the first base
// whose tp_dealloc is another function.
#ifndef SELFSAME_PY_CLASS_DEALLOC_H_
#define SELFSAME_PY_CLASS_DEALLOC_H_

#include "tie/core.h"

// CPython's subtype_dealloc and subtype_clear, which it does not export. Set by ss_classes_init.
extern SS_HIDDEN destructor ss_subtype_dealloc;
extern SS_HIDDEN inquiry ss_subtype_clear;

// Ends an object whose count is zero and whose class has the tp_dealloc `own`. With the GIL, calls the finalizer; without it
// ss_leave_to_native has. Unless that has revived the object, ends the state of its classes, and calls the tp_dealloc of the first base that has another one. May run any
// code.
SS_HIDDEN void ss_class_dealloc(PyObject* self, destructor own);

// Gives a class the tp_dealloc `own`, now or when the last of CPython's deallocs that are under way has ended. The
// caller holds the lock of the classes.
SS_HIDDEN void ss_class_take_dealloc(PyTypeObject* cls, destructor own);

// Calls subtype_clear for an object whose class has the tp_clear `own`. Only the collector does, one object after another.
SS_HIDDEN int ss_class_clear(PyObject* self, inquiry own);

#endif  // SELFSAME_PY_CLASS_DEALLOC_H_
