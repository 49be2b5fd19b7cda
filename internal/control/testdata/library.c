// A library for the module tests. If TREE is defined, as a list of bytes, they are its import tree.
#include <string.h>

#include "selfsame/selfsame.h"

void* __tvm_ffi__library_ctx;
void* context_symbol_of_the_test;

int __tvm_ffi_add(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (self != NULL || n != 2) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "add takes 2 arguments");
    return -1;
  }
  result->type_index = kTVMFFIInt;
  result->v_int64 = args[0].v_int64 + args[1].v_int64;
  return 0;
}

// Calls a function of an imported module, or a global function, through the context.
int __tvm_ffi_call(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  (void)self;
  TVMFFIObjectHandle function;
  if (TVMFFIEnvModLookupFromImports(__tvm_ffi__library_ctx, args[0].v_c_str, &function) != 0) return -1;
  return TVMFFIFunctionCall(function, (TVMFFIAny*)args + 1, n - 1, result);
}

int __tvm_ffi_context(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  (void)self, (void)args, (void)n;
  result->type_index = kTVMFFIOpaquePtr;
  result->v_ptr = context_symbol_of_the_test;
  return 0;
}

int __tvm_ffi__doc_add(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  (void)self, (void)args, (void)n;
  return TVMFFIStringFromByteArray(&(TVMFFIByteArray){"adds two integers", 17}, result);
}

// A doc that is not a string.
int __tvm_ffi__doc_call(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  (void)self, (void)args, (void)n;
  result->type_index = kTVMFFIInt;
  return 0;
}

#ifdef TREE
const unsigned char __tvm_ffi__library_bin[] = {TREE};
#endif
