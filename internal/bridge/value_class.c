// The class of the native objects that keep Go values in fields: how such an object prints, copies, and is refused by
// JSON. All of it is C, so that it works in a forked child without Go, and for objects of every Go library.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge.h"
#include "selfsame/internal/refcount.h"

// The object of a hook's first argument, or NULL with the error raised.
static const SsOpaque* value_of(const char* hook, const TVMFFIAny* args, int32_t num_args) {
  if (num_args < 1 || args == NULL || args[0].type_index < kTVMFFIStaticObjectBegin) {
    ss_bridge_raise("TypeError", "%s: expected an object that keeps a Go value", hook);
    return NULL;
  }
  return (const SsOpaque*)args[0].v_obj;
}

static const char* type_name(const SsOpaque* value) { return value->type_name == NULL ? "error" : value->type_name; }

static int print(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self;
  const SsOpaque* value = value_of("__ffi_repr__", args, num_args);
  if (value == NULL) return -1;
  char text[256];
  int n = snprintf(text, sizeof(text), "<Go value of type %s>", type_name(value));
  size_t size = n < (int)sizeof(text) ? (size_t)n : sizeof(text) - 1;
  uint64_t failed = ss_bridge_new_text(0, text, size, result);
  if (failed == 0) return 0;
  ss_bridge_set_raised((TVMFFIObjectHandle)(uintptr_t)failed);
  TVMFFIObjectDecRef((TVMFFIObjectHandle)(uintptr_t)failed);
  return -1;
}

// A copy is the object itself: nothing can change it.
static int copy(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self;
  if (value_of("__ffi_shallow_copy__", args, num_args) == NULL) return -1;
  *result = args[0];
  TVMFFIObjectIncRef(args[0].v_obj);
  return 0;
}

static int refuse_json(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self;
  (void)result;
  const SsOpaque* value = value_of("__data_to_json__", args, num_args);
  if (value == NULL) return -1;
  return ss_bridge_raise("TypeError", "a Go value of type %s cannot be pickled or written as JSON", type_name(value));
}

static void register_hook(int32_t type_index, const char* name, TVMFFISafeCallType call) {
  TVMFFIByteArray key = {name, strlen(name)};
  const TVMFFITypeAttrColumn* column = TVMFFIGetTypeAttrColumn(&key);
  if (column != NULL && type_index >= column->begin_index && type_index < column->begin_index + column->size &&
      column->data[type_index - column->begin_index].type_index != kTVMFFINone) {
    return;  // another Go library was first
  }
  TVMFFIAny hook = {.type_index = kTVMFFIFunction};
  TVMFFIObjectHandle function = NULL, error = NULL;
  if (TVMFFIFunctionCreate(NULL, call, NULL, &function) == 0) {
    hook.v_obj = function;
    int rc = TVMFFITypeRegisterAttr(type_index, &key, &hook);
    TVMFFIObjectDecRef(function);
    if (rc == 0) return;
  }
  ss_bridge_fail(&error);
  TVMFFIObjectDecRef(error);
}

int32_t ss_bridge_value_class(const TVMFFIByteArray* key) {
  int32_t index = ss_bridge_opaque_class(key);
  if (index < 0) return index;
  register_hook(index, "__ffi_repr__", print);
  register_hook(index, "__ffi_shallow_copy__", copy);
  register_hook(index, "__data_to_json__", refuse_json);
  return index;
}

static int refuse(void* text, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)args;
  (void)num_args;
  (void)result;
  return ss_bridge_raise("TypeError", "%s", (const char*)text);
}

int ss_bridge_new_refusal(const TVMFFIByteArray* text, TVMFFIObjectHandle* out, TVMFFIObjectHandle* error) {
  char* copied = malloc(text->size + 1);
  if (copied != NULL) {
    memcpy(copied, text->data, text->size);
    copied[text->size] = '\0';
  }
  TVMFFIObjectHandle function = NULL;
  if (copied == NULL) {
    ss_bridge_raise("MemoryError", "selfsame: no memory for a function");
    return ss_bridge_fail(error);
  }
  if (TVMFFIFunctionCreate(copied, refuse, free, &function) != 0) {
    free(copied);
    return ss_bridge_fail(error);
  }
  *out = function;
  return 0;
}
