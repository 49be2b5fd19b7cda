// Containers: made by the runtime's own functions, so that they are whatever that runtime makes. What is in them is
// read and changed directly.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "bridge.h"

enum { NUM_MAKERS = 5 };

static const struct {
  int32_t type_index;
  const char* name;
} makers[NUM_MAKERS] = {{kTVMFFIArray, "ffi.Array"},
                        {kTVMFFIList, "ffi.List"},
                        {kTVMFFIMap, "ffi.Map"},
                        {kTVMFFIDict, "ffi.Dict"},
                        {kTVMFFIShape, "ffi.Shape"}};

static TVMFFIObjectHandle functions[NUM_MAKERS];  // owned for good

static void find_makers(void) {
  for (int i = 0; i < NUM_MAKERS; i++) {
    TVMFFIByteArray key = {makers[i].name, strlen(makers[i].name)};
    TVMFFIFunctionGetGlobal(&key, &functions[i]);
  }
}

int ss_front_container(int32_t type_index, const TVMFFIAny* views, int32_t n, TVMFFIObjectHandle* out) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_makers);
  int i = 0;
  while (i < NUM_MAKERS && makers[i].type_index != type_index) i++;
  if (i == NUM_MAKERS) return ss_front_raise("InternalError", "%d is not the type index of a container", type_index);
  if (functions[i] == NULL) return ss_front_raise("RuntimeError", "The runtime has no function `%s`", makers[i].name);
  TVMFFIAny result = {.type_index = kTVMFFINone};
  if (TVMFFIFunctionCall(functions[i], (TVMFFIAny*)views, n, &result) != 0) return -1;
  if (result.type_index != type_index) {
    ss_front_release_value(&result);
    return ss_front_raise("InternalError", "`%s` returned something else", makers[i].name);
  }
  *out = result.v_obj;
  return 0;
}

int ss_front_container_from_go(int32_t type_index, const TVMFFIAny* views, int32_t n, TVMFFIObjectHandle* out,
                               TVMFFIObjectHandle* error) {
  TVMFFIObjectHandle made = NULL;
  if (ss_front_container(type_index, views, n, &made) != 0) return ss_front_fail(error);
  *out = made;
  return 0;
}

void* ss_front_buffer_new(size_t size) { return malloc(size != 0 ? size : 1); }

// What C++ puts under this deleter without replacing it comes from operator new, which is malloc here.
static void free_buffer(void* data) { free(data); }

uint64_t ss_front_buffer_deleter(void) { return (uint64_t)(uintptr_t)free_buffer; }

void ss_front_call_deleter(uint64_t deleter, void* data) { ((void (*)(void*))(uintptr_t)deleter)(data); }
