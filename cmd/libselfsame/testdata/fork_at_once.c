// A fork while the library is still starting, in a child of a child too: the child's own Go runtime does the rest.
// Requirement: C14
#include "program.h"

#include <sys/wait.h>
#include <unistd.h>

static void use(void) {
  TVMFFIObjectHandle keys = global("ffi.GetRegisteredTypeKeys"), equal = global("ffi.StructuralEqual");
  CHECK(keys != NULL && equal != NULL);
  TVMFFIAny result = {.type_index = kTVMFFINone};
  CHECK(keys != NULL && TVMFFIFunctionCall(keys, NULL, 0, &result) == 0 && result.type_index == kTVMFFIArray);
  TVMFFIByteArray key = bytes("ffi.StructuralKey"), column = bytes("__ffi_convert__");
  int32_t type = 0;
  CHECK(TVMFFITypeKeyToIndex(&key, &type) == 0 && type >= kTVMFFIDynObjectBegin);
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(type);
  CHECK(info->num_fields == 2 && info->metadata != NULL && info->num_methods == 1);
  CHECK(TVMFFIGetTypeAttrColumn(&column) != NULL);
  TVMFFIAny args[4] = {result, result, {.type_index = kTVMFFIBool}, {.type_index = kTVMFFIBool}};
  TVMFFIAny same = {.type_index = kTVMFFINone};
  CHECK(equal != NULL && TVMFFIFunctionCall(equal, args, 4, &same) == 0 && same.v_int64 == 1);
  key = bytes("fork.Late");
  CHECK(TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject) > type);
  TVMFFIObjectDecRef(result.v_obj);
  TVMFFIObjectDecRef(keys);
  TVMFFIObjectDecRef(equal);
}

static void generations(int left) {
  pid_t child = fork();
  if (child == 0) {
    alarm(120);
    if (left > 1) generations(left - 1);
    use();
    _exit(failures != 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void) {
  usleep((useconds_t)(getpid() % 7) * 1000);  // earlier and later
  generations(3);
  use();
  return failures != 0;
}
