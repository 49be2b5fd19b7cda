// Ints beyond 64 bits: ffi.BigInt on the native side.
#ifndef SELFSAME_CORE_CONVERT_BIG_INT_H_
#define SELFSAME_CORE_CONVERT_BIG_INT_H_

#include "tie/core.h"

// A native value for an int of any size: an int when it fits into 64 bits, else a BigInt, owned. 0, or -1 with
// MemoryError or the runtime's error set.
SS_HIDDEN int ss_big_int_make(PyObject* number, TVMFFIAny* out);

// The int in a native BigInt. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_big_int_read(const TVMFFIObject* big_int);

#endif  // SELFSAME_CORE_CONVERT_BIG_INT_H_
