// Function: calls of native Functions from Python.
#ifndef SELFSAME_CORE_CONVERT_FUNCTION_H_
#define SELFSAME_CORE_CONVERT_FUNCTION_H_

#include "convert/arguments.h"
#include "convert/dlpack_exchange.h"
#include "convert/lent_values.h"
#include "convert/convert.h"
#include "tie/core.h"

// The wrapper of a Function. Every instance has the same vectorcall, as CPython's layout requires.
typedef struct {
  SsWrapper base;             // the wrapper of any object
  vectorcallfunc vectorcall;  // ss_call
  PyObject* dict;   // the attributes; NULL without any: then the wrapper is lean, unless its class is a subclass
  SsLentMask lent;  // which arguments may be lent
  uint32_t
      batch_kind;  // a number for the columns of its batches, which _calls/many.py gives out; 0: it takes no batches
} SsFunction;

extern SS_HIDDEN PyTypeObject SsFunction_Type;

// Whether calls of a Function release the GIL: as its attribute release_gil says, otherwise the default.
extern SS_HIDDEN int ss_release_gil_default;
// A child that was forked gives the GIL up at the calls of short functions too: the first one of a package may load its copy,
// which waits for another thread.
extern SS_HIDDEN int ss_in_forked_child;
static inline int ss_releases_gil(const SsWrapper* function) {
  uintptr_t flags = ss_flags(function);
  if (SS_UNLIKELY(flags & (SS_GIL_KEEP | SS_GIL_DROP))) {
    return (flags & SS_GIL_KEEP) == 0 || ((flags & SS_GIL_DROP) != 0 && ss_in_forked_child);
  }
  return ss_release_gil_default;
}

// The same for calls with a batch: those of a short function take as long as the batch.
static inline int ss_batch_releases_gil(const SsWrapper* function) {
  return (ss_flags(function) & SS_GIL_DROP) != 0 || ss_releases_gil(function);
}

// The __get__ of callables that bind to themselves. They are descriptors only because inspect and help recognise routines
// by that.
SS_HIDDEN PyObject* ss_bind_to_itself(PyObject* self, PyObject* object, PyObject* type);

// keep_gil_in_single_calls(function): calls keep the GIL, those with a batch do not.
SS_HIDDEN PyObject* ss_keep_gil_in_single_calls(PyObject* module, PyObject* function);

// Calls a native Function with views. *result: owned. 0, or -1 with an error set.
SS_HIDDEN int ss_invoke(TVMFFIObject* function, int release_gil, TVMFFIAny* views, int32_t count, TVMFFIAny* result);

// Converts the arguments, but for those that are `lent`, and calls. *result: owned. 0, or -1 with an error set, which
// names the argument that could not be converted as `signature` does; that may be NULL.
SS_HIDDEN int ss_call_raw(TVMFFIObject* function, int release_gil, SsLentMask lent, PyObject* const* args,
                          Py_ssize_t count, TVMFFIAny* result, const SsSignature* signature);

// Names the key or value `at` in front of the message of the error that is set, and before it the class `called`, unless
// that is NULL.
SS_HIDDEN void ss_name_refused_entry(PyObject* const* entries, Py_ssize_t at, const char* called);

// Calls a builtin function that makes a Map or Dict of keys and values in turn. *result: owned. 0, or -1 with an error
// set, which names the key or value that could not be converted; before it the class `called`, unless that is NULL.
// `use` as ss_make_container takes it.
SS_HIDDEN int ss_call_with_entries(TVMFFIObject* function, PyObject* const* entries, Py_ssize_t count,
                                   TVMFFIAny* result, const char* called, SsExchangeUse* use);

// Pins a wrapper of a class derived from Function; the caller calls ss_unpin after use. Returns the native Function;
// NULL with an error set, and nothing to undo, when the handle is NULL or no Function (a class may have several bases).
SS_HIDDEN TVMFFIObject* ss_no_function(SsWrapper* wrapper, TVMFFIObject* pinned);
static inline TVMFFIObject* ss_pin_function(SsWrapper* wrapper) {
  TVMFFIObject* handle = ss_pin(wrapper);
  return SS_LIKELY(handle != NULL && handle->type_index == kTVMFFIFunction) ? handle : ss_no_function(wrapper, handle);
}

// Says that a Function lives as long as a module or class, so that calls from several threads share it without changing it. Does
// nothing with the GIL.
SS_HIDDEN void ss_function_lasts(PyObject* function);

// Calls a Function wrapper: converts the arguments, calls, converts the result. New reference, NULL with an error set,
// which names the argument that could not be converted: as `signature` does, behind `leading` arguments that it does
// not name; when it is NULL, as the module does that declared the Function.
SS_HIDDEN PyObject* ss_call(SsWrapper* function, PyObject* const* args, Py_ssize_t count, const SsSignature* signature,
                            Py_ssize_t leading);

SS_HIDDEN PyObject* ss_function_vectorcall(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames);

#endif  // SELFSAME_CORE_CONVERT_FUNCTION_H_
