// Iterates over and reads the fields of an object, for the structural walks: see structural_field.h.
#include "structural_field.h"

#include <string.h>

#include "core/raise.h"
#include "core/reflected_object.h"
#include "selfsame/internal/values.h"

// Reads the storage of a plain field; the value is borrowed from the object. Returns 0 for storage that needs the
// getter.
static int peek(const TVMFFIFieldInfo* field, const void* at, TVMFFIAny* value) {
  int32_t index = field->field_static_type_index;
  TVMFFIObject* obj;
  switch (field->size) {
    case 16:
      if (index != kTVMFFIAny) return 0;
      memcpy(value, at, sizeof(*value));
      return 1;
    case 8:
      if (index == kTVMFFIInt || index == kTVMFFIFloat) {
        uint64_t bits;
        memcpy(&bits, at, sizeof(bits));
        ss_set_bits(value, index, bits);
        return 1;
      }
      if (index != kTVMFFIAny && index < kTVMFFIStaticObjectBegin) return 0;
      memcpy(&obj, at, sizeof(obj));
      if (obj == NULL) {
        ss_set_none(value);
      } else {
        ss_set_object(value, obj);
      }
      return 1;
    case 4:
      if (index != kTVMFFIInt) return 0;
      int32_t narrow;
      memcpy(&narrow, at, sizeof(narrow));
      ss_set_bits(value, index, (uint64_t)(int64_t)narrow);
      return 1;
    case 1:
      if (index != kTVMFFIBool) return 0;
      ss_set_bits(value, index, *(const uint8_t*)at != 0);
      return 1;
    default:
      return 0;
  }
}

int ss_field_is_plain(const TVMFFIFieldInfo* field) {
  return (field->flags & SELFSAME_FIELD_PLAIN) || ss_reflected_getter_known(field->getter);
}

int ss_peek_field(const TVMFFIFieldInfo* field, int plain, void* obj, TVMFFIAny* value, uint8_t* owned) {
  void* at = (char*)obj + field->offset;
  *owned = 0;
  if (plain && peek(field, at, value)) return 0;
  ss_set_none(value);
  if (field->getter == NULL) return ss_raise("AttributeError", "field `%s` has no getter", field->name.data);
  int rc = field->getter(at, value);
  if (rc != 0) {
    ss_set_none(value);
    return rc;
  }
  *owned = value->type_index >= kTVMFFIStaticObjectBegin;
  return 0;
}

int ss_raise_not_structural(const SsType* type, const char* missing) {
  return ss_raise("TypeError", "%s is not set for type `%s`, so StructuralHash is not supported for this type", missing,
                  type == NULL ? "unregistered type" : type->info.type_key.data);
}
