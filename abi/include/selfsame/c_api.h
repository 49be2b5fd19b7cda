// The C ABI of tvm-ffi, as selfsame implements it: layouts, constants and functions.
//
// Source of every layout, value and function here: the stable C ABI of tvm-ffi (versions 0.1.0 to 0.1.16).
// Names are the ABI's own, so that a C program written against either header compiles with the other. Do not
// include both in one translation unit.
//
// Conventions
//   int functions   0 on success; -1 with an error raised in the calling thread (TVMFFIErrorMoveFromRaised takes it).
//   Handle          TVMFFIObjectHandle, the address of the object's 24-byte header.
//   "new reference" the caller owns one strong reference and must release it with TVMFFIObjectDecRef.
//   "borrowed"      the callee does not take over the caller's reference.
#ifndef SELFSAME_C_API_H_
#define SELFSAME_C_API_H_

#include <stddef.h>
#include <stdint.h>

#include "selfsame/dlpack.h"

#define TVM_FFI_VERSION_MAJOR 0
#define TVM_FFI_VERSION_MINOR 1
#define TVM_FFI_VERSION_PATCH 16

#if defined(TVM_FFI_DLL)
#elif !defined(_WIN32)
#define TVM_FFI_DLL __attribute__((visibility("default")))
#elif defined(TVM_FFI_EXPORTS)  // the runtime itself is compiled
#define TVM_FFI_DLL __declspec(dllexport)
#else
#define TVM_FFI_DLL
#endif

#ifdef __cplusplus
extern "C" {
#endif

// ---- constants ---------------------------------------------------------------------------------

// Type index of a value (TVMFFIAny.type_index) or of an object (TVMFFIObject.type_index).
enum {
  kTVMFFIAny = -1,  // annotation only, never the index of a value
  kTVMFFINone = 0,
  kTVMFFIInt = 1,
  kTVMFFIBool = 2,
  kTVMFFIFloat = 3,
  kTVMFFIOpaquePtr = 4,
  kTVMFFIDataType = 5,
  kTVMFFIDevice = 6,
  kTVMFFIDLTensorPtr = 7,       // views only; not owned
  kTVMFFIRawStr = 8,            // views only; NUL-terminated, not owned
  kTVMFFIByteArrayPtr = 9,      // views only; TVMFFIByteArray*, not owned
  kTVMFFIObjectRValueRef = 10,  // views only; address of a variable that owns a reference
  kTVMFFISmallStr = 11,
  kTVMFFISmallBytes = 12,
  kTVMFFIUnchanged = 13,  // since 0.1.15: marker used by structural mutation
  kTVMFFIStaticObjectBegin = 64,
  kTVMFFIObject = 64,
  kTVMFFIStr = 65,
  kTVMFFIBytes = 66,
  kTVMFFIError = 67,
  kTVMFFIFunction = 68,
  kTVMFFIShape = 69,
  kTVMFFITensor = 70,
  kTVMFFIArray = 71,
  kTVMFFIMap = 72,
  kTVMFFIModule = 73,
  kTVMFFIOpaquePyObject = 74,
  kTVMFFIList = 75,
  kTVMFFIDict = 76,
  kTVMFFIVisitInterrupt = 77,
  kTVMFFIBigInt = 78,           // since 0.1.15
  kTVMFFIStaticObjectEnd = 79,  // exclusive
  kTVMFFIDynObjectBegin = 128
};

// Flags that a deleter is called with.
enum {
  kTVMFFIObjectDeleterFlagBitMaskStrong = 1,  // run the destructor, keep the memory
  kTVMFFIObjectDeleterFlagBitMaskWeak = 2,    // release the memory
  kTVMFFIObjectDeleterFlagBitMaskBoth = 3
};

enum { kTVMFFIBacktraceUpdateModeReplace = 0, kTVMFFIBacktraceUpdateModeAppend = 1 };

// TVMFFIFieldInfo.flags and TVMFFIMethodInfo.flags.
enum {
  kTVMFFIFieldFlagBitMaskWritable = 1 << 0,
  kTVMFFIFieldFlagBitMaskHasDefault = 1 << 1,
  kTVMFFIFieldFlagBitMaskIsStaticMethod = 1 << 2,
  kTVMFFIFieldFlagBitMaskSEqHashIgnore = 1 << 3,
  kTVMFFIFieldFlagBitMaskSEqHashDefPattern = 1 << 4,
  kTVMFFIFieldFlagBitMaskDefaultFromFactory = 1 << 5,
  kTVMFFIFieldFlagBitMaskReprOff = 1 << 6,
  kTVMFFIFieldFlagBitMaskCompareOff = 1 << 7,
  kTVMFFIFieldFlagBitMaskHashOff = 1 << 8,
  kTVMFFIFieldFlagBitMaskInitOff = 1 << 9,
  kTVMFFIFieldFlagBitMaskKwOnly = 1 << 10,
  kTVMFFIFieldFlagBitSetterIsFunctionObj = 1 << 11,
  kTVMFFIFieldFlagBitMaskSEqHashDefSimple = 1 << 12
};

enum {
  kTVMFFISEqHashKindUnsupported = 0,
  kTVMFFISEqHashKindTreeNode = 1,
  kTVMFFISEqHashKindFreeVar = 2,
  kTVMFFISEqHashKindDAGNode = 3,
  kTVMFFISEqHashKindConstTreeNode = 4,
  kTVMFFISEqHashKindUniqueInstance = 5
};

// ---- values and objects --------------------------------------------------------------------------

typedef struct {
  uint32_t major, minor, patch;
} TVMFFIVersion;

typedef void* TVMFFIObjectHandle;

// Header of every object, 24 bytes.
typedef struct TVMFFIObject {
  uint64_t combined_ref_count;  // low 32 bits strong, high 32 bits weak; all strong ones together own one weak
  int32_t type_index;
  uint32_t __padding;  // 0 from every creator; selfsame stores the tie record's number here (see tie.h)
  union {
    void (*deleter)(void* self, int flags);  // may be NULL: the object is never freed
    int64_t __ensure_align;
  };
} TVMFFIObject;

// A value: 16 bytes. Where it is decides whether it is an owned value ("Any") or a view ("AnyView").
typedef struct TVMFFIAny {
  int32_t type_index;
  union {
    uint32_t zero_padding;  // 0 for all but small strings and small bytes
    uint32_t small_str_len;
  };
  union {
    int64_t v_int64;
    double v_float64;
    void* v_ptr;
    const char* v_c_str;
    TVMFFIObject* v_obj;
    DLDataType v_dtype;
    DLDevice v_device;
    char v_bytes[8];
    uint64_t v_uint64;
  };
} TVMFFIAny;

typedef struct {
  const char* data;
  size_t size;
} TVMFFIByteArray;

typedef struct {
  const int64_t* data;
  size_t size;
} TVMFFIShapeCell;

// The cell of Array and List, at offset 24.
typedef struct TVMFFISeqCell {
  void* data;  // TVMFFIAny[capacity]
  int64_t size;
  int64_t capacity;
  void (*data_deleter)(void*);  // NULL: data lies inside the object's allocation
} TVMFFISeqCell;

// The cell of BigInt, at offset 24; the words follow it. Signed two's complement, the least significant word first,
// without redundant sign words and never a value that fits int64_t: those are kTVMFFIInt.
typedef struct {
  size_t size;  // number of int64_t words, at least 2
} TVMFFIBigIntCell;

// The cell of Error, at offset 24.
typedef struct {
  TVMFFIByteArray kind;
  TVMFFIByteArray message;  // NUL-terminated
  TVMFFIByteArray backtrace;
  void (*update_backtrace)(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t update_mode);
  TVMFFIObjectHandle cause_chain;    // owned Error or NULL
  TVMFFIObjectHandle extra_context;  // owned object or NULL
} TVMFFIErrorCell;

// args are borrowed views; *result becomes an owned value (the caller sets its type_index to None before).
typedef int (*TVMFFISafeCallType)(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result);

// The cell of Function, at offset 24.
typedef struct {
  TVMFFISafeCallType safe_call;  // called with the function object's own handle
  void* cpp_call;                // NULL unless C++ made the function
} TVMFFIFunctionCell;

// The cell of an opaque object, at offset 24.
typedef struct {
  void* handle;
} TVMFFIOpaqueObjectCell;

// ---- allocation ----------------------------------------------------------------------------------

// The 8 bytes in front of an object that an allocator made.
typedef struct {
  void (*delete_space)(void* body);
} TVMFFIObjectAllocHeader;

// allocate returns a body of `size` bytes, aligned to `alignment`, with a TVMFFIObjectAllocHeader in the 8 bytes
// before it, or NULL after raising an error. It may be called on any thread.
typedef struct {
  void* (*allocate)(size_t size, size_t alignment, int32_t type_index, void* context);
  void* context;
} TVMFFICustomAllocator;

// ---- reflection ----------------------------------------------------------------------------------

typedef int (*TVMFFIFieldGetter)(void* field, TVMFFIAny* result);       // *result: new reference
typedef int (*TVMFFIFieldSetter)(void* field, const TVMFFIAny* value);  // value: borrowed
typedef int (*TVMFFIObjectCreator)(TVMFFIObjectHandle* result);         // *result: new reference

typedef struct {
  TVMFFIByteArray name;
  TVMFFIByteArray doc;
  TVMFFIByteArray metadata;  // JSON text
  int64_t flags;
  int64_t size;
  int64_t alignment;
  int64_t offset;  // from the object handle
  TVMFFIFieldGetter getter;
  void* setter;  // TVMFFIFieldSetter, or a Function handle with kTVMFFIFieldFlagBitSetterIsFunctionObj
  TVMFFIAny default_value_or_factory;
  int32_t field_static_type_index;
} TVMFFIFieldInfo;

typedef struct {
  TVMFFIByteArray name;
  TVMFFIByteArray doc;
  TVMFFIByteArray metadata;
  int64_t flags;
  TVMFFIAny method;
} TVMFFIMethodInfo;

typedef struct {
  TVMFFIByteArray doc;
  TVMFFIObjectCreator creator;
  int32_t total_size;
  int32_t structural_eq_hash_kind;
} TVMFFITypeMetadata;

typedef struct {
  const TVMFFIAny* data;  // indexed by type_index - begin_index; re-read after any registration
  int32_t size;
  int32_t begin_index;
} TVMFFITypeAttrColumn;

typedef struct TVMFFITypeInfo {
  int32_t type_index;
  int32_t type_depth;  // number of ancestors
  TVMFFIByteArray type_key;
  const struct TVMFFITypeInfo** type_ancestors;  // [0] is ffi.Object, [type_depth - 1] the parent
  uint64_t type_key_hash;
  int32_t num_fields;  // own fields, without inherited ones
  int32_t num_methods;
  const TVMFFIFieldInfo* fields;
  const TVMFFIMethodInfo* methods;
  const TVMFFITypeMetadata* metadata;  // NULL until registered
} TVMFFITypeInfo;

// ---- functions -----------------------------------------------------------------------------------
// docs/c-api.md says for each of these which references it takes, keeps and gives back, and which errors it raises.

TVM_FFI_DLL void TVMFFIGetVersion(TVMFFIVersion* out_version);

TVM_FFI_DLL int TVMFFIObjectIncRef(TVMFFIObjectHandle obj);
TVM_FFI_DLL int TVMFFIObjectDecRef(TVMFFIObjectHandle obj);
TVM_FFI_DLL int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void* handle),
                                         TVMFFIObjectHandle* out);

TVM_FFI_DLL TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void);
TVM_FFI_DLL int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator);

TVM_FFI_DLL int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex);
TVM_FFI_DLL int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index,
                                              int32_t type_depth, int32_t num_child_slots,
                                              int32_t child_slots_can_overflow, int32_t parent_type_index);
TVM_FFI_DLL const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index);
TVM_FFI_DLL int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info);
TVM_FFI_DLL int TVMFFITypeRegisterMethod(int32_t type_index, const TVMFFIMethodInfo* info);
TVM_FFI_DLL int TVMFFITypeRegisterMetadata(int32_t type_index, const TVMFFITypeMetadata* metadata);
TVM_FFI_DLL int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name,
                                       const TVMFFIAny* attr_value);
TVM_FFI_DLL const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* attr_name);

TVM_FFI_DLL int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void* self),
                                     TVMFFIObjectHandle* out);
TVM_FFI_DLL int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out);
TVM_FFI_DLL int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override);
TVM_FFI_DLL int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* method_info, int allow_override);
TVM_FFI_DLL int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result);
TVM_FFI_DLL int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out);

TVM_FFI_DLL void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result);
TVM_FFI_DLL void TVMFFIErrorSetRaised(TVMFFIObjectHandle error);
TVM_FFI_DLL void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message);
TVM_FFI_DLL void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** message_parts, int32_t num_parts);
TVM_FFI_DLL int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                  const TVMFFIByteArray* backtrace, TVMFFIObjectHandle* out);
TVM_FFI_DLL int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                                          const TVMFFIByteArray* backtrace,
                                                          TVMFFIObjectHandle cause_chain,
                                                          TVMFFIObjectHandle extra_context, TVMFFIObjectHandle* out);
TVM_FFI_DLL const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func,
                                                   int cross_ffi_boundary);

TVM_FFI_DLL int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out);
TVM_FFI_DLL int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out);

TVM_FFI_DLL int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out);
TVM_FFI_DLL TVMFFIByteArray TVMFFIBigIntGetContentByteArray(const TVMFFIAny* value);

TVM_FFI_DLL int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out);
TVM_FFI_DLL int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out);

TVM_FFI_DLL int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                                       TVMFFIObjectHandle* out);
TVM_FFI_DLL int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment,
                                                int32_t require_contiguous, TVMFFIObjectHandle* out);
TVM_FFI_DLL int TVMFFITensorToDLPack(TVMFFIObjectHandle from, DLManagedTensor** out);
TVM_FFI_DLL int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out);
TVM_FFI_DLL int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype,
                                             TVMFFIObjectHandle* out);
// Modules. library_ctx is the value that a loader wrote to a library's __tvm_ffi__library_ctx: the address that is 8
// bytes before the module's handle. *out is borrowed: the module owns the function.
TVM_FFI_DLL int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle library_ctx, const char* func_name,
                                              TVMFFIObjectHandle* out);
TVM_FFI_DLL int TVMFFIEnvModRegisterContextSymbol(const char* name, void* symbol);
TVM_FFI_DLL int TVMFFIEnvModRegisterSystemLibSymbol(const char* name, void* symbol);

TVM_FFI_DLL int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result));
TVM_FFI_DLL int TVMFFIHandleDeinitOnce(void** handle_addr, int (*deinit_func)(void* handle));

// ---- environment: services of the program for compiled code ---------------------------

typedef void* TVMFFIStreamHandle;

TVM_FFI_DLL int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream,
                                   TVMFFIStreamHandle* opt_out_original_stream);
TVM_FFI_DLL TVMFFIStreamHandle TVMFFIEnvGetStream(int32_t device_type, int32_t device_id);

TVM_FFI_DLL int TVMFFIEnvSetDLPackManagedTensorAllocator(DLPackManagedTensorAllocator allocator,
                                                         int write_to_global_context,
                                                         DLPackManagedTensorAllocator* opt_out_original_allocator);
TVM_FFI_DLL DLPackManagedTensorAllocator TVMFFIEnvGetDLPackManagedTensorAllocator(void);
TVM_FFI_DLL int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out);

TVM_FFI_DLL int TVMFFIEnvRegisterCAPI(const char* name, void* symbol);
TVM_FFI_DLL int TVMFFIEnvCheckSignals(void);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // SELFSAME_C_API_H_
