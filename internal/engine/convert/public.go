package convert

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// PublicTypes has the funcs by which the engine asks about types of package selfsame, which it cannot import.
type PublicTypes struct {
	// conv returns the conversion of a type that has one of its own; ok is false for other types.
	Conv func(t reflect.Type) (c *Conv, ok bool, err error)
	// field returns the description of a field type, such as String; nil for other types.
	Field func(t reflect.Type) *FieldType
	// native returns the native object of a value that refers to one, which the caller borrows: nil of a nil pointer. ok is
	// false for other values. It panics when the value is a handle that was released.
	Native func(value any) (object unsafe.Pointer, ok bool)
	// handle returns the state of an AnyHandle and its object, which the caller borrows; both are nil for a nil handle. It panics
	// when the handle was released.
	Handle func(handle any) (state *handles.State, object unsafe.Pointer)
}

// Public is set when the public package is initialised, and never changes.
var Public PublicTypes

// FieldType describes a field type of the public package.
type FieldType struct {
	Conv    func() (*Conv, error)   // the conversion of the field's value
	Initial func() (abi.Any, error) // the owned value of the field in a new object
	Index   int32                   // the type index that reflection gives for the field
	Fresh   bool                    // each new object gets a container of its own, of the type index
	Holds   reflect.Type            // the type of the Go value that a Value holds; nil for other field types
	// Held returns the Go value that a Value at an address holds, nil when it is unset; Held is nil for other field types.
	Held    func(field unsafe.Pointer) (any, error)
	Instead string // what a signature has for the field type; "": a pointer to it
}

// GoValueConv makes the conversion of a field that holds a Go value, which is an object of the class selfsame.GoValue.
func GoValueConv() (*Conv, error) {
	c := ObjectConv(typetable.GoValueClass(),
		func(dst, object unsafe.Pointer) { *(*unsafe.Pointer)(dst) = object },
		func(src unsafe.Pointer) (unsafe.Pointer, error) { return *(*unsafe.Pointer)(src), nil })
	c.Classes = nil // the class is registered
	return c, nil
}
