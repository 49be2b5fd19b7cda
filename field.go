package selfsame

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// Field is a field that holds a value of Go type E: any type that may stand in a function's signature, such as
// *Function, Optional[int64], Optional[*Tensor], *Handle[Node], Tuple2[string, int64] or a func type. It takes 16
// bytes. Numbers, and types that have a field type ([String], [Ref], [Opt], [Array], [List], [Map], [Dict], [Tensor],
// [Shape]), are cheaper as fields of those types.
//
// The field owns its value. In a new object it is empty, unless its tag gives a default; Get then returns the zero E.
type Field[E any] struct {
	_     noCopy
	_     [0]*E
	value abi.Any
}

// Set stores a converted copy of a Go value and releases the value before. It panics with an *Error when the value cannot be
// converted.
func (f *Field[E]) Set(value E) {
	v, err := writeElement(value)
	if err != nil {
		panic(err)
	}
	swapValue(&f.value, v)
}

// Get returns the value, the zero E when the field is empty. It panics with a TypeError when the field has a value
// that is not an E, which only code that ignores the field's type can put there.
func (f *Field[E]) Get() E {
	if f.value.TypeIndex == abi.IndexNone {
		return *new(E)
	}
	var r reader[E]
	value, err := r.read(&f.value)
	if err != nil {
		panic(resultError(mustConv(reflect.TypeFor[E]()), err))
	}
	return value
}

func (f *Field[E]) fieldConv() (*conv, error) {
	inner, err := convFor(reflect.TypeFor[E]())
	if err != nil {
		return nil, err
	}
	if inner.borrows {
		return nil, newError("TypeError", "selfsame: Field: expected a type that owns its value, got %s; use *Handle",
			inner.goType)
	}
	// The storage is a value whatever E is, and so are its getter and setter.
	made := *inner
	made.typ = typeOnce(func() *bridge.Type { return bridge.NewValueType(inner.typ()) })
	return &made, nil
}
func (f *Field[E]) initial() (abi.Any, error) { return abi.None(), nil }
func (f *Field[E]) storage() (int32, bool)    { return abi.IndexAny, false }

var _ = unsafe.Sizeof([1]struct{}{}[unsafe.Sizeof(Field[int64]{})-unsafeSizeofAny]) // 16 bytes, or this does not compile
