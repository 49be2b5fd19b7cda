// A Go function of numbers as a ufunc of NumPy. NumPy is not linked: what is needed of its C API comes from the capsule
// that it offers to other modules at run time.
//
// Why a ufunc comes from NumPy's own maker. NumPy broadcasts, converts, buffers and checks for overlap in the code
// around a ufunc's loop. np.nditer would give the same loops to Python code, at some microseconds for each call, and
// where=, reduce and outer would have to be written again. So selfsame_ffi.ufunc takes PyUFunc_FromFuncAndData from the
// capsule that NumPy offers to other modules, at a place that has not moved since NumPy 1.7. Nothing is linked, and
// NumPy's headers are not needed. NumPy keeps the addresses of the loop's data and never says when it drops them, so a
// ufunc lives as long as the process, as the Go function behind it does.
#ifndef SELFSAME_CORE_CONVERT_UFUNC_H_
#define SELFSAME_CORE_CONVERT_UFUNC_H_

#include "tie/core.h"

// Function of the module: new_ufunc(api, function, dtypes, name, doc). A ufunc that calls a Function of Go for each
// element. `api` is the capsule numpy.core._multiarray_umath._UFUNC_API, and `dtypes` a tuple of names of number types:
// that of the result, then those of the arguments. The ufunc owns the Function, and both live as long as the process.
SS_HIDDEN PyObject* ss_new_ufunc(PyObject* module, PyObject* args);

#endif  // SELFSAME_CORE_CONVERT_UFUNC_H_
