package bridge

// #include "calls.h"
import "C"

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

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

// goRefs are the lists of this library, which also mark its opaque objects.
var goRefs = sync.OnceValue(func() *C.SsGoRefs { return C.ss_out_go_refs() })

// maxSpareRefs bounds the list of references for further Go values.
const maxSpareRefs = 64

// TakeDead calls drop with the id of each Go value whose native object has died, and returns their number. Each id is reported once. It
// makes no call into C unless there are many.
func TakeDead(drop func(id uint64)) (n int) {
	refs := goRefs()
	dead, spare := (*uintptr)(unsafe.Pointer(&refs.dead)), (*uintptr)(unsafe.Pointer(&refs.spare))
	if atomic.LoadUintptr(dead) == 0 {
		return 0
	}
	list := atomic.SwapUintptr(dead, 0)
	for ref := (*C.SsGoRef)(address(uint64(list))); ref != nil; ref = ref.next {
		drop(uint64(ref.id))
		n++
	}
	if list != 0 && (n > maxSpareRefs || !atomic.CompareAndSwapUintptr(spare, 0, list)) {
		C.ss_out_free_go_refs(C.uint64_t(list))
	}
	return n
}
