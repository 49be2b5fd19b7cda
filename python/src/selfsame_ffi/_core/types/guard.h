// Slots and methods that read or change a native through a wrapper, where there is no GIL.
//
// With it, a function that runs no Python code is alone. Without it, SS_GUARDED makes a second version of a function:
// that one pins the handle, so that no other thread moves it away meanwhile, and where `locked` says so holds the
// wrapper's critical section, so that nobody changes what is being read. There is one wrapper for each native, so the
// wrapper's lock is the native's, as far as Python goes; what native code does to a native is native code's to order.
//
// SS_GUARDED(type, failure, name, (parameters), (arguments), locked): the first parameter is `PyObject* self`, the
// wrapper. Use SS_SLOT(name) where the guarded version is wanted.
#ifndef SELFSAME_PY_GUARD_H_
#define SELFSAME_PY_GUARD_H_

#include "convert/function.h"

#if SS_FREE_THREADED

#define SS_SLOT(name) name##_guarded

#define SS_GUARDED_LINKAGE(linkage, type, failure, name, parameters, arguments, locked) \
  linkage type name##_guarded parameters {                                              \
    type result;                                                                        \
    TVMFFIObject* native = ss_pin(ss_wrapper(self));                                    \
    if (native == NULL) {                                                               \
      ss_no_handle(self);                                                               \
      return failure;                                                                   \
    }                                                                                   \
    if (locked) {                                                                       \
      Py_BEGIN_CRITICAL_SECTION(self);                                                  \
      result = name arguments;                                                          \
      Py_END_CRITICAL_SECTION();                                                        \
    } else {                                                                            \
      result = name arguments;                                                          \
    }                                                                                   \
    ss_unpin(ss_wrapper(self));                                                         \
    return result;                                                                      \
  }                                                                                     \
  typedef int name##_is_guarded

#else

#define SS_SLOT(name) name
#define SS_GUARDED_LINKAGE(linkage, type, failure, name, parameters, arguments, locked) typedef int name##_is_guarded

#endif

#define SS_GUARDED(type, failure, name, parameters, arguments, locked) \
  SS_GUARDED_LINKAGE(static, type, failure, name, parameters, arguments, locked)

// Whether a native can change under a reader: every builtin family but these is immutable.
static inline int ss_is_mutable(const TVMFFIObject* native) {
  return native->type_index == kTVMFFIList || native->type_index == kTVMFFIDict;
}

#endif  // SELFSAME_PY_GUARD_H_
