//go:build debug

package bridge

// #include "trace.h"
import "C"

import "unsafe"

// TracedNative is a native that Go code made and that is alive.
type TracedNative struct {
	Address   uintptr
	Counts    uint64 // the count word of its header
	TypeIndex int32
	Stack     []uintptr // of the goroutine that made it
}

// Trace remembers where a native was made until it dies. The caller has just made it. Without memory it does nothing.
func Trace(object unsafe.Pointer, stack []uintptr) {
	stack = stack[:min(len(stack), C.SS_FRONT_TRACE_DEPTH)]
	C.ss_front_trace(C.TVMFFIObjectHandle(object), (*C.uint64_t)(unsafe.Pointer(unsafe.SliceData(stack))), C.int32_t(len(stack)))
}

// Traced lists the natives that Trace was called for and that are alive.
func Traced() []TracedNative {
	for room := C.size_t(64); ; {
		raw := make([]C.ss_front_native, room)
		n := C.ss_front_traced(&raw[0], room)
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
