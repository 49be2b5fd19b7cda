// ObjectRValueRef: an argument that moves its object to the called function.
#ifndef SELFSAME_PY_MOVE_H_
#define SELFSAME_PY_MOVE_H_

#include "tie/core.h"

// The result of object._move(). As an argument it offers the callee a reference to take.
//
// When the wrapper is the only owner of the native object, no call uses it, and no code that fetched the object again
// can have it, that reference is the wrapper's own. A callee that takes it owns the object, even if it fails, and the
// wrapper remains without a handle. If the callee does not take it, the wrapper gets its handle back.
//
// Otherwise the callee gets another reference and the wrapper stays as it is.
// RATIONALE.md, "Why _move() hands over only what nobody else has".
typedef struct {
  PyObject_HEAD SsWrapper* wrapper;
} SsRValueRef;

extern SS_HIDDEN PyTypeObject SsRValueRef_Type;

// Takes the handle out of a wrapper, for a callee to take: 1. The caller gets the wrapper's reference to the native
// object, and its pin is gone. 0, with nothing changed, when somebody else may have the object. The caller has pinned the
// wrapper and owns a reference to it, and an SsRValueRef owns another.
SS_HIDDEN int ss_take_handle(SsWrapper* wrapper, TVMFFIObject* handle);

// An rvalue reference to a wrapper. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_rvalue_ref(PyObject* wrapper);

#endif  // SELFSAME_PY_MOVE_H_
