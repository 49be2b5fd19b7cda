package selfsame

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Object is the header of every native object. A class struct embeds it, or another class struct, as its first field. It has
// no exported fields or methods.
type Object struct {
	header abi.Object
}

// nativeObject makes a pointer to any class struct an argument for native functions.
func (o *Object) nativeObject() unsafe.Pointer { return unsafe.Pointer(o) }

// incRef adds a strong reference; nil is allowed.
func incRef(object unsafe.Pointer) {
	if object != nil {
		abi.IncRef(object)
	}
}

// releaseValue releases the reference that an owned value owns, if any.
func releaseValue(v abi.Any) {
	if v.IsObject() {
		handles.DecRef(v.Pointer())
	}
}

// retained returns an owned copy of a value. The type index must not be one of the views 7 to 10, which no reference can
// own.
func retained(v abi.Any) abi.Any {
	if v.IsObject() {
		abi.IncRef(v.Pointer())
	}
	return v
}
