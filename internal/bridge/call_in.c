// Calls into Go: the Function of a Go func, and its entry from C.
#include <stdlib.h>

#include "bridge.h"
#include "go_calls.h"
#include "go_state.h"

// The safe_call of a Function that calls a Go func.
static int call_go_func(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args < 0 || (num_args > 0 && args == NULL) || result == NULL) {
    return ss_bridge_raise("ValueError", "selfsame: a Go function was called with %s",
                           result == NULL ? "no memory for its result" : "a wrong array of arguments");
  }
  if (ss_bridge_enter_go() != 0) return -1;
  uint64_t outer = ss_go_call_begin();
  int rc = ss_bridge_go->entries.invoke(((SsGoRef*)self)->id, (TVMFFIAny*)args, num_args, result);
  ss_go_call_end(outer);
  return rc;
}

int ss_bridge_new_function(uint64_t id, TVMFFIObjectHandle* out, TVMFFIObjectHandle* error) {
  SsGoRef* ref = ss_bridge_new_go_ref(id);
  if (ref == NULL) return ss_bridge_fail(error);
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIFunctionCreate(ref, call_go_func, ss_bridge_drop_go_ref, &function) != 0) {
    free(ref);
    return ss_bridge_fail(error);
  }
  *out = function;
  return 0;
}
