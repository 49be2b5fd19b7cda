// Function objects made from C callbacks, and calling any Function.
#include "plane.h"

typedef struct {
  TVMFFIObject header;
  TVMFFIFunctionCell cell;
  void* self;
  TVMFFISafeCallType callback;
  void (*deleter)(void* self);
} function_object;

static int call_callback(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  function_object* function = handle;
  return function->callback(function->self, args, num_args, result);
}

static void delete_function(void* self, int flags) {
  function_object* function = self;
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) && function->deleter != NULL) function->deleter(function->self);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) SelfsameObjectFree(self);
}

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void* self),
                         TVMFFIObjectHandle* out) {
  static const char name[] = "TVMFFIFunctionCreate";
  if (!ss_check_ptr(out, name, "out")) return -1;
  *out = NULL;
  if (!ss_check_ptr((const void*)safe_call, name, "safe_call")) return -1;
  function_object* function = ss_object_space(sizeof(function_object), _Alignof(function_object), kTVMFFIFunction);
  if (function == NULL) return -1;
  // With nothing to carry, the callback stands in the object itself and gets the object's handle.
  int direct = self == NULL && deleter == NULL;
  function->cell.safe_call = direct ? safe_call : call_callback;
  function->cell.cpp_call = NULL;
  function->self = self;
  function->callback = safe_call;
  function->deleter = deleter;
  ss_object_init(function, kTVMFFIFunction, delete_function);
  *out = function;
  return 0;
}

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return ((TVMFFIFunctionCell*)((TVMFFIObject*)func + 1))->safe_call(func, args, num_args, result);
}
