// The Go functions that C calls (go_exports.go and the files of the features they belong to). Private to the runtime.
//
// Each returns 0, or -1 with an error raised on the calling thread, unless its comment says otherwise. Pointers are
// borrowed for the call. C code calls them through the table ss_go, after ss_may_enter_go or ss_has_go said that there
// is a Go to enter: in a forked child, the table has the functions of a copy of the library (internal/plane/core/child.h).
#ifndef SELFSAME_INTERNAL_CONTROL_GO_EXPORTS_H_
#define SELFSAME_INTERNAL_CONTROL_GO_EXPORTS_H_

#include <stdint.h>

// Registers a type, or finds it by its key. Returns its index, or -1 with an error raised.
int32_t ssgo_type_index(void* key, int32_t fixed, int32_t depth, int32_t child_slots, int32_t can_overflow,
                        int32_t parent);
int32_t ssgo_register_field(int32_t type_index, void* info);
int32_t ssgo_register_method(int32_t type_index, void* info);
int32_t ssgo_register_metadata(int32_t type_index, void* info);
int32_t ssgo_register_attr(int32_t type_index, void* name, void* value);
int32_t ssgo_set_global(void* name, void* function, int32_t override);
int32_t ssgo_set_global_method(void* info, int32_t override);
// Calls the closure `id`; *result is then a new reference. ssgo_closure_release removes the closure.
int32_t ssgo_closure_call(uintptr_t id, void* args, int32_t num_args, void* result);
void ssgo_closure_release(uintptr_t id);
// Calls a constructor made from fields (an SsConstructor) with arguments that auto_init.c does not serve; *result is
// then a new reference. ssgo_constructor_release forgets it.
int32_t ssgo_constructor_call(void* constructor, void* args, int32_t num_args, void* result);
void ssgo_constructor_release(void* constructor);
// Replaces the error that a field's setter raised by one that names the field and the constructor, with the setter's
// error as its cause. Always returns -1.
int32_t ssgo_constructor_failed(void* constructor, int32_t field, int32_t is_default);
// Makes an empty List or Dict: *out is a new reference.
int32_t ssgo_new_container(int32_t type_index, void** out);
// Finds a function for a module's compiled code: *out is borrowed from the module.
int32_t ssgo_module_lookup(void* module, const char* name, void** out);

// The functions, for the table. A test compares the list with the Go files.
#define SSGO_ENTRIES(X)       \
  X(ssgo_type_index)          \
  X(ssgo_register_field)      \
  X(ssgo_register_method)     \
  X(ssgo_register_metadata)   \
  X(ssgo_register_attr)       \
  X(ssgo_set_global)          \
  X(ssgo_set_global_method)   \
  X(ssgo_closure_call)        \
  X(ssgo_closure_release)     \
  X(ssgo_constructor_call)    \
  X(ssgo_constructor_release) \
  X(ssgo_constructor_failed)  \
  X(ssgo_new_container)       \
  X(ssgo_module_lookup)

typedef struct {
#define X(name) __typeof__(&name) name;
  SSGO_ENTRIES(X)
#undef X
} SsGo;

extern SsGo ss_go __attribute__((visibility("hidden")));

#endif  // SELFSAME_INTERNAL_CONTROL_GO_EXPORTS_H_
