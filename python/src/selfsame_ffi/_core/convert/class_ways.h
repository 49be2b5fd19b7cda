// How values of a class become native values, noted once it is known.
//
// Which of the many ways applies is decided by the class alone, so it need not be found again for each value.
#ifndef SELFSAME_CORE_CONVERT_CLASS_WAYS_H_
#define SELFSAME_CORE_CONVERT_CLASS_WAYS_H_

#include "convert/dlpack_exchange.h"

// In the order in which they are tried.
typedef enum {
  SS_WAY_UNKNOWN,        // not decided yet
  SS_WAY_OBJECT,         // __tvm_ffi_object__
  SS_WAY_DLPACK,         // __dlpack__
  SS_WAY_OWN_DTYPE,      // an instance of our dtype
  SS_WAY_OWN_DEVICE,     // an instance of our Device
  SS_WAY_DTYPE,          // __dlpack_data_type__
  SS_WAY_DEVICE,         // __dlpack_device__ without __dlpack__
  SS_WAY_FOREIGN_DTYPE,  // a dtype of NumPy or PyTorch
  SS_WAY_BUILTIN,        // a builtin type or a subclass of one
  SS_WAY_C_VOID_P,       // ctypes.c_void_p
  SS_WAY_OPAQUE_PTR,     // __tvm_ffi_opaque_ptr__
  SS_WAY_STREAM,         // __cuda_stream__
  SS_WAY_CALLABLE,       // anything that can be called
  SS_WAY_INT,            // __tvm_ffi_int__
  SS_WAY_FLOAT,          // __tvm_ffi_float__
  SS_WAY_VALUE,          // __tvm_ffi_value__
  SS_WAY_NUMPY_BOOL,     // a truth value of NumPy
  SS_WAY_INTEGRAL,       // a numbers.Integral
  SS_WAY_REAL,           // a numbers.Real
  SS_WAY_OPAQUE,         // none of these, as long as no class is registered with an abstract one
} SsWay;

// From this way on, a handler for the exact class comes first.
enum { SS_WAY_AFTER_HANDLERS = SS_WAY_STREAM };

// The ways of classes by CPython's version tag, which it never gives twice: the tag in the upper half of a word, the way
// in the lower one. A word is read and written whole, so threads share the table without a lock.
enum { SS_CLASS_WAYS = 64 };
extern SS_HIDDEN uint64_t ss_class_ways[SS_CLASS_WAYS];

// Cost: two loads and a comparison, where the ways before would cost a look-up in the class each.
static inline SsWay ss_way_noted(const PyTypeObject* cls) {
  unsigned int version = ss_version_of(cls);
  uint64_t word = __atomic_load_n(&ss_class_ways[version % SS_CLASS_WAYS], __ATOMIC_RELAXED);
  return version != 0 && word >> 32 == version ? (SsWay)(uint32_t)word : SS_WAY_UNKNOWN;
}

// Notes the way of a class that had `version` before the way was looked for: not if the class has changed since.
static inline void ss_way_note(const PyTypeObject* cls, unsigned int version, SsWay way) {
  if (version == 0 || version != ss_version_of(cls)) return;
  __atomic_store_n(&ss_class_ways[version % SS_CLASS_WAYS], (uint64_t)version << 32 | way, __ATOMIC_RELAXED);
}

#endif  // SELFSAME_CORE_CONVERT_CLASS_WAYS_H_
