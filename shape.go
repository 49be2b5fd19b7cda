package selfsame

import (
	"iter"
	"runtime"
	"slices"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/containers"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Shape refers to a Shape of the ABI: an immutable sequence of int64, such as the extents of a tensor.
//
// As a field of a class struct it owns a reference to its shape; a new object's has no extents. A *Shape that comes from
// [NewShape] or from a call is a handle: one per native shape, released like a [Handle]. A nil *Shape is None.
type Shape struct {
	ref containers.Ref
}

// NewShape makes a shape of the extents. It fails only when memory is exhausted.
func NewShape(extents ...int) (*Shape, error) {
	object, err := shapeOf(extents)
	if err != nil {
		return nil, err
	}
	return (*Shape)(unsafe.Pointer(handles.FetchOwned(object))), nil
}

func shapeOf(extents []int) (unsafe.Pointer, error) {
	views := make([]abi.Any, len(extents))
	for i, n := range extents {
		views[i] = abi.Int(int64(n))
	}
	return values.NewContainer(abi.IndexShape, views)
}

// Len returns the number of extents.
func (s *Shape) Len() int {
	n := len(s.numbers())
	runtime.KeepAlive(s)
	return n
}

// At returns extent i. It panics with an IndexError when there is no such extent.
func (s *Shape) At(i int) int {
	numbers := s.numbers()
	if uint(i) >= uint(len(numbers)) {
		panic(fault.New("IndexError", "Index %d out of bounds %d", i, len(numbers)))
	}
	n := int(numbers[i])
	runtime.KeepAlive(s)
	return n
}

// All ranges over index and extent, as slices.All.
func (s *Shape) All() iter.Seq2[int, int] { return slices.All(s.Slice()) }

// Slice returns a copy of the extents.
func (s *Shape) Slice() []int {
	numbers := s.numbers()
	out := make([]int, len(numbers))
	for i, n := range numbers {
		out[i] = int(n)
	}
	runtime.KeepAlive(s)
	return out
}

// Set puts a new shape into the field and releases the one before. It panics when s is not a field.
func (s *Shape) Set(extents ...int) {
	s.ref.CheckField("Shape")
	object := fault.Must(shapeOf(extents))
	s.ref.Replace(object)
}

// Release releases a handle's reference now; any later use but a second Release panics. It panics when s is a field.
func (s *Shape) Release() {
	if s != nil {
		s.ref.Release("Shape")
	}
}

func (s *Shape) nativeObject() unsafe.Pointer {
	if s == nil {
		return nil
	}
	return s.ref.Address("Shape")
}

func (s *Shape) numbers() []int64 {
	object := s.nativeObject()
	if object == nil {
		return nil
	}
	cell := (*abi.ShapeCell)(unsafe.Add(object, abi.BodyOffset))
	return unsafe.Slice((*int64)(cell.Data), cell.Size)
}

// shapeClass is the class of Shape, which is no class struct.
var shapeClass = sync.OnceValue(func() *typetable.Class {
	return typetable.NewBuiltin("ffi.Shape", abi.IndexShape, func(s *handles.State) any { return (*Shape)(unsafe.Pointer(s)) })
})

func (s *Shape) fieldConv() (*convert.Conv, error) {
	return containers.HandleConv(shapeClass(), func(src unsafe.Pointer) unsafe.Pointer { return (*(**Shape)(src)).nativeObject() }), nil
}

// newConv makes the conversion for parameters. These also accept an Array or List of integers, which they copy, as C++
// does.
func (s *Shape) newConv() (*convert.Conv, error) {
	c, err := s.fieldConv()
	if err != nil {
		return nil, err
	}
	check, from := c.Check, c.From
	c.HandleOf = nil // an Array passes the check too, and has no Shape handle
	isSequence := func(v *abi.Any) bool { return v.TypeIndex == abi.IndexArray || v.TypeIndex == abi.IndexList }
	c.Check = func(v *abi.Any) error {
		if !isSequence(v) {
			return check(v)
		}
		items := abi.SeqOf(v.Pointer()).Items()
		for i := range items {
			if err := convert.CheckIntLike(&items[i]); err != nil {
				return convert.AtIndex(convert.SequenceName(v.TypeIndex), i, err)
			}
		}
		return nil
	}
	c.From = func(v *abi.Any, dst unsafe.Pointer) error {
		if !isSequence(v) {
			return from(v, dst)
		}
		if err := c.Check(v); err != nil {
			return err
		}
		object, err := values.NewContainer(abi.IndexShape, abi.SeqOf(v.Pointer()).Items())
		if err != nil {
			return err
		}
		*(**handles.State)(dst) = handles.FetchOwned(object)
		return nil
	}
	return c, nil
}

func (s *Shape) initial() (abi.Any, error) { return values.Container(abi.IndexShape, nil) }
func (s *Shape) storage() (int32, bool)    { return abi.IndexShape, false }

func init() { typetable.ByIndex.Store(abi.IndexShape, shapeClass()) }
