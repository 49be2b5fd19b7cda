// Python callables as native functions.
#ifndef SELFSAME_PY_CALLBACK_H_
#define SELFSAME_PY_CALLBACK_H_

#include "tie/core.h"

// A native Function that calls `callable`. It owns one reference to it, released when the Function dies, on whatever
// thread that is, without waiting for the interpreter. New reference, NULL with an error set.
SS_HIDDEN TVMFFIObject* ss_function_from_callable(PyObject* callable);

// What such a Function calls: a caller that sees it knows that the interpreter will be needed at once.
SS_HIDDEN int ss_closure_call(void* handle, const TVMFFIAny* args, int32_t count, TVMFFIAny* result);

// Where a native Function made here keeps its callable, or NULL for any other object.
SS_HIDDEN PyObject** ss_callable_of(TVMFFIObject* object);

// Called on the main thread, before the first callback, and in a forked child by the thread that is left.
SS_HIDDEN void ss_callbacks_start(void);

// Refuses callbacks from here on and waits, with the GIL released, for those under way on other threads.
SS_HIDDEN void ss_callbacks_stop(void);

// PyGILState_Ensure, for threads that may meet a fork. Ends the process when there is no memory for a thread state.
SS_HIDDEN PyGILState_STATE ss_gilstate_ensure(void);

// Called around os.fork, by the thread that forks.
SS_HIDDEN void ss_callbacks_before_fork(void);
SS_HIDDEN void ss_callbacks_after_fork_in_parent(void);

// Called in a forked child: the other threads and their callbacks are not in it. No interpreter is needed.
SS_HIDDEN void ss_callbacks_after_fork(void);

// Attaches this thread to the interpreter as a callback does, and runs `work`; does nothing once the interpreter shuts
// down, or when there is no memory for a thread state. May wait for the GIL.
SS_HIDDEN void ss_run_attached(void (*work)(void));

#endif  // SELFSAME_PY_CALLBACK_H_
