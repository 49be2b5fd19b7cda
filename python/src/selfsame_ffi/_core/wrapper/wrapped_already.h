// Raises the error for a constructor whose native object has a wrapper already, because native code returned an object
// that it keeps, as factories of types and of constants do. A class that is called must then return that wrapper: one
// native object has one.
//
// The constructor cannot return another object than the one it was called for. So it raises WrappedAlready, a TypeError
// with the two, and the call of the class catches it. The rest of an __init__ in Python does not run: it ran when the
// wrapper was made.
#ifndef SELFSAME_PY_WRAPPED_ALREADY_H_
#define SELFSAME_PY_WRAPPED_ALREADY_H_

#include "tie/wrapper.h"

// The exception class, made by the first call, which is the module's. Borrowed; NULL with an error set.
SS_HIDDEN PyObject* ss_wrapped_already_class(void);

// Raises WrappedAlready for an object without a native one. Takes the reference to the native object. Returns -1.
SS_HIDDEN int ss_wrapped_already_raise(PyObject* self, TVMFFIObject* object);

// After an error of a call of the class: when it is WrappedAlready for an object of exactly this class, and the wrapper
// is an instance of it, clears the error and returns a new reference to the wrapper. Otherwise NULL, with the error
// set.
SS_HIDDEN PyObject* ss_wrapped_already_take(PyTypeObject* cls);

#endif  // SELFSAME_PY_WRAPPED_ALREADY_H_
