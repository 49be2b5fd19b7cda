// Making an object and setting its fields by reflection.
#include "object_create.h"

#include "raise.h"
#include "selfsame/internal/values.h"
#include "type_attributes.h"

static const TVMFFIByteArray new_attr = {"__ffi_new__", 11};

int ss_object_create(const TVMFFITypeInfo* type, TVMFFIObjectHandle* out) {
  *out = NULL;
  if (type->metadata != NULL && type->metadata->creator != NULL) {
    int rc = type->metadata->creator(out);
    if (rc == 0 && *out == NULL) {
      return ss_raise("RuntimeError", "the creator of type `%s` returned no object", type->type_key.data);
    }
    return rc;
  }
  SsAttributeColumn* column = ss_column_find(&new_attr);
  int32_t i = type->type_index;
  if (column == NULL || i >= column->column.size || column->column.data[i].type_index != kTVMFFIFunction) {
    return ss_raise("RuntimeError",
                    "Type `%s` does not support reflection creation (no native creator or __ffi_new__ type attr)",
                    type->type_key.data);
  }
  TVMFFIAny result = {.type_index = kTVMFFINone};
  int rc = TVMFFIFunctionCall(column->column.data[i].v_obj, NULL, 0, &result);
  if (rc != 0) return rc;
  if (result.type_index < kTVMFFIStaticObjectBegin) {
    return ss_raise("TypeError", "`__ffi_new__` of type `%s` returned a value of type index %d, expected an object",
                    type->type_key.data, result.type_index);
  }
  *out = result.v_obj;
  return 0;
}

int ss_field_set(const TVMFFIFieldInfo* field, void* obj, const TVMFFIAny* value) {
  void* address = (char*)obj + field->offset;
  if (field->setter == NULL) {
    return ss_raise("AttributeError", "field `%s` has no setter", field->name.data);
  }
  if (!(field->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj)) {
    TVMFFIFieldSetter set = (TVMFFIFieldSetter)field->setter;
    return set(address, value);
  }
  TVMFFIAny args[2] = {{.type_index = kTVMFFIOpaquePtr, .v_ptr = address}, *value};
  TVMFFIAny result = {.type_index = kTVMFFINone};
  int rc = TVMFFIFunctionCall(field->setter, args, 2, &result);
  if (rc == 0) ss_any_clear(&result);
  return rc;
}

int ss_field_set_default(const TVMFFIFieldInfo* field, void* obj) {
  const TVMFFIAny* value = &field->default_value_or_factory;
  if (!(field->flags & kTVMFFIFieldFlagBitMaskDefaultFromFactory)) return ss_field_set(field, obj, value);
  if (value->type_index != kTVMFFIFunction) {
    return ss_raise("TypeError", "the default factory of field `%s` must be an ffi.Function, got type index %d",
                    field->name.data, value->type_index);
  }
  TVMFFIAny made = {.type_index = kTVMFFINone};
  int rc = TVMFFIFunctionCall(value->v_obj, NULL, 0, &made);
  if (rc != 0) return rc;
  rc = ss_field_set(field, obj, &made);
  ss_any_clear(&made);
  return rc;
}
