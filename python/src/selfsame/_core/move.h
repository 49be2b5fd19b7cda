// ObjectRValueRef: an argument that hands its object over.
#ifndef SELFSAME_PY_MOVE_H_
#define SELFSAME_PY_MOVE_H_

#include "core.h"

// What object._move() returns. As an argument it gives the callee the object's own reference; a callee that does not
// take it leaves the object as it was.
typedef struct {
  PyObject_HEAD SsWrapper* wrapper;
} SsRValueRef;

extern SS_HIDDEN PyTypeObject SsRValueRef_Type;

// An rvalue reference to a wrapper. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_rvalue_ref(PyObject* wrapper);

#endif  // SELFSAME_PY_MOVE_H_
