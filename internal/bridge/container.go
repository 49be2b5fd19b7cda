package bridge

// #include "bridge.h"
import "C"

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Container makes an Array, List or Shape, or of keys and values in turn a Map or Dict, with owned copies of the views.
// It returns a new reference.
func Container(typeIndex int32, views []abi.Any) (handle, failed unsafe.Pointer) {
	var out, raised unsafe.Pointer
	C.ss_front_container_from_go(C.int32_t(typeIndex), (*C.TVMFFIAny)(unsafe.Pointer(unsafe.SliceData(views))),
		C.int32_t(len(views)), at(&out), at(&raised))
	return out, raised
}

// NewBuffer is memory for elements, contents undefined; nil: out of memory.
func NewBuffer(size uintptr) unsafe.Pointer { return C.ss_front_buffer_new(C.size_t(size)) }

// BufferDeleter is the C function void (*)(void*) that releases what NewBuffer gave. It takes NULL.
func BufferDeleter() uintptr { return uintptr(C.ss_front_buffer_deleter()) }

// CallDeleter calls such a function, of whatever origin.
func CallDeleter(deleter uintptr, data unsafe.Pointer) {
	C.ss_front_call_deleter(C.uint64_t(deleter), data)
}

// AttrColumn is the column of a type attribute, nil when there is none. It lives at one address for ever.
func AttrColumn(name string) *abi.TypeAttrColumn {
	text := cText(name)
	defer freeText(text)
	return (*abi.TypeAttrColumn)(unsafe.Pointer(C.TVMFFIGetTypeAttrColumn(text)))
}
