package plane

// #include "plane.h"
import "C"

import (
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// ParseDataType reads a data type as TVMFFIDataTypeFromString does. On failure the error is raised.
func ParseDataType(text string) (t abi.DataType, ok bool) {
	var pin runtime.Pinner
	defer pin.Unpin()
	b := bytesOf(text, &pin)
	rc := C.TVMFFIDataTypeFromString(&b, (*C.DLDataType)(unsafe.Pointer(&t)))
	return t, rc == 0
}

// DataTypeText prints a data type as TVMFFIDataTypeToString does. On failure the error is raised.
func DataTypeText(t abi.DataType) (text string, ok bool) {
	var out abi.Any
	if C.TVMFFIDataTypeToString((*C.DLDataType)(unsafe.Pointer(&t)), (*C.TVMFFIAny)(unsafe.Pointer(&out))) != 0 {
		return "", false
	}
	defer Reset(&out)
	return out.Text()
}
