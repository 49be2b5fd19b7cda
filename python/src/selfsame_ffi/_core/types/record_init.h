// RecordInit: the __init__ of a class declared in Python. One call takes the arguments, makes the native object and
// stores the fields' values.
#ifndef SELFSAME_PY_RECORD_INIT_H_
#define SELFSAME_PY_RECORD_INIT_H_

#include "tie/core.h"

extern SS_HIDDEN PyTypeObject SsRecordInit_Type;

// Function of the module: call_directly(cls) lets calls of a class use its RecordInit without a tuple of arguments.
SS_HIDDEN PyObject* ss_record_call_directly(PyObject* module, PyObject* cls);

#endif  // SELFSAME_PY_RECORD_INIT_H_
