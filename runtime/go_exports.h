// Private to the runtime: the Go functions that C calls (go_exports.go). Each returns 0, or -1 with an error in the
// calling thread's slot, unless it says otherwise. Pointers are borrowed for the call.
#ifndef SELFSAME_RUNTIME_SSGO_H_
#define SELFSAME_RUNTIME_SSGO_H_

#include <stdint.h>

// Returns the index, or -1 with an error in the slot.
int32_t ssgo_type_index(void* key, int32_t fixed, int32_t depth, int32_t child_slots, int32_t can_overflow,
                        int32_t parent);
int32_t ssgo_register_field(int32_t type_index, void* info);
int32_t ssgo_register_method(int32_t type_index, void* info);
int32_t ssgo_register_metadata(int32_t type_index, void* info);
int32_t ssgo_register_attr(int32_t type_index, void* name, void* value);
int32_t ssgo_set_global(void* name, void* function, int32_t override);
int32_t ssgo_set_global_method(void* info, int32_t override);
int32_t ssgo_closure_call(uintptr_t id, void* args, int32_t num_args, void* result);
void ssgo_closure_release(uintptr_t id);
// Wraps the error that a field's setter left in the slot as the constructor's. Always returns -1.
int32_t ssgo_init_failed(uintptr_t id, int32_t field, int32_t is_default);
// Makes an empty List or Dict: *out is a new reference.
int32_t ssgo_new_container(int32_t type_index, void** out);
int32_t ssgo_module_lookup(void* module, const char* name, void** out);
// Structural equality of two StructuralKeys with equal hashes; *equal is 0 before.
int32_t ssgo_structural_keys_equal(void* a, void* b, int32_t* equal);
// A visit of the walk that the visitor belongs to. *result is None before; then owned: None, a VisitInterrupt or an
// Error.
int32_t ssgo_visitor_visit(void* visitor, void* value, void* result);
// A request to a structural mutator, see mutator.h.
int32_t ssgo_mutator(void* mutator, int32_t what, void* args, void* result);

#endif  // SELFSAME_RUNTIME_SSGO_H_
