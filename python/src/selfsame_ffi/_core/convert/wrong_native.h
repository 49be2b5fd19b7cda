// Errors for a wrapper that does not have the native object that its user needs.
#ifndef SELFSAME_CORE_CONVERT_WRONG_NATIVE_H_
#define SELFSAME_CORE_CONVERT_WRONG_NATIVE_H_

#include "tie/core.h"

// Sets RuntimeError for a wrapper that has no handle: it was moved away, or never initialised. Returns NULL.
SS_HIDDEN PyObject* ss_no_handle(PyObject* wrapper);

// Sets the error for a wrapper whose handle is not what its class needs: TypeError, or ss_no_handle's without a handle.
// `wanted` is "a List", for example. Returns NULL.
SS_HIDDEN void* ss_wrong_native(PyObject* wrapper, const char* wanted);

// The repr of a wrapper without a handle. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_repr_without_handle(PyObject* wrapper);

#endif  // SELFSAME_CORE_CONVERT_WRONG_NATIVE_H_
