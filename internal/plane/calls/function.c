// Function objects made from C callbacks, and calling any Function.
#include "core/alloc.h"
#include "core/object_create.h"
#include "core/raise.h"
#include "selfsame/internal/values.h"
#include "selfsame/selfsame.h"
#include "core/teardown.h"

typedef struct {
  TVMFFIObject header;          // counts, type index and deleter
  TVMFFIFunctionCell cell;      // how the function is called
  void* self;                   // given to callback and deleter; owned by way of deleter
  TVMFFISafeCallType callback;  // the C function that the caller made the Function of
  void (*deleter)(void* self);  // releases self when the Function dies; may be NULL
} FunctionObject;

static int call_callback(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  FunctionObject* function = handle;
  return function->callback(function->self, args, num_args, result);
}

static void release_callback(void* self) {
  FunctionObject* function = self;
  if (function->deleter != NULL) function->deleter(function->self);
}

static void delete_function(void* self, int flags) { ss_delete_owner(self, flags, delete_function, release_callback); }

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void* self),
                         TVMFFIObjectHandle* out) {
  static const char name[] = "TVMFFIFunctionCreate";
  if (!ss_check_ptr(out, name, "out")) return -1;
  *out = NULL;
  if (!ss_check_ptr((const void*)safe_call, name, "safe_call")) return -1;
  FunctionObject* function = ss_object_space(sizeof(FunctionObject), _Alignof(FunctionObject), kTVMFFIFunction);
  if (function == NULL) return -1;
  // Without self and deleter, the object holds the callback itself, which then gets the object's handle as its first
  // argument.
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

int ss_function_call(void* function, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  ss_set_none(result);
  return ((TVMFFIFunctionCell*)((TVMFFIObject*)function + 1))->safe_call(function, args, n, result);
}

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return ((TVMFFIFunctionCell*)((TVMFFIObject*)func + 1))->safe_call(func, args, num_args, result);
}
