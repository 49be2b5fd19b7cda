// ObjectRValueRef: an argument that moves its object to the called function.
#ifndef SELFSAME_CORE_CONVERT_MOVE_H_
#define SELFSAME_CORE_CONVERT_MOVE_H_

#include "tie/core.h"

// The result of object._move(). As an argument it offers the callee a reference to take.
//
// When the wrapper is the only owner of the native object, no call uses it, and no code that fetched the object again
// can have it, that reference is the wrapper's own. A callee that takes it owns the object, even if it fails, and the
// wrapper remains without a handle. If the callee does not take it, the wrapper gets its handle back.
//
// Otherwise the callee gets another reference and the wrapper stays as it is. A wrapper to which only the rvalue reference
// refers is dropped before the call, so that native code does not count it beside the reference that it was given.
//
// Why _move() hands over only what nobody else has. With one wrapper per object, code that has never heard of a move
// may be using the wrapper: it fetched the object from a field, or it is the caller whose argument this is. So the
// callee gets the wrapper's own reference only when that is the object's only one, no call is using the wrapper, and no
// fetch has returned it a second time. Otherwise it gets a further one.
//
// The third condition is for `copy = f(x); g(copy._move())`, where f returns x. TVM's with_attr is written so: in the
// published package copy is a second wrapper, so that the count is two and g copies before it writes. Here copy is x,
// and a move would empty x in its owner's hands. So a wrapper that was fetched again is moved only while it has one
// Python reference beside those of the call. More may be of the interpreter's stack, a debugger or a bound method: then
// g copies for nothing. Fewer are never counted than there are names. That a wrapper was fetched again is known by its
// shares (docs/tie-states.md, "What native code counts"), and a share is what the callee then gets. Not seen is a second
// fetch without a name: g(f(x)._move()) empties x.
//
// Without such a fetch the number of Python references does not count, and two names are emptied together, as in the
// published package.
//
// A callee that took the reference owns it, whether it succeeds or fails. ==, hash, repr and weak references of a
// moved-from wrapper keep working, or nobody could take it out of a dict.
typedef struct {
  PyObject_HEAD SsWrapper* wrapper;  // owned; NULL once it was an argument
} SsRValueRef;

extern SS_HIDDEN PyTypeObject SsRValueRef_Type;

// Takes the handle out of a wrapper, for a callee to take: 1. The caller gets the wrapper's reference to the native
// object, and its pin is gone. 0, with nothing changed, when somebody else may have the object. The caller has pinned the
// wrapper and owns a reference to it.
SS_HIDDEN int ss_take_handle(SsWrapper* wrapper, TVMFFIObject* handle);

// An rvalue reference to a wrapper. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_rvalue_ref(PyObject* wrapper);

// Takes the wrapper out of an rvalue reference, for its use as an argument. The caller gets the reference to the wrapper; of
// several threads one does. NULL, with RuntimeError set, when it was taken before.
SS_HIDDEN SsWrapper* ss_rvalue_take(PyObject* rvalue);

#endif  // SELFSAME_CORE_CONVERT_MOVE_H_
