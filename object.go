package selfsame

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Object is the header of every native object. A class struct embeds it, or another class struct, as its first field. It has
// no exported fields or methods.
type Object struct {
	header abi.Object
}

// nativeObject makes a pointer to any class struct an argument for native functions.
func (o *Object) nativeObject() unsafe.Pointer { return unsafe.Pointer(o) }
