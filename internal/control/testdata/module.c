// A module that leaves every TVMFFI* function undefined: the program that loads it defines them.
#include <stdio.h>
#include <string.h>

#include "selfsame/selfsame.h"

#define NAME(text) (&(TVMFFIByteArray){text, sizeof(text) - 1})

static int registered_at_load;

static int twice(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)handle;
  if (num_args != 1 || args[0].type_index != kTVMFFIInt) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "twice takes an int");
    return -1;
  }
  result->type_index = kTVMFFIInt;
  result->v_int64 = 2 * args[0].v_int64;
  return 0;
}

__attribute__((constructor)) static void at_load(void) {
  TVMFFIObjectHandle f = NULL;
  if (TVMFFIFunctionCreate(NULL, twice, NULL, &f) != 0) return;
  registered_at_load = TVMFFIFunctionSetGlobal(NAME("module.twice"), f, 0) == 0;
  TVMFFIObjectDecRef(f);
}

int check(void) {
  if (!registered_at_load) return 10;
  if (TVMFFITypeGetOrAllocIndex(NAME("module.T"), -1, 1, 0, 1, kTVMFFIObject) < kTVMFFIDynObjectBegin) return 11;
  TVMFFIObjectHandle f = NULL;
  if (TVMFFIFunctionGetGlobal(NAME("module.twice"), &f) != 0 || f == NULL) return 12;
  TVMFFIAny arg = {.type_index = kTVMFFIInt, .v_int64 = 21}, result = {.type_index = kTVMFFINone};
  if (TVMFFIFunctionCall(f, &arg, 1, &result) != 0 || result.v_int64 != 42) return 13;
  TVMFFIObjectDecRef(f);
  TVMFFIObjectHandle array = NULL;
  if (SelfsameArrayCreate(&arg, 1, &array) != 0 || SelfsameLiveObjects(kTVMFFIArray) != 1) return 14;
  TVMFFIObjectDecRef(array);
  return SelfsameTieTableGet() == NULL ? 15 : 0;
}
