// Objects whose class is described by its reflected fields alone. The storage of a field follows from its static type
// index and its size.
#include "reflected_object.h"

#include <string.h>

#include "chains.h"
#include "raise.h"
#include "selfsame/internal/values.h"
#include "selfsame/selfsame.h"
#include "teardown.h"

typedef enum { STORE_POD, STORE_ANY, STORE_OBJECT } Storage;

static Storage storage_of(const TVMFFIFieldInfo* field) {
  if (field->field_static_type_index == kTVMFFINone && field->size == sizeof(TVMFFIAny)) return STORE_ANY;
  if (field->field_static_type_index == kTVMFFIAny) return field->size == sizeof(void*) ? STORE_OBJECT : STORE_ANY;
  return field->field_static_type_index >= kTVMFFIStaticObjectBegin ? STORE_OBJECT : STORE_POD;
}

// The class that declared the fields of one depth. The root (depth 0) has none.
static const TVMFFITypeInfo* owner_at(const TVMFFITypeInfo* type, int32_t depth) {
  return depth == type->type_depth ? type : type->type_ancestors[depth];
}

// ---- getters -----------------------------------------------------------------------------------------------

// Defines the getter of a field whose bytes are those of a member of TVMFFIAny.
#define GETTER(name, index, member)                         \
  static int name(void* field, TVMFFIAny* result) {         \
    ss_set_none(result);                                    \
    result->type_index = index;                             \
    memcpy(&result->member, field, sizeof(result->member)); \
    return 0;                                               \
  }
GETTER(get_int, kTVMFFIInt, v_int64)
GETTER(get_float, kTVMFFIFloat, v_float64)
GETTER(get_dtype, kTVMFFIDataType, v_dtype)
GETTER(get_device, kTVMFFIDevice, v_device)

static int get_bool(void* field, TVMFFIAny* result) {
  ss_set_none(result);
  result->type_index = kTVMFFIBool;
  result->v_int64 = *(const unsigned char*)field != 0;
  return 0;
}

static int get_pointer(void* field, TVMFFIAny* result) {
  ss_set_none(result);
  memcpy(&result->v_ptr, field, sizeof(void*));
  if (result->v_ptr != NULL) result->type_index = kTVMFFIOpaquePtr;
  return 0;
}

static int get_any(void* field, TVMFFIAny* result) {
  *result = *(const TVMFFIAny*)field;
  if (result->type_index >= kTVMFFIStaticObjectBegin) ss_incref(result->v_obj);
  return 0;
}

int ss_get_object(void* field, TVMFFIAny* result) {
  TVMFFIObject* obj = *(TVMFFIObject**)field;
  ss_set_none(result);
  if (obj != NULL) {
    ss_incref(obj);
    ss_set_object(result, obj);
  }
  return 0;
}

int ss_get_int32(void* field, TVMFFIAny* result) {
  int32_t value;
  memcpy(&value, field, sizeof(value));
  ss_set_none(result);
  result->type_index = kTVMFFIInt;
  result->v_int64 = value;
  return 0;
}

TVMFFIFieldGetter ss_reflected_getter(int32_t type_index) {
  switch (type_index) {
    case kTVMFFIAny:
    case kTVMFFINone:
      return get_any;
    case kTVMFFIInt:
      return get_int;
    case kTVMFFIBool:
      return get_bool;
    case kTVMFFIFloat:
      return get_float;
    case kTVMFFIOpaquePtr:
      return get_pointer;
    case kTVMFFIDataType:
      return get_dtype;
    case kTVMFFIDevice:
      return get_device;
    default:
      return type_index >= kTVMFFIStaticObjectBegin ? ss_get_object : NULL;
  }
}

int ss_reflected_getter_known(TVMFFIFieldGetter getter) {
  return getter == get_any || getter == ss_get_object || getter == get_int || getter == get_bool ||
         getter == get_float || getter == ss_get_int32;
}

// ---- setters of the builtin types --------------------------------------------------------------------------

int ss_raise_cannot_convert(const TVMFFIAny* value, const char* wanted) {
  const TVMFFITypeInfo* type = SelfsameFindTypeInfo(value->type_index);
  return ss_raise("TypeError", "Cannot convert from type `%s` to `%s`",
                  type == NULL ? "unregistered type" : type->type_key.data, wanted);
}

int ss_set_any(void* field, const TVMFFIAny* value) {
  TVMFFIAny owned;
  if (TVMFFIAnyViewToOwnedAny(value, &owned) != 0) return -1;
  TVMFFIAny old = *(TVMFFIAny*)field;
  *(TVMFFIAny*)field = owned;
  ss_release_any(&old);
  return 0;
}

static int take_int(const TVMFFIAny* value, int64_t* out) {
  if (value->type_index != kTVMFFIInt && value->type_index != kTVMFFIBool) return ss_raise_cannot_convert(value, "int");
  *out = value->v_int64;
  return 0;
}

int ss_set_int64(void* field, const TVMFFIAny* value) {
  int64_t v = 0;
  if (take_int(value, &v) != 0) return -1;
  memcpy(field, &v, sizeof(v));
  return 0;
}

int ss_set_int32(void* field, const TVMFFIAny* value) {
  int64_t v = 0;
  if (take_int(value, &v) != 0) return -1;
  if (v != (int32_t)v) return ss_raise("ValueError", "%lld does not fit into 32 bits", (long long)v);
  int32_t narrow = (int32_t)v;
  memcpy(field, &narrow, sizeof(narrow));
  return 0;
}

int ss_set_string(void* field, const TVMFFIAny* value) {
  switch (value->type_index) {
    case kTVMFFIRawStr:
    case kTVMFFISmallStr:
    case kTVMFFIStr:
      return ss_set_any(field, value);
    default:
      return ss_raise_cannot_convert(value, "str");
  }
}

// ---- making, copying, deleting
// ---------------------------------------------------------------------------------------

static void release_fields(void* self) {
  TVMFFIObject* obj = self;
  const TVMFFITypeInfo* type = SelfsameFindTypeInfo(obj->type_index);
  for (int32_t depth = 1; type != NULL && depth <= type->type_depth; depth++) {
    const TVMFFITypeInfo* owner = owner_at(type, depth);
    for (int32_t i = 0; i < owner->num_fields; i++) {
      void* field = (char*)obj + owner->fields[i].offset;
      switch (storage_of(&owner->fields[i])) {
        case STORE_ANY:
          ss_release_any(field);
          break;
        case STORE_OBJECT: {
          TVMFFIObject* object = *(TVMFFIObject**)field;
          *(TVMFFIObject**)field = NULL;
          ss_release(object);
          break;
        }
        case STORE_POD:
          break;
      }
    }
  }
}

static void delete_reflected(void* self, int flags) { ss_delete_owner(self, flags, delete_reflected, release_fields); }

void* ss_reflected_new(const TVMFFITypeInfo* type, int64_t size) {
  TVMFFIObjectHandle obj = NULL;
  if (size < (int64_t)sizeof(TVMFFIObject)) size = sizeof(TVMFFIObject);
  if (SelfsameObjectAlloc((size_t)size, 16, type->type_index, delete_reflected, &obj) != 0) return NULL;
  return obj;
}

void ss_reflected_copy(void* obj, const void* from, const TVMFFITypeInfo* type) {
  for (int32_t depth = 1; depth <= type->type_depth; depth++) {
    const TVMFFITypeInfo* owner = owner_at(type, depth);
    for (int32_t i = 0; i < owner->num_fields; i++) {
      const TVMFFIFieldInfo* field = &owner->fields[i];
      void* to = (char*)obj + field->offset;
      const void* source = (const char*)from + field->offset;
      switch (storage_of(field)) {
        case STORE_ANY: {
          const TVMFFIAny* value = source;
          if (((TVMFFIAny*)to)->type_index != kTVMFFINone) break;  // another name of a field that is copied already
          if (value->type_index >= kTVMFFIStaticObjectBegin) ss_incref(value->v_obj);
          *(TVMFFIAny*)to = *value;
          break;
        }
        case STORE_OBJECT: {
          TVMFFIObject* object = *(TVMFFIObject* const*)source;
          if (*(TVMFFIObject**)to != NULL) break;
          if (object != NULL) ss_incref(object);
          *(TVMFFIObject**)to = object;
          break;
        }
        case STORE_POD:
          memcpy(to, source, (size_t)field->size);
          break;
      }
    }
  }
}
