// Native values to Python values.
#ifndef SELFSAME_CORE_CONVERT_TO_PYTHON_H_
#define SELFSAME_CORE_CONVERT_TO_PYTHON_H_

#include "wrapper/fetch.h"

// The Python value of a view. Borrows the view's object, but takes the object of an rvalue reference. New reference,
// NULL with an error set.
SS_HIDDEN PyObject* ss_value_from_view(const TVMFFIAny* view);

// The Python value of an owned value. Takes over the value, on failure too. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_value_take(TVMFFIAny* value);

// The same two for code that mostly meets objects of registered classes, inlined for those, and views of ints.
static inline PyObject* ss_object_from_view(const TVMFFIAny* view) {
  if (SS_LIKELY(view->type_index >= kTVMFFIDynObjectBegin && view->v_obj != NULL)) {
    return ss_fetch_borrowed(view->v_obj);
  }
  if (view->type_index == kTVMFFIInt) return PyLong_FromLongLong(view->v_int64);
  return ss_value_from_view(view);
}
static inline PyObject* ss_object_take(TVMFFIAny* value) {
  if (SS_LIKELY(value->type_index >= kTVMFFIDynObjectBegin && value->v_obj != NULL)) return ss_fetch(value->v_obj);
  return ss_value_take(value);
}

// ctypes.c_void_p, imported on first use. Borrowed, NULL with an error set.
SS_HIDDEN PyTypeObject* ss_c_void_p(void);

// A ctypes.c_void_p of the address. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_c_void_p_new(void* pointer);

#endif  // SELFSAME_CORE_CONVERT_TO_PYTHON_H_
