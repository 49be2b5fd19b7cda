// Function objects whose body is a Go function: see closure.h.
#include "closure.h"

#include "go_exports.h"
#include "plane.h"

int ss_closure_call(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  SS_ENTER_GO("a function of the runtime", -1);
  if (!ss_check_ptr(result, "a function of the runtime", "result")) return -1;
  if (num_args > 0 && !ss_check_ptr(args, "a function of the runtime", "args")) return -1;
  if (result->type_index >= kTVMFFIStaticObjectBegin) {
    return ss_raise(
        "InternalError",
        "Check failed: result->type_index < TypeIndex::kTVMFFIStaticObjectBegin (%d vs. 64) : ", result->type_index);
  }
  return ssgo_closure_call((uintptr_t)self, (void*)args, num_args, result);
}

static void release_closure(void* self) {
  // A forked child cannot enter Go: its copy of Go's table keeps the entry.
  if (ss_in_forked_child()) return;
  ssgo_closure_release((uintptr_t)self);
}

int ss_closure_new(uintptr_t id, TVMFFISafeCallType call, TVMFFIObjectHandle* out) {
  return TVMFFIFunctionCreate((void*)id, call == NULL ? ss_closure_call : call, release_closure, out);
}
