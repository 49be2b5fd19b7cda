// Function objects whose body is a Go function: see closure.h.
#include "closure.h"

#include "go_calls.h"
#include "go_exports.h"
#include "plane.h"

int ss_check_result(const TVMFFIAny* result, const char* function) {
  if (!ss_check_ptr(result, function, "result")) return 0;
  if (result->type_index < kTVMFFIStaticObjectBegin) return 1;
  ss_raise("InternalError",
           "Check failed: result->type_index < TypeIndex::kTVMFFIStaticObjectBegin (%d vs. 64) : ", result->type_index);
  return 0;
}

int ss_closure_call(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static const char name[] = "a function of the runtime";
  SS_ENTER_GO(name, -1);
  if (!ss_check_result(result, name) || (num_args > 0 && !ss_check_ptr(args, name, "args"))) return -1;
  uint64_t outer = ss_go_call_begin();
  int rc = ss_go.ssgo_closure_call((uintptr_t)self, (void*)args, num_args, result);
  ss_go_call_end(outer);
  return rc;
}

static void release_closure(void* self) {
  // In a forked child that has no Go, no Go has the closure.
  if (!ss_has_go()) return;
  ss_go.ssgo_closure_release((uintptr_t)self);
}

int ss_closure_new(uintptr_t id, TVMFFISafeCallType call, TVMFFIObjectHandle* out) {
  return TVMFFIFunctionCreate((void*)id, call == NULL ? ss_closure_call : call, release_closure, out);
}
