package bridge

// #include "calls.h"
import "C"

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Container makes an Array, List or Shape of the views, or a Map or Dict of views that are keys and values in turn. It
// returns a new reference. The container owns copies of the views.
func Container(typeIndex int32, views []abi.Any) (handle, failed unsafe.Pointer) {
	var out, raised unsafe.Pointer
	C.ss_out_new_container_from_go(C.int32_t(typeIndex), (*C.TVMFFIAny)(unsafe.Pointer(unsafe.SliceData(views))),
		C.int32_t(len(views)), at(&out), at(&raised))
	return out, raised
}

// NewBuffer allocates uninitialised memory for the elements of a container; nil: out of memory. It is freed by the
// function BufferDeleter.
func NewBuffer(size uintptr) unsafe.Pointer { return C.ss_out_buffer_new(C.size_t(size)) }

// BufferDeleter returns the address of the C function, void (*)(void*), that frees memory of NewBuffer. It accepts
// NULL.
func BufferDeleter() uintptr { return uintptr(C.ss_out_buffer_deleter()) }

// CallDeleter calls a C function void (*)(void*), which may come from another library, with data.
func CallDeleter(deleter uintptr, data unsafe.Pointer) {
	C.ss_out_call_deleter(C.uint64_t(deleter), data)
}

// AttrColumn returns the column of a type attribute, nil when there is none. It is never moved or freed.
func AttrColumn(name string) *abi.TypeAttrColumn {
	text := cText(name)
	defer freeText(text)
	return (*abi.TypeAttrColumn)(unsafe.Pointer(C.ss_out_attr_column(text)))
}
