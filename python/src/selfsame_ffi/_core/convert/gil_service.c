// The Function by which a func of Go that Python called with the GIL held gives it up where it must wait.
#include "convert/convert.h"
#include "tie/attach.h"
#include "wrapper/fetch.h"

// Without an argument: gives the GIL up, and returns whether this thread had it. With one: takes it back, on the same
// thread. Needs no attached thread, unlike the calls of other Functions of this core.
static int give_or_take(void* handle, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  (void)handle;
  (void)args;
  *result = (TVMFFIAny){.type_index = kTVMFFIBool};
  if (count == 0 && ss_have_gil()) {
    PyThreadState* state = PyEval_SaveThread();
    ss_released_state = state;
    result->v_int64 = 1;
  } else if (count > 0 && ss_released_state != NULL) {
    PyThreadState* state = ss_released_state;
    ss_released_state = NULL;
    PyEval_RestoreThread(state);
  }
  return 0;
}

PyObject* ss_function_of_gil(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  TVMFFIObject* function = ss_function_from_callable(Py_None);
  if (function == NULL) return NULL;
  SS_CELL(TVMFFIFunctionCell, function)->safe_call = give_or_take;  // nobody else has the Function yet
  return ss_fetch(function);
}
