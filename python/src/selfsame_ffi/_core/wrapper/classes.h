// Python classes of native types: which class wraps which type index, and what a class asks of the states.
#ifndef SELFSAME_PY_CLASSES_H_
#define SELFSAME_PY_CLASSES_H_

#include "wrapper/fetch.h"
#include "wrapper/tp_slots.h"

// The class that wraps natives of a type index, made from reflection when none was registered. Borrowed, NULL with an
// error set. May run Python code.
SS_HIDDEN PyTypeObject* ss_class_of(int32_t type_index);

// Registers `cls`. TypeError when it is no subclass of CObject, or of a family that wraps natives of another type;
// ValueError when it is registered for another index, or another class is registered and the new one cannot take over
// its instances.
SS_HIDDEN int ss_class_register(int32_t type_index, PyTypeObject* cls);

// The class registered for an index or NULL, without making one. Borrowed, no error.
extern SS_HIDDEN PyTypeObject** ss_class_table;  // strong references
extern SS_HIDDEN int32_t ss_class_table_size;    // only ever grows
static inline PyTypeObject* ss_class_registered(int32_t type_index) {
  if (SS_UNLIKELY(type_index < 0 || type_index >= __atomic_load_n(&ss_class_table_size, __ATOMIC_ACQUIRE))) return NULL;
  return __atomic_load_n(&__atomic_load_n(&ss_class_table, __ATOMIC_ACQUIRE)[type_index], __ATOMIC_ACQUIRE);
}

// The type index whose class is `cls` or its nearest registered base; -1 when there is none. No error.
SS_HIDDEN int32_t ss_class_index(PyTypeObject* cls);

// Whether a type is another or derives from it. No error.
SS_HIDDEN int ss_type_derives(int32_t index, int32_t base);

// Makes the Python class of a type index on first sight: called with the index, returns the class.
SS_HIDDEN void ss_class_set_maker(PyObject* maker);

// Looks at a class before one of its instances is made: lean classes get ss_dealloc_heap, stateful ones ss_finalize.
// True when instances are stateful.
SS_HIDDEN int ss_class_prepare(PyTypeObject* cls);

// Whether a class that was prepared has instances without state. Runs no Python code.
static inline int ss_class_is_lean(PyTypeObject* cls) {
  if (!(cls->tp_flags & Py_TPFLAGS_HEAPTYPE)) return 1;
  return cls->tp_dealloc == ss_dealloc_heap && cls->tp_finalize == NULL;
}

// Turns a lean class that was given a __del__ afterwards into a stateful one.
SS_HIDDEN void ss_class_make_stateful(PyTypeObject* cls);

// A new wrapper without a handle. New reference, NULL with an error set. May run the collector.
SS_HIDDEN PyObject* ss_class_new_wrapper(PyTypeObject* cls);

// Calls the class's __del__ when it has one.
SS_HIDDEN void ss_class_call_del(PyObject* self);

// Learns CPython's own slots of heap types. `call` is the vectorcall function of wrappers that can be called. Once, at
// import. 0, or -1 with an error set.
SS_HIDDEN int ss_classes_init(vectorcallfunc call);

// True when `type` is a wrapper type.
static inline int ss_is_wrapper_type(PyTypeObject* type) {
  // Lean classes and the static ones are known by their dealloc, stateful ones by their finalizer.
  return type->tp_dealloc == ss_dealloc_heap || type->tp_dealloc == ss_dealloc_static ||
         type->tp_finalize == ss_finalize || PyType_IsSubtype(type, &SsObject_Type);
}
static inline int ss_is_wrapper(PyObject* o) { return ss_is_wrapper_type(Py_TYPE(o)); }

#endif  // SELFSAME_PY_CLASSES_H_
