// Python values to native values.
#ifndef SELFSAME_PY_CONVERT_H_
#define SELFSAME_PY_CONVERT_H_

#include "wrapper/classes.h"

// What one converted value needs to stay valid: an object made for it, or the byte array its view points to.
typedef struct {
  TVMFFIObject* owned;
  SsWrapper* source;  // of an rvalue argument: owned came from this wrapper, and goes back if nobody takes it
  TVMFFIByteArray bytes;
} SsTemp;

// The temporaries of one call. Every converted value uses at most one item, so the owner provides as many as values.
typedef struct {
  SsTemp* items;
  int32_t used;
  int wrappers;  // wrappers were among the values: they are pinned, and the call is a crossing for them
} SsTemps;

// A view of `value`, valid until ss_temps_release and while `value` lives. 0, or -1 with an error set.
//
// None, bool, int, float, str, bytes, wrappers, lists and tuples (Array), dicts (Map), callables (Function), exceptions
// (Error), ctypes.c_void_p; objects with __tvm_ffi_object__, __tvm_ffi_value__, __tvm_ffi_int__, __tvm_ffi_float__ or
// __tvm_ffi_opaque_ptr__; anything else travels as an opaque object.
SS_HIDDEN int ss_to_view(PyObject* value, TVMFFIAny* out, SsTemps* temps);

// Ends the use of the first `count` values, those that were converted: releases the temporaries, unpins wrappers and
// lets them cross. Leaves the error that is set alone.
SS_HIDDEN void ss_views_done_slow(SsTemps* temps, PyObject* const* values, Py_ssize_t count);
static inline void ss_views_done(SsTemps* temps, PyObject* const* values, Py_ssize_t count) {
  if (SS_UNLIKELY(temps->used != 0 || (temps->wrappers && count != 1))) {
    ss_views_done_slow(temps, values, count);
  } else if (temps->wrappers) {
    ss_unpin(ss_wrapper(values[0]));
    ss_cross(values[0]);
  }
}

// An owned value. 0, or -1 with an error set.
SS_HIDDEN int ss_to_owned(PyObject* value, TVMFFIAny* out);

// A new Array of the sequence's items. New reference, NULL with an error set.
SS_HIDDEN TVMFFIObject* ss_array_from_sequence(PyObject* sequence);

// The wrapper (or plain value) that selfsame_ffi.convert gives for a value. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_convert(PyObject* value);

// Puts a text in front of the message of the error that is set, when it is a plain TypeError, ValueError or
// OverflowError: names the place a value was refused for. Format as PyUnicode_FromFormat.
SS_HIDDEN void ss_prefix_error(const char* format, ...);

// Whether the error that is set says that a value has no native form, such as an int beyond 64 bits or a str with lone
// surrogates: then nothing native is equal to it, and the error is cleared.
SS_HIDDEN int ss_no_native_value(void);

// The repr of a value that is refused, for the message; clears the error that is set. New reference, or NULL and no
// error: a class's own __repr__ may fail, and CPython prints no int of very many digits.
SS_HIDDEN PyObject* ss_repr_for_error(PyObject* value);

#endif  // SELFSAME_PY_CONVERT_H_
