// A stub for every function of the ABI: a jump through a pointer. stubs.go says where the pointers lead.
#include "bound.h"

void TVMFFIGetVersion(TVMFFIVersion* out_version) {
  if (bound.TVMFFIGetVersion != NULL) bound.TVMFFIGetVersion(out_version);
}

int TVMFFIObjectIncRef(TVMFFIObjectHandle obj) {
  return bound.TVMFFIObjectIncRef == NULL ? -1 : bound.TVMFFIObjectIncRef(obj);
}

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  return bound.TVMFFIObjectDecRef == NULL ? -1 : bound.TVMFFIObjectDecRef(obj);
}

int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void* handle), TVMFFIObjectHandle* out) {
  return bound.TVMFFIObjectCreateOpaque == NULL ? -1 : bound.TVMFFIObjectCreateOpaque(handle, type_index, deleter, out);
}

TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) {
  return bound.TVMFFIGetCustomAllocator == NULL ? NULL : bound.TVMFFIGetCustomAllocator();
}

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  return bound.TVMFFISetCustomAllocator == NULL ? -1 : bound.TVMFFISetCustomAllocator(allocator);
}

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  return bound.TVMFFITypeKeyToIndex == NULL ? -1 : bound.TVMFFITypeKeyToIndex(type_key, out_tindex);
}

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow,
                                  int32_t parent_type_index) {
  return bound.TVMFFITypeGetOrAllocIndex == NULL
             ? -1
             : bound.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots,
                                               child_slots_can_overflow, parent_type_index);
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  return bound.TVMFFIGetTypeInfo == NULL ? NULL : bound.TVMFFIGetTypeInfo(type_index);
}

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  return bound.TVMFFITypeRegisterField == NULL ? -1 : bound.TVMFFITypeRegisterField(type_index, info);
}

int TVMFFITypeRegisterMethod(int32_t type_index, const TVMFFIMethodInfo* info) {
  return bound.TVMFFITypeRegisterMethod == NULL ? -1 : bound.TVMFFITypeRegisterMethod(type_index, info);
}

int TVMFFITypeRegisterMetadata(int32_t type_index, const TVMFFITypeMetadata* metadata) {
  return bound.TVMFFITypeRegisterMetadata == NULL ? -1 : bound.TVMFFITypeRegisterMetadata(type_index, metadata);
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  return bound.TVMFFITypeRegisterAttr == NULL ? -1 : bound.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
}

const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* attr_name) {
  return bound.TVMFFIGetTypeAttrColumn == NULL ? NULL : bound.TVMFFIGetTypeAttrColumn(attr_name);
}

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void* self),
                         TVMFFIObjectHandle* out) {
  return bound.TVMFFIFunctionCreate == NULL ? -1 : bound.TVMFFIFunctionCreate(self, safe_call, deleter, out);
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  return bound.TVMFFIFunctionGetGlobal == NULL ? -1 : bound.TVMFFIFunctionGetGlobal(name, out);
}

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  return bound.TVMFFIFunctionSetGlobal == NULL ? -1 : bound.TVMFFIFunctionSetGlobal(name, f, allow_override);
}

int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* method_info, int allow_override) {
  return bound.TVMFFIFunctionSetGlobalFromMethodInfo == NULL
             ? -1
             : bound.TVMFFIFunctionSetGlobalFromMethodInfo(method_info, allow_override);
}

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return bound.TVMFFIFunctionCall == NULL ? -1 : bound.TVMFFIFunctionCall(func, args, num_args, result);
}

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  return bound.TVMFFIAnyViewToOwnedAny == NULL ? -1 : bound.TVMFFIAnyViewToOwnedAny(any_view, out);
}

void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) {
  if (bound.TVMFFIErrorMoveFromRaised != NULL) bound.TVMFFIErrorMoveFromRaised(result);
}

void TVMFFIErrorSetRaised(TVMFFIObjectHandle error) {
  if (bound.TVMFFIErrorSetRaised != NULL) bound.TVMFFIErrorSetRaised(error);
}

void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  if (bound.TVMFFIErrorSetRaisedFromCStr != NULL) bound.TVMFFIErrorSetRaisedFromCStr(kind, message);
}

void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** message_parts, int32_t num_parts) {
  if (bound.TVMFFIErrorSetRaisedFromCStrParts != NULL)
    bound.TVMFFIErrorSetRaisedFromCStrParts(kind, message_parts, num_parts);
}

int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace,
                      TVMFFIObjectHandle* out) {
  return bound.TVMFFIErrorCreate == NULL ? -1 : bound.TVMFFIErrorCreate(kind, message, backtrace, out);
}

int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                              const TVMFFIByteArray* backtrace, TVMFFIObjectHandle cause_chain,
                                              TVMFFIObjectHandle extra_context, TVMFFIObjectHandle* out) {
  return bound.TVMFFIErrorCreateWithCauseAndExtraContext == NULL
             ? -1
             : bound.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, cause_chain, extra_context,
                                                               out);
}

const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross_ffi_boundary) {
  return bound.TVMFFIBacktrace == NULL ? NULL : bound.TVMFFIBacktrace(filename, lineno, func, cross_ffi_boundary);
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  return bound.TVMFFIStringFromByteArray == NULL ? -1 : bound.TVMFFIStringFromByteArray(input, out);
}

int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  return bound.TVMFFIBytesFromByteArray == NULL ? -1 : bound.TVMFFIBytesFromByteArray(input, out);
}

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  return bound.TVMFFIHandleInitOnce == NULL ? -1 : bound.TVMFFIHandleInitOnce(handle_addr, init_func);
}

int TVMFFIHandleDeinitOnce(void** handle_addr, int (*deinit_func)(void* handle)) {
  return bound.TVMFFIHandleDeinitOnce == NULL ? -1 : bound.TVMFFIHandleDeinitOnce(handle_addr, deinit_func);
}

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  return bound.TVMFFIDataTypeFromString == NULL ? -1 : bound.TVMFFIDataTypeFromString(str, out);
}

int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  return bound.TVMFFIDataTypeToString == NULL ? -1 : bound.TVMFFIDataTypeToString(dtype, out);
}

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                           TVMFFIObjectHandle* out) {
  return bound.TVMFFITensorFromDLPack == NULL
             ? -1
             : bound.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
}

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment,
                                    int32_t require_contiguous, TVMFFIObjectHandle* out) {
  return bound.TVMFFITensorFromDLPackVersioned == NULL
             ? -1
             : bound.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
}

int TVMFFITensorToDLPack(TVMFFIObjectHandle from, DLManagedTensor** out) {
  return bound.TVMFFITensorToDLPack == NULL ? -1 : bound.TVMFFITensorToDLPack(from, out);
}

int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  return bound.TVMFFITensorToDLPackVersioned == NULL ? -1 : bound.TVMFFITensorToDLPackVersioned(from, out);
}
