// Type slots of the wrapper types.
#ifndef SELFSAME_PY_TP_SLOTS_H_
#define SELFSAME_PY_TP_SLOTS_H_

#include "tie/core.h"

// tp_dealloc. ss_dealloc_static, of static types, does not release the type, as CPython's subtype_dealloc expects of a
// static base. ss_dealloc_heap, of lean heap types, releases it. ss_dealloc_stateful, of stateful ones, leaves the
// wrapper to its native object when that has other owners.
SS_HIDDEN void ss_dealloc_static(PyObject* self);
SS_HIDDEN void ss_dealloc_heap(PyObject* self);
SS_HIDDEN void ss_dealloc_stateful(PyObject* self);

// The first step of the dealloc of a stateful wrapper: gives it to its native object when that has other owners. Returns
// 1 then: the wrapper lives on, and may be freed by another thread. 0 with a GIL: the finalizer decides. 0 without one: the
// finalizer has run, and the wrapper dies.
SS_HIDDEN int ss_leave_to_native(PyObject* self);

// tp_finalize of stateful classes. In a dealloc: gives the wrapper to its native object when that has other owners,
// otherwise calls __del__. In a collection: keeps it for the collection's time then.
SS_HIDDEN void ss_finalize(PyObject* self);

// tp_traverse and tp_clear of all classes. CPython may call ss_traverse while other threads run only through
// gc.get_referents and the like.
SS_HIDDEN int ss_traverse(PyObject* self, visitproc visit, void* arg);
SS_HIDDEN int ss_clear(PyObject* self);

// tp_clear of stateful classes: leaves a wrapper whole whose native object has got an owner since the collection's phases.
// Its finalizer is called once more then, at its drop, and it is held.
SS_HIDDEN int ss_clear_stateful(PyObject* self);

// The base of every wrapper class. ss_object_type_init (types/object.h) gives it its methods before PyType_Ready.
extern SS_HIDDEN PyTypeObject SsObject_Type;

#endif  // SELFSAME_PY_TP_SLOTS_H_
