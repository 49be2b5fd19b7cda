// The declarations that every file of the C core needs: the wrapper's layout and flags, reference counts, values.
//
// The core's state is in static variables, since the module refuses sub-interpreters. Unless its comment says
// otherwise, only attached threads may call a function of the core: one that holds the GIL or, on a free-threaded
// interpreter, any number of attached threads at once.
#ifndef SELFSAME_CORE_TIE_CORE_H_
#define SELFSAME_CORE_TIE_CORE_H_

#include "selfsame/internal/values.h"
#include "tie/api.h"
#include "tie/interp.h"
#include "tie/wrapper.h"

// The first members of the initialiser of a static type. `doc` may be NULL, and `size` 0: the base's. `flags` are added to
// the common ones.
#define SS_TYPE(name, doc, size, flags)                                                     \
  PyVarObject_HEAD_INIT(NULL, 0).tp_name = (name), .tp_doc = (doc), .tp_basicsize = (size), \
                              .tp_flags = Py_TPFLAGS_DEFAULT | (flags)

// The cell of a builtin object type, directly behind the header.
#define SS_CELL(type, object) ((type*)((char*)(object) + sizeof(TVMFFIObject)))

static inline TVMFFIByteArray ss_bytes(const char* s) {
  TVMFFIByteArray b = {s, strlen(s)};
  return b;
}

// Py_NewRef, which CPython has from 3.10 on.
static inline PyObject* ss_new_ref(PyObject* object) {
  Py_INCREF(object);
  return object;
}

// Sets MemoryError. Returns -1.
static inline int ss_no_memory(void) {
  PyErr_NoMemory();
  return -1;
}

// Drops the error that is raised in the runtime, of a failure that is reported in another way or not at all.
static inline void ss_forget_raised(void) {
  TVMFFIObjectHandle raised = NULL;
  ss_api.TVMFFIErrorMoveFromRaised(&raised);
  ss_xdecref(raised);
}

// A str of the bytes, for names, docs and messages: bytes that are no UTF-8 are replaced. New reference, NULL with an
// error set.
static inline PyObject* ss_text(const TVMFFIByteArray* b) {
  return PyUnicode_DecodeUTF8(b->data == NULL ? "" : b->data, (Py_ssize_t)b->size, "replace");
}

// Looks up a key in a dict, which other threads may be changing. New reference; NULL when the key is missing, or with
// an error set.
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

// Appends `item` to a list and gives the caller's reference to it back. `item` may be NULL with an error set. 0, or -1
// with an error set.
static inline int ss_list_take(PyObject* list, PyObject* item) {
  int rc = item == NULL ? -1 : PyList_Append(list, item);
  Py_XDECREF(item);
  return rc;
}

#endif  // SELFSAME_CORE_TIE_CORE_H_
