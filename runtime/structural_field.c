// Iterates over and reads the fields of an object, for the structural walks in C: see structural_field.h.
#include "structural_field.h"

#include <string.h>

#include "plane.h"

const TVMFFIFieldInfo* ss_next_field(SsFieldCursor* cursor) {
  const TVMFFITypeInfo* type = cursor->type;
  for (; cursor->depth <= type->type_depth; cursor->depth++, cursor->index = 0) {
    const TVMFFITypeInfo* owner = cursor->depth == type->type_depth ? type : type->type_ancestors[cursor->depth];
    while (cursor->index < owner->num_fields) {
      const TVMFFIFieldInfo* field = &owner->fields[cursor->index++];
      if (!(field->flags & kTVMFFIFieldFlagBitMaskSEqHashIgnore)) return field;
    }
  }
  return NULL;
}

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

int ss_peek_field(const TVMFFIFieldInfo* field, void* obj, TVMFFIAny* value, int* owned) {
  void* at = (char*)obj + field->offset;
  *owned = 0;
  if ((field->flags & SELFSAME_FIELD_PLAIN) || ss_reflected_getter_known(field->getter)) {
    if (peek(field, at, value)) return 0;
  }
  ss_set_none(value);
  if (field->getter == NULL) return ss_raise("AttributeError", "field `%s` has no getter", field->name.data);
  int rc = field->getter(at, value);
  if (rc != 0) {
    ss_set_none(value);
    return rc;
  }
  *owned = 1;
  return 0;
}

const TVMFFITypeInfo* ss_type_compared_by_fields(int32_t type_index, const char* hook, SsAttributeColumn** column,
                                                 int32_t* kind) {
  if (type_index < kTVMFFIDynObjectBegin) return NULL;  // reflection has no fields for the contents of a Map or Tensor
  const SsType* type = ss_type_at(type_index);
  if (type == NULL || type->info.metadata == NULL) return NULL;
  *kind = type->info.metadata->structural_eq_hash_kind;
  switch (*kind) {
    case kTVMFFISEqHashKindTreeNode:
    case kTVMFFISEqHashKindConstTreeNode:
    case kTVMFFISEqHashKindUniqueInstance:
      return ss_column_has(column, hook, type_index) ? NULL : &type->info;
    default:
      return NULL;
  }
}
