// A library to be preloaded into a Python process. Its constructor registers a function before Python starts.
#include "selfsame/c_api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int echo(void* self, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  (void)self;
  if (count != 1) return -1;
  *result = args[0];
  if (result->type_index >= kTVMFFIStaticObjectBegin) {
    __atomic_fetch_add(&result->v_obj->combined_ref_count, 1, __ATOMIC_RELAXED);
  }
  return 0;
}

__attribute__((constructor)) static void before_python(void) {
  static const char name[] = "early.echo";
  const char* path = getenv("EARLY_LIBRARY");
  void* library = path == NULL ? NULL : dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL) return;  // another process of the test, such as one that Python starts
  __typeof__(&TVMFFIFunctionCreate) create = (__typeof__(create))dlsym(library, "TVMFFIFunctionCreate");
  __typeof__(&TVMFFIFunctionSetGlobal) set = (__typeof__(set))dlsym(library, "TVMFFIFunctionSetGlobal");
  TVMFFIObjectHandle function = NULL;
  TVMFFIByteArray key = {name, sizeof(name) - 1};
  if (create == NULL || set == NULL || create(NULL, echo, NULL, &function) != 0 || set(&key, function, 0) != 0) {
    fprintf(stderr, "early.c could not register its function\n");
    abort();
  }
}
