// Exceptions in flight; see in_flight.h.
#include "convert/in_flight.h"

#include "convert/kept_errors.h"
#include "tie/tie_word.h"

struct SsInFlight {
  SsInFlight* older;    // the one that was raised before; owned
  PyObject* exception;  // owned
  TVMFFIObject* error;  // owned: the Error that was made of it
  int calls;            // ss_flights.calls when it was raised
};

__thread SsFlights ss_flights SS_STATIC_TLS;

static void drop_newest(void) {
  SsInFlight* flight = ss_flights.newest;
  ss_flights.newest = flight->older;  // first: the releases may run any code
  ss_decref(flight->error);
  Py_DECREF(flight->exception);
  PyMem_Free(flight);
}

// Native code has caught and dropped the error: the Error's owners are its wrapper and the flight.
static int is_over(const SsInFlight* flight) {
  return ss_strong(flight->error) <= 2 + ss_word_shares(SelfsameTieFind(ss_table, flight->error));
}

void ss_flight_ended_slow(void) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  while (ss_flights.newest != NULL && ss_flights.newest->calls > ss_flights.calls) drop_newest();
  ss_kept_errors_ended();
  PyErr_Restore(type, value, traceback);
}

void ss_flight_add(PyObject* exception, TVMFFIObject* error) {
  int calls = ss_flights.calls;
  if (calls == 0) return;
  // Native code that calls a failing callback in a loop keeps one exception, not all of them.
  while (ss_flights.newest != NULL && ss_flights.newest->calls == calls && is_over(ss_flights.newest)) drop_newest();
  Py_INCREF(exception);
  SsInFlight* flight = ss_flights.newest;
  if (flight != NULL && flight->calls == calls && flight->error == error) {
    Py_SETREF(flight->exception, exception);
    return;
  }
  flight = PyMem_Malloc(sizeof(SsInFlight));
  if (flight == NULL) {
    Py_DECREF(exception);
    return;
  }
  ss_incref(error);
  *flight = (SsInFlight){ss_flights.newest, exception, error, calls};
  ss_flights.newest = flight;
}

PyObject* ss_flight_find(const TVMFFIObject* error) {
  for (SsInFlight* flight = ss_flights.newest; flight != NULL; flight = flight->older) {
    if (flight->error != error) continue;
    return ss_new_ref(flight->exception);
  }
  return NULL;
}
