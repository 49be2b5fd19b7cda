// Natives made here that own one reference to something of Python's: Functions of Python callables, opaque values.
//
// They die on any thread, without waiting for the interpreter. A release that has to wait does so in the dead native's
// own memory, so nothing is allocated for it, and each native is in the queue once at most.
#ifndef SELFSAME_PY_OWNED_H_
#define SELFSAME_PY_OWNED_H_

#include "tie/deferred.h"

// A part of such a native, zeroed when it is made. `object` may be NULL.
typedef struct {
  SsDeferred link;
  TVMFFIObject* native;
  PyObject* object;
} SsOwned;

// The native's deleter. Releases `owned->object`, now or later, and then gives back the memory, which came from
// SelfsameObjectAlloc. From the start of the interpreter's shutdown on the object of a native that dies on a thread
// without the interpreter is given up.
SS_HIDDEN void ss_owned_delete(TVMFFIObject* native, SsOwned* owned, int flags);

// A native of type OpaquePyObject for `value`, to which it owns a reference. New reference; NULL with the error in the
// runtime's slot.
SS_HIDDEN TVMFFIObject* ss_owned_opaque(PyObject* value);

#endif  // SELFSAME_PY_OWNED_H_
