// A library for load_module: functions by symbol, one of them with documentation and metadata, and a class whose
// deleter is in this library.
#include "selfsame/c_api.h"

#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

static int64_t live;

EXPORT int __tvm_ffi_add_one(void* self, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  (void)self;
  if (count != 1 || args[0].type_index != kTVMFFIInt) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "add_one takes an int");
    return -1;
  }
  result->type_index = kTVMFFIInt;
  result->zero_padding = 0;
  result->v_int64 = args[0].v_int64 + 1;
  return 0;
}

EXPORT int __tvm_ffi_main(void* self, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  (void)self;
  (void)args;
  result->type_index = kTVMFFIInt;
  result->zero_padding = 0;
  result->v_int64 = count;
  return 0;
}

static int text(const char* s, TVMFFIAny* result) {
  TVMFFIByteArray bytes = {s, strlen(s)};
  return TVMFFIStringFromByteArray(&bytes, result);
}

EXPORT int __tvm_ffi__doc_add_one(void* self, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  (void)self;
  (void)args;
  (void)count;
  return text("Adds one.", result);
}

EXPORT int __tvm_ffi__metadata_add_one(void* self, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  (void)self;
  (void)args;
  (void)count;
  return text("{\"type_schema\": \"x\"}", result);
}

static void delete_thing(void* object, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) __atomic_fetch_sub(&live, 1, __ATOMIC_RELAXED);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(object);
}

EXPORT int __tvm_ffi_thing(void* self, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  (void)self;
  (void)args;
  (void)count;
  static const char name[] = "pymodule.Thing";
  TVMFFIByteArray key = {name, sizeof(name) - 1};
  TVMFFIObject* object = calloc(1, sizeof(TVMFFIObject));
  if (object == NULL) return -1;
  object->combined_ref_count = ((uint64_t)1 << 32) | 1;
  object->type_index = TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
  object->deleter = delete_thing;
  __atomic_fetch_add(&live, 1, __ATOMIC_RELAXED);
  result->type_index = object->type_index;
  result->zero_padding = 0;
  result->v_obj = object;
  return 0;
}

EXPORT int __tvm_ffi_live(void* self, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  (void)self;
  (void)args;
  (void)count;
  result->type_index = kTVMFFIInt;
  result->zero_padding = 0;
  result->v_int64 = __atomic_load_n(&live, __ATOMIC_RELAXED);
  return 0;
}
