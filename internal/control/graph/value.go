package graph

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/failure"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// MaxDepth bounds how deep a value may be nested for walks that recurse. It keeps the goroutine's stack within Go's
// limit, beyond which Go ends the process.
const MaxDepth = 1 << 18

// ErrDepth makes the ValueError for a value that is nested deeper than MaxDepth.
func ErrDepth(operation string) error {
	return failure.Value("%s: maximum depth (%d) exceeded", operation, MaxDepth)
}

// Retain takes a reference to the object that a value refers to, if any, and returns the value.
func Retain(a abi.Any) abi.Any {
	if a.IsObject() {
		abi.IncRef(a.Pointer())
	}
	return a
}

// Release drops the reference of an owned value.
func Release(a abi.Any) {
	if a.IsObject() {
		plane.DecRefFast(a.Pointer())
	}
}

// ReleaseAll drops the references of owned values.
func ReleaseAll(values []abi.Any) {
	for i := range values {
		if values[i].IsObject() {
			plane.DecRefFast(values[i].Pointer())
		}
	}
}

// Owned converts a view in C memory to an owned value: it takes a reference, moves an rvalue reference, or copies a raw
// string. Errors: MemoryError.
func Owned(view *abi.Any) (abi.Any, error) {
	v, ok := plane.ToOwned(unsafe.Pointer(view))
	if !ok {
		return abi.Any{}, failure.ErrRaised
	}
	return v, nil
}

// String makes a string; the caller owns it.
func String(s string) (abi.Any, error) {
	if v, ok := plane.NewString(s); ok {
		return v, nil
	}
	return abi.Any{}, failure.ErrRaised
}

// Shape returns a view of the dimensions of a Shape.
func Shape(handle unsafe.Pointer) []int64 {
	cell := (*abi.ShapeCell)(unsafe.Add(handle, abi.BodyOffset))
	if cell.Size == 0 || cell.Data == nil {
		return nil
	}
	return unsafe.Slice((*int64)(cell.Data), cell.Size)
}

// Enum is the cell of an Enum.
type Enum struct {
	Number int64
	Name   abi.Any // a string
}

// EnumOf returns the cell of an Enum.
func EnumOf(handle unsafe.Pointer) *Enum { return (*Enum)(unsafe.Add(handle, abi.BodyOffset)) }

// Key returns the key of a value's type for error messages.
func Key(a *abi.Any) string { return TypeKey(a.TypeIndex) }

// Functions of package control, which sets them.
var (
	// DataTypeText prints a data type: "float32x4".
	DataTypeText func(abi.DataType) (string, error)
	// ParseDataType parses a string value.
	ParseDataType func(*abi.Any) (abi.DataType, error)
	// NewBytes makes a bytes value with a copy of the content; the caller owns it.
	NewBytes func(content []byte) (abi.Any, error)
	// NewShape makes a Shape with a copy of the dimensions; the caller owns it.
	NewShape func(dims []int64) (abi.Any, error)
)

// ObjectResult returns an owned object as a value, or the error of making it.
func ObjectResult(h unsafe.Pointer, err error) (abi.Any, error) {
	if err != nil {
		return abi.Any{}, err
	}
	return abi.ObjectValue(h), nil
}
