// Package plane is the data plane of selfsame in C: reference counts, allocation, value conversion, strings, errors,
// functions and arrays, and the tables of types, type attributes and global functions that other languages read at C
// speed. It defines every function of the C ABI that needs no Go code; package control defines the others and writes the
// tables. The Go functions here are for package control alone.
//
// "The error is raised" means: in the calling thread. The caller must have locked its goroutine to that thread until it
// takes the error. Handles are addresses of object headers in C memory.
package plane

// // What cgo of Go 1.24 writes has variables and parameters without use.
// #cgo CFLAGS: -I${SRCDIR} -I${SRCDIR}/../../abi/include -I${SRCDIR}/../selfcopy -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-parameter -Wno-unused-variable -O2
// #cgo windows CFLAGS: -DTVM_FFI_EXPORTS -D__USE_MINGW_ANSI_STDIO=1 -Wno-attributes
// #cgo LDFLAGS: -pthread
// #include <stdlib.h>
// #include "plane.h"
import "C"

import (
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	_ "github.com/selfsame-ffi/selfsame/abi/include"          // the headers, see there
	_ "github.com/selfsame-ffi/selfsame/internal/plane/calls" // C code of each subject
	_ "github.com/selfsame-ffi/selfsame/internal/plane/collections"
	_ "github.com/selfsame-ffi/selfsame/internal/plane/core"
	_ "github.com/selfsame-ffi/selfsame/internal/plane/scalars"
	_ "github.com/selfsame-ffi/selfsame/internal/plane/tensors"
	_ "github.com/selfsame-ffi/selfsame/internal/plane/walks"
	_ "github.com/selfsame-ffi/selfsame/internal/selfcopy" // C code
)

// bytesOf views a Go string for one call of C; the caller unpins it afterwards.
func bytesOf(s string, pin *runtime.Pinner) C.TVMFFIByteArray {
	data := unsafe.StringData(s)
	if len(s) != 0 {
		pin.Pin(data)
	}
	return C.TVMFFIByteArray{data: (*C.char)(unsafe.Pointer(data)), size: C.size_t(len(s))}
}

// Start says what the start of the runtime finds.
type Start int

// The results of StartBegin: an empty data plane; in a forked child a complete one; in a forked child what the parent's
// start had made when the process forked.
const (
	StartFirst = Start(C.SS_START_FIRST)
	StartAgain = Start(C.SS_START_AGAIN)
	StartRest  = Start(C.SS_START_REST)
)

// StartBegin and StartEnd frame the runtime's start on one thread: look-ups of other threads wait for it.
func StartBegin() Start { return Start(C.ss_start_begin()) }

// StartEnd wakes the waiting look-ups. See StartBegin.
func StartEnd() { C.ss_start_end() }

// Raise raises an error in the calling thread.
func Raise(kind, message string) {
	c := C.CString(kind)
	defer C.free(unsafe.Pointer(c))
	C.ss_raise_bytes(c, (*C.char)(unsafe.Pointer(unsafe.StringData(message))), C.size_t(len(message)))
}

// TakeRaised takes the calling thread's raised error. The caller owns the reference; nil when there is none.
func TakeRaised() unsafe.Pointer {
	var h C.TVMFFIObjectHandle
	C.TVMFFIErrorMoveFromRaised(&h)
	return unsafe.Pointer(h)
}

// SetRaised raises an error object (borrowed, retained) in the calling thread.
func SetRaised(err unsafe.Pointer) { C.TVMFFIErrorSetRaised(C.TVMFFIObjectHandle(err)) }

// DecRef releases a strong reference (nil: no-op). Any thread.
func DecRef(handle unsafe.Pointer) { C.ss_go_drop((*C.TVMFFIObject)(handle)) }

// Reset releases the reference of an owned value and leaves None.
func Reset(a *abi.Any) {
	if a.IsObject() {
		DecRef(a.Pointer())
	}
	*a = abi.Any{}
}

// ToOwned converts a view in C memory to an owned value. On failure the error is raised.
func ToOwned(view unsafe.Pointer) (out abi.Any, ok bool) {
	rc := C.TVMFFIAnyViewToOwnedAny((*C.TVMFFIAny)(view), (*C.TVMFFIAny)(unsafe.Pointer(&out)))
	return out, rc == 0
}

// NewString makes an owned string value. On failure the error is raised.
func NewString(s string) (out abi.Any, ok bool) {
	if a, small := abi.SmallStr(s); small {
		return a, true
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	b := bytesOf(s, &pin)
	rc := C.TVMFFIStringFromByteArray(&b, (*C.TVMFFIAny)(unsafe.Pointer(&out)))
	return out, rc == 0
}

// NewError makes an error object with a cause (borrowed, may be nil). On failure the error is raised.
func NewError(kind, message, backtrace string, cause unsafe.Pointer) (unsafe.Pointer, bool) {
	var pin runtime.Pinner
	defer pin.Unpin()
	k, m, b := bytesOf(kind, &pin), bytesOf(message, &pin), bytesOf(backtrace, &pin)
	var h C.TVMFFIObjectHandle
	rc := C.TVMFFIErrorCreateWithCauseAndExtraContext(&k, &m, &b, C.TVMFFIObjectHandle(cause), nil, &h)
	return unsafe.Pointer(h), rc == 0
}

// ArrayOf makes an Array that takes over the given owned values. On failure they are released and the error is
// raised.
func ArrayOf(items []abi.Any) (unsafe.Pointer, bool) {
	array := C.ss_array_new(C.int64_t(len(items)))
	for i := range items {
		if array == nil {
			Reset(&items[i])
			continue
		}
		C.ss_array_push(array, (*C.TVMFFIAny)(unsafe.Pointer(&items[i])))
	}
	return unsafe.Pointer(array), array != nil
}
