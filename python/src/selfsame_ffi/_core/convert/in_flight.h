// Exceptions in flight: made from an Error of native code, raised again in a callback, so that native code has the
// Error and not the exception.
//
// The exception owns its Error (__tvm_ffi_error__). The Error does not own the exception, because that would be a
// cycle. So the thread that raised it keeps the exception until the native call in which it was raised has returned:
// when the Error comes out of that call, or reaches Python within it, it is the same exception object.
#ifndef SELFSAME_CORE_CONVERT_IN_FLIGHT_H_
#define SELFSAME_CORE_CONVERT_IN_FLIGHT_H_

#include "tie/core.h"

typedef struct SsInFlight SsInFlight;
typedef struct SsNotedError SsNotedError;  // kept_errors.h

typedef struct {
  SsInFlight* newest;   // owned; NULL: none
  SsNotedError* noted;  // the newest
  int calls;            // calls of native functions that are under way on this thread
} SsFlights;

extern SS_HIDDEN __thread SsFlights ss_flights SS_STATIC_TLS;

// Around each call of a native function, by the same thread. ss_flight_ended keeps the Python error that is set, and
// may run any code.
static inline void ss_flight_begin(void) { ss_flights.calls++; }
SS_HIDDEN void ss_flight_ended_slow(void);
static inline void ss_flight_end(void) {
  ss_flights.calls--;
  if (SS_UNLIKELY(((uintptr_t)ss_flights.newest | (uintptr_t)ss_flights.noted) != 0)) ss_flight_ended_slow();
}

// Keeps `exception` for the native call under way on this thread; does nothing when there is none, or no memory. Takes
// references of its own to both.
SS_HIDDEN void ss_flight_add(PyObject* exception, TVMFFIObject* error);

// The exception in flight on this thread for an Error. New reference, or NULL; sets no error.
SS_HIDDEN PyObject* ss_flight_find(const TVMFFIObject* error);

#endif  // SELFSAME_CORE_CONVERT_IN_FLIGHT_H_
