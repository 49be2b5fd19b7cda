// Functions of libselfsame.so beyond the tvm-ffi C ABI.
#ifndef SELFSAME_SELFSAME_H_
#define SELFSAME_SELFSAME_H_

#include "selfsame/c_api.h"
#include "selfsame/tie.h"

#ifdef __cplusplus
extern "C" {
#endif

// Flag of TVMFFIFieldInfo.flags, an extension that other readers of the ABI ignore: a plain field, whose getter only
// reads its storage, so that a reader may read the storage instead. The storage is, by field_static_type_index:
//   1         int64_t
//   2         a bool of one byte
//   3         double
//   64 on     an owned object pointer, NULL for none
//   -1        with size 16: an owned TVMFFIAny
#define SELFSAME_FIELD_PLAIN ((int64_t)1 << 48)

// Type indices of arguments that lend the values of a list or dict instead of passing a container. v_ptr points to a
// SelfsameLentValues, which is valid for the time of the call. Only a Function whose metadata lists the parameter under
// "lent" may get such an argument.
enum {
  SELFSAME_LENT_ITEMS = -66,    // the items of a list
  SELFSAME_LENT_ENTRIES = -67,  // the entries of a dict: a key, its value, the next key
};

// Views of None, ints, bools, floats and text. The small_str_len of a kTVMFFIRawStr is its size in bytes.
typedef struct SelfsameLentValues {
  const TVMFFIAny* views;
  int64_t count;
} SelfsameLentValues;

// The numbers of a list or of a buffer are lent as a kTVMFFIDLTensorPtr, a tensor of one dimension that is valid for
// the time of the call, to parameters that the metadata lists under "lent_numbers". It may be read-only. The bytes of
// a bytearray or memoryview are lent as a kTVMFFIByteArrayPtr to those listed under "lent_bytes".

// Type index of the only argument of a call that stands for many, one for each item. v_ptr points to a SelfsameBatch,
// which is valid for the time of the call. Only a Function whose metadata has "dtypes" may get such an argument. The call
// returns None, or fails with the error of the first item, by its number, whose call failed.
enum { SELFSAME_BATCH = -68 };

// A value for each item: an argument, or the result.
typedef struct SelfsameColumn {
  void* data;        // of the first item
  int64_t step;      // bytes from one item to the next
  DLDataType dtype;  // of numbers of 8 to 64 bits and aligned; with 0 bits the column has a TVMFFIAny for each item
} SelfsameColumn;

typedef struct SelfsameBatch {
  int64_t count;                  // of the items
  const SelfsameColumn* columns;  // of the arguments, whose values are borrowed; then of the result
  int32_t num_args;
  int32_t parallel;  // not 0: the items may be called on several threads at once
  int64_t failed;    // set by a call that fails: the number of the item, or -1
} SelfsameBatch;

// A result column has the dtype that the metadata says, or values, which must be zero before. The caller owns the values
// after the call; of a call that fails those before the item `failed`.

// The process's tie table; never NULL once the library is loaded.
TVM_FFI_DLL const SelfsameTieTable* SelfsameTieTableGet(void);

// Number of live objects of one type index that came from this runtime's builtin allocator. Any thread.
// An index that no object can have gives 0.
TVM_FFI_DLL int64_t SelfsameLiveObjects(int32_t type_index);

// A frontend may put a dead object on a free list and recycle its memory for its next object of that type, without a
// call. The allocator, and the tie table if the object kept its record, count such an object as alive. So the frontend
// names a word whose low SELFSAME_FREE_LIST_BITS bits count the free list of a type: SelfsameLiveObjects excludes that
// many. The word is read atomically and must stay readable for the life of the process. Any thread. Errors: ValueError
// (index, NULL word), MemoryError.
TVM_FFI_DLL int SelfsameCountFreeList(int32_t type_index, const uint64_t* word);

// The allocator, for such a frontend. It must recycle an object only while *current, read atomically, is `builtin`, and
// may put an object on a free list only if the object's TVMFFIObjectAllocHeader has this delete_space.
typedef struct SelfsameAllocation {
  TVMFFICustomAllocator* const* current;
  const TVMFFICustomAllocator* builtin;
  void (*delete_space)(void* body);
} SelfsameAllocation;

// Never NULL.
TVM_FFI_DLL const SelfsameAllocation* SelfsameAllocationGet(void);

// The deleter of Tensors over memory that must not be written: those that TVMFFITensorFromDLPackVersioned makes of a
// managed tensor with that flag, and views of these. A Tensor's own deleter, which its tie record has when it has one,
// is compared with it. TVMFFITensorToDLPackVersioned hands the flag on. Never NULL.
typedef void (*SelfsameObjectDeleter)(void* self, int flags);
TVM_FFI_DLL SelfsameObjectDeleter SelfsameReadOnlyTensorDeleter(void);

// The highest type index in use, plus one: the bound for walking SelfsameLiveObjects and TVMFFIGetTypeInfo.
TVM_FFI_DLL int32_t SelfsameTypeIndexEnd(void);

// As TVMFFIGetTypeInfo, but NULL for an index that is not registered.
TVM_FFI_DLL const TVMFFITypeInfo* SelfsameFindTypeInfo(int32_t type_index);

// The name of a global function: the first one under which it was registered. NULL for a function without a name. The name
// stays readable for the life of the process. Any thread.
TVM_FFI_DLL const TVMFFIByteArray* SelfsameGlobalName(TVMFFIObjectHandle function);

// Copies a value and all objects that it refers to, as ffi.DeepCopy. An object that is shared in the value, or part of a
// cycle, is so in the copy. Strings, bytes, Shapes, BigInts and members of enums are not copied: the copy refers to the
// same objects. Unless NULL, `note` is told of each object that has owners besides the walk, and of its copy, both borrowed;
// when it returns other than 0 with an error raised, so does this. *result: owned. Errors: InternalError (a class that
// cannot be copied), MemoryError, and what functions of the classes raise.
typedef int (*SelfsameCopied)(void* context, TVMFFIObject* original, TVMFFIObject* copy);
TVM_FFI_DLL int SelfsameDeepCopy(const TVMFFIAny* value, TVMFFIAny* result, SelfsameCopied note, void* context);

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

// Calls `change` while the handlers of these `count` signals are those from before Go's. The handlers that it installs come
// after Go's: Go keeps the faults that it recovers and the SIGURG signals with which it interrupts its threads, and passes
// the others on. Leaves a signal alone whose handler is not Go's. Calls `change` once in any case. Any thread; during the
// call a fault of Go's on another thread goes to those handlers.
TVM_FFI_DLL void SelfsameBelowGo(const int* numbers, int count, void (*change)(void* data), void* data);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // SELFSAME_SELFSAME_H_
