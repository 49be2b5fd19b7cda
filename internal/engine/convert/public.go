package convert

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// PublicTypes has the funcs by which the engine asks about types of the public package, which it cannot import.
type PublicTypes struct {
	// conv returns the conversion of a type that has one of its own; ok is false for other types.
	Conv func(t reflect.Type) (c *Conv, ok bool, err error)
	// field returns the description of a field type, such as String; nil for other types.
	Field func(t reflect.Type) *FieldType
	// native returns the native object of a value that refers to one, which the caller borrows: nil of a nil pointer. ok is
	// false for other values. It panics when the value is a handle that was released.
	Native func(value any) (object unsafe.Pointer, ok bool)
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
