// How a reflected field is read: by a call of its getter, or directly from the memory of the native object.
//
// A field of a class that sets SELFSAME_FIELD_PLAIN is read directly from the first read on. Classes compiled with the
// published C++ headers do not set that flag; their fields are read by the getter until ss_field_access_decide finds
// that the getter does nothing but copy the member.
//
// Why a getter of the published headers is known by its name. The ABI's getter of an object field takes a reference
// that the caller gives back at once when the wrapper exists: two atomic operations for nothing. SELFSAME_FIELD_PLAIN,
// in a bit that other readers of the ABI ignore, is the class's own statement that its getter only reads the storage.
//
// Classes compiled with the published headers do not set it. Their getters are instances of
// ReflectionDefBase::FieldGetter<T>, which only copies the member into an Any, and a library exports that name unless
// it was built with -fvisibility=hidden. So after a thousand reads Python asks the dynamic linker for the getter's
// name, and reads the storage from then on if it is the template's (types/field_storage.c). The template's argument
// proves a number. For references, the registration proves what the storage owns (docs/cycles.md), and the getter must
// return the object in the storage at the read that decides.
//
// Without it a read takes up to 33 % more instructions (bench/python/ops.py, libbench_ffi.so with and without
// -fvisibility=hidden). The first read does not ask, because the linker walks all symbols of a library for it; a forked
// child does not, because a thread that is gone may have held the linker's lock. The GIL is released for it:
// initialisers of a library that is being loaded may want it.
#ifndef SELFSAME_CORE_TYPES_FIELD_STORAGE_H_
#define SELFSAME_CORE_TYPES_FIELD_STORAGE_H_

#include "tie/core.h"

typedef enum {
  SS_BY_GETTER,     // not known: call the getter
  SS_PLAIN_INT,     // int64_t
  SS_PLAIN_BOOL,    // one byte
  SS_PLAIN_FLOAT,   // double
  SS_PLAIN_OBJECT,  // an owned object pointer, NULL for None
  SS_PLAIN_ANY,     // an owned TVMFFIAny
} SsFieldStorage;

typedef struct {
  SsFieldStorage storage;   // how to read the field
  SsFieldStorage if_plain;  // how to read it once the getter is known to do nothing but read
  int32_t reads_left;       // reads by the getter before the decision; 0: decided
} SsFieldAccess;

// The access of a field that has not been read yet.
SS_HIDDEN SsFieldAccess ss_field_access_of(const TVMFFIFieldInfo* field);

// How to read the field now. Any thread may call it while another thread decides.
static inline SsFieldStorage ss_field_storage(const SsFieldAccess* access) {
  return __atomic_load_n(&access->storage, __ATOMIC_RELAXED);
}

// Decides whether the field is plain: the getter must be the published headers' own template for members,
//
//   template <typename T> int tvm::ffi::reflection::ReflectionDefBase::FieldGetter(void* field, TVMFFIAny* result)
//
// for a T that fits `if_plain`, and `value`, which the getter has just returned for the field at `address`, must be the
// value in the storage. An empty field decides nothing: the next read tries again. The template is recognised by its
// symbol name, which a library exports unless it hides its symbols; a getter without that name is called at every read.
// Releases the GIL during the look-up: the caller keeps the field alive and has no error set.
SS_HIDDEN void ss_field_access_decide(SsFieldAccess* access, TVMFFIFieldGetter getter, const void* address,
                                      const TVMFFIAny* value);

// Call after each read by the getter, with no error set; see ss_field_access_decide.
static inline void ss_field_access_count(SsFieldAccess* access, TVMFFIFieldGetter getter, const void* address,
                                         const TVMFFIAny* value) {
  int32_t left = __atomic_load_n(&access->reads_left, __ATOMIC_RELAXED);
  if (left > 1) {
    __atomic_store_n(&access->reads_left, left - 1, __ATOMIC_RELAXED);
  } else if (left == 1) {
    ss_field_access_decide(access, getter, address, value);
  }
}

// The value in plain storage at `address`. Borrowed.
static inline TVMFFIAny ss_field_storage_value(SsFieldStorage storage, const void* address) {
  TVMFFIAny value = {.type_index = kTVMFFINone};
  switch (storage) {
    case SS_PLAIN_INT:
      value.type_index = kTVMFFIInt;
      value.v_int64 = *(const int64_t*)address;
      break;
    case SS_PLAIN_BOOL:
      value.type_index = kTVMFFIBool;
      value.v_int64 = *(const uint8_t*)address != 0;
      break;
    case SS_PLAIN_FLOAT:
      value.type_index = kTVMFFIFloat;
      value.v_float64 = *(const double*)address;
      break;
    case SS_PLAIN_OBJECT:
      value.v_obj = *(TVMFFIObject* const*)address;
      if (value.v_obj != NULL) value.type_index = value.v_obj->type_index;
      break;
    case SS_PLAIN_ANY:
      return *(const TVMFFIAny*)address;
    case SS_BY_GETTER:
      break;
  }
  return value;
}

// Call in a forked child, where a thread that is gone may have held the dynamic linker's lock: from now on no getter is
// looked up.
SS_HIDDEN void ss_field_storage_after_fork(void);

#endif  // SELFSAME_CORE_TYPES_FIELD_STORAGE_H_
