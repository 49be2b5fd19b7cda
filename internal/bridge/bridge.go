// Package bridge is the C side of the Go frontend: what must be C because the ABI wants C function pointers (getters,
// setters, deleters, creators), and the calls whose error must be read before the goroutine can change its thread.
//
// Handles are addresses of object headers in C memory. An error result is a new reference to an Error, nil for none.
package bridge

// #cgo CFLAGS: -I${SRCDIR}/../../abi/include -I${SRCDIR}/../../abi/tie -std=c11 -D_GNU_SOURCE -Wall -Wextra -O2
// #cgo debug CFLAGS: -DSS_FRONT_DEBUG=0xDB
// #include <stdlib.h>
// #include "bridge.h"
import "C"

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	_ "github.com/selfsame-ffi/selfsame/abi/include" // the headers, see there
	_ "github.com/selfsame-ffi/selfsame/abi/tie"     // the tie table that register.c joins
)

// Type indices of arguments that Call makes a String or Bytes of. The payload is an address in C memory, or in Go memory
// that is pinned; Len is the length. Only the first MaxTexts arguments may be such.
const (
	GoStr   = int32(C.SS_FRONT_GO_STR)
	GoBytes = int32(C.SS_FRONT_GO_BYTES)
)

// MaxTexts is how many arguments, from the first on, may be GoStr or GoBytes.
const MaxTexts = 64

// Frame holds what a call passes through C. It lies in memory of C's, so that no check of pointers is due when it is
// passed, and a call back into Go can move no stack from under it.
type Frame struct {
	Args   [8]abi.Any
	Result abi.Any
	Error  uint64
	Texts  [1008]byte // memory for the texts of GoStr and GoBytes
}

// NewFrame makes a frame, which FreeFrame frees.
func NewFrame() *Frame {
	return (*Frame)(zeroed(1, unsafe.Sizeof(Frame{})))
}

// FreeFrame frees a frame.
func FreeFrame(f *Frame) { C.free(unsafe.Pointer(f)) }

// NewCells makes an array of values in C memory, which FreeCells frees.
func NewCells(n int) []abi.Any {
	return unsafe.Slice((*abi.Any)(zeroed(n, unsafe.Sizeof(abi.Any{}))), n)
}

// zeroed is C memory for n things. It panics where Go memory would end the program.
func zeroed(n int, size uintptr) unsafe.Pointer {
	memory := C.calloc(C.size_t(n), C.size_t(size))
	if memory == nil {
		panic("selfsame: no memory for the arguments of a call")
	}
	return memory
}

// FreeCells frees an array made by NewCells.
func FreeCells(cells []abi.Any) { C.free(unsafe.Pointer(unsafe.SliceData(cells))) }

// Call calls a Function with n arguments that lie at args, in C memory; nil: in the frame. texts says that there may be
// GoStr and GoBytes among them. On success the result is in frame.Result, owned; otherwise the Error is returned.
func Call(function unsafe.Pointer, frame *Frame, args *abi.Any, n int, texts bool) unsafe.Pointer {
	if args == nil {
		args = &frame.Args[0]
	}
	rc := C.ss_front_call(C.uint64_t(uintptr(function)), C.uint64_t(uintptr(unsafe.Pointer(frame))),
		C.uint64_t(uintptr(unsafe.Pointer(args))), C.int32_t(n), cbool(texts))
	if rc == 0 {
		return nil
	}
	return address(frame.Error)
}

// Call2 calls a Function with the first n of two borrowed values, none of them GoStr or GoBytes. The result is owned; its
// type index is Failed when it is the address of the Error.
func Call2(function unsafe.Pointer, n int, a, b abi.Any) abi.Any {
	r := C.ss_front_call2(C.uint64_t(uintptr(function)), C.int32_t(n), head(a), C.uint64_t(a.Bits), head(b), C.uint64_t(b.Bits))
	return abi.Any{TypeIndex: int32(uint32(r.head)), Len: uint32(r.head >> 32), Bits: uint64(r.bits)}
}

// Call4 is Call2 for four values.
func Call4(function unsafe.Pointer, n int, a, b, c, d abi.Any) abi.Any {
	r := C.ss_front_call4(C.uint64_t(uintptr(function)), C.int32_t(n), head(a), C.uint64_t(a.Bits), head(b), C.uint64_t(b.Bits),
		head(c), C.uint64_t(c.Bits), head(d), C.uint64_t(d.Bits))
	return abi.Any{TypeIndex: int32(uint32(r.head)), Len: uint32(r.head >> 32), Bits: uint64(r.bits)}
}

// Failed is the type index of what Call2 and Call4 return when the call failed.
const Failed = int32(C.SS_FRONT_FAILED)

func head(v abi.Any) C.uint64_t { return C.uint64_t(uint32(v.TypeIndex)) | C.uint64_t(v.Len)<<32 }

// Text makes *out an owned String (or Bytes) value.
func Text(s string, isBytes bool, out *abi.Any) (failed unsafe.Pointer) {
	return address(uint64(C.ss_front_text(cbool(isBytes), cstr(s), C.size_t(len(s)), (*C.TVMFFIAny)(unsafe.Pointer(out)))))
}

// DecRef drops a strong reference through C, where the object may be deleted.
func DecRef(handle unsafe.Pointer) { C.ss_front_dec_ref(C.uint64_t(uintptr(handle))) }

// TypeInfo describes a type index that an object has.
func TypeInfo(index int32) *abi.TypeInfo {
	return (*abi.TypeInfo)(unsafe.Pointer(C.TVMFFIGetTypeInfo(C.int32_t(index))))
}

// Error makes an Error object. cause and extra may be nil; the Error takes references of its own. nil: out of memory.
func Error(kind, message, backtrace string, cause, extra unsafe.Pointer) unsafe.Pointer {
	var out unsafe.Pointer
	C.ss_front_error(cstr(kind), C.size_t(len(kind)), cstr(message), C.size_t(len(message)),
		cstr(backtrace), C.size_t(len(backtrace)), C.TVMFFIObjectHandle(cause), C.TVMFFIObjectHandle(extra), at(&out))
	return out
}

// AppendBacktrace adds frames to the end of an Error's backtrace.
func AppendBacktrace(handle unsafe.Pointer, text string) {
	C.ss_front_append_backtrace(C.TVMFFIObjectHandle(handle), cstr(text), C.size_t(len(text)))
}

// SetRaised puts an Error into the calling thread's slot. It must be called where the goroutine cannot change its
// thread: inside a callback from C.
func SetRaised(handle unsafe.Pointer) { C.TVMFFIErrorSetRaised(C.TVMFFIObjectHandle(handle)) }

// GetGlobal looks a global function up. It returns a new reference, nil when there is none.
func GetGlobal(name string) (handle, failed unsafe.Pointer) {
	var out, raised unsafe.Pointer
	C.ss_front_get_global(cstr(name), C.size_t(len(name)), at(&out), at(&raised))
	return out, raised
}

// LinkedLiveObjects is the address of SelfsameLiveObjects when it is linked into the program, else nil.
func LinkedLiveObjects() unsafe.Pointer { return C.ss_front_live_function() }

// LiveObjects calls SelfsameLiveObjects at the address.
func LiveObjects(function unsafe.Pointer, index int32) int64 {
	return int64(C.ss_front_live_objects(function, C.int32_t(index)))
}

// at is the place where C puts an object reference.
func at(p *unsafe.Pointer) *C.TVMFFIObjectHandle { return (*C.TVMFFIObjectHandle)(p) }

// address is the C address that a number stands for.
func address(n uint64) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&n)) }

func cstr(s string) *C.char { return (*C.char)(unsafe.Pointer(unsafe.StringData(s))) }

func cbool(b bool) C.int {
	if b {
		return 1
	}
	return 0
}
