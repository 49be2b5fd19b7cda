// Type slots of the wrapper types.
#ifndef SELFSAME_PY_TP_SLOTS_H_
#define SELFSAME_PY_TP_SLOTS_H_

#include "tie/core.h"

// Slots of the wrapper types. ss_dealloc_static never releases the type, which is what CPython's own dealloc of heap
// types expects of a static base; ss_dealloc_heap does, for lean heap types.
SS_HIDDEN void ss_dealloc_static(PyObject* self);
SS_HIDDEN void ss_dealloc_heap(PyObject* self);
SS_HIDDEN void ss_finalize(PyObject* self);
SS_HIDDEN int ss_traverse(PyObject* self, visitproc visit, void* arg);
SS_HIDDEN int ss_clear(PyObject* self);

// The base of every wrapper class. ss_object_type_init (types/object.h) gives it its methods before PyType_Ready.
extern SS_HIDDEN PyTypeObject SsObject_Type;

#endif  // SELFSAME_PY_TP_SLOTS_H_
