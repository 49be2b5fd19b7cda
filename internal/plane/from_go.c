// Operations that may run code of others, for Go: see from_go.h.
#include "from_go.h"

#include "child.h"
#include "map_key.h"
#include "object_create.h"
#include "selfsame/internal/refcount.h"
#include "go_walks.h"

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

int ss_go_fields_read(const TVMFFIFieldInfo* const* fields, int32_t n, void* const* objs, int32_t num_objs,
                      TVMFFIAny* out) {
  RETURN_TO_GO(ss_fields_read(fields, n, objs, num_objs, out));
}

int ss_go_function_call(void* function, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  RETURN_TO_GO(ss_function_call(function, args, n, result));
}

int ss_go_object_build(const TVMFFITypeInfo* type, const TVMFFIFieldInfo* const* fields, const TVMFFIAny* values,
                       int32_t n, void** out) {
  RETURN_TO_GO(ss_object_build(type, fields, values, n, out));
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
