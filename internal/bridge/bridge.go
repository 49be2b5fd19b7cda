// Package bridge is the C side of the Go frontend. It holds the functions that the ABI wants as C function pointers
// (getters, setters, deleters, creators), and the calls into the runtime that can fail. The error of such a call is
// thread-local and must be fetched in the same call into C, before the goroutine can move to another thread. For calls
// from C into Go see [Callbacks].
//
// An unsafe.Pointer called handle or object is the address of a native object's header, in C memory. A result called
// failed is a new reference to an Error, nil for success. Unless a comment says otherwise, arguments are borrowed, and
// functions may be called on any goroutine.
//
// Its files are few: for each one cgo runs the C compiler six times, in the build of every user.
package bridge

// // What cgo of Go 1.24 writes has variables and parameters without use.
// #cgo CFLAGS: -I${SRCDIR}/../../abi/include -I${SRCDIR}/../tie -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-parameter -O2
// #cgo windows,selfsame_shared CFLAGS: -DSS_NO_RUNTIME_HERE
// #cgo windows CFLAGS: -D__USE_MINGW_ANSI_STDIO=1 -Wno-attributes
// #cgo debug CFLAGS: -DSS_BRIDGE_DEBUG=0xDB
// #include <stdlib.h>
// #include "calls.h"
import "C"

import (
	"reflect"
	"runtime"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	_ "github.com/selfsame-ffi/selfsame/abi/include"  // the headers, see there
	_ "github.com/selfsame-ffi/selfsame/internal/tie" // the tie table, which register.c joins
)

// Type indices of arguments that Call replaces by a String or Bytes object. Bits is the text's address, in C memory or
// in pinned Go memory, and Len its length in bytes. Only the first MaxTexts arguments may have these type indices.
const (
	GoStr   = int32(C.SS_BRIDGE_GO_STR)
	GoBytes = int32(C.SS_BRIDGE_GO_BYTES)
)

// MaxTexts is the number of arguments, counted from the first, that may be GoStr or GoBytes.
const MaxTexts = 64

// Frame is the memory of one call into C: arguments, result and error. It is allocated in C, so that cgo does not check
// the pointers in it, and so that it does not move when a callback into Go grows the goroutine's stack.
type Frame struct {
	Args   [8]abi.Any
	Result abi.Any
	Error  uint64     // the address of the Error of a failed call
	Texts  [1008]byte // memory for the texts of GoStr and GoBytes
}

// NewFrame allocates a frame, which the caller frees with FreeFrame. It panics when out of memory.
func NewFrame() *Frame {
	return (*Frame)(zeroed(1, unsafe.Sizeof(Frame{})))
}

// FreeFrame frees a frame.
func FreeFrame(f *Frame) { C.free(unsafe.Pointer(f)) }

// NewArgs allocates n arguments in C memory, for calls with more of them than a frame has. The caller frees them with
// FreeArgs. It panics when out of memory.
func NewArgs(n int) []abi.Any {
	return unsafe.Slice((*abi.Any)(zeroed(n, unsafe.Sizeof(abi.Any{}))), n)
}

// zeroed allocates C memory for n elements. It panics when out of memory, so that the caller's deferred functions run.
func zeroed(n int, size uintptr) unsafe.Pointer {
	memory := C.calloc(C.size_t(n), C.size_t(size))
	if memory == nil {
		panic("selfsame: no memory for the arguments of a call")
	}
	return memory
}

// FreeArgs frees the arguments that NewArgs returned.
func FreeArgs(args []abi.Any) { C.free(unsafe.Pointer(unsafe.SliceData(args))) }

// Call calls a Function with n borrowed arguments: those at args, or those in the frame if args is nil. args must be
// memory of C or on the heap, and the caller must keep it alive during the call. texts says that some of them may be
// GoStr or GoBytes. On success frame.Result is an owned value. The caller must keep the Function alive during the call.
func Call(function unsafe.Pointer, frame *Frame, args *abi.Any, n int, texts bool) (failed unsafe.Pointer) {
	if args == nil {
		args = &frame.Args[0]
	}
	rc := C.ss_out_call(C.uint64_t(uintptr(function)), C.uint64_t(uintptr(unsafe.Pointer(frame))),
		C.uint64_t(uintptr(unsafe.Pointer(args))), C.int32_t(n), cbool(texts))
	if rc == 0 {
		return nil
	}
	return address(frame.Error)
}

// Call2 calls a Function with the first n of two borrowed values, none of them GoStr or GoBytes. The result is an owned
// value. If the call failed, its type index is Failed and its Bits are the address of the Error, a new reference.
func Call2(function unsafe.Pointer, n int, a, b abi.Any) abi.Any {
	r := C.ss_out_call2(C.uint64_t(uintptr(function)), C.int32_t(n), head(a), C.uint64_t(a.Bits), head(b), C.uint64_t(b.Bits))
	return valueOf(r)
}

// valueOf returns the value of two words.
func valueOf(w C.SsValueWords) abi.Any {
	return abi.Any{TypeIndex: int32(uint32(w.head)), Len: uint32(w.head >> 32), Bits: uint64(w.bits)}
}

// Call4 does Call2's work for four values.
func Call4(function unsafe.Pointer, n int, a, b, c, d abi.Any) abi.Any {
	r := C.ss_out_call4(C.uint64_t(uintptr(function)), C.int32_t(n), head(a), C.uint64_t(a.Bits), head(b), C.uint64_t(b.Bits),
		head(c), C.uint64_t(c.Bits), head(d), C.uint64_t(d.Bits))
	return valueOf(r)
}

// CallWords does Call2's work for up to four values with small first words, so that all fit into the processor's registers.
// heads has 12 bits for each, from the lowest on: 8 of the type index and 4 of Len. The bits from 48 on are their number.
func CallWords(function unsafe.Pointer, heads, a, b, c, d uint64) abi.Any {
	return valueOf(C.ss_out_call_words(C.uint64_t(uintptr(function)), C.uint64_t(heads), C.uint64_t(a), C.uint64_t(b), C.uint64_t(c),
		C.uint64_t(d)))
}

// CallInit calls the entrance of an extension, a C function without parameters that raises an error when it does not
// return 0.
func CallInit(function unsafe.Pointer) (failed unsafe.Pointer) {
	return address(uint64(C.ss_out_call_init(C.uint64_t(uintptr(function)))))
}

// Failed is the type index of the result of a Call2 or Call4 that failed.
const Failed = int32(C.SS_BRIDGE_FAILED)

// head returns the first word of a value: SsValueWords in bridge.h.
func head(v abi.Any) C.uint64_t { return C.uint64_t(uint32(v.TypeIndex)) | C.uint64_t(v.Len)<<32 }

// Text stores in *out an owned String value, or Bytes value, with a copy of s.
func Text(s string, isBytes bool, out *abi.Any) (failed unsafe.Pointer) {
	return address(uint64(C.ss_out_new_text(cbool(isBytes), cstr(s), C.size_t(len(s)), (*C.TVMFFIAny)(unsafe.Pointer(out)))))
}

// Texts stores owned String values with copies of texts, of which there are as many, in out. It returns how many it has
// stored; they are fewer if it fails.
func Texts(texts []string, out []abi.Any) (made int, failed unsafe.Pointer) {
	first := unsafe.SliceData(texts) // a string is what a TVMFFIByteArray is; the number hides pointers to Go's memory from cgo
	made = int(C.ss_out_new_texts(C.uint64_t(uintptr(unsafe.Pointer(first))), C.size_t(len(texts)),
		(*C.TVMFFIAny)(unsafe.Pointer(unsafe.SliceData(out))), at(&failed)))
	runtime.KeepAlive(texts)
	return made, failed
}

// DecRef releases a strong reference. If it was the last one, the object is deleted before DecRef returns.
func DecRef(handle unsafe.Pointer) { C.ss_out_dec_ref(C.uint64_t(uintptr(handle))) }

// WeakDecRef releases a weak reference. If it was the last one of a dead object, its memory is freed before WeakDecRef returns.
func WeakDecRef(handle unsafe.Pointer) { C.ss_out_weak_dec_ref(C.uint64_t(uintptr(handle))) }

// TypeInfo returns the registry's description of a type index that an object has. It is never freed.
func TypeInfo(index int32) *abi.TypeInfo {
	return (*abi.TypeInfo)(unsafe.Pointer(C.ss_out_type_info(C.int32_t(index))))
}

// Error makes an Error object and returns a new reference, nil when out of memory. cause and extra may be nil; the
// Error takes its own references to them.
func Error(kind, message, backtrace string, cause, extra unsafe.Pointer) unsafe.Pointer {
	var out unsafe.Pointer
	C.ss_out_new_error(cstr(kind), C.size_t(len(kind)), cstr(message), C.size_t(len(message)),
		cstr(backtrace), C.size_t(len(backtrace)), C.TVMFFIObjectHandle(cause), C.TVMFFIObjectHandle(extra), at(&out))
	return out
}

// AppendBacktrace appends frames to the backtrace of an Error.
func AppendBacktrace(handle unsafe.Pointer, text string) {
	C.ss_out_append_backtrace(C.TVMFFIObjectHandle(handle), cstr(text), C.size_t(len(text)))
}

// ErrorLinks returns an Error's cause and extra context, borrowed from it, or nil. An Error that was made by headers up to
// 0.1.7 has none.
func ErrorLinks(handle unsafe.Pointer) (cause, context unsafe.Pointer) {
	if C.ss_out_error_has_links(handle) == 0 {
		return nil, nil
	}
	cell := abi.ErrorOf(handle)
	return cell.CauseChain, cell.ExtraContext
}

// SetRaised makes an Error the raised error of the calling thread, which takes its own reference. Only a callback from
// C may call it, because only there the goroutine stays on its thread until the caller fetches the error.
func SetRaised(handle unsafe.Pointer) { C.ss_out_set_raised(C.TVMFFIObjectHandle(handle)) }

// GetGlobal looks up a global function and returns a new reference, nil when there is none.
func GetGlobal(name string) (handle, failed unsafe.Pointer) {
	var out, raised unsafe.Pointer
	C.ss_out_get_global(cstr(name), C.size_t(len(name)), at(&out), at(&raised))
	return out, raised
}

// LinkedLiveObjects returns the address of SelfsameLiveObjects if it is linked into the program, nil if not.
func LinkedLiveObjects() unsafe.Pointer { return C.ss_out_live_function() }

// LiveObjects calls SelfsameLiveObjects, whose address is function, for a type index.
func LiveObjects(function unsafe.Pointer, index int32) int64 {
	return int64(C.ss_out_live_objects(function, C.int32_t(index)))
}

// at returns an out parameter for an object reference.
func at(p *unsafe.Pointer) *C.TVMFFIObjectHandle { return (*C.TVMFFIObjectHandle)(p) }

// address converts the number that C returned into an address of C memory.
func address(n uint64) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&n)) }

// cstr returns the address of a string's bytes, which have no terminating zero.
func cstr(s string) *C.char { return (*C.char)(unsafe.Pointer(unsafe.StringData(s))) }

func cbool(b bool) C.int {
	if b {
		return 1
	}
	return 0
}

// Callbacks are the functions of the Go frontend that C code of this package calls: the only way from C into Go here.
// The package cannot import the frontend, so the frontend installs them with [SetCallbacks]:
//
//	field   called by                        installed by
//	Invoke  call_go_func in call_in.c, through package call: its func init installs invokeClosure
//	        exported ssgo_bridge_invoke
//	Collect collect in collector.c, through  the same
//	        the exported ssgo_bridge_collect
//	Dropped drop in drop.c, through the      the same
//	        exported ssgo_bridge_dropped
//	Stop    SelfsameExtensionStop, through   the same
//	        the exported ssgo_bridge_stop
type Callbacks struct {
	// Invoke runs the Go func with an id that was given to Function. It runs on the caller's thread, where the goroutine
	// stays until Invoke returns. The n values at args are borrowed. It returns 0 after storing an owned value in *result,
	// or -1 with the error raised on this thread. It must not panic.
	Invoke func(id uint64, args *abi.Any, n int, result *abi.Any) int

	// Collect runs Go's collector until it finds nothing more, and returns how many handles and Go values it gave back.
	// It may be called on any thread. It must not panic.
	Collect func() int

	// Dropped says that TakeDropped has something to give. It may be called on any thread that deletes an object: it must
	// return soon, wait for no code of the user, and not panic.
	Dropped func()

	// Stop has Go's collector drop no more references, and returns when it drops none. It must not panic.
	Stop func()
}

var callbacks Callbacks // written by SetCallbacks only, before any Function exists

// SetCallbacks installs the callbacks. The frontend calls it once, from an init function, before it makes a Function.
func SetCallbacks(c Callbacks) { callbacks = c }

//export ssgo_bridge_invoke
func ssgo_bridge_invoke(id C.uint64_t, args *C.TVMFFIAny, n C.int32_t, result *C.TVMFFIAny) C.int {
	return C.int(callbacks.Invoke(uint64(id), (*abi.Any)(unsafe.Pointer(args)), int(n), (*abi.Any)(unsafe.Pointer(result))))
}

// ValueClass does OpaqueClass's work for objects of NewValue.
func ValueClass(key string) int32 {
	text := cText(key)
	defer freeText(text)
	return int32(C.ss_out_value_class(text))
}

var typeNames sync.Map // reflect.Type -> *C.char, never freed: objects outlive the Go that made them

// NewValue does NewOpaque's work for the class of ValueClass. The object knows the name of its value's type.
func NewValue(typeIndex int32, id uint64, t reflect.Type) (handle, failed unsafe.Pointer) {
	var out, raised unsafe.Pointer
	C.ss_out_new_value(C.int32_t(typeIndex), C.uint64_t(id), NameOf(t), at(&out), at(&raised))
	return out, raised
}

// TypeName is the name of a Go type, for C.
type TypeName = C.char

// NameOf returns the name of a Go type, which is never freed.
func NameOf(t reflect.Type) *TypeName {
	name, ok := typeNames.Load(t)
	if !ok {
		made := C.CString(t.String())
		if name, ok = typeNames.LoadOrStore(t, made); ok {
			C.free(unsafe.Pointer(made))
		}
	}
	return name.(*TypeName)
}

// NewKeeping makes an object of a class whose one owned field keeps a Go value, and in it what NewValue makes. It takes over a weak
// reference to dead, an instance that has died, unless that is nil: the new object may get its memory.
func (l *Layout) NewKeeping(valueType int32, id uint64, name *TypeName, dead unsafe.Pointer) (handle, failed unsafe.Pointer) {
	made := uint64(C.ss_out_new_keeping(C.uint64_t(uintptr(unsafe.Pointer(l))), C.int32_t(valueType), C.uint64_t(id),
		C.uint64_t(uintptr(unsafe.Pointer(name))), C.uint64_t(uintptr(dead))))
	if made&1 != 0 { // the address of an Error plus 1
		return nil, address(made - 1)
	}
	return address(made), nil
}

// ValueID returns the id of an object of the class of ValueClass, 0 when another library made the object. It makes no call
// into C.
func ValueID(object unsafe.Pointer) uint64 {
	o := (*C.SsOpaque)(object)
	if unsafe.Pointer(o.owner) != unsafe.Pointer(goRefs) {
		return 0
	}
	return uint64(o.ref.id)
}

// Memory is where Go has the value that an object stands for, as C reads it (go_memory.h).
type Memory struct {
	At     unsafe.Pointer // of the struct, the array or the header of the slice; nil: only Go can say
	Gate   unsafe.Pointer // nil: none is needed
	Length int            // of an array; -1: at a slice
	Elements
	Table unsafe.Pointer // where C finds the objects of pointers
}

// Elements says how memory is read.
type Elements struct {
	Format byte    // as Python's struct module calls numbers and bools, or one of those below; 0: in Go
	Size   uintptr // of one
	Number uint64  // of such an object in the table
}

// Formats beside those of Python's struct module.
const (
	FormatText    = byte(C.SS_GO_TEXT)
	FormatPointer = byte(C.SS_GO_POINTER)
	FormatValue   = byte(C.SS_GO_VALUE)
)

// SetMemory says where Go has the value that an object of the class of ValueClass keeps. It makes no call into C.
func SetMemory(object unsafe.Pointer, m Memory) {
	(*C.SsOpaque)(object).memory = C.SsGoMemory{
		at: C.uintptr_t(uintptr(m.At)), gate: C.uintptr_t(uintptr(m.Gate)), length: C.int64_t(m.Length),
		format: C.int64_t(m.Format), size: C.int64_t(m.Size), number: C.uint64_t(m.Number), table: C.uintptr_t(uintptr(m.Table)),
	}
}

// The owner of a gate while C is in it, where C finds what it needs of one and of the table of pointers, and how it looks there.
const (
	TableFactor  = uint64(C.SS_GO_TABLE_FACTOR)
	TableMaskAt  = unsafe.Offsetof(C.SsGoTable{}.mask)
	TableFirstAt = unsafe.Offsetof(C.SsGoTable{}.first)
	SlotNativeAt = unsafe.Offsetof(C.SsGoSlot{}.native)
	SlotSize     = unsafe.Sizeof(C.SsGoSlot{})

	GateOfC     = uintptr(C.SS_GO_GATE_OF_C)
	GateOwnerAt = unsafe.Offsetof(C.SsGoGate{}.owner)
)

// NewRefusal makes a Function that raises a TypeError with the text. It returns a new reference.
func NewRefusal(text string) (handle, failed unsafe.Pointer) {
	t := cText(text)
	defer freeText(t)
	var out, raised unsafe.Pointer
	C.ss_out_new_refusal(t, at(&out), at(&raised))
	return out, raised
}
