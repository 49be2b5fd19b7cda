// Calls a C function of the runtime from a static constructor of a Go program, before Go runs. The environment variable
// EARLY selects the function.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "selfsame/c_api.h"

static void show(const char* what, int rc) {
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  const TVMFFIErrorCell* cell = error == NULL ? NULL : (const TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
  printf("%s: %d %s: %s\n", what, rc, cell == NULL ? "-" : cell->kind.data, cell == NULL ? "-" : cell->message.data);
  fflush(stdout);
  TVMFFIObjectDecRef(error);
}

static int nothing(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self, (void)args, (void)num_args, (void)result;
  return 0;
}

static int asked(const char* what) {
  const char* wanted = getenv("EARLY");
  return wanted != NULL && strcmp(wanted, what) == 0;
}

__attribute__((constructor)) static void early(void) {
  TVMFFIByteArray name = {"ffi.String", 10};
  TVMFFIObjectHandle function = NULL;
  int32_t index = 0;
  if (asked("get")) show("get", TVMFFIFunctionGetGlobal(&name, &function));
  if (asked("key")) show("key", TVMFFITypeKeyToIndex(&name, &index));
  if (asked("set")) {
    TVMFFIFunctionCreate(NULL, nothing, NULL, &function);
    show("set", TVMFFIFunctionSetGlobal(&name, function, 0));
    TVMFFIObjectDecRef(function);
  }
  if (asked("type")) TVMFFITypeGetOrAllocIndex(&name, -1, 1, 0, 1, kTVMFFIObject);
  if (asked("ask")) TVMFFITypeGetOrAllocIndex(&name, -1, 1, 0, 1, -2);
  if (asked("info")) TVMFFIGetTypeInfo(kTVMFFIObject);
  if (asked("column")) TVMFFIGetTypeAttrColumn(&name);
}

// Whether ffi.String is registered.
int look(void) {
  TVMFFIByteArray name = {"ffi.String", 10};
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIFunctionGetGlobal(&name, &function) != 0 || function == NULL) return 0;
  TVMFFIObjectDecRef(function);
  return 1;
}
