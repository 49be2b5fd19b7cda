// Operations that may run code of others, for Go: see from_go.h.
#include "from_go.h"

#include "scalars/any.h"
#include "core/child.h"
#include "collections/map_key.h"
#include "core/object_create.h"
#include "core/raise.h"
#include "selfsame/internal/values.h"

// Evaluates a call, and returns its result to Go.
#define RETURN_TO_GO(call)               \
  do {                                   \
    uint32_t generation = ss_leave_go(); \
    int rc = (call);                     \
    ss_return_to_go(generation);         \
    return rc;                           \
  } while (0)

void ss_go_drop(TVMFFIObject* object) {
  uint32_t generation = ss_leave_go();
  ss_xdecref(object);
  ss_return_to_go(generation);
}

static int fields_read(const TVMFFIFieldInfo* const* fields, int32_t n, void* const* objs, int32_t num_objs,
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

int ss_go_fields_read(const TVMFFIFieldInfo* const* fields, int32_t n, void* const* objs, int32_t num_objs,
                      TVMFFIAny* out) {
  RETURN_TO_GO(fields_read(fields, n, objs, num_objs, out));
}

int ss_go_function_call(void* function, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  RETURN_TO_GO(ss_function_call(function, args, n, result));
}

static int object_build(const TVMFFITypeInfo* type, const TVMFFIFieldInfo* const* fields, const TVMFFIAny* values,
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

int ss_go_object_build(const TVMFFITypeInfo* type, const TVMFFIFieldInfo* const* fields, const TVMFFIAny* values,
                       int32_t n, void** out) {
  RETURN_TO_GO(object_build(type, fields, values, n, out));
}

int ss_go_object_create(const TVMFFITypeInfo* type, TVMFFIObjectHandle* out) {
  RETURN_TO_GO(ss_object_create(type, out));
}

int ss_go_field_set(const TVMFFIFieldInfo* field, void* obj, const TVMFFIAny* value) {
  RETURN_TO_GO(ss_field_set(field, obj, value));
}

int ss_go_field_set_default(const TVMFFIFieldInfo* field, void* obj) { RETURN_TO_GO(ss_field_set_default(field, obj)); }

static int hash_of(const TVMFFIAny* value, uint64_t* hash) {
  SsKey key;
  ss_key_make(value, NULL, &key);
  return ss_key_hash(&key, hash);
}

static int are_equal(const TVMFFIAny* a, const TVMFFIAny* b) {
  SsKey key;
  ss_key_make(b, NULL, &key);
  return ss_key_equal(&key, a);
}

int ss_go_key_hash(const TVMFFIAny* key, uint64_t* hash) { RETURN_TO_GO(hash_of(key, hash)); }

int ss_go_key_equal(const TVMFFIAny* a, const TVMFFIAny* b) { RETURN_TO_GO(are_equal(a, b)); }

int ss_go_map_find(TVMFFIObject* map, const TVMFFIAny* key, const SsEntry** out) {
  RETURN_TO_GO(ss_map_find(map, key, out));
}

int ss_go_map_set(TVMFFIObject* map, const TVMFFIAny* key, const TVMFFIAny* value) {
  RETURN_TO_GO(ss_map_set(map, key, value));
}

int ss_go_map_build(int32_t type_index, const TVMFFIAny* args, int64_t pairs, TVMFFIObjectHandle* out) {
  RETURN_TO_GO(ss_map_build(type_index, args, pairs, out));
}

int ss_go_maps_fill(const SsMapFill* fills, int64_t n, const TVMFFIAny* items) {
  RETURN_TO_GO(ss_maps_fill(fills, n, items));
}
