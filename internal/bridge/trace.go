//go:build debug

package bridge

// #include "calls.h"
import "C"

import "unsafe"

// TracedNative describes a living native object that Go code made.
type TracedNative struct {
	Address   uintptr
	Counts    uint64 // the reference counts in its header
	TypeIndex int32
	Stack     []uintptr // the return addresses of the goroutine that made it
}

// Trace records the stack on which an object was made, until the object dies. The caller has just made the object and
// is its only owner. When out of memory, the object is not recorded.
func Trace(object unsafe.Pointer, stack []uintptr) {
	stack = stack[:min(len(stack), C.SS_BRIDGE_TRACE_DEPTH)]
	C.ss_out_trace(C.TVMFFIObjectHandle(object), (*C.uint64_t)(unsafe.Pointer(unsafe.SliceData(stack))), C.int32_t(len(stack)))
}

// Traced describes the recorded objects that are alive.
func Traced() []TracedNative {
	for room := C.size_t(64); ; {
		raw := make([]C.SsTracedNative, room)
		n := C.ss_out_traced(&raw[0], room)
		if n > room {
			room = n + n/4
			continue
		}
		out := make([]TracedNative, n)
		for i := range out {
			r := &raw[i]
			stack := make([]uintptr, r.depth)
			for j := range stack {
				stack[j] = uintptr(r.stack[j])
			}
			out[i] = TracedNative{Address: uintptr(r.address), Counts: uint64(r.counts), TypeIndex: int32(r.type_index), Stack: stack}
		}
		return out
	}
}
