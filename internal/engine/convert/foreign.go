package convert

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// A foreign type is a Go type of another package for which the public package has a class: its values are objects of the class
// in other languages, wherever the type stands in a signature.

// foreign has the makers of the conversions of foreign types: reflect.Type -> func() (*Conv, error).
var foreign sync.Map

// AddForeign gives a type a conversion of its own. It must come before the first For of the type; it fails when the type has a
// conversion already.
func AddForeign(t reflect.Type, make func() (*Conv, error)) error {
	if _, known := convs.Load(t); known {
		return fault.New("RuntimeError", "%s was used before it got a class; give it one first", t)
	}
	if _, known := foreign.LoadOrStore(t, make); known {
		return fault.New("RuntimeError", "%s has a class already", t)
	}
	return nil
}

// IsForeign reports whether a type was given to AddForeign.
func IsForeign(t reflect.Type) bool {
	_, known := foreign.Load(t)
	return known
}

// foreignConv returns the conversion of a foreign type; ok is false for other types.
func foreignConv(t reflect.Type) (c *Conv, ok bool, err error) {
	made, ok := foreign.Load(t)
	if !ok {
		return nil, false, nil
	}
	c, err = made.(func() (*Conv, error))()
	return c, true, err
}

// Opaque makes an owned object of a Go value whose type has no conversion; nil until the public package has such a class.
var Opaque func(value any) (object unsafe.Pointer, err error)

// Typed is an argument of a call out of Go that is converted as its static type says.
type Typed struct {
	Conv *Conv
	At   unsafe.Pointer
}

// PlainAny stores at *dst the Go value of a borrowed value, with Go's own containers.
func PlainAny(v *abi.Any, dst *any) error {
	value, err := plainGo(v, 0, nil)
	*dst = value
	return err
}
