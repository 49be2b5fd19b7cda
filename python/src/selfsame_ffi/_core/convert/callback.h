// Python callables as native functions.
#ifndef SELFSAME_PY_CALLBACK_H_
#define SELFSAME_PY_CALLBACK_H_

#include "tie/core.h"

// Once, when the core starts.
SS_HIDDEN void ss_callbacks_init(void);

// A native Function that calls `callable`. It owns one reference to it, released when the Function dies, on whatever
// thread that is, without waiting for the GIL. New reference, NULL with an error set.
SS_HIDDEN TVMFFIObject* ss_function_from_callable(PyObject* callable);

// What such a Function calls: a caller that sees it knows that the GIL will be needed at once.
SS_HIDDEN int ss_closure_call(void* handle, const TVMFFIAny* args, int32_t count, TVMFFIAny* result);

#endif  // SELFSAME_PY_CALLBACK_H_
