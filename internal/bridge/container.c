// Makes containers through the builtin functions of the runtime, so that they have that runtime's deleter and layout.
// The Go package reads them directly.
// RATIONALE.md, "Why containers change in C, and Go reads them".
#include <pthread.h>
#include <string.h>

#include "bridge.h"

enum { NUM_MAKERS = 5 };

static const struct {
  int32_t type_index;  // of what the function makes
  const char* name;    // of the global function
} makers[NUM_MAKERS] = {{kTVMFFIArray, "ffi.Array"},
                        {kTVMFFIList, "ffi.List"},
                        {kTVMFFIMap, "ffi.Map"},
                        {kTVMFFIDict, "ffi.Dict"},
                        {kTVMFFIShape, "ffi.Shape"}};

static TVMFFIObjectHandle functions[NUM_MAKERS];  // new references, for the life of the process

static void find_makers(void) {
  for (int i = 0; i < NUM_MAKERS; i++) {
    TVMFFIByteArray key = {makers[i].name, strlen(makers[i].name)};
    TVMFFIFunctionGetGlobal(&key, &functions[i]);
  }
}

int ss_bridge_new_container(int32_t type_index, const TVMFFIAny* views, int32_t n, TVMFFIObjectHandle* out) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_makers);
  int i = 0;
  while (i < NUM_MAKERS && makers[i].type_index != type_index) i++;
  if (i == NUM_MAKERS)
    return ss_bridge_raise("InternalError", "selfsame: %d is not the type index of a container", type_index);
  if (functions[i] == NULL)
    return ss_bridge_raise("RuntimeError", "selfsame: the runtime has no function `%s`", makers[i].name);
  TVMFFIAny result = {.type_index = kTVMFFINone};
  if (TVMFFIFunctionCall(functions[i], (TVMFFIAny*)views, n, &result) != 0) return -1;
  if (result.type_index != type_index) {
    ss_bridge_release_value(&result);
    return ss_bridge_raise("InternalError", "selfsame: `%s` returned no container of its kind", makers[i].name);
  }
  *out = result.v_obj;
  return 0;
}

int ss_bridge_new_container_from_go(int32_t type_index, const TVMFFIAny* views, int32_t n, TVMFFIObjectHandle* out,
                                    TVMFFIObjectHandle* error) {
  TVMFFIObjectHandle made = NULL;
  if (ss_bridge_new_container(type_index, views, n, &made) != 0) return ss_bridge_fail(error);
  *out = made;
  return 0;
}
