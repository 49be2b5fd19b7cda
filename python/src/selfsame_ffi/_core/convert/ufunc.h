// A Go function of numbers as a ufunc of NumPy. NumPy is not linked: what is needed of its C API comes from the capsule
// that it offers to other modules at run time.
#ifndef SELFSAME_PY_UFUNC_H_
#define SELFSAME_PY_UFUNC_H_

#include "tie/core.h"

// Function of the module: new_ufunc(api, function, dtypes, name, doc). A ufunc that calls a Function of Go for each
// element. `api` is the capsule numpy.core._multiarray_umath._UFUNC_API, and `dtypes` a tuple of names of number types:
// that of the result, then those of the arguments. The ufunc owns the Function, and both live as long as the process.
SS_HIDDEN PyObject* ss_new_ufunc(PyObject* module, PyObject* args);

#endif  // SELFSAME_PY_UFUNC_H_
