// The Python classes of native types: which class wraps the objects of a type index, and whether it is lean or
// stateful.
#ifndef SELFSAME_CORE_WRAPPER_CLASSES_H_
#define SELFSAME_CORE_WRAPPER_CLASSES_H_

#include "tie/counters.h"
#include "tie/wrapper.h"
#include "wrapper/fetch.h"
#include "wrapper/spare_blocks.h"
#include "wrapper/tp_slots.h"

// The class that wraps the objects of a type index, made from reflection when none was registered. Borrowed; NULL with
// an error set. May run Python code.
SS_HIDDEN PyTypeObject* ss_class_of(int32_t type_index);

// Registers `cls` for a type index. Returns 0, or -1 with an error set. TypeError: `cls` is no subclass of CObject, or
// derives from a base that wraps objects of another type. ValueError: it is registered for another index, or another
// class is registered whose instances have another layout.
SS_HIDDEN int ss_class_register(int32_t type_index, PyTypeObject* cls);

// For the end of the interpreter, as tp_traverse and tp_clear: the classes of Python code in the table, whose objects have
// the class Object afterwards.
SS_HIDDEN int ss_classes_traverse(visitproc visit, void* arg);
SS_HIDDEN void ss_classes_clear(void);

// The class registered for an index, or NULL; makes none. Borrowed; sets no error. Readers take no lock: the table's
// pointer and size are atomic, and without the GIL outgrown tables are retired.
extern SS_HIDDEN PyTypeObject** ss_class_table;  // strong references
extern SS_HIDDEN int32_t ss_class_table_size;    // never shrinks
static inline PyTypeObject* ss_class_registered(int32_t type_index) {
  if (SS_UNLIKELY(type_index < 0 || type_index >= __atomic_load_n(&ss_class_table_size, __ATOMIC_ACQUIRE))) return NULL;
  return __atomic_load_n(&__atomic_load_n(&ss_class_table, __ATOMIC_ACQUIRE)[type_index], __ATOMIC_ACQUIRE);
}

// The type index whose class is `cls` or its nearest registered base; -1 when there is none. Sets no error.
SS_HIDDEN int32_t ss_class_index(PyTypeObject* cls);

// Whether the type `index` is `base` or derives from it. Sets no error.
SS_HIDDEN int ss_type_derives(int32_t index, int32_t base);

// Whether instances of `cls` may wrap objects of a type index: it derives from the class of the index, and from that of no
// derived type. 0, or -1 with TypeError set, which begins with `function`. May run Python code.
SS_HIDDEN int ss_class_check(const char* function, PyTypeObject* cls, int32_t index);

// Sets the Python callable that makes the class of a type index: it is called with the index and returns the class.
SS_HIDDEN void ss_class_set_maker(PyObject* maker);

// To be called before an instance of a class is made: gives lean classes ss_dealloc_heap, and stateful ones
// ss_dealloc_stateful and ss_finalize. Whether the class is stateful.
SS_HIDDEN int ss_class_prepare(PyTypeObject* cls);

// Whether a prepared class is lean. Runs no Python code.
static inline int ss_class_is_lean(PyTypeObject* cls) {
  if (!(cls->tp_flags & Py_TPFLAGS_HEAPTYPE)) return 1;
  return cls->tp_dealloc == ss_dealloc_heap && cls->tp_finalize == NULL;
}

// A new wrapper without a handle, in a spare block. New reference; NULL without an error when there is no block, or
// when `cls` is not a prepared lean class. Runs no Python code.
static inline PyObject* ss_class_spare_wrapper(PyTypeObject* cls) {
  if (SS_UNLIKELY(!ss_class_is_lean(cls))) return NULL;
  PyObject* wrapper = ss_spare_block_take(cls);
  if (SS_UNLIKELY(wrapper == NULL)) return NULL;
  ss_count(SS_COUNT_LIVE, 1);
  ss_count(SS_COUNT_BLOCKS, 1);
  return wrapper;
}

// Makes a class stateful, also one that was lean and was given a __del__. The caller holds the lock of the classes, or
// the GIL.
SS_HIDDEN void ss_class_make_stateful(PyTypeObject* cls);

// A new wrapper without a handle. New reference, NULL with an error set. May run the collector.
SS_HIDDEN PyObject* ss_class_new_wrapper(PyTypeObject* cls);

// Calls the __del__ of the wrapper's class. Returns 0 when it has none.
SS_HIDDEN int ss_class_call_del(PyObject* self);

// Finds CPython's own type slots of heap types. `call` is the vectorcall function of wrappers that can be called. Once,
// at import. 0, or -1 with an error set.
SS_HIDDEN int ss_classes_init(vectorcallfunc call);

// Whether `type` is a class of wrappers.
static inline int ss_is_wrapper_type(PyTypeObject* type) {
  // Classes are known by their dealloc, stateful ones by their finalizer while CPython's dealloc is lent to them.
  return type->tp_dealloc == ss_dealloc_heap || type->tp_dealloc == ss_dealloc_static ||
         type->tp_finalize == ss_finalize || PyType_IsSubtype(type, &SsObject_Type);
}
static inline int ss_is_wrapper(PyObject* o) { return ss_is_wrapper_type(Py_TYPE(o)); }

// ---- wrapped_already.c ----------------------------------------------------------------------------

// Raises the error for a constructor whose native object has a wrapper already, because native code returned an object
// that it keeps, as factories of types and of constants do. A class that is called must then return that wrapper: one
// native object has one.
//
// The constructor cannot return another object than the one it was called for. So it raises WrappedAlready, a TypeError
// with the two, and the call of the class catches it. The rest of an __init__ in Python does not run: it ran when the
// wrapper was made.

// The exception class, made by the first call, which is the module's. Borrowed; NULL with an error set.
SS_HIDDEN PyObject* ss_wrapped_already_class(void);

// Raises WrappedAlready for an object without a native one. Takes the reference to the native object. Returns -1.
SS_HIDDEN int ss_wrapped_already_raise(PyObject* self, TVMFFIObject* object);

// After an error of a call of the class: when it is WrappedAlready for an object of exactly this class, and the wrapper
// is an instance of it, clears the error and returns a new reference to the wrapper. Otherwise NULL, with the error
// set.
SS_HIDDEN PyObject* ss_wrapped_already_take(PyTypeObject* cls);

#endif  // SELFSAME_CORE_WRAPPER_CLASSES_H_
