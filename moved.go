package selfsame

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Moved hands an object over with the reference of its handle. A func that returns a *Handle keeps the object alive until
// the handle is released or collected; one that returns a Moved does not:
//
//	func parse(text string) selfsame.Moved[Document] {
//		return selfsame.Move(DocumentClass.New(func(d *Document) { ... }))
//	}
//
// A Moved serves for one result, or one argument of a call. The handle is released then.
type Moved[T any] struct {
	handle *Handle[T]
}

// Move prepares a handle for being handed over; nil becomes None. Nothing happens to it before it crosses.
func Move[T any](h *Handle[T]) Moved[T] { return Moved[T]{h} }

func (Moved[T]) newConv() (*conv, error) {
	c, err := convFor(reflect.TypeFor[*Handle[T]]())
	if err != nil {
		return nil, err
	}
	return &conv{
		classes: c.classes, name: c.name, schema: c.schema, typ: c.typ, check: c.check,
		from: func(*abi.Any, unsafe.Pointer) error {
			return newError("TypeError", "selfsame: Moved[%s]: expected a result or an argument of a call, got a parameter; take a *Handle",
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
