package bridge

// #include "calls.h"
import "C"

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Tensor makes a Tensor over Go memory at data, which the Go value with the id pins. It returns a new reference. When
// the Tensor has died, TakeDead reports the id.
func Tensor(id uint64, data unsafe.Pointer, dtype abi.DataType, shape []int64) (handle, failed unsafe.Pointer) {
	var out, raised unsafe.Pointer
	C.ss_out_new_tensor(C.uint64_t(id), C.uint64_t(uintptr(data)), *(*C.DLDataType)(unsafe.Pointer(&dtype)),
		C.int32_t(len(shape)), (*C.int64_t)(unsafe.Pointer(unsafe.SliceData(shape))), at(&out), at(&raised))
	return out, raised
}

// TensorFromDLPack makes a Tensor over the memory of a DLManagedTensorVersioned and returns a new reference. If it
// succeeds, the Tensor owns the managed tensor; if not, the caller still does.
func TensorFromDLPack(managed unsafe.Pointer) (handle, failed unsafe.Pointer) {
	var out, raised unsafe.Pointer
	C.ss_out_tensor_from_dlpack(C.uint64_t(uintptr(managed)), at(&out), at(&raised))
	return out, raised
}

// TensorToDLPack makes a DLManagedTensorVersioned that owns a reference to the Tensor. The caller owns the result.
func TensorToDLPack(tensor unsafe.Pointer) (managed, failed unsafe.Pointer) {
	var raised unsafe.Pointer
	made := C.ss_out_tensor_to_dlpack(C.TVMFFIObjectHandle(tensor), at(&raised))
	return address(uint64(made)), raised
}

// DeleteDLPack calls the deleter of a DLManagedTensorVersioned that the caller owns.
func DeleteDLPack(managed unsafe.Pointer) { C.ss_out_dlpack_delete(C.uint64_t(uintptr(managed))) }

// Plain converts a DataType (KindDType) or Device (KindDevice), or the text of one. If ok is false and failed is nil,
// the value is neither.
func Plain(kind Kind, value abi.Any) (plain abi.Any, ok bool, failed unsafe.Pointer) {
	rc := C.ss_out_convert_plain_from_go(C.SsKind(kind), (*C.TVMFFIAny)(unsafe.Pointer(&value)),
		(*C.TVMFFIAny)(unsafe.Pointer(&plain)), at(&failed))
	return plain, rc == 0, failed
}
