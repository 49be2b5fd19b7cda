package graph

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/plane"
	"github.com/selfsame-ffi/selfsame/runtime/fault"
)

// MaxDepth bounds how deep a value may be nested for walks that recurse. It keeps the goroutine's stack within Go's
// limit, beyond which the process would end.
const MaxDepth = 1 << 18

// ErrDepth is the error for a value nested deeper than that.
func ErrDepth(what string) error {
	return fault.Value("%s: maximum depth (%d) exceeded", what, MaxDepth)
}

// Retain adds a reference to what a value holds and gives the value back.
func Retain(a abi.Any) abi.Any {
	if a.IsObject() {
		abi.IncRef(a.Pointer())
	}
	return a
}

// Release drops what an owned value holds.
func Release(a abi.Any) {
	if a.IsObject() {
		plane.DecRefFast(a.Pointer())
	}
}

// ReleaseAll drops what owned values hold.
func ReleaseAll(values []abi.Any) {
	for i := range values {
		if values[i].IsObject() {
			plane.DecRefFast(values[i].Pointer())
		}
	}
}

// Owned converts a view in C memory to an owned value.
func Owned(view *abi.Any) (abi.Any, error) {
	v, ok := plane.ToOwned(unsafe.Pointer(view))
	if !ok {
		return abi.Any{}, fault.ErrRaised
	}
	return v, nil
}

// IsString says whether a type index is that of a string.
func IsString(index int32) bool { return index == abi.IndexSmallStr || index == abi.IndexStr }

// IsBytes says whether a type index is that of bytes.
func IsBytes(index int32) bool { return index == abi.IndexSmallBytes || index == abi.IndexBytes }

// String makes an owned string.
func String(s string) (abi.Any, error) {
	if v, ok := plane.NewString(s); ok {
		return v, nil
	}
	return abi.Any{}, fault.ErrRaised
}

// Shape views the dimensions of a Shape object.
func Shape(handle unsafe.Pointer) []int64 {
	cell := (*abi.ShapeCell)(unsafe.Add(handle, abi.BodyOffset))
	if cell.Size == 0 || cell.Data == nil {
		return nil
	}
	return unsafe.Slice((*int64)(cell.Data), cell.Size)
}

// BigWords views the words of a BigInt object, the least significant first.
func BigWords(handle unsafe.Pointer) []int64 {
	n := *(*uint64)(unsafe.Add(handle, abi.BodyOffset))
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*int64)(unsafe.Add(handle, abi.BodyOffset+8)), n)
}

// Key names a value's type for messages.
func Key(a *abi.Any) string { return TypeKey(a.TypeIndex) }

// DataTypeText and ParseDataType are the text of data types. Set by package runtime.
var (
	DataTypeText  func(abi.DataType) (string, error)
	ParseDataType func(*abi.Any) (abi.DataType, error)
)

// NewBytes and NewShape make owned values. Set by package runtime.
var (
	NewBytes func([]byte) (abi.Any, error)
	NewShape func([]int64) (abi.Any, error)
)
