package wrapping

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
)

// Field is the part of an object that refers to its box: all of a gen.Wrapped.
type Field[T any] struct {
	_      values.NoCopy
	_      [0]*T
	object uintptr // of the class selfsame.GoValue
}

// BoxOf returns the box that a field refers to, nil for a field without one. It fails as [BoxIn] does.
func BoxOf[T any](f *Field[T]) (*Box, error) { return BoxIn(f.object) }

// ObjectOf returns the object that a field is a part of.
func ObjectOf[T any](f *Field[T]) unsafe.Pointer { return unsafe.Add(unsafe.Pointer(f), -int(offset)) }

func (f *Field[T]) describe() *convert.FieldType {
	return &convert.FieldType{
		Conv:    convert.GoValueConv,
		Initial: func() (abi.Any, error) { return abi.None(), nil },
		Index:   abi.IndexObject,
		Holds:   reflect.TypeFor[T](),
		Held:    func(field unsafe.Pointer) (any, error) { return ValueOf(ObjectOf((*Field[T])(field))) },
	}
}

// FieldType describes the field type t; it returns nil for types that are no gen.Wrapped.
func FieldType(t reflect.Type) *convert.FieldType {
	if f, ok := reflect.New(t).Interface().(interface{ describe() *convert.FieldType }); ok {
		return f.describe()
	}
	return nil
}
