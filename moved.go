package selfsame

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Moved is a result or argument that hands over the reference that a handle owns, and releases the handle. A func that
// returns a *Handle keeps the object alive until the handle is released or collected; one that returns a Moved does not:
//
//	func parse(text string) selfsame.Moved[Document] {
//		return selfsame.Move(DocumentClass.New(func(d *Document) { ... }))
//	}
//
// A Moved can be used once; a second use panics like any use of a released handle.
type Moved[T any] struct {
	handle *Handle[T]
}

// Move makes a Moved of a handle; nil becomes None. The handle is released when the Moved is passed or returned, not before.
func Move[T any](h *Handle[T]) Moved[T] { return Moved[T]{h} }

func (Moved[T]) newConv() (*conv, error) {
	c, err := convFor(reflect.TypeFor[*Handle[T]]())
	if err != nil {
		return nil, err
	}
	return &conv{
		classes: c.classes, name: c.name, schema: c.schema, typ: c.typ, check: c.check,
		from: func(*abi.Any, unsafe.Pointer) error {
			return newError("TypeError", "selfsame: Moved[%s]: expected a result or an argument of a call, got a parameter; "+
				"take a *Handle",
				reflect.TypeFor[T]())
		},
		to: func(src unsafe.Pointer, v *abi.Any) error {
			*v = abi.None()
			h := (*Moved[T])(src).handle
			if h == nil {
				return nil
			}
			object := h.state.HandOver()
			if object == nil {
				unusable(h)
			}
			*v = abi.ObjectValue(object)
			return nil
		},
	}, nil
}
