package graph

import (
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/failure"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// Body is the Go function behind a Function. args are views in C memory, valid during the call; the caller owns the
// result.
type Body = func(args []abi.Any) (abi.Any, error)

// NewFunction makes a Function that calls body on the thread of its caller. The caller owns it. Set by package control.
var NewFunction func(body Body) (unsafe.Pointer, error)

// Call calls a Function with borrowed arguments; the caller owns the result. A failed call leaves its Error in
// thread-local storage.
func Call(function unsafe.Pointer, args ...abi.Any) (abi.Any, error) {
	result, ok := plane.Call(function, args)
	if !ok {
		return abi.Any{}, failure.ErrRaised
	}
	return result, nil
}

// Attr returns a type's value of an attribute, borrowed from the registry, None when it has none.
func Attr(name string, index int32) abi.Any {
	column := plane.FindColumn(name)
	if column == nil {
		return abi.Any{}
	}
	return column.Lookup(index)
}

// Column is a type attribute, looked up once per walk. A walk does not see an attribute that nobody had registered when
// it first looked.
type Column struct {
	Name   string
	Found  *atomic.Pointer[plane.Column] // where walks note the column for later ones, which it outlives; may be nil
	column *plane.Column                 // nil when looked says so, or when the attribute does not exist
	looked bool
}

// Function returns the Function that a type has in the column, borrowed from the registry; nil when it has none. A
// value of another type is a TypeError.
func (c *Column) Function(index int32) (unsafe.Pointer, error) {
	value := c.Value(index)
	switch value.TypeIndex {
	case abi.IndexNone:
		return nil, nil
	case abi.IndexFunction:
		return value.Pointer(), nil
	}
	return nil, failure.Type("Cannot convert from type `%s` to `ffi.Function`: attribute `%s` of type `%s`",
		TypeKey(value.TypeIndex), c.Name, TypeKey(index))
}

// Value returns the value that a type has in the column, borrowed from the registry; None when it has none.
func (c *Column) Value(index int32) abi.Any {
	if !c.looked {
		c.column, c.looked = c.find(), true
	}
	if c.column == nil {
		return abi.Any{}
	}
	return c.column.Lookup(index)
}

func (c *Column) find() *plane.Column {
	if c.Found == nil {
		return plane.FindColumn(c.Name)
	}
	column := c.Found.Load()
	if column == nil {
		column = plane.FindColumn(c.Name)
		c.Found.Store(column)
	}
	return column
}

// TypeKey returns the type key of a type index for error messages.
func TypeKey(index int32) string {
	if t := plane.TypeAt(index); t != nil {
		return t.Key()
	}
	return "unregistered type"
}
