// The numbers of the ABI's documents, as static assertions. The including file says which header they are checked on,
// and defines ABI_ASSERT(condition, text).
#include <stddef.h>

#define SIZE(type, n) ABI_ASSERT(sizeof(type) == (n), #type " must have " #n " bytes")
#define AT(type, field, n) ABI_ASSERT(offsetof(type, field) == (n), #type "." #field " must be at " #n)
#define VALUE(name, n) ABI_ASSERT((name) == (n), #name " must be " #n)

SIZE(TVMFFIVersion, 12);
AT(TVMFFIVersion, minor, 4);
AT(TVMFFIVersion, patch, 8);

SIZE(TVMFFIObject, 24);
AT(TVMFFIObject, combined_ref_count, 0);
AT(TVMFFIObject, type_index, 8);
AT(TVMFFIObject, __padding, 12);
AT(TVMFFIObject, deleter, 16);

SIZE(TVMFFIAny, 16);
AT(TVMFFIAny, type_index, 0);
AT(TVMFFIAny, zero_padding, 4);
AT(TVMFFIAny, small_str_len, 4);
AT(TVMFFIAny, v_int64, 8);
AT(TVMFFIAny, v_float64, 8);
AT(TVMFFIAny, v_ptr, 8);
AT(TVMFFIAny, v_c_str, 8);
AT(TVMFFIAny, v_obj, 8);
AT(TVMFFIAny, v_dtype, 8);
AT(TVMFFIAny, v_device, 8);
AT(TVMFFIAny, v_bytes, 8);
AT(TVMFFIAny, v_uint64, 8);

SIZE(DLDataType, 4);
AT(DLDataType, bits, 1);
AT(DLDataType, lanes, 2);
SIZE(DLDevice, 8);
AT(DLDevice, device_id, 4);

SIZE(DLTensor, 48);
AT(DLTensor, data, 0);
AT(DLTensor, device, 8);
AT(DLTensor, ndim, 16);
AT(DLTensor, dtype, 20);
AT(DLTensor, shape, 24);
AT(DLTensor, strides, 32);
AT(DLTensor, byte_offset, 40);
SIZE(DLManagedTensor, 64);
AT(DLManagedTensor, manager_ctx, 48);
AT(DLManagedTensor, deleter, 56);
SIZE(DLManagedTensorVersioned, 80);
AT(DLManagedTensorVersioned, manager_ctx, 8);
AT(DLManagedTensorVersioned, deleter, 16);
AT(DLManagedTensorVersioned, flags, 24);
AT(DLManagedTensorVersioned, dl_tensor, 32);
VALUE(DLPACK_MAJOR_VERSION, 1);
VALUE(DLPACK_MINOR_VERSION, 3);
VALUE(kDLROCMHost, 11);
VALUE(kDLTrn, 18);
VALUE(kDLBool, 6);
VALUE(kDLFloat8_e3m4, 7);
VALUE(kDLFloat6_e2m3fn, 15);
VALUE(kDLFloat4_e2m1fn, 17);

SIZE(TVMFFIByteArray, 16);
AT(TVMFFIByteArray, size, 8);
SIZE(TVMFFIShapeCell, 16);
AT(TVMFFIShapeCell, size, 8);

SIZE(TVMFFISeqCell, 32);
AT(TVMFFISeqCell, data, 0);
AT(TVMFFISeqCell, size, 8);
AT(TVMFFISeqCell, capacity, 16);
AT(TVMFFISeqCell, data_deleter, 24);

SIZE(TVMFFIErrorCell, 72);
AT(TVMFFIErrorCell, kind, 0);
AT(TVMFFIErrorCell, message, 16);
AT(TVMFFIErrorCell, backtrace, 32);
AT(TVMFFIErrorCell, update_backtrace, 48);
AT(TVMFFIErrorCell, cause_chain, 56);
AT(TVMFFIErrorCell, extra_context, 64);

SIZE(TVMFFIFunctionCell, 16);
AT(TVMFFIFunctionCell, safe_call, 0);
AT(TVMFFIFunctionCell, cpp_call, 8);
SIZE(TVMFFIOpaqueObjectCell, 8);

SIZE(TVMFFIObjectAllocHeader, 8);
SIZE(TVMFFICustomAllocator, 16);
AT(TVMFFICustomAllocator, context, 8);

SIZE(TVMFFIFieldInfo, 120);
AT(TVMFFIFieldInfo, name, 0);
AT(TVMFFIFieldInfo, doc, 16);
AT(TVMFFIFieldInfo, metadata, 32);
AT(TVMFFIFieldInfo, flags, 48);
AT(TVMFFIFieldInfo, size, 56);
AT(TVMFFIFieldInfo, alignment, 64);
AT(TVMFFIFieldInfo, offset, 72);
AT(TVMFFIFieldInfo, getter, 80);
AT(TVMFFIFieldInfo, setter, 88);
AT(TVMFFIFieldInfo, default_value_or_factory, 96);
AT(TVMFFIFieldInfo, field_static_type_index, 112);

SIZE(TVMFFIMethodInfo, 72);
AT(TVMFFIMethodInfo, name, 0);
AT(TVMFFIMethodInfo, doc, 16);
AT(TVMFFIMethodInfo, metadata, 32);
AT(TVMFFIMethodInfo, flags, 48);
AT(TVMFFIMethodInfo, method, 56);

SIZE(TVMFFITypeMetadata, 32);
AT(TVMFFITypeMetadata, doc, 0);
AT(TVMFFITypeMetadata, creator, 16);
AT(TVMFFITypeMetadata, total_size, 24);
AT(TVMFFITypeMetadata, structural_eq_hash_kind, 28);

SIZE(TVMFFITypeAttrColumn, 16);
AT(TVMFFITypeAttrColumn, size, 8);
AT(TVMFFITypeAttrColumn, begin_index, 12);

SIZE(TVMFFITypeInfo, 72);
AT(TVMFFITypeInfo, type_index, 0);
AT(TVMFFITypeInfo, type_depth, 4);
AT(TVMFFITypeInfo, type_key, 8);
AT(TVMFFITypeInfo, type_ancestors, 24);
AT(TVMFFITypeInfo, type_key_hash, 32);
AT(TVMFFITypeInfo, num_fields, 40);
AT(TVMFFITypeInfo, num_methods, 44);
AT(TVMFFITypeInfo, fields, 48);
AT(TVMFFITypeInfo, methods, 56);
AT(TVMFFITypeInfo, metadata, 64);

VALUE(kTVMFFIAny, -1);
VALUE(kTVMFFINone, 0);
VALUE(kTVMFFIInt, 1);
VALUE(kTVMFFIBool, 2);
VALUE(kTVMFFIFloat, 3);
VALUE(kTVMFFIOpaquePtr, 4);
VALUE(kTVMFFIDataType, 5);
VALUE(kTVMFFIDevice, 6);
VALUE(kTVMFFIDLTensorPtr, 7);
VALUE(kTVMFFIRawStr, 8);
VALUE(kTVMFFIByteArrayPtr, 9);
VALUE(kTVMFFIObjectRValueRef, 10);
VALUE(kTVMFFISmallStr, 11);
VALUE(kTVMFFISmallBytes, 12);
VALUE(kTVMFFIUnchanged, 13);
VALUE(kTVMFFIStaticObjectBegin, 64);
VALUE(kTVMFFIObject, 64);
VALUE(kTVMFFIStr, 65);
VALUE(kTVMFFIBytes, 66);
VALUE(kTVMFFIError, 67);
VALUE(kTVMFFIFunction, 68);
VALUE(kTVMFFIShape, 69);
VALUE(kTVMFFITensor, 70);
VALUE(kTVMFFIArray, 71);
VALUE(kTVMFFIMap, 72);
VALUE(kTVMFFIModule, 73);
VALUE(kTVMFFIOpaquePyObject, 74);
VALUE(kTVMFFIList, 75);
VALUE(kTVMFFIDict, 76);
VALUE(kTVMFFIVisitInterrupt, 77);
VALUE(kTVMFFIBigInt, 78);
VALUE(kTVMFFIDynObjectBegin, 128);

VALUE(kTVMFFIObjectDeleterFlagBitMaskStrong, 1);
VALUE(kTVMFFIObjectDeleterFlagBitMaskWeak, 2);
VALUE(kTVMFFIObjectDeleterFlagBitMaskBoth, 3);
VALUE(kTVMFFIBacktraceUpdateModeReplace, 0);
VALUE(kTVMFFIBacktraceUpdateModeAppend, 1);

VALUE(kTVMFFIFieldFlagBitMaskWritable, 0x1);
VALUE(kTVMFFIFieldFlagBitMaskHasDefault, 0x2);
VALUE(kTVMFFIFieldFlagBitMaskIsStaticMethod, 0x4);
VALUE(kTVMFFIFieldFlagBitMaskSEqHashIgnore, 0x8);
VALUE(kTVMFFIFieldFlagBitMaskSEqHashDefPattern, 0x10);
VALUE(kTVMFFIFieldFlagBitMaskDefaultFromFactory, 0x20);
VALUE(kTVMFFIFieldFlagBitMaskReprOff, 0x40);
VALUE(kTVMFFIFieldFlagBitMaskCompareOff, 0x80);
VALUE(kTVMFFIFieldFlagBitMaskHashOff, 0x100);
VALUE(kTVMFFIFieldFlagBitMaskInitOff, 0x200);
VALUE(kTVMFFIFieldFlagBitMaskKwOnly, 0x400);
VALUE(kTVMFFIFieldFlagBitSetterIsFunctionObj, 0x800);
VALUE(kTVMFFIFieldFlagBitMaskSEqHashDefSimple, 0x1000);

VALUE(kTVMFFISEqHashKindUnsupported, 0);
VALUE(kTVMFFISEqHashKindTreeNode, 1);
VALUE(kTVMFFISEqHashKindFreeVar, 2);
VALUE(kTVMFFISEqHashKindDAGNode, 3);
VALUE(kTVMFFISEqHashKindConstTreeNode, 4);
VALUE(kTVMFFISEqHashKindUniqueInstance, 5);
