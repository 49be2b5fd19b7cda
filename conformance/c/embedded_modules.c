// A library that carries the modules it imports: itself, with one child made from bytes.
// MALFORMED cuts the payload's declared length, so that its last module is missing.
// Requirement: A9
#include <stddef.h>
#include <stdint.h>
#include <tvm/ffi/c_api.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT void* __tvm_ffi__library_ctx = NULL;

struct __attribute__((packed)) payload {
  uint64_t num_begins, begins[3], num_children, children[1];
  uint64_t kind0_size;
  char kind0[4];
  uint64_t kind1_size;
  char kind1[11];
  uint64_t bytes_size;
  char bytes[5];
};

EXPORT const struct __attribute__((packed)) {
  uint64_t size;
  struct payload payload;
} __tvm_ffi__library_bin = {
#ifdef MALFORMED
    sizeof(struct payload) - 30,
#else
    sizeof(struct payload),
#endif
    {3,
     {0, 1, 1},
     1,
     {1},
     4,
     {'_', 'l', 'i', 'b'},
     11,
     {'c', 'o', 'n', 'f', 'o', 'r', 'm', 'a', 'n', 'c', 'e'},
     5,
     {'b', 'y', 't', 'e', 's'}},
};

EXPORT int __tvm_ffi_own(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self, (void)args, (void)num_args;
  result->type_index = kTVMFFIInt;
  result->zero_padding = 0;
  result->v_int64 = 7;
  return 0;
}
