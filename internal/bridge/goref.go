package bridge

// #include "calls.h"
import "C"

import "unsafe"

// Function makes a Function object that calls the Go func with the id, through [Callbacks].Invoke. It returns a new
// reference. When the object has died, TakeDead reports the id.
func Function(id uint64) (handle, failed unsafe.Pointer) {
	var out, raised unsafe.Pointer
	C.ss_out_new_function(C.uint64_t(id), at(&out), at(&raised))
	return out, raised
}

// NewOpaque makes an opaque object that keeps the Go value with the id; typeIndex is that of its class. It returns a
// new reference. When the object has died, TakeDead reports the id.
func NewOpaque(typeIndex int32, id uint64) (handle, failed unsafe.Pointer) {
	var out, raised unsafe.Pointer
	C.ss_out_new_opaque(C.int32_t(typeIndex), C.uint64_t(id), at(&out), at(&raised))
	return out, raised
}

// OpaqueID returns the id of an object that NewOpaque of this library made, 0 for any other object.
func OpaqueID(object unsafe.Pointer, typeIndex int32) uint64 {
	return uint64(C.ss_out_opaque_id((*C.TVMFFIObject)(object), C.int32_t(typeIndex)))
}

// TakeDead stores in ids the ids of Go values whose native object has died, at most len(ids) of them, and returns how
// many. Each id is reported once. Without dead objects the call costs one call into C.
func TakeDead(ids []uint64) int {
	if C.ss_out_has_dead() == 0 {
		return 0
	}
	return int(C.ss_out_take_dead((*C.uint64_t)(unsafe.Pointer(unsafe.SliceData(ids))), C.int32_t(len(ids))))
}
