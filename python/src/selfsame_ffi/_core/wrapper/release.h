// Releasing a reference that Python takes from the owner of a native object: the old value of a field, an element that
// is removed, the last reference of a wrapper that dies.
//
// A held wrapper waits for its native object to be without other owners, and nobody tells it. So code that takes an
// owner away looks after the held wrappers behind it.
#ifndef SELFSAME_PY_RELEASE_H_
#define SELFSAME_PY_RELEASE_H_

#include "tie/core.h"
#include "tie/counters.h"

// Whether there are held wrappers at all.
static inline int ss_any_held(void) { return ss_counted(SS_COUNT_HELD) > 0; }

// Releases a reference. A held wrapper of the object, and those of what the object owned alone when it dies, are let go
// when nothing else owns their native objects. May run any code.
SS_HIDDEN void ss_release_slow(TVMFFIObject* object);
static inline void ss_release(TVMFFIObject* object) {
  if (SS_UNLIKELY(ss_any_held())) {
    ss_release_slow(object);
  } else {
    ss_decref(object);
  }
}

// The same for the last reference to an object without a held wrapper.
SS_HIDDEN void ss_release_last(TVMFFIObject* object);

// The same for an owned value.
static inline void ss_release_value(TVMFFIAny* value) {
  if (value->type_index >= kTVMFFIStaticObjectBegin) ss_release(value->v_obj);
}

#endif  // SELFSAME_PY_RELEASE_H_
