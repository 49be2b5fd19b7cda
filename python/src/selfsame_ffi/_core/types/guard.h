// Guarded functions: methods and type slots that read or change a native object through its wrapper.
//
// With the GIL, a function that runs no Python code is alone, and SS_GUARDED(name) is the function `name` itself. On a
// free-threaded CPython, SS_DEFINE_GUARDED defines a second function, name_guarded. It pins the handle, so that no
// other thread moves the native object away during the call; if `locked` is true it also holds the wrapper's critical
// section, so that no other Python thread changes what the function reads. A native object has one wrapper, so the
// wrapper's lock is the native object's lock for all Python code. Changes by native code are for native code to
// synchronise. Converting an argument runs Python code, which may move, change or lock anything. So the guarded part
// begins after the conversion and ends before anything is released: no Python code runs under the lock.
//
// SS_DEFINE_GUARDED(type, failure, name, (parameters), (arguments), locked): `name` returns `type`, and `failure` means
// that an error is set. The first parameter is `PyObject* self`, the wrapper. The expression `locked` may use `native`,
// the pinned object. SS_DEFINE_GUARDED_EXTERN is the same for a function that a header declares.
#ifndef SELFSAME_CORE_TYPES_GUARD_H_
#define SELFSAME_CORE_TYPES_GUARD_H_

#include "convert/function.h"

#if SS_FREE_THREADED

#define SS_GUARDED(name) name##_guarded

#define SS_DEFINE_GUARDED_EXTERN(type, failure, name, parameters, arguments, locked) \
  type name##_guarded parameters {                                                   \
    type result;                                                                     \
    TVMFFIObject* native = ss_pin(ss_wrapper(self));                                 \
    if (native == NULL) {                                                            \
      ss_no_handle(self);                                                            \
      return failure;                                                                \
    }                                                                                \
    if (locked) {                                                                    \
      Py_BEGIN_CRITICAL_SECTION(self);                                               \
      result = name arguments;                                                       \
      Py_END_CRITICAL_SECTION();                                                     \
    } else {                                                                         \
      result = name arguments;                                                       \
    }                                                                                \
    ss_unpin(ss_wrapper(self));                                                      \
    return result;                                                                   \
  }                                                                                  \
  typedef int name##_is_guarded

#define SS_DEFINE_GUARDED(type, failure, name, parameters, arguments, locked) \
  static SS_DEFINE_GUARDED_EXTERN(type, failure, name, parameters, arguments, locked)

#else

#define SS_GUARDED(name) name
#define SS_DEFINE_GUARDED_EXTERN(type, failure, name, parameters, arguments, locked) typedef int name##_is_guarded
#define SS_DEFINE_GUARDED SS_DEFINE_GUARDED_EXTERN

#endif

// Whether a native object can change under a reader: of the builtin types, only List and Dict are mutable.
static inline int ss_is_mutable(const TVMFFIObject* native) {
  return native->type_index == kTVMFFIList || native->type_index == kTVMFFIDict;
}

#endif  // SELFSAME_CORE_TYPES_GUARD_H_
