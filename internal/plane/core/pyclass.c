// Functions that classes defined in Python register: setters that convert through a callback, and functions that make
// and copy objects by reflection alone.
#include <stdlib.h>
#include <string.h>

#include "chains.h"
#include "raise.h"
#include "reflected_object.h"
#include "selfsame/internal/values.h"
#include "selfsame/selfsame.h"

static int count_args(const char* name, const TVMFFIAny* args, int32_t num_args, int32_t wanted, TVMFFIAny* result) {
  if (!ss_check_ptr(result, name, "result") || (wanted > 0 && num_args > 0 && !ss_check_ptr(args, name, "args")))
    return 0;
  if (num_args != wanted) {
    ss_raise("TypeError", "Mismatched number of arguments when calling: `%s`. Expected %d but got %d arguments", name,
             wanted, num_args);
    return 0;
  }
  ss_set_none(result);
  return 1;
}

// ---- setters -----------------------------------------------------------------------------------------------

typedef struct {
  int32_t type_index;  // of the field: how its storage is written
  void* converter;     // given to convert; the caller keeps it
  SsConvert convert;   // makes an owned value of what is set; never NULL
} FieldSetter;

// Moves the reference of an owned value into a field's storage and leaves None; a value without one is copied. Returns
// 0, or -1 raised.
static int store(void* field, int32_t type_index, TVMFFIAny* value) {
  switch (type_index) {
    case kTVMFFIInt:
      if (value->type_index != kTVMFFIInt && value->type_index != kTVMFFIBool)
        return ss_raise_cannot_convert(value, "int");
      memcpy(field, &value->v_int64, sizeof(int64_t));
      return 0;
    case kTVMFFIBool:
      if (value->type_index != kTVMFFIInt && value->type_index != kTVMFFIBool)
        return ss_raise_cannot_convert(value, "bool");
      *(unsigned char*)field = value->v_int64 != 0;
      return 0;
    case kTVMFFIFloat: {
      double v = value->v_float64;
      if (value->type_index == kTVMFFIInt || value->type_index == kTVMFFIBool) {
        v = (double)value->v_int64;
      } else if (value->type_index != kTVMFFIFloat) {
        return ss_raise_cannot_convert(value, "float");
      }
      memcpy(field, &v, sizeof(v));
      return 0;
    }
    case kTVMFFIOpaquePtr: {
      void* v = value->type_index == kTVMFFIOpaquePtr ? value->v_ptr : NULL;
      if (v == NULL && value->type_index != kTVMFFINone && value->type_index != kTVMFFIOpaquePtr) {
        return ss_raise_cannot_convert(value, "void*");
      }
      memcpy(field, &v, sizeof(v));
      return 0;
    }
    case kTVMFFIDataType:
      if (value->type_index != kTVMFFIDataType) return ss_raise_cannot_convert(value, "DataType");
      memcpy(field, &value->v_dtype, sizeof(DLDataType));
      return 0;
    case kTVMFFIDevice:
      if (value->type_index != kTVMFFIDevice) return ss_raise_cannot_convert(value, "Device");
      memcpy(field, &value->v_device, sizeof(DLDevice));
      return 0;
    case kTVMFFIAny:
    case kTVMFFINone: {
      TVMFFIAny old = *(TVMFFIAny*)field;
      *(TVMFFIAny*)field = *value;
      ss_set_none(value);
      ss_release_any(&old);
      return 0;
    }
    default: {
      if (value->type_index != kTVMFFINone && value->type_index < kTVMFFIStaticObjectBegin) {
        return ss_raise_cannot_convert(value, "ffi.Object");
      }
      TVMFFIObject* old = *(TVMFFIObject**)field;
      *(TVMFFIObject**)field = value->type_index == kTVMFFINone ? NULL : value->v_obj;
      ss_set_none(value);
      ss_release(old);
      return 0;
    }
  }
}

static int call_setter(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static const char name[] = "a field's setter";
  const FieldSetter* setter = self;
  if (!count_args(name, args, num_args, 2, result)) return -1;
  if (args[0].type_index != kTVMFFIOpaquePtr) return ss_raise_cannot_convert(&args[0], "void*");
  if (!ss_check_ptr(args[0].v_ptr, name, "args[0]")) return -1;
  TVMFFIAny converted;
  ss_set_none(&converted);
  if (setter->convert(setter->converter, &args[1], &converted) != 0) return -1;
  int rc = store(args[0].v_ptr, setter->type_index, &converted);
  ss_any_clear(&converted);
  return rc;
}

int ss_reflected_setter(int32_t type_index, void* converter, SsConvert convert, TVMFFIObjectHandle* out) {
  *out = NULL;
  if (ss_reflected_getter(type_index) == NULL) {
    return ss_raise("ValueError", "Unsupported field type index for setter: %d", type_index);
  }
  if (!ss_check_ptr((const void*)convert, "ffi.MakeFieldSetter", "argument #2")) return -1;
  FieldSetter* setter = malloc(sizeof(FieldSetter));
  if (setter == NULL) return ss_raise_no_memory("a field's setter");
  *setter = (FieldSetter){type_index, converter, convert};
  if (TVMFFIFunctionCreate(setter, call_setter, free, out) != 0) {
    free(setter);
    return -1;
  }
  return 0;
}

// ---- making and copying ------------------------------------------------------------------------------------

typedef struct {
  const TVMFFITypeInfo* type;  // borrowed from the type table, which never frees it
  int64_t size;                // of an object, header included
} ReflectedClass;

static int call_new(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const ReflectedClass* c = self;
  if (!count_args("__ffi_new__", args, num_args, 0, result)) return -1;
  void* obj = ss_reflected_new(c->type, c->size);
  if (obj == NULL) return -1;
  ss_set_object(result, obj);
  return 0;
}

static int call_copy(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const ReflectedClass* c = self;
  if (!count_args("__ffi_shallow_copy__", args, num_args, 1, result)) return -1;
  if (args[0].type_index != c->type->type_index) return ss_raise_cannot_convert(&args[0], c->type->type_key.data);
  void* obj = ss_reflected_new(c->type, c->size);
  if (obj == NULL) return -1;
  ss_reflected_copy(obj, args[0].v_obj, c->type);
  ss_set_object(result, obj);
  return 0;
}

int ss_reflected_function(const TVMFFITypeInfo* type, int64_t size, int copy, TVMFFIObjectHandle* out) {
  *out = NULL;
  ReflectedClass* c = malloc(sizeof(ReflectedClass));
  if (c == NULL) return ss_raise_no_memory("a class's function");
  *c = (ReflectedClass){type, size};
  if (TVMFFIFunctionCreate(c, copy ? call_copy : call_new, free, out) != 0) {
    free(c);
    return -1;
  }
  return 0;
}
