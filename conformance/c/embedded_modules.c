// A library that embeds the module that it imports: the library itself is the first module, and the second is made of
// bytes. With MALFORMED, the declared length is too small, so that the last module is cut off.
// Requirement: A9
#include <stddef.h>
#include <stdint.h>
#include <tvm/ffi/c_api.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT void* __tvm_ffi__library_ctx = NULL;

struct __attribute__((packed)) ModuleTree {
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
  struct ModuleTree modules;
} __tvm_ffi__library_bin = {
#ifdef MALFORMED
    sizeof(struct ModuleTree) - 30,
#else
    sizeof(struct ModuleTree),
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
