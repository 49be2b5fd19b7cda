// The steps of ss_to_view that several files of convert/ use; see convert.h.
#ifndef SELFSAME_PY_CONVERT_INTERNAL_H_
#define SELFSAME_PY_CONVERT_INTERNAL_H_

#include "convert/convert.h"
#include "convert/function.h"

// A view of a wrapper's native object. Pins the wrapper until ss_views_done. 0, or -1 with an error set.
static inline int ss_view_wrapper(PyObject* value, TVMFFIAny* out, SsTemps* temps) {
  TVMFFIObject* handle = ss_pin(ss_wrapper(value));
  if (SS_UNLIKELY(handle == NULL)) {
    ss_no_handle(value);
    return -1;
  }
  temps->wrappers = 1;
  ss_set_object(out, handle);
  return 0;
}

// A view of an object that was made for this call. The temporaries take over its reference. 0; -1 when `object` is
// NULL, and then an error is set.
static inline int ss_set_temporary(TVMFFIAny* out, TVMFFIObject* object, SsTemps* temps) {
  if (object == NULL) return -1;
  SsTemp* temp = &temps->items[temps->used++];
  temp->owned = object;
  temp->source = NULL;
  ss_set_object(out, object);
  return 0;
}

// Builtin types and their subclasses. 0, or -1 with an error set.
SS_HIDDEN int ss_view_int(PyObject* value, TVMFFIAny* out, SsTemps* temps);
SS_HIDDEN int ss_view_float(PyObject* value, TVMFFIAny* out);
SS_HIDDEN int ss_view_str(PyObject* value, TVMFFIAny* out, SsTemps* temps);
SS_HIDDEN int ss_view_bytes(const char* data, Py_ssize_t size, TVMFFIAny* out, SsTemps* temps);

// A view of an int that must fit into 64 bits. 0, or -1 with OverflowError set.
SS_HIDDEN int ss_view_int64(PyObject* value, TVMFFIAny* out);

// Values of all other types (other_values.c): not a wrapper, and not exactly of a type that ss_to_view handles itself.
SS_HIDDEN int ss_view_other(PyObject* value, TVMFFIAny* out, SsTemps* temps);

#endif  // SELFSAME_PY_CONVERT_INTERNAL_H_
