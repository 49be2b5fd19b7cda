// Functions of C symbols: addresses of compiled code, as JIT compilers give them.
#ifndef SELFSAME_CORE_CONVERT_EXTERN_FUNCTION_H_
#define SELFSAME_CORE_CONVERT_EXTERN_FUNCTION_H_

#include "tie/core.h"

// The static methods __from_extern_c__ and __from_mlir_packed_safe_call__ of Function, for METH_FASTCALL.
SS_HIDDEN PyObject* ss_from_extern_c(PyObject* unused, PyObject* const* args, Py_ssize_t count, PyObject* kwnames);
SS_HIDDEN PyObject* ss_from_mlir_packed(PyObject* unused, PyObject* const* args, Py_ssize_t count, PyObject* kwnames);

#endif  // SELFSAME_CORE_CONVERT_EXTERN_FUNCTION_H_
