package plane

// #include "plane.h"
import "C"

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// RecursiveEqual compares two values (borrowed); recursive.h says how. False in ok: the error is raised.
func RecursiveEqual(a, b *abi.Any) (equal, ok bool) {
	var same C.int
	rc := C.ss_go_recursive_equal((*C.TVMFFIAny)(unsafe.Pointer(a)), (*C.TVMFFIAny)(unsafe.Pointer(b)), &same)
	return same != 0, rc == 0
}

// RecursiveCompare returns the order of two values (borrowed): negative, 0 or positive. False in ok: the error is
// raised.
func RecursiveCompare(a, b *abi.Any) (order int, ok bool) {
	var result C.int
	rc := C.ss_go_recursive_compare((*C.TVMFFIAny)(unsafe.Pointer(a)), (*C.TVMFFIAny)(unsafe.Pointer(b)), &result)
	return int(result), rc == 0
}

// RecursiveHash hashes a value (borrowed). False in ok: the error is raised.
func RecursiveHash(value *abi.Any) (hash uint64, ok bool) {
	rc := C.ss_go_recursive_hash((*C.TVMFFIAny)(unsafe.Pointer(value)), (*C.uint64_t)(&hash))
	return hash, rc == 0
}

// DeepCopy copies a value (borrowed); the caller owns the copy. False in ok: the error is raised.
func DeepCopy(value *abi.Any) (made abi.Any, ok bool) {
	rc := C.ss_go_deep_copy((*C.TVMFFIAny)(unsafe.Pointer(value)), (*C.TVMFFIAny)(unsafe.Pointer(&made)))
	return made, rc == 0
}
