// The one living native owner of a Python object that is a key of containers.
//
// A container compares opaque objects and Functions by their addresses. So the same Python object has to become the same
// native object for as long as that one lives, or it would not be found again. Every opaque object is in the table; the
// Function of a callable is when it was made for a key.
#ifndef SELFSAME_PY_SAME_OWNER_H_
#define SELFSAME_PY_SAME_OWNER_H_

#include "tie/python_owner.h"

// The native owner of the same Python object that is in the table already, or this one, which then is in the table.
// `type_index` tells opaque objects from Functions. Takes over the reference to `native` and returns a new one.
SS_HIDDEN TVMFFIObject* ss_same_owner(TVMFFIObject* native, SsPythonOwner* owner);

// Takes an owner out of the table. On any thread, before the owner gives its Python object up.
SS_HIDDEN void ss_same_owner_forget(SsPythonOwner* owner);

// Before a fork, and after it in both processes: the table is whole in the child.
SS_HIDDEN void ss_same_owner_before_fork(void);
SS_HIDDEN void ss_same_owner_after_fork(void);

#endif  // SELFSAME_PY_SAME_OWNER_H_
