// Builtin functions in C: they serve calls with arguments of exactly the types of their signature, and pass every other
// call, unchanged, to Go. There the signature is checked. What it admits nonetheless, such as a bool as an integer, is
// converted, and given to the C function again; those that are not only in C have an implementation in Go too. Private
// to the runtime.
//
// Why a builtin function may have a part in C. A call from C into Go costs five times as much as reading an Array's
// element, which the stock Python package does through global functions. Such a function is tried in C first, for
// correct arguments; everything else stays in Go (internal/control/builtins_fast*.c). A call that falls back to Go must
// be untouched, so nothing is taken before everything was looked at. Without their C part they take 3 to 11 times as
// long as in the published library (`make bench-abi`).
#ifndef SELFSAME_INTERNAL_CONTROL_BUILTINS_FAST_H_
#define SELFSAME_INTERNAL_CONTROL_BUILTINS_FAST_H_

#include "selfsame/c_api.h"

#pragma GCC visibility push(hidden)

// Returns the fast path of the builtin function `name`, or NULL when it has none. The fast path must be the call
// function of the Go implementation's closure (`call` of ss_closure_new).
TVMFFISafeCallType ss_fast_function(const char* name, size_t size);

// Calls the function in C of that name for Go, with borrowed arguments of exactly the types of its signature. *result is
// a new reference. Returns 0, or -1 raised.
int ss_fast_call(const char* name, size_t size, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result);

// Sets the sentinel object that look-ups return for a missing key. It is borrowed and must live as long as the process.
// Must be called before the first fast path runs; until then those that need it fall back to Go.
void ss_fast_set_missing(void* sentinel);

// Whether the text of ffi.ReprPrint has addresses: the environment's current value says so, not the copy that Go made when
// the library was loaded.
int ss_repr_has_addresses(void);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_CONTROL_BUILTINS_FAST_H_
