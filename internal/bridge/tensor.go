package bridge

// #include "bridge.h"
import "C"

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Tensor makes a Tensor over memory of Go's on the CPU, which the Go value with the id pins. It returns a new reference.
// When the tensor dies, the id is reported by TakeDead.
func Tensor(id uint64, data unsafe.Pointer, dtype abi.DataType, shape []int64) (handle, failed unsafe.Pointer) {
	var out, raised unsafe.Pointer
	C.ss_front_tensor(C.uint64_t(id), C.uint64_t(uintptr(data)), *(*C.DLDataType)(unsafe.Pointer(&dtype)),
		C.int32_t(len(shape)), (*C.int64_t)(unsafe.Pointer(unsafe.SliceData(shape))), at(&out), at(&raised))
	return out, raised
}

// TensorFromDLPack makes a Tensor of a managed tensor, which it takes over if it succeeds. It returns a new reference.
func TensorFromDLPack(managed unsafe.Pointer) (handle, failed unsafe.Pointer) {
	var out, raised unsafe.Pointer
	C.ss_front_tensor_from_dlpack(C.uint64_t(uintptr(managed)), at(&out), at(&raised))
	return out, raised
}

// TensorToDLPack makes a managed tensor that holds a reference to the Tensor. The caller owns it.
func TensorToDLPack(tensor unsafe.Pointer) (managed, failed unsafe.Pointer) {
	var raised unsafe.Pointer
	made := C.ss_front_tensor_to_dlpack(C.TVMFFIObjectHandle(tensor), at(&raised))
	return address(uint64(made)), raised
}

// DeleteDLPack calls a managed tensor's deleter.
func DeleteDLPack(managed unsafe.Pointer) { C.ss_front_dlpack_delete(C.uint64_t(uintptr(managed))) }

// Plain is a DataType or Device of a value that is one, or its text. ok is false when it is neither.
func Plain(kind Kind, value abi.Any) (plain abi.Any, ok bool, failed unsafe.Pointer) {
	rc := C.ss_front_plain_from_go(C.ss_front_kind(kind), (*C.TVMFFIAny)(unsafe.Pointer(&value)),
		(*C.TVMFFIAny)(unsafe.Pointer(&plain)), at(&failed))
	return plain, rc == 0, failed
}
