// Python values to native values.
#ifndef SELFSAME_CORE_CONVERT_CONVERT_H_
#define SELFSAME_CORE_CONVERT_CONVERT_H_

#include "convert/dlpack_exchange.h"
#include "wrapper/classes.h"

// The memory that the view of one value needs: an object made for it, or the byte array that the view points to.
typedef struct {
  TVMFFIObject* owned;    // NULL for none
  SsWrapper* source;      // of a moved argument: `owned` is this wrapper's handle, and returns to it if it is not taken
  TVMFFIByteArray bytes;  // what a view of bytes points to
} SsTemp;

// The temporaries of one call. A value uses at most one item; the caller provides an array with an item per value.
typedef struct {
  SsTemp* items;      // the caller's array
  int32_t used;       // how many items are in use
  int wrappers;       // whether some values are wrappers: they are pinned
  SsExchangeUse use;  // of the values that are or contain another package's tensors
} SsTemps;

// A view of `value`, valid until ss_views_done and while `value` lives. 0, or -1 with an error set and nothing to undo.
// May run Python code. Accepts
//
// None, bool, int, float, str, bytes, wrappers, lists and tuples (Array), dicts (Map), callables (Function), exceptions
// (Error), ctypes.c_void_p; objects with __tvm_ffi_object__, __tvm_ffi_value__, __tvm_ffi_int__, __tvm_ffi_float__ or
// __tvm_ffi_opaque_ptr__. Any other value becomes an opaque object.
SS_HIDDEN int ss_to_view(PyObject* value, TVMFFIAny* out, SsTemps* temps);

// Call after the use of views, with the `count` values that were converted: releases the temporaries and unpins the
// wrappers. Keeps the error that is set.
SS_HIDDEN void ss_views_done_slow(SsTemps* temps, PyObject* const* values, Py_ssize_t count);
static inline void ss_views_done(SsTemps* temps, PyObject* const* values, Py_ssize_t count) {
  if (SS_UNLIKELY(temps->used != 0 || (temps->wrappers && count != 1))) {
    ss_views_done_slow(temps, values, count);
  } else if (temps->wrappers) {
    ss_unpin(ss_wrapper(values[0]));
  }
}

// A view of a value whose exact class has a handler in the dict given to set_pointer_handlers: the address that the
// handler returns. 1: *out is set; 0: there is no handler; -1 with an error set.
SS_HIDDEN int ss_view_by_pointer_handler(PyObject* value, TVMFFIAny* out);

// Function of the module: set_pointer_handlers(dict).
SS_HIDDEN PyObject* ss_set_pointer_handlers(PyObject* module, PyObject* handlers);

// The value as an owned value. `use`, which may be NULL, is told of other packages' tensors in it. 0, or -1 with an
// error set.
SS_HIDDEN int ss_to_owned_using(PyObject* value, TVMFFIAny* out, SsExchangeUse* use);
static inline int ss_to_owned(PyObject* value, TVMFFIAny* out) { return ss_to_owned_using(value, out, NULL); }

// An opaque object that owns a reference to `value`. New reference, NULL with an error set.
SS_HIDDEN TVMFFIObject* ss_opaque_new(PyObject* value);

// The result of selfsame_ffi.convert: a wrapper, or the value itself. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_convert(PyObject* value);

// Puts a text in front of the message of the error that is set: the name of the argument or field that refused a value.
// Only a TypeError, ValueError or OverflowError gets it, and the reason of a UnicodeEncodeError. Format as
// PyUnicode_FromFormat.
SS_HIDDEN void ss_prefix_error(const char* format, ...);

// Whether the error that is set means that a value has no native form: a str with lone surrogates. No native value
// equals such a value. If so, clears the error.
SS_HIDDEN int ss_no_native_value(void);

// The repr of a refused value, for the error message. Clears the error that is set. New reference; NULL without an
// error when __repr__ fails, as for an int of very many digits.
SS_HIDDEN PyObject* ss_repr_for_error(PyObject* value);

#endif  // SELFSAME_CORE_CONVERT_CONVERT_H_
