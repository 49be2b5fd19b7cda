package plane

// #include "plane.h"
import "C"

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// NewBytes makes an owned bytes value of C memory. False: the error is raised.
func NewBytes(content *abi.ByteArray) (out abi.Any, ok bool) {
	rc := C.TVMFFIBytesFromByteArray((*C.TVMFFIByteArray)(unsafe.Pointer(content)), (*C.TVMFFIAny)(unsafe.Pointer(&out)))
	return out, rc == 0
}
