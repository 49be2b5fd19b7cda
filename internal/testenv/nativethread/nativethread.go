// Package nativethread calls Functions on threads that C made, for tests: Go knows nothing of such a thread before the
// first call on it.
package nativethread

// #cgo CFLAGS: -I${SRCDIR}/../../../abi/include -std=c11 -D_GNU_SOURCE -Wall -Wextra -O2
// #include <pthread.h>
// #include <stdlib.h>
// #include "selfsame/c_api.h"
//
// typedef struct {
//   pthread_t thread;
//   TVMFFIObjectHandle function;
//   int64_t first, calls, sum, failures;
// } work;
//
// static void* run(void* self) {
//   work* w = self;
//   for (int64_t i = 0; i < w->calls; i++) {
//     TVMFFIAny arg = {.type_index = kTVMFFIInt, .v_int64 = w->first + i};
//     TVMFFIAny result = {.type_index = kTVMFFINone};
//     if (TVMFFIFunctionCall(w->function, &arg, 1, &result) == 0) {
//       w->sum += result.v_int64;
//     } else {
//       TVMFFIObjectHandle error = NULL;
//       TVMFFIErrorMoveFromRaised(&error);
//       w->failures += error != NULL;
//       TVMFFIObjectDecRef(error);
//     }
//   }
//   return NULL;
// }
//
// // Starts the threads, waits for them and adds up. Returns how many were started.
// static int run_all(TVMFFIObjectHandle function, int threads, int64_t calls, int64_t* sum, int64_t* failures) {
//   work* all = calloc((size_t)threads, sizeof(work));
//   int started = 0;
//   for (; all != NULL && started < threads; started++) {
//     all[started] = (work){.function = function, .first = started * calls, .calls = calls};
//     if (pthread_create(&all[started].thread, NULL, run, &all[started]) != 0) break;
//   }
//   for (int t = 0; t < started; t++) {
//     pthread_join(all[t].thread, NULL);
//     *sum += all[t].sum;
//     *failures += all[t].failures;
//   }
//   free(all);
//   return started;
// }
import "C"

import "unsafe"

// Call calls a Function, given by its address, with the ints from 0 to threads*calls-1, divided among new threads. It
// waits for them and returns the sum of the int results, the number of calls that raised an error, and how many threads could
// be started. It borrows the Function.
func Call(function unsafe.Pointer, threads, calls int) (sum, failures int64, started int) {
	var s, f C.int64_t
	n := C.run_all(C.TVMFFIObjectHandle(function), C.int(threads), C.int64_t(calls), &s, &f)
	return int64(s), int64(f), int(n)
}
