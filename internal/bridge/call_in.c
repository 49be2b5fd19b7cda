// Calls into Go: the Function of a Go func, and its entry from C.
#include <pthread.h>
#include <stdlib.h>

#include "bridge.h"

static int forked;  // atomic; 1 in a forked child

static void after_fork_in_child(void) { __atomic_store_n(&forked, 1, __ATOMIC_RELAXED); }

__attribute__((constructor)) static void watch_fork(void) { pthread_atfork(NULL, NULL, after_fork_in_child); }

// The safe_call of a Function that calls a Go func.
static int invoke(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (__atomic_load_n(&forked, __ATOMIC_RELAXED)) {
    return ss_bridge_raise(
        "RuntimeError",
        "selfsame: a Go function was called in a forked child, where Go cannot run; use the start method spawn or "
        "forkserver");
  }
  if (num_args < 0 || (num_args > 0 && args == NULL) || result == NULL) {
    return ss_bridge_raise("ValueError", "selfsame: a Go function was called with %s",
                           result == NULL ? "no memory for its result" : "a wrong array of arguments");
  }
  return ssgo_bridge_invoke(((SsGoRef*)self)->id, (TVMFFIAny*)args, num_args, result);
}

int ss_bridge_new_function(uint64_t id, TVMFFIObjectHandle* out, TVMFFIObjectHandle* error) {
  SsGoRef* ref = ss_bridge_new_go_ref(id);
  if (ref == NULL) return ss_bridge_fail(error);
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIFunctionCreate(ref, invoke, ss_bridge_drop_go_ref, &function) != 0) {
    free(ref);
    return ss_bridge_fail(error);
  }
  *out = function;
  return 0;
}
