package selfsame

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// Cell is a field that holds a value of Go type E: any type that may stand in a function's signature, such as *Function,
// Optional[int64], Optional[*Tensor], *Handle[Node], Tuple2[string, int64] or a func type. It takes 16 bytes; what has a
// cell of its own ([String], [Ref], [Opt], [Array], [List], [Map], [Dict], [Tensor], [Shape]) or is a plain number is
// better off with that.
//
// A new object's is empty, unless its tag says otherwise: Get then gives the zero E.
type Cell[E any] struct {
	_     noCopy
	_     [0]*E
	value abi.Any
}

// Set stores a converted copy of a Go value. It panics with an *Error when the value cannot be converted.
func (c *Cell[E]) Set(value E) {
	v, err := writeElement(value)
	if err != nil {
		panic(err)
	}
	swapValue(&c.value, v)
}

// Get is the value, the zero E when the field is empty. It panics with a TypeError when what is in the field, put there
// by code that went around the field's type, is not an E.
func (c *Cell[E]) Get() E {
	if c.value.TypeIndex == abi.IndexNone {
		return *new(E)
	}
	var r reader[E]
	value, err := r.read(&c.value)
	if err != nil {
		panic(resultError(mustConv(reflect.TypeFor[E]()), err))
	}
	return value
}

func (c *Cell[E]) fieldConv() (*conv, error) {
	inner, err := convFor(reflect.TypeFor[E]())
	if err != nil {
		return nil, err
	}
	if inner.borrows {
		return nil, newError("TypeError", "a %s would be borrowed from nobody: use *Handle", inner.goType)
	}
	// The storage is a value whatever E is, and so are its getter and setter.
	made := *inner
	made.typ = typeOnce(func() *bridge.Type { return bridge.NewValueType(inner.typ()) })
	return &made, nil
}
func (c *Cell[E]) initial() (abi.Any, error) { return abi.None(), nil }
func (c *Cell[E]) storage() (int32, bool)    { return abi.IndexAny, false }

var _ = unsafe.Sizeof([1]struct{}{}[unsafe.Sizeof(Cell[int64]{})-unsafeSizeofAny]) // 16 bytes, or this does not compile
