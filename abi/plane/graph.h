// Private to selfsame: what package runtime needs to walk and build graphs of objects in few crossings from Go.
#ifndef SELFSAME_ABI_PLANE_GRAPH_H_
#define SELFSAME_ABI_PLANE_GRAPH_H_

#include "plane.h"

#pragma GCC visibility push(hidden)

// ---- reading and calling (graph.c) -----------------------------------------------------------------------

// Reads n fields of each of `num_objs` objects through their getters: out[o * n + i] is field i of object o, owned.
// Returns 0, or non-zero with an error in the slot; then nothing is left in `out`.
int ss_fields_read(const TVMFFIFieldInfo* const* fields, int32_t n, void* const* objs, int32_t num_objs,
                   TVMFFIAny* out);

// Calls a Function. *result is None before. Returns 0, or non-zero with an error in the slot.
int ss_function_call(void* function, const TVMFFIAny* args, int32_t n, TVMFFIAny* result);

// Makes an object of a type and sets fields of it: values[i] is borrowed; a value of type index -1 stands for the
// field's default. Returns 0 with *out a new reference, or non-zero with an error in the slot.
int ss_object_build(const TVMFFITypeInfo* type, const TVMFFIFieldInfo* const* fields, const TVMFFIAny* values,
                    int32_t n, void** out);

// Releases n owned values.
void ss_any_clear_all(TVMFFIAny* values, int64_t n);

// ---- making many objects at once (batch.c) ------------------------------------------------------------------

typedef struct {
  int64_t type_index;   // kTVMFFIStr, kTVMFFIArray, kTVMFFIMap or kTVMFFIDict
  int64_t size;         // bytes of a String, capacity of an Array, bytes of a Map or Dict
  int64_t buffer_size;  // bytes of a Map's or Dict's buffer, 0 for none
  void* object;         // what was made: a new reference
  void* buffer;
} ss_make;

// Makes n objects: Strings on the heap whatever their length, NUL-terminated, the content to be filled in; empty Arrays
// with room; Maps and Dicts of which only the header is filled in. Returns 0, or -1 raised with nothing left.
int ss_objects_new(ss_make* make, int64_t n);

// ---- objects described by reflection alone (reflected_object.c)
// ---------------------------------------------------------

// The C getter of a field of storage kind `type_index` (as ffi.MakeFieldGetter numbers them), or NULL.
TVMFFIFieldGetter ss_layout_getter(int32_t type_index);
// Whether a getter is one of these: then it does nothing but read the storage.
int ss_layout_getter_known(TVMFFIFieldGetter getter);

// A new object of `size` zero bytes whose deleter releases what its reflected fields own. NULL raised.
void* ss_layout_new(const TVMFFITypeInfo* type, int64_t size);
// Sets up the fields of a new object: Any cells and object pointers empty (they already are), or copied from `from`.
void ss_layout_copy(void* obj, const void* from, const TVMFFITypeInfo* type);

// Converts a value: *out is owned. Returns 0, or non-zero with an error in the slot.
typedef int (*ss_convert)(void* converter, const TVMFFIAny* value, TVMFFIAny* out);
// A Function (field address, value) that converts the value and stores it as storage kind `type_index` asks. Returns 0,
// or -1 raised.
int ss_layout_setter(int32_t type_index, void* converter, ss_convert convert, TVMFFIObjectHandle* out);
// A Function that makes an object of `size` bytes, or with `copy` one that copies an object. Returns 0, or -1 raised.
int ss_layout_function(const TVMFFITypeInfo* type, int64_t size, int copy, TVMFFIObjectHandle* out);

// The setter functions that the builtin types register: each checks the value and stores it.
int ss_set_any(void* field, const TVMFFIAny* value);
int ss_set_int64(void* field, const TVMFFIAny* value);
int ss_set_int32(void* field, const TVMFFIAny* value);
int ss_set_string(void* field, const TVMFFIAny* value);
int ss_get_int32(void* field, TVMFFIAny* result);
int ss_get_object(void* field, TVMFFIAny* result);

#pragma GCC visibility pop

#endif  // SELFSAME_ABI_PLANE_GRAPH_H_
