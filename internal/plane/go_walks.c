// Reading fields and calling functions for the walks in Go.
#include "go_walks.h"

#include "object_create.h"
#include "raise.h"
#include "selfsame/internal/values.h"

void ss_any_clear_all(TVMFFIAny* values, int64_t n) {
  for (int64_t i = 0; i < n; i++) ss_any_clear(&values[i]);
}

int ss_fields_read(const TVMFFIFieldInfo* const* fields, int32_t n, void* const* objs, int32_t num_objs,
                   TVMFFIAny* out) {
  int64_t done = 0;
  for (int32_t o = 0; o < num_objs; o++) {
    for (int32_t i = 0; i < n; i++) {
      const TVMFFIFieldInfo* field = fields[i];
      TVMFFIAny* value = &out[done];
      ss_set_none(value);
      int rc = field->getter == NULL ? ss_raise("AttributeError", "field `%s` has no getter", field->name.data)
                                     : field->getter((char*)objs[o] + field->offset, value);
      if (rc != 0) {
        ss_set_none(value);
        ss_any_clear_all(out, done);
        return rc;
      }
      done++;
    }
  }
  return 0;
}

int ss_function_call(void* function, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  ss_set_none(result);
  return ((TVMFFIFunctionCell*)((TVMFFIObject*)function + 1))->safe_call(function, args, n, result);
}

int ss_object_build(const TVMFFITypeInfo* type, const TVMFFIFieldInfo* const* fields, const TVMFFIAny* values,
                    int32_t n, void** out) {
  TVMFFIObjectHandle obj = NULL;
  *out = NULL;
  int rc = ss_object_create(type, &obj);
  for (int32_t i = 0; rc == 0 && i < n; i++) {
    rc = values[i].type_index == kTVMFFIAny ? ss_field_set_default(fields[i], obj)
                                            : ss_field_set(fields[i], obj, &values[i]);
  }
  if (rc != 0) {
    ss_xdecref(obj);
    return rc;
  }
  *out = obj;
  return 0;
}
