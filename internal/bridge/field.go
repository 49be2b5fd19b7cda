package bridge

// #include "calls.h"
import "C"

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// GetField reads a field of an object of any class, through the getter of its reflection. The value is owned.
func GetField(info *abi.FieldInfo, object unsafe.Pointer) (value abi.Any, failed unsafe.Pointer) {
	C.ss_out_get_field((*C.TVMFFIFieldInfo)(unsafe.Pointer(info)), (*C.TVMFFIObject)(object),
		(*C.TVMFFIAny)(unsafe.Pointer(&value)), at(&failed))
	return value, failed
}

// GetFieldWords does GetField's work without memory for the value. If the getter failed, the type index of the result is Failed
// and its Bits are the address of the Error, a new reference.
func GetFieldWords(info *abi.FieldInfo, object unsafe.Pointer) abi.Any {
	return valueOf(C.ss_out_get_field_words(C.uint64_t(uintptr(unsafe.Pointer(info))), C.uint64_t(uintptr(object))))
}

// SetField sets a field of an object of any class, through its setter, which the field must have.
func SetField(info *abi.FieldInfo, object unsafe.Pointer, value abi.Any) (failed unsafe.Pointer) {
	C.ss_out_set_field((*C.TVMFFIFieldInfo)(unsafe.Pointer(info)), (*C.TVMFFIObject)(object),
		(*C.TVMFFIAny)(unsafe.Pointer(&value)), at(&failed))
	return failed
}

// TypeAttr returns a type attribute of a type index, None when there is none. The value is borrowed from the runtime,
// which keeps it for the life of the process.
func TypeAttr(index int32, name string) abi.Any {
	text := cText(name)
	defer freeText(text)
	column := (*abi.TypeAttrColumn)(unsafe.Pointer(C.ss_out_attr_column(text)))
	return column.Lookup(index)
}
