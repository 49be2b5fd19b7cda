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

// AttrColumn returns the column of a type attribute, nil when there is none. It is never moved or freed.
func AttrColumn(name string) *abi.TypeAttrColumn {
	text := cText(name)
	defer freeText(text)
	return (*abi.TypeAttrColumn)(unsafe.Pointer(C.ss_out_attr_column(text)))
}
