// How a reflected field is read: by a call of its getter, or directly from the memory of the native object.
//
// A field of a class that sets SELFSAME_FIELD_PLAIN is read directly from the first read on. Classes compiled with the
// published C++ headers do not set that flag; their fields are read by the getter until ss_field_access_decide finds
// that the getter does nothing but copy the member. RATIONALE.md, "Why a getter of the published headers is known by
// its name".
#ifndef SELFSAME_PY_FIELD_STORAGE_H_
#define SELFSAME_PY_FIELD_STORAGE_H_

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

#endif  // SELFSAME_PY_FIELD_STORAGE_H_
