package bridge

// #include "bridge.h"
import "C"

import "unsafe"

// Invoke runs the Go closure with the id. It is set by the frontend before the first Function is made. args are
// borrowed; on success it returns 0 and *result owns the value, else -1 with the error raised on this thread.
var Invoke func(id uint64, args *abiAny, n int, result *abiAny) int

//export ssgo_front_invoke
func ssgo_front_invoke(id C.uint64_t, args *C.TVMFFIAny, n C.int32_t, result *C.TVMFFIAny) C.int {
	return C.int(Invoke(uint64(id), (*abiAny)(unsafe.Pointer(args)), int(n), (*abiAny)(unsafe.Pointer(result))))
}

// Function makes a Function object that calls the Go closure with the id. It returns a new reference. When the object
// dies, the id is reported by TakeDead.
func Function(id uint64) (handle, failed unsafe.Pointer) {
	var out, raised unsafe.Pointer
	C.ss_front_function(C.uint64_t(id), at(&out), at(&raised))
	return out, raised
}

// Keeper makes an object of the class that stands for the Go value with the id. As Function.
func Keeper(typeIndex int32, id uint64) (handle, failed unsafe.Pointer) {
	var out, raised unsafe.Pointer
	C.ss_front_keeper(C.int32_t(typeIndex), C.uint64_t(id), at(&out), at(&raised))
	return out, raised
}

// KeeperID is the id of an object made by Keeper in this library, 0 for any other object.
func KeeperID(object unsafe.Pointer, typeIndex int32) uint64 {
	return uint64(C.ss_front_keeper_id((*C.TVMFFIObject)(object), C.int32_t(typeIndex)))
}

// TakeDead takes ids whose object has died into ids and returns how many.
func TakeDead(ids []uint64) int {
	if C.ss_front_has_dead() == 0 {
		return 0
	}
	return int(C.ss_front_take_dead((*C.uint64_t)(unsafe.Pointer(unsafe.SliceData(ids))), C.int32_t(len(ids))))
}
