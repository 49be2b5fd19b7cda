// ObjectRValueRef: an argument that hands its object over.
#ifndef SELFSAME_PY_MOVE_H_
#define SELFSAME_PY_MOVE_H_

#include "tie/core.h"

// What object._move() returns. As an argument it gives the callee a reference to take.
//
// When the wrapper is the native's only owner and no call is using it, that reference is the wrapper's own: a callee
// that takes it owns the object, whether it then succeeds or fails, and the wrapper is moved-from for good. A callee
// that does not take it leaves the object as it was.
//
// Otherwise the callee gets a further reference, and the wrapper stays as it is: there is one wrapper for all who share
// the object, and it is not the mover's to take away.
typedef struct {
  PyObject_HEAD SsWrapper* wrapper;
} SsRValueRef;

extern SS_HIDDEN PyTypeObject SsRValueRef_Type;

// A reference to the native for a callee to take: the wrapper's own, which leaves it without a handle, or a further
// one. The caller has pinned the wrapper, which ends here, and owns a reference to it.
SS_HIDDEN TVMFFIObject* ss_take_or_share(SsWrapper* wrapper, TVMFFIObject* handle);

// An rvalue reference to a wrapper. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_rvalue_ref(PyObject* wrapper);

#endif  // SELFSAME_PY_MOVE_H_
