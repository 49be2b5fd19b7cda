package selfsame

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// publicTypes is what the engine must know of the types of the public package, which it cannot name.
type publicTypes struct {
	// conv returns the conversion of a type that has one of its own; ok is false for other types.
	conv func(t reflect.Type) (c *conv, ok bool, err error)
	// field returns the description of a field type, such as String; nil for other types.
	field func(t reflect.Type) *fieldType
	// native returns the native object of a value that refers to one, which the caller borrows: nil of a nil pointer. ok is
	// false for other values. It panics when the value is a handle that was released.
	native func(value any) (object unsafe.Pointer, ok bool)
}

// public is set when the public package is initialised, and never changes.
var public publicTypes

// fieldType describes a field type of the public package.
type fieldType struct {
	conv    func() (*conv, error)   // the conversion of the field's value
	initial func() (abi.Any, error) // the owned value of the field in a new object
	index   int32                   // the type index that reflection gives for the field
	fresh   bool                    // each new object gets a container of its own, of the type index
	holds   reflect.Type            // the type of the Go value that a Value holds; nil for other field types
	instead string                  // what a signature has for the field type; "": a pointer to it
}
