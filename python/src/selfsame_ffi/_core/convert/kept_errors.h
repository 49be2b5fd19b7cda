// Errors that Go keeps when the call is over in which a Python exception became one.
//
// An Error of a Python exception owns the exception, and the exception its traceback: the frames of the failed call
// with all their variables. C++ and Python drop the Error at once. Go's handle of it waits for Go's collector, also
// when the Go func has long returned the error or has dealt with it. So when the call of the native function ends in
// which the exception was raised, an Error that only Go owns stops owning the exception. It keeps how to make it again:
// its class, its arguments and its attributes. When such an Error is raised again, that makes another exception, as for
// an Error of native code.
//
// Why an error that Go keeps is made again. 60 calls with locals of 20 MB kept 1.2 GB until Go's collector ran. The
// price: an error that Go raises after its call has ended is another exception, equal in class, arguments and
// attributes, with the frames as text. An exception on a thread that Go started is in no call, and waits for the
// collector.
#ifndef SELFSAME_CORE_CONVERT_KEPT_ERRORS_H_
#define SELFSAME_CORE_CONVERT_KEPT_ERRORS_H_

#include "tie/core.h"

// Once, before the others. Returns 0, or -1 with an error set.
SS_HIDDEN int ss_kept_errors_init(void);

// Notes an Error that was made for a Python exception and is about to enter native code, for the call of a native function
// under way on this thread. Nothing when there is none, or without memory. Takes a weak reference, until the call ends.
SS_HIDDEN void ss_kept_errors_note(TVMFFIObject* error);

// Lets go of the exceptions of the Errors noted in calls that have ended, where Go alone owns the Error. The caller has
// fetched the Python error that is set. May run any code.
SS_HIDDEN void ss_kept_errors_ended(void);

// The exception that an Error owns. New reference; NULL for an Error that owns none. Sets no error.
SS_HIDDEN PyObject* ss_error_exception(const TVMFFIErrorCell* cell);

// Whether an Error's extra context is what an exception is made again from.
SS_HIDDEN int ss_error_is_kept(const TVMFFIErrorCell* cell);

// Makes the exception again that such an Error owned. New reference; NULL without an error set when its class refuses, and
// with one set for what is no failure of the class.
SS_HIDDEN PyObject* ss_error_remake(const TVMFFIErrorCell* cell);

#endif  // SELFSAME_CORE_CONVERT_KEPT_ERRORS_H_
