// Type slots of the wrapper types.
#ifndef SELFSAME_CORE_WRAPPER_TP_SLOTS_H_
#define SELFSAME_CORE_WRAPPER_TP_SLOTS_H_

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

// The base of every wrapper class. ss_object_type_init (types/object.c) gives it its methods before PyType_Ready.
extern SS_HIDDEN PyTypeObject SsObject_Type;

// ---- static_type ----------------------------------------------------------------------------------

// The static types of the wrapper families: Array, Map, Function and so on.

// The first members of the initialiser of a wrapper type: CPython releases and collects all wrappers in the same way.
// `layout` is the struct of an instance, which begins with an SsWrapper; `flags` are added to the common ones.
//
//   PyTypeObject SsArray_Type = {SS_WRAPPER_TYPE(name, doc, &SsObject_Type, SsWrapper, flags), .tp_init = array_init};
#define SS_WRAPPER_TYPE(name, doc, base, layout, flags)                                \
  SS_TYPE(name, doc, sizeof(layout), Py_TPFLAGS_HAVE_GC | (flags)), .tp_base = (base), \
      .tp_dealloc = ss_dealloc_static, .tp_traverse = ss_traverse, .tp_clear = ss_clear

// ---- class_dealloc.c ------------------------------------------------------------------------------

// CPython's own dealloc of heap types, for stateful wrappers whose tp_dealloc is ours.
//
// Why ours comes first: the decision whether a dropped wrapper dies or is held must be taken before CPython's
// subtype_dealloc, which calls the tp_finalize that it finds. CPython replaces that slot when a class, or a base of it, is
// given a __del__ or loses one, and tells nobody; then subtype_dealloc would end a wrapper that its native object needs.
//
// Why it is not simply called: subtype_dealloc ends the state of each class from the object's on, up to the first base
// whose tp_dealloc is another function.

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

// ---- what containers and fields let go of ----

// ss_any_clear for a value of any class: the runtime releases a long chain of objects one by one (internal/plane/core/chains.c).
// May run any code.
static inline void ss_let_go(TVMFFIAny* value) {
  if (value->type_index < kTVMFFIStaticObjectEnd) {
    ss_any_clear(value);
    return;
  }
  TVMFFIObject* object = value->v_obj;
  ss_set_none(value);  // before the release, as ss_any_clear does
  ss_api.TVMFFIObjectDecRef(object);
}

#endif  // SELFSAME_CORE_WRAPPER_TP_SLOTS_H_
