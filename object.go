package selfsame

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Object is the header of every native object: a class struct has it, or another class struct, as its first field.
// It has no exported parts.
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

// releaseValue drops what an owned value owns.
func releaseValue(v abi.Any) {
	if v.IsObject() {
		handles.DecRef(v.Pointer())
	}
}

// retained is an owned copy of a value that is not a view of the kinds 7 to 10.
func retained(v abi.Any) abi.Any {
	if v.IsObject() {
		abi.IncRef(v.Pointer())
	}
	return v
}
