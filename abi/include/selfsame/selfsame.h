// What libselfsame.so offers beyond the tvm-ffi C ABI.
#ifndef SELFSAME_SELFSAME_H_
#define SELFSAME_SELFSAME_H_

#include "selfsame/c_api.h"
#include "selfsame/tie.h"

#ifdef __cplusplus
extern "C" {
#endif

// Flag of TVMFFIFieldInfo.flags, an extension that other readers of the ABI ignore: the getter does nothing but read
// the field's storage, which is exactly what field_static_type_index and size say (1: int64_t, 2: one byte bool, 3:
// double,
// >= 64: an owned object pointer, NULL for none, -1 with size 16: an owned TVMFFIAny). A reader may then read it
// directly.
#define SELFSAME_FIELD_PLAIN ((int64_t)1 << 48)

// The process's tie table; never NULL once the library is loaded.
TVM_FFI_DLL const SelfsameTieTable* SelfsameTieTableGet(void);

// Number of live objects of one type index that came from this runtime's builtin allocator. Any thread.
// An index that no object can have gives 0.
TVM_FFI_DLL int64_t SelfsameLiveObjects(int32_t type_index);

// A frontend may let the memory of a dead object rest and make its next object of the type of it, without a call. A
// resting object looks to the allocator, and to a tie record that it kept, like one that lives. So the frontend says
// where it counts those of a type: SelfsameLiveObjects leaves out as many as the low SELFSAME_RESTING_BITS bits of
// *word say. The word is read atomically and stays readable as long as the process lives. Any thread. Errors:
// ValueError (index, NULL word), MemoryError.
TVM_FFI_DLL int SelfsameCountResting(int32_t type_index, const uint64_t* word);

// What such a frontend must know of the allocator: it makes an object of a resting one only while *current, which is to
// be read atomically, is `builtin`, and lets objects rest only if their TVMFFIObjectAllocHeader has this delete_space.
typedef struct SelfsameAllocation {
  TVMFFICustomAllocator* const* current;
  const TVMFFICustomAllocator* builtin;
  void (*delete_space)(void* body);
} SelfsameAllocation;

// Never NULL.
TVM_FFI_DLL const SelfsameAllocation* SelfsameAllocationGet(void);

// The highest type index in use, plus one: the bound for walking SelfsameLiveObjects and TVMFFIGetTypeInfo.
TVM_FFI_DLL int32_t SelfsameTypeIndexEnd(void);

// As TVMFFIGetTypeInfo, but NULL for an index that is not registered.
TVM_FFI_DLL const TVMFFITypeInfo* SelfsameFindTypeInfo(int32_t type_index);

// A new Array of `n` elements, each converted from a view to an owned value. *out: new reference.
// Errors: ValueError (n < 0, or NULL views with n > 0), MemoryError, InternalError (an rvalue reference already moved).
TVM_FFI_DLL int SelfsameArrayCreate(const TVMFFIAny* views, int64_t n, TVMFFIObjectHandle* out);

// Makes an object of `size` bytes through the process's allocator: header filled in, the rest zero, one strong
// reference. `deleter` must release the memory in its weak phase with SelfsameObjectFree. Errors: ValueError,
// MemoryError.
TVM_FFI_DLL int SelfsameObjectAlloc(size_t size, size_t alignment, int32_t type_index,
                                    void (*deleter)(void* self, int flags), TVMFFIObjectHandle* out);

// Gives the memory of an object made by SelfsameObjectAlloc back to the allocator that made it.
TVM_FFI_DLL void SelfsameObjectFree(TVMFFIObjectHandle obj);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // SELFSAME_SELFSAME_H_
