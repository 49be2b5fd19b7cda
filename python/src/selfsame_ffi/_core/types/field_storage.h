// What lies in a field's memory, when a reader may look there itself instead of calling the getter.
#ifndef SELFSAME_PY_FIELD_STORAGE_H_
#define SELFSAME_PY_FIELD_STORAGE_H_

#include "tie/core.h"

typedef enum {
  SS_BY_GETTER,     // only the getter knows
  SS_PLAIN_INT,     // int64_t
  SS_PLAIN_BOOL,    // one byte
  SS_PLAIN_FLOAT,   // double
  SS_PLAIN_OBJECT,  // an owned object pointer, NULL for None
  SS_PLAIN_ANY,     // an owned TVMFFIAny
} SsFieldStorage;

// What the field holds if its getter does nothing but read it. SS_BY_GETTER: that cannot be said of this field.
SS_HIDDEN SsFieldStorage ss_field_storage_if_plain(const TVMFFIFieldInfo* field);

// The value that lies in plain storage. Borrowed.
static inline TVMFFIAny ss_field_storage_value(SsFieldStorage storage, const void* at) {
  TVMFFIAny value = {.type_index = kTVMFFINone};
  switch (storage) {
    case SS_PLAIN_INT:
      value.type_index = kTVMFFIInt;
      value.v_int64 = *(const int64_t*)at;
      break;
    case SS_PLAIN_BOOL:
      value.type_index = kTVMFFIBool;
      value.v_int64 = *(const uint8_t*)at != 0;
      break;
    case SS_PLAIN_FLOAT:
      value.type_index = kTVMFFIFloat;
      value.v_float64 = *(const double*)at;
      break;
    case SS_PLAIN_OBJECT:
      value.v_obj = *(TVMFFIObject* const*)at;
      if (value.v_obj != NULL) value.type_index = value.v_obj->type_index;
      break;
    case SS_PLAIN_ANY:
      return *(const TVMFFIAny*)at;
    case SS_BY_GETTER:
      break;
  }
  return value;
}

// Whether a getter does nothing but read: it is the published headers' own template for members,
//
//   template <typename T> int tvm::ffi::reflection::ReflectionDefBase::FieldGetter(void* field, TVMFFIAny* result)
//
// which copies the member into an Any, for a T that fits `storage`. It is known by its name, which a library exports
// unless it hides its symbols; then the answer is 0. Walks the symbols of the getter's library, under the dynamic
// linker's lock: call it without the GIL, which a library's initialisers may be waiting for. Any thread.
SS_HIDDEN int ss_getter_only_reads(TVMFFIFieldGetter getter, SsFieldStorage storage);

// For a forked child, where that lock may be held by a thread that is gone: from now on the answer is 0.
SS_HIDDEN void ss_field_storage_after_fork(void);

#endif  // SELFSAME_PY_FIELD_STORAGE_H_
