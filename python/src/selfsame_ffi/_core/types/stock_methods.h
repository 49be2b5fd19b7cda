// The two methods by which Python code written for the stock tvm_ffi package gives a wrapper its native object.
#ifndef SELFSAME_CORE_TYPES_STOCK_METHODS_H_
#define SELFSAME_CORE_TYPES_STOCK_METHODS_H_

#include "tie/core.h"

// self.__init_handle_by_constructor__(function, *args): calls the function and gives self, which has no native object,
// the object that it returns. TypeError, with nothing changed, when self has one, or the object is of another type.
SS_HIDDEN PyObject* ss_init_handle_by_constructor(PyObject* self, PyObject* const* args, Py_ssize_t count);

// self.__move_handle_from__(other): moves the native object of `other` to self, which has none. Errors as above;
// RuntimeError when the native object has other owners.
SS_HIDDEN PyObject* ss_move_handle_from(PyObject* self, PyObject* other);

#endif  // SELFSAME_CORE_TYPES_STOCK_METHODS_H_
