// Storing values in the fields of classes declared in Python, whose storage is what their type index says.
#ifndef SELFSAME_CORE_TYPES_FIELD_STORE_H_
#define SELFSAME_CORE_TYPES_FIELD_STORE_H_

#include "tie/core.h"

// Moves an owned value that fits the storage of the type index `storage` to `address`, and returns the owned value that
// was there. Runs no other code.
static inline TVMFFIAny ss_field_store(int32_t storage, void* address, const TVMFFIAny* value) {
  TVMFFIAny old;
  ss_set_none(&old);
  switch (storage) {
    case kTVMFFIInt:
    case kTVMFFIFloat:
    case kTVMFFIOpaquePtr:
    case kTVMFFIDevice:
      memcpy(address, &value->v_uint64, sizeof(uint64_t));
      break;
    case kTVMFFIBool:
      *(uint8_t*)address = value->v_int64 != 0;
      break;
    case kTVMFFIDataType:
      memcpy(address, &value->v_dtype, sizeof(DLDataType));
      break;
    case kTVMFFIAny:
      old = *(TVMFFIAny*)address;
      *(TVMFFIAny*)address = *value;
      break;
    default: {  // an object
      TVMFFIObject* before = *(TVMFFIObject**)address;
      if (before != NULL) ss_set_object(&old, before);
      *(TVMFFIObject**)address = value->type_index == kTVMFFINone ? NULL : value->v_obj;
      break;
    }
  }
  return old;
}

#endif  // SELFSAME_CORE_TYPES_FIELD_STORE_H_
