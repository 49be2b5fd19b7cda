// The operations of the data plane that Go calls and that may run code of others: getters, setters, hooks, deleters,
// Functions. They notice when that code forks and returns in the child (ss_return_to_go). C code calls the functions of
// the same name without `_go`, which say what they do.
#ifndef SELFSAME_INTERNAL_PLANE_FROM_GO_H_
#define SELFSAME_INTERNAL_PLANE_FROM_GO_H_

#include "calls/batch.h"
#include "collections/map.h"

#pragma GCC visibility push(hidden)

void ss_go_drop(TVMFFIObject* object);  // ss_xdecref

// Reads n fields of each of `num_objs` objects through their getters: out[o * n + i] is field i of object o, owned.
// Returns 0, or non-zero with an error raised; then `out` holds no references.
int ss_go_fields_read(const TVMFFIFieldInfo* const* fields, int32_t n, void* const* objs, int32_t num_objs,
                      TVMFFIAny* out);

int ss_go_function_call(void* function, const TVMFFIAny* args, int32_t n, TVMFFIAny* result);

// Makes an object of a type and sets fields of it: values[i] is borrowed; a value of type index -1 stands for the
// field's default. Returns 0 with *out a new reference, or non-zero with an error raised.
int ss_go_object_build(const TVMFFITypeInfo* type, const TVMFFIFieldInfo* const* fields, const TVMFFIAny* values,
                       int32_t n, void** out);

int ss_go_object_create(const TVMFFITypeInfo* type, TVMFFIObjectHandle* out);
int ss_go_field_set(const TVMFFIFieldInfo* field, void* obj, const TVMFFIAny* value);
int ss_go_field_set_default(const TVMFFIFieldInfo* field, void* obj);
int ss_go_key_hash(const TVMFFIAny* key, uint64_t* hash);     // of any value in a container
int ss_go_key_equal(const TVMFFIAny* a, const TVMFFIAny* b);  // 1 or 0, or -1 raised
int ss_go_map_find(TVMFFIObject* map, const TVMFFIAny* key, const SsEntry** out);
int ss_go_map_set(TVMFFIObject* map, const TVMFFIAny* key, const TVMFFIAny* value);
int ss_go_map_build(int32_t type_index, const TVMFFIAny* args, int64_t pairs, TVMFFIObjectHandle* out);
int ss_go_maps_fill(const SsMapFill* fills, int64_t n, const TVMFFIAny* items);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_FROM_GO_H_
