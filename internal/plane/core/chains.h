// Long chains of objects whose deleters are not the runtime's, released without deep recursion (chains.c).
#ifndef SELFSAME_INTERNAL_PLANE_CORE_CHAINS_H_
#define SELFSAME_INTERNAL_PLANE_CORE_CHAINS_H_

#include "selfsame/internal/values.h"

#pragma GCC visibility push(hidden)

// Calls the deleter of an object whose last strong reference has been released; it and the flags are the deleter's. May run any
// code.
void ss_chain_delete(TVMFFIObject* object, void (*deleter)(void* self, int flags), int flags);

// Ends the life of an object whose count was `old`, with one strong reference, before the release. May run any code.
void ss_chain_end(TVMFFIObject* object, uint64_t old);

// ss_xdecref for objects of any class: what a container, a field or a caller of the C ABI lets go of.
static inline void ss_release(TVMFFIObject* object) {
  if (object == NULL) return;
  uint64_t old = ss_drop(object);
  if (SS_LIKELY(old == 0)) return;
  if (object->type_index < kTVMFFIStaticObjectEnd) {  // its deleter is the runtime's: teardown.h
    ss_end(object, old);
  } else {
    ss_chain_end(object, old);
  }
}

// ss_any_clear for a value of any class.
static inline void ss_release_any(TVMFFIAny* any) {
  TVMFFIObject* object = any->type_index >= kTVMFFIStaticObjectBegin ? any->v_obj : NULL;
  ss_set_none(any);  // before the release: a deleter may run code that reads this value
  ss_release(object);
}

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_CORE_CHAINS_H_
