// A library as a kernel compiler would write it: C against the published headers, with functions that the loader finds
// by their symbols. kernel_host.c and the module tests load it.
#include <stddef.h>
#include <string.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT void* __tvm_ffi__library_ctx = NULL;      // set by the loader
EXPORT void* conformance_context_symbol = NULL;  // set from the registered context symbols

static int fail(const char* kind, const char* message) {
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

// Returns the cell of an object. (The published header has such functions only for C++.)
static void* cell(const TVMFFIAny* value) { return value->v_obj + 1; }

static int return_int(TVMFFIAny* result, int64_t value) {
  result->type_index = kTVMFFIInt;
  result->zero_padding = 0;
  result->v_int64 = value;
  return 0;
}

static int return_string(TVMFFIAny* result, const char* text) {
  TVMFFIByteArray bytes = {text, strlen(text)};
  return TVMFFIStringFromByteArray(&bytes, result);
}

EXPORT int __tvm_ffi_add(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (self != NULL) return fail("AssertionError", "a library's function is called without a handle");
  if (num_args != 2) return fail("TypeError", "add takes 2 arguments");
  return return_int(result, args[0].v_int64 + args[1].v_int64);
}

EXPORT int __tvm_ffi__metadata_add(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self, (void)args, (void)num_args;
  return return_string(result, "{\"type_schema\":\"{\\\"type\\\":\\\"ffi.Function\\\"}\"}");
}

EXPORT int __tvm_ffi__doc_add(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self, (void)args, (void)num_args;
  return return_string(result, "The sum of two integers.");
}

EXPORT int __tvm_ffi_main(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self, (void)args;
  return return_int(result, 1000 + num_args);
}

EXPORT int __tvm_ffi_fails(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self, (void)args, (void)num_args, (void)result;
  return fail("ValueError", "this kernel always fails");
}

EXPORT int __tvm_ffi_context(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self, (void)args, (void)num_args;
  result->type_index = kTVMFFIOpaquePtr;
  result->zero_padding = 0;
  result->v_ptr = conformance_context_symbol;
  return 0;
}

// Returns the context that the loader set.
EXPORT int __tvm_ffi_library_ctx(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self, (void)args, (void)num_args;
  result->type_index = kTVMFFIOpaquePtr;
  result->zero_padding = 0;
  result->v_ptr = __tvm_ffi__library_ctx;
  return 0;
}

// call_import(name, args...) calls a function of an imported module, or a global function.
EXPORT int __tvm_ffi_call_import(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self;
  if (num_args < 1) return fail("TypeError", "call_import takes a name");
  const char* name = args[0].type_index == kTVMFFIRawStr     ? args[0].v_c_str
                     : args[0].type_index == kTVMFFISmallStr ? args[0].v_bytes
                                                             : ((const TVMFFIByteArray*)cell(&args[0]))->data;
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIEnvModLookupFromImports(__tvm_ffi__library_ctx, name, &function) != 0) return -1;
  TVMFFIObjectHandle again = NULL;
  if (TVMFFIEnvModLookupFromImports(__tvm_ffi__library_ctx, name, &again) != 0) return -1;
  if (again != function) return fail("AssertionError", "the second look-up found another function");
  return TVMFFIFunctionCall(function, (TVMFFIAny*)args + 1, num_args - 1, result);
}

// Doubles the elements of a float32 tensor in place. Returns the number of elements.
EXPORT int __tvm_ffi_double_in_place(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self;
  if (num_args != 1) return fail("TypeError", "double_in_place takes a tensor");
  DLTensor* tensor = NULL;
  if (args[0].type_index == kTVMFFITensor) {
    tensor = cell(&args[0]);
  } else if (args[0].type_index == kTVMFFIDLTensorPtr) {
    tensor = (DLTensor*)args[0].v_ptr;
  } else {
    return fail("TypeError", "double_in_place takes a tensor");
  }
  if (tensor->dtype.code != kDLFloat || tensor->dtype.bits != 32) return fail("ValueError", "want float32");
  int64_t n = 1;
  for (int32_t i = 0; i < tensor->ndim; i++) n *= tensor->shape[i];
  float* data = (float*)((char*)tensor->data + tensor->byte_offset);
  for (int64_t i = 0; i < n; i++) data[i] *= 2;
  return return_int(result, n);
}
