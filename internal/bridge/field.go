package bridge

// #include "bridge.h"
import "C"

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// GetField reads a field of an object. The value is owned.
func GetField(info *abi.FieldInfo, object unsafe.Pointer) (value abi.Any, failed unsafe.Pointer) {
	C.ss_front_get_field((*C.TVMFFIFieldInfo)(unsafe.Pointer(info)), (*C.TVMFFIObject)(object),
		(*C.TVMFFIAny)(unsafe.Pointer(&value)), at(&failed))
	return value, failed
}

// SetField sets a field of an object that has a setter. The value is borrowed.
func SetField(info *abi.FieldInfo, object unsafe.Pointer, value abi.Any) (failed unsafe.Pointer) {
	C.ss_front_set_field((*C.TVMFFIFieldInfo)(unsafe.Pointer(info)), (*C.TVMFFIObject)(object),
		(*C.TVMFFIAny)(unsafe.Pointer(&value)), at(&failed))
	return failed
}

// TypeAttr is the attribute of a type index, None when there is none. It is borrowed from the runtime.
func TypeAttr(index int32, name string) abi.Any {
	text := cText(name)
	defer freeText(text)
	column := (*abi.TypeAttrColumn)(unsafe.Pointer(C.TVMFFIGetTypeAttrColumn(text)))
	return column.Lookup(index)
}
