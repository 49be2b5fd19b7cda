// Several threads call the library from a static constructor, while its Go side is still starting. Some raise errors,
// which must not need the loader's lock.
#include "program.h"

enum { THREADS = 8 };

static int32_t first_index;

static void* call_in(void* arg) {
  int i = (int)(intptr_t)arg;
  TVMFFIObjectHandle f = global("ffi.GetRegisteredTypeKeys");
  CHECK(f != NULL);
  TVMFFIAny result = {.type_index = kTVMFFINone};
  CHECK(TVMFFIFunctionCall(f, NULL, 0, &result) == 0);
  CHECK(result.type_index == kTVMFFIArray);
  TVMFFIObjectDecRef(result.v_obj);
  TVMFFIObjectDecRef(f);
  TVMFFIByteArray key = bytes("ffi.Array"), missing = bytes("missing");
  int32_t index = 0;
  CHECK(TVMFFITypeKeyToIndex(&key, &index) == 0 && index == kTVMFFIArray);
  CHECK(TVMFFITypeKeyToIndex(&missing, &index) == -1);
  CHECK_RAISED("InternalError", "Cannot find type `missing`");
  CHECK(TVMFFIGetTypeInfo(kTVMFFIArray)->type_index == kTVMFFIArray);
  CHECK(SelfsameTypeIndexEnd() > kTVMFFIBigInt);
  CHECK(SelfsameTieTableGet() != NULL);
  TVMFFIByteArray attr = bytes("__ffi_init__");
  CHECK(TVMFFIGetTypeAttrColumn(&attr) != NULL);
  char name[32];
  snprintf(name, sizeof(name), "early.Type%d", i);
  int32_t mine = new_type(name, kTVMFFIObject, 0, 1);
  CHECK(mine >= kTVMFFIDynObjectBegin && new_type(name, kTVMFFIObject, 0, 1) == mine);
  return NULL;
}

__attribute__((constructor)) static void at_load(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, call_in, (void*)(intptr_t)i);
  call_in((void*)(intptr_t)THREADS);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  first_index = next_index() - THREADS - 1;
}

int main(void) {
  // Each key once, one index after the other.
  CHECK(new_type("early.Last", kTVMFFIObject, 0, 1) == first_index + THREADS + 1);
  for (int i = 0; i <= THREADS; i++) {
    const TVMFFITypeInfo* info = SelfsameFindTypeInfo(first_index + i);
    CHECK(info != NULL && strncmp(info->type_key.data, "early.Type", 10) == 0);
  }
  return failures != 0;
}
