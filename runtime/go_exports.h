// The Go functions that C calls (go_exports.go and the files of the features they belong to). Private to the runtime.
//
// Each returns 0, or -1 with an error raised on the calling thread, unless its comment says otherwise. Pointers are
// borrowed for the call. The caller must have checked with ss_may_enter_go that the process may enter Go.
#ifndef SELFSAME_RUNTIME_GO_EXPORTS_H_
#define SELFSAME_RUNTIME_GO_EXPORTS_H_

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
// Replaces the error that a field's setter raised by one that names the field and the constructor `id`, with the
// setter's error as its cause. Always returns -1.
int32_t ssgo_init_failed(uintptr_t id, int32_t field, int32_t is_default);
// Makes an empty List or Dict: *out is a new reference.
int32_t ssgo_new_container(int32_t type_index, void** out);
// Finds a function for a module's compiled code: *out is borrowed from the module.
int32_t ssgo_module_lookup(void* module, const char* name, void** out);
// Compares the values of two StructuralKeys. *equal must be 0 before; it becomes 1 when they are equal.
int32_t ssgo_structural_keys_equal(void* a, void* b, int32_t* equal);
// Visits a value in the walk that the visitor belongs to. *result is None before the call, and then owned: None, a
// VisitInterrupt or an Error.
int32_t ssgo_visitor_visit(void* visitor, void* value, void* result);
// Passes a request (SSGO_* of mutator.h) to a structural mutator; args are two values, borrowed.
int32_t ssgo_mutator(void* mutator, int32_t request, void* args, void* result);

#endif  // SELFSAME_RUNTIME_GO_EXPORTS_H_
