// 16 threads register, replace, remove, look up and call.
// Requirement: A6
#include "program.h"

enum { THREADS = 16, ROUNDS = 300 };

static int answer(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)args;
  (void)num_args;
  result->type_index = kTVMFFIInt;
  result->v_int64 = (int64_t)(intptr_t)handle;
  return 0;
}

static void call_shared(void) {
  TVMFFIObjectHandle f = global("threads.shared");
  if (f == NULL) return;
  TVMFFIAny result = {.type_index = kTVMFFINone};
  CHECK(TVMFFIFunctionCall(f, NULL, 0, &result) == 0);
  CHECK(result.v_int64 >= 1 && result.v_int64 <= THREADS);
  TVMFFIObjectDecRef(f);
}

static void remove_shared(void) {
  TVMFFIObjectHandle f = global("ffi.FunctionRemoveGlobal");
  TVMFFIAny arg = {.type_index = kTVMFFIRawStr, .v_c_str = "threads.shared"}, result = {.type_index = kTVMFFINone};
  CHECK(TVMFFIFunctionCall(f, &arg, 1, &result) == 0);
  CHECK(result.type_index == kTVMFFIBool);
  TVMFFIObjectDecRef(f);
}

static void* work(void* arg) {
  int me = (int)(intptr_t)arg;
  TVMFFIByteArray shared = bytes("threads.shared");
  for (int round = 0; round < ROUNDS; round++) {
    TVMFFIObjectHandle f = NULL;
    CHECK(TVMFFIFunctionCreate((void*)(intptr_t)me, answer, NULL, &f) == 0);
    CHECK(TVMFFIFunctionSetGlobal(&shared, f, 1) == 0);
    TVMFFIObjectDecRef(f);
    call_shared();
    if (round % 10 == me % 10) remove_shared();
    char name[40];
    snprintf(name, sizeof(name), "threads.T%d", round);  // all threads get the same types
    int32_t index = new_type(name, kTVMFFIObject, 0, 1);
    const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(index);
    CHECK(strcmp(info->type_key.data, name) == 0);
    TVMFFIByteArray attr = bytes("__threads__");
    TVMFFIAny value = {.type_index = kTVMFFIInt, .v_int64 = index};
    if (TVMFFITypeRegisterAttr(index, &attr, &value) != 0) CHECK_RAISED("RuntimeError", "already registered");
    const TVMFFITypeAttrColumn* column = TVMFFIGetTypeAttrColumn(&attr);
    int32_t size = __atomic_load_n(&column->size, __ATOMIC_ACQUIRE);  // other threads make the column grow
    const TVMFFIAny* data = __atomic_load_n(&column->data, __ATOMIC_ACQUIRE);
    CHECK(size > index && data[index].v_int64 == index);
  }
  return NULL;
}

int main(void) {
  wait_for_start();
  int64_t functions = SelfsameLiveObjects(kTVMFFIFunction), errors = SelfsameLiveObjects(kTVMFFIError);
  int32_t first_index = next_index();
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void*)(intptr_t)(i + 1));
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  remove_shared();
  CHECK(SelfsameLiveObjects(kTVMFFIFunction) == functions);
  CHECK(SelfsameLiveObjects(kTVMFFIError) == errors);
  CHECK(SelfsameTypeIndexEnd() == first_index + ROUNDS);
  return failures != 0;
}
