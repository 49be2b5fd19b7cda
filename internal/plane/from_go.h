// The operations of the data plane that Go calls and that may run code of others: getters, setters, hooks, deleters,
// Functions. They notice when that code forks and returns in the child (ss_return_to_go). C code calls the functions of
// the same name without `_go`, which say what they do.
#ifndef SELFSAME_ABI_PLANE_FROM_GO_H_
#define SELFSAME_ABI_PLANE_FROM_GO_H_

#include "recursive.h"
#include "structural.h"

#pragma GCC visibility push(hidden)

void ss_go_drop(TVMFFIObject* object);  // ss_xdecref
void ss_go_buffer_delete(void (*deleter)(void*), void* data);
int ss_go_fields_read(const TVMFFIFieldInfo* const* fields, int32_t n, void* const* objs, int32_t num_objs,
                      TVMFFIAny* out);
int ss_go_function_call(void* function, const TVMFFIAny* args, int32_t n, TVMFFIAny* result);
int ss_go_object_build(const TVMFFITypeInfo* type, const TVMFFIFieldInfo* const* fields, const TVMFFIAny* values,
                       int32_t n, void** out);
int ss_go_object_create(const TVMFFITypeInfo* type, TVMFFIObjectHandle* out);
int ss_go_field_set(const TVMFFIFieldInfo* field, void* obj, const TVMFFIAny* value);
int ss_go_field_set_default(const TVMFFIFieldInfo* field, void* obj);
int ss_go_key_hash_hook(const TVMFFIAny* hook, const TVMFFIAny* key, uint64_t* out);
int ss_go_key_equal_hook(const TVMFFIAny* hook, const TVMFFIAny* a, const TVMFFIAny* b, int* out);
int ss_go_structural_equal(const TVMFFIAny* a, const TVMFFIAny* b, int options, int* equal);
int ss_go_structural_mismatch(const TVMFFIAny* a, const TVMFFIAny* b, int options, TVMFFIAny* result);
int ss_go_structural_hash(const TVMFFIAny* value, int options, uint64_t* hash);
int ss_go_recursive_equal(const TVMFFIAny* a, const TVMFFIAny* b, int* equal);
int ss_go_recursive_compare(const TVMFFIAny* a, const TVMFFIAny* b, int* order);
int ss_go_deep_copy(const TVMFFIAny* value, TVMFFIAny* result);
int ss_go_recursive_hash(const TVMFFIAny* value, uint64_t* hash);

#pragma GCC visibility pop

#endif  // SELFSAME_ABI_PLANE_FROM_GO_H_
