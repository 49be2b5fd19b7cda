// Calls from Go to native Functions, the errors of such calls, and strings.
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "bridge.h"

int ss_bridge_fail(TVMFFIObjectHandle* error) {
  TVMFFIErrorMoveFromRaised(error);
  if (*error == NULL) {
    ss_bridge_raise("RuntimeError", "selfsame: a native function failed and raised no error");
    TVMFFIErrorMoveFromRaised(error);
  }
  return -1;
}

int ss_bridge_raise(const char* kind, const char* format, ...) {
  char most[512];
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  size_t size = (size_t)vsnprintf(most, sizeof(most), format, args) + 1;
  char* whole = size > sizeof(most) ? malloc(size) : NULL;
  if (whole != NULL) vsnprintf(whole, size, format, again);
  TVMFFIErrorSetRaisedFromCStr(kind, whole != NULL ? whole : most);
  free(whole);
  va_end(again);
  va_end(args);
  return -1;
}

// Replaces the Go texts among the first 64 arguments by owned Strings and Bytes and sets the bits of their numbers in
// *owned. Go passes no texts beyond argument 63 (bridge.MaxTexts). -1: an error is raised.
static int own_texts(TVMFFIAny* args, int32_t num_args, uint64_t* owned) {
  for (int32_t i = 0; i < num_args && i < 64; i++) {
    int32_t kind = args[i].type_index;
    if (kind != SS_BRIDGE_GO_STR && kind != SS_BRIDGE_GO_BYTES) continue;
    TVMFFIByteArray bytes = {args[i].v_ptr, args[i].small_str_len};
    int rc = kind == SS_BRIDGE_GO_STR ? TVMFFIStringFromByteArray(&bytes, &args[i])
                                      : TVMFFIBytesFromByteArray(&bytes, &args[i]);
    if (rc != 0) return -1;
    *owned |= (uint64_t)1 << i;
  }
  return 0;
}

_Static_assert(offsetof(SsCallFrame, error) == 9 * sizeof(TVMFFIAny), "Frame in bridge.go has this layout");

int ss_bridge_call(uint64_t function, uint64_t frame_address, uint64_t args_address, int32_t num_args, int has_texts) {
  TVMFFIObject* callee = (TVMFFIObject*)(uintptr_t)function;
  SsCallFrame* frame = (SsCallFrame*)(uintptr_t)frame_address;
  TVMFFIAny* args = (TVMFFIAny*)(uintptr_t)args_address;
  uint64_t owned = 0;
  frame->result = (TVMFFIAny){.type_index = kTVMFFINone};
  int rc = has_texts ? own_texts(args, num_args, &owned) : 0;
  if (rc == 0) rc = ((TVMFFIFunctionCell*)(callee + 1))->safe_call(callee, args, num_args, &frame->result);
  if (rc != 0) {
    TVMFFIObjectHandle raised = NULL;
    ss_bridge_fail(&raised);
    frame->error = (uint64_t)(uintptr_t)raised;
  }
  for (int32_t k = 0; owned != 0; k++, owned >>= 1) {
    if (owned & 1) ss_bridge_release_value(&args[k]);
  }
  return rc == 0 ? 0 : -1;
}

_Static_assert(sizeof(SsValueWords) == sizeof(TVMFFIAny), "a value has two words");

typedef union {
  SsValueWords words;  // as Go gives them
  TVMFFIAny value;     // as functions take it
} Argument;

static inline SsValueWords call_with(uint64_t function, const Argument* args, int32_t num_args) {
  TVMFFIObject* callee = (TVMFFIObject*)(uintptr_t)function;
  TVMFFIAny result = {.type_index = kTVMFFINone};
  int rc = ((TVMFFIFunctionCell*)(callee + 1))->safe_call(callee, &args->value, num_args, &result);
  if (__builtin_expect(rc != 0, 0)) {
    TVMFFIObjectHandle raised = NULL;
    ss_bridge_fail(&raised);
    return (SsValueWords){(uint32_t)SS_BRIDGE_FAILED, (uint64_t)(uintptr_t)raised};
  }
  uint32_t index = (uint32_t)result.type_index;
  // Makes the compiler load the two halves separately. The callee usually stores them separately, and one 8-byte load
  // would wait until both stores left the store buffer.
  __asm__("" : "+r"(index));
  return (SsValueWords){(uint64_t)result.small_str_len << 32 | index, result.v_uint64};
}

SsValueWords ss_bridge_call2(uint64_t function, int32_t num_args, uint64_t head0, uint64_t bits0, uint64_t head1,
                             uint64_t bits1) {
  const Argument args[] = {{{head0, bits0}}, {{head1, bits1}}};
  return call_with(function, args, num_args);
}

SsValueWords ss_bridge_call4(uint64_t function, int32_t num_args, uint64_t head0, uint64_t bits0, uint64_t head1,
                             uint64_t bits1, uint64_t head2, uint64_t bits2, uint64_t head3, uint64_t bits3) {
  const Argument args[] = {{{head0, bits0}}, {{head1, bits1}}, {{head2, bits2}}, {{head3, bits3}}};
  return call_with(function, args, num_args);
}

static inline Argument unpacked(uint64_t head, uint64_t bits) {
  return (Argument){{(head & 0xFF) | (head >> 8 & 0xF) << 32, bits}};
}

SsValueWords ss_bridge_call_words(uint64_t function, uint64_t heads, uint64_t bits0, uint64_t bits1, uint64_t bits2,
                                  uint64_t bits3) {
  const Argument args[] = {unpacked(heads, bits0), unpacked(heads >> 12, bits1), unpacked(heads >> 24, bits2),
                           unpacked(heads >> 36, bits3)};
  return call_with(function, args, (int32_t)(heads >> 48));
}

uint64_t ss_bridge_call_init(uint64_t function) {
  int (*init)(void) = (int (*)(void))(uintptr_t)function;  // NOLINT(performance-no-int-to-ptr)
  TVMFFIObjectHandle error = NULL;
  if (init() != 0) ss_bridge_fail(&error);
  return (uint64_t)(uintptr_t)error;
}

uint64_t ss_bridge_new_text(int is_bytes, const char* data, size_t size, TVMFFIAny* out) {
  TVMFFIByteArray bytes = {data, size};
  TVMFFIAny value;
  int rc = is_bytes ? TVMFFIBytesFromByteArray(&bytes, &value) : TVMFFIStringFromByteArray(&bytes, &value);
  TVMFFIObjectHandle error = NULL;
  if (rc == 0) {
    *out = value;
  } else {
    ss_bridge_fail(&error);
  }
  return (uint64_t)(uintptr_t)error;
}

int ss_bridge_new_texts(uint64_t texts, size_t count, TVMFFIAny* out, TVMFFIObjectHandle* error) {
  const TVMFFIByteArray* all = (const TVMFFIByteArray*)(uintptr_t)texts;  // NOLINT(performance-no-int-to-ptr)
  for (size_t i = 0; i < count; i++) {
    TVMFFIAny value;
    if (TVMFFIStringFromByteArray(&all[i], &value) != 0) {
      ss_bridge_fail(error);
      return (int)i;
    }
    out[i] = value;
  }
  return (int)count;
}

const char* ss_bridge_type_key(const TVMFFIAny* value) {
  int32_t index = value->type_index;
  if (index == kTVMFFIAny) return "Any";
  if (index < kTVMFFIAny || (index > kTVMFFIUnchanged && index < kTVMFFIStaticObjectBegin)) return "an unknown type";
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(index);
  return info == NULL ? "an unknown type" : info->type_key.data;
}
