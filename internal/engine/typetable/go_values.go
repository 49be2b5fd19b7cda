package typetable

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Why a Go value in a field is an object of its own. A number of 8 bytes in selfsame.Value[T] would be a second sort of
// ownership for everything that copies or deletes an object by its owned fields. So the field refers to a small native
// object that knows the number. The price is 48 bytes per value, and a load more in Get.

// GoValueClass returns the class of the objects that keep Go values, which all Go libraries of a process share.
var GoValueClass = sync.OnceValue(func() *Class {
	const key = "selfsame.GoValue"
	return NewBuiltin(key, bridge.ValueClass(key), Of(ObjectType).Wrap)
})

// NewGoValue makes an object of GoValueClass that keeps kept, and that messages call a value of the type t. It returns a new
// reference.
func NewGoValue(kept any, t reflect.Type) (unsafe.Pointer, error) {
	id := handles.Keep(kept)
	if id == 0 {
		return nil, TooManyValues()
	}
	object, failed := bridge.NewValue(GoValueClass().Native.Index(), id, t)
	return Kept(id, object, failed)
}

// TooManyValues returns the error for a value that has got no number.
func TooManyValues() error {
	return fault.New("RuntimeError", "selfsame: too many Go values are in use")
}

// Kept returns the object that was to keep the value with a number; without an object it drops the value, and returns the error.
func Kept(id uint64, object, failed unsafe.Pointer) (unsafe.Pointer, error) {
	if object == nil {
		handles.Drop(id)
		return nil, fault.Take(failed)
	}
	handles.TraceNative(object)
	return object, nil
}
