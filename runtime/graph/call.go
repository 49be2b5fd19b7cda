package graph

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/plane"
	"github.com/selfsame-ffi/selfsame/runtime/fault"
)

// Body is a function in Go that others call: args are borrowed views in C memory, the result is owned by the caller.
type Body = func(args []abi.Any) (abi.Any, error)

// NewFunction makes a Function object of a Go function. Set by package runtime.
var NewFunction func(Body) (unsafe.Pointer, error)

// Call calls a Function with borrowed arguments; the caller owns the result.
func Call(function unsafe.Pointer, args ...abi.Any) (abi.Any, error) {
	result, ok := plane.Call(function, args)
	if !ok {
		return abi.Any{}, fault.ErrRaised
	}
	return result, nil
}

// Attr is a type's value of an attribute, borrowed; None when it has none.
func Attr(name string, index int32) abi.Any {
	column := plane.FindColumn(name)
	if column == nil {
		return abi.Any{}
	}
	return column.Lookup(index)
}

// Column remembers a type attribute for one walk.
type Column struct {
	Name   string
	column *plane.Column
	looked bool
}

// Function is the Function that a type has in the column, nil when it has none.
func (c *Column) Function(index int32) (unsafe.Pointer, error) {
	value := c.Value(index)
	switch value.TypeIndex {
	case abi.IndexNone:
		return nil, nil
	case abi.IndexFunction:
		return value.Pointer(), nil
	}
	return nil, fault.Type("Cannot convert from type `%s` to `ffi.Function`: attribute `%s` of type `%s`",
		TypeKey(value.TypeIndex), c.Name, TypeKey(index))
}

// Value is the value that a type has in the column.
func (c *Column) Value(index int32) abi.Any {
	if !c.looked {
		c.column, c.looked = plane.FindColumn(c.Name), true
	}
	if c.column == nil {
		return abi.Any{}
	}
	return c.column.Lookup(index)
}

// TypeKey names a type index for messages.
func TypeKey(index int32) string {
	if t := plane.TypeAt(index); t != nil {
		return t.Key()
	}
	return "unregistered type"
}
