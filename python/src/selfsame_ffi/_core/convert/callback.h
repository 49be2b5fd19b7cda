// Native Functions that call Python callables.
#ifndef SELFSAME_CORE_CONVERT_CALLBACK_H_
#define SELFSAME_CORE_CONVERT_CALLBACK_H_

#include "tie/python_owner.h"

// Initialises this file. Call once, when the core starts.
SS_HIDDEN void ss_callbacks_init(void);

// A native Function that calls `callable`, on any thread. It owns one reference to it. When the Function dies, on any
// thread, it releases that reference without waiting for the GIL. New reference, NULL with an error set.
SS_HIDDEN TVMFFIObject* ss_function_from_callable(PyObject* callable);

// A wrapper of a Function that returns an opaque object of what the builder makes of its arguments. `type` is the type
// of that, which stands for the Function's callable. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_function_of_builder(PyTypeObject* type, SsBuilder builder);

// Function of the module: function_of_tensors(callable, tensor_cls). The Function's callable gets tensors as instances
// of a class that offers the DLPack C exchange.
SS_HIDDEN PyObject* ss_function_of_tensors(PyObject* module, PyObject* args);

// The safe_call of such a Function. A caller compares with it to avoid releasing the GIL just before it is needed.
SS_HIDDEN int ss_closure_call(void* handle, const TVMFFIAny* args, int32_t count, TVMFFIAny* result);

#endif  // SELFSAME_CORE_CONVERT_CALLBACK_H_
