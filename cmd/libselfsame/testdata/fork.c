// The library after fork: the child keeps counts, tables, strings and calls of C functions, and brings up a Go runtime
// of its own for the calls that need one, whatever the parent's threads did at the fork. Requirement: C14
#include "program.h"

#include <sys/wait.h>
#include <unistd.h>

static int stop;

static int answer(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)handle;
  (void)args;
  (void)num_args;
  result->type_index = kTVMFFIInt;
  result->v_int64 = 42;
  return 0;
}

// Keeps every lock of the library busy.
static void* churn(void* arg) {
  TVMFFIByteArray name = bytes("fork.f");
  TVMFFIObjectHandle f = NULL;
  CHECK(TVMFFIFunctionCreate(NULL, answer, NULL, &f) == 0);
  while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
    CHECK(TVMFFIFunctionSetGlobal(&name, f, 1) == 0);
    TVMFFIObjectDecRef(global("fork.f"));
    CHECK(TVMFFIEnvModRegisterSystemLibSymbol("fork_symbol", &stop) == 0);
    CHECK(SelfsameLiveObjects(kTVMFFIFunction) > 0);
  }
  TVMFFIObjectDecRef(f);
  return arg;
}

static int init_handle(void** result) {
  *result = &stop;
  return 0;
}

static void in_child(TVMFFIObjectHandle array) {
  CHECK(TVMFFIGetTypeInfo(kTVMFFIArray)->type_index == kTVMFFIArray);
  TVMFFIObjectHandle f = global("fork.f");
  TVMFFIAny result = {.type_index = kTVMFFINone};
  CHECK(f != NULL && TVMFFIFunctionCall(f, NULL, 0, &result) == 0 && result.v_int64 == 42);
  TVMFFIByteArray text = bytes("a text of some length"), name = bytes("fork.g");
  CHECK(TVMFFIStringFromByteArray(&text, &result) == 0);
  TVMFFIObjectDecRef(result.v_obj);
  void* once = NULL;
  CHECK(TVMFFIHandleInitOnce(&once, init_handle) == 0 && once == &stop);
  CHECK(TVMFFIEnvModRegisterSystemLibSymbol("fork_symbol", &stop) == 0);
  CHECK(global("fork.nothing") == NULL);
  CHECK(TVMFFIFunctionSetGlobal(&name, f, 0) == 0);
  TVMFFIObjectHandle g = global("fork.g");
  CHECK(g == f);
  TVMFFIObjectDecRef(g);
  TVMFFITypeMetadata metadata = {.total_size = 24};
  CHECK(TVMFFITypeRegisterMetadata(64, &metadata) == -1);
  CHECK_RAISED("RuntimeError", "Overriding ffi.Object");
  TVMFFIByteArray key = bytes("fork.Type");
  int32_t type = TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
  CHECK(type >= kTVMFFIDynObjectBegin && TVMFFITypeRegisterMetadata(type, &metadata) == 0);
  TVMFFIObjectHandle size = global("ffi.ArraySize"), keys = global("ffi.GetRegisteredTypeKeys");
  TVMFFIAny args[1] = {{.type_index = kTVMFFIArray, .v_obj = array}};
  result.type_index = kTVMFFINone;
  CHECK(TVMFFIFunctionCall(size, args, 1, &result) == 0 && result.v_int64 == 0);  // served in C
  result.type_index = kTVMFFINone;
  CHECK(TVMFFIFunctionCall(keys, NULL, 0, &result) == 0 && result.type_index == kTVMFFIArray);  // served in Go
  TVMFFIObjectDecRef(result.v_obj);
  TVMFFIObjectDecRef(keys);
  TVMFFIObjectDecRef(size);
  TVMFFIObjectDecRef(f);
  TVMFFIObjectDecRef(array);
  CHECK(SelfsameLiveObjects(kTVMFFIArray) == 0);
}

int main(void) {
  TVMFFIObjectHandle array = NULL;
  CHECK(SelfsameArrayCreate(NULL, 0, &array) == 0);
  wait_for_start();
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, churn, NULL);
  TVMFFIObjectHandle f = NULL;
  while ((f = global("fork.f")) == NULL) usleep(100);
  TVMFFIObjectDecRef(f);
  for (int i = 0; i < 20; i++) {
    pid_t child = fork();
    if (child == 0) {
      alarm(120);
      in_child(array);
      _exit(failures != 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  TVMFFIObjectDecRef(array);
  return failures != 0;
}
