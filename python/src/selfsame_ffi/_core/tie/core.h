// What every file of the C core shares: the wrapper's layout, its flags, reference counts, values.
//
// One interpreter, one process-wide state: the module refuses sub-interpreters, so state lives in static variables.
// Unless a comment says otherwise, a function here is called with the GIL held; with a free-threaded
// interpreter, on a thread that is attached to it, and any number of threads may be in it at once.
#ifndef SELFSAME_PY_CORE_H_
#define SELFSAME_PY_CORE_H_

#include "selfsame/internal/values.h"
#include "tie/api.h"
#include "tie/interp.h"
#include "tie/wrapper.h"

// The body of a builtin object type, directly behind the header.
#define SS_CELL(type, object) ((type*)((char*)(object) + sizeof(TVMFFIObject)))

static inline TVMFFIByteArray ss_bytes(const char* s) {
  TVMFFIByteArray b = {s, strlen(s)};
  return b;
}

// A str of the bytes, undecodable ones replaced: for names, docs and messages. New reference, NULL with an error set.
static inline PyObject* ss_text(const TVMFFIByteArray* b) {
  return PyUnicode_DecodeUTF8(b->data == NULL ? "" : b->data, (Py_ssize_t)b->size, "replace");
}

// What a dict has for a key, be it that other threads are changing it. New reference; NULL when there is nothing, or
// with an error set.
static inline PyObject* ss_dict_find(PyObject* dict, PyObject* key) {
  PyObject* found;
#if PY_VERSION_HEX >= 0x030D0000
  (void)PyDict_GetItemRef(dict, key, &found);
#else
  found = PyDict_GetItemWithError(dict, key);
  Py_XINCREF(found);
#endif
  return found;
}

#endif  // SELFSAME_PY_CORE_H_
