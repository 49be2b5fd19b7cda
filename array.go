package selfsame

import (
	"iter"
	"reflect"
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/containers"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Array refers to an Array of the ABI, whose elements never change. E is their Go type: any type that may stand in a
// function's signature, such as int64, string, any or *Handle[Node].
//
// As a field of a class struct it owns its array; a new object's field is empty, and Set and Assign replace the array. A
// *Array[E] that comes from [NewArray] or from a call is a handle: one per native array, released like a [Handle]. A nil
// *Array[E] is None, and has no elements.
type Array[E any] struct {
	_   [0]*E
	ref containers.Ref
}

// NewArray makes an array of converted copies of the elements and returns its handle. It fails with an *Error that names the
// element that cannot be converted.
func NewArray[E any](elems []E) (*Array[E], error) {
	if _, err := convert.For(reflect.TypeFor[E]()); err != nil {
		return nil, err
	}
	object, err := newSequence(abi.IndexArray, elems)
	if err != nil {
		return nil, err
	}
	return (*Array[E])(unsafe.Pointer(handles.FetchOwned(object))), nil
}

// NewAnyArray makes an array for elements of any type of a slice whose elements have one, such as a []string where a func takes a
// *Array[any]. See [NewArray].
func NewAnyArray[E any](elems []E) (*Array[any], error) {
	made, err := NewArray(elems)
	return (*Array[any])(unsafe.Pointer(made)), err
}

// CollectArray makes an Array of the values of an iterator, as slices.Collect makes a slice. See [NewArray].
func CollectArray[E any](values iter.Seq[E]) (*Array[E], error) {
	var elems []E
	for e := range values {
		elems = append(elems, e)
	}
	return NewArray(elems)
}

// Len returns the number of elements.
func (a *Array[E]) Len() int {
	n := len(a.items())
	runtime.KeepAlive(a)
	return n
}

// At returns element i. It panics with an IndexError when i is out of bounds, and with a TypeError when the element, which
// another language stored, is not an E.
func (a *Array[E]) At(i int) E {
	items := a.items()
	if uint(i) >= uint(len(items)) {
		panic(fault.New("IndexError", "Index %d out of bounds %d", i, len(items)))
	}
	var r convert.Reader[E]
	e, err := r.Read(&items[i])
	if err != nil {
		panic(convert.WrongElement[E]("Array", i, err))
	}
	runtime.KeepAlive(a)
	return e
}

// All ranges over index and element, as slices.All. When the loop body sets the field, the loop continues with the array
// that it began with. It panics like [Array.At].
func (a *Array[E]) All() iter.Seq2[int, E] { return containers.AllElements[E](a.elements(), "Array") }

// Values ranges over the elements, as slices.Values. See [Array.All].
func (a *Array[E]) Values() iter.Seq[E] { return containers.ElementValues[E](a.elements(), "Array") }

// Backward ranges over index and element in reverse order, as slices.Backward. See [Array.All].
func (a *Array[E]) Backward() iter.Seq2[int, E] {
	return containers.ElementsBackward[E](a.elements(), "Array")
}

// Slice copies the elements into a new slice. It panics like [Array.At].
func (a *Array[E]) Slice() []E {
	out := containers.SliceOf[E]("Array", a.items())
	runtime.KeepAlive(a)
	return out
}

// Set replaces the field's array by a new one of converted copies of the elements. It panics with an *Error when an element
// cannot be converted, and when a is a handle.
func (a *Array[E]) Set(elems ...E) {
	a.ref.CheckField("Array")
	object := fault.Must(newSequence(abi.IndexArray, elems))
	a.ref.Replace(object)
}

// Assign replaces the field's array by that of b, which then has two owners; a nil b stands for an empty array. It panics
// with a TypeError when an element is not an E, and with a RuntimeError when a is a handle.
func (a *Array[E]) Assign(b *Array[E]) {
	a.ref.Assign("Array", reflect.TypeFor[*Array[E]](), abi.IndexArray, b.nativeObject())
	runtime.KeepAlive(b)
}

// Release drops the reference of a handle now instead of at a garbage collection; the caller must not use the handle
// afterwards. It panics when a is a field.
func (a *Array[E]) Release() {
	if a != nil {
		a.ref.Release("Array")
	}
}

func (a *Array[E]) nativeObject() unsafe.Pointer {
	if a == nil {
		return nil
	}
	return a.ref.Address("Array")
}

// elements returns the container reference of a, nil for a nil Array, which has no elements.
func (a *Array[E]) elements() *containers.Ref {
	if a == nil {
		return nil
	}
	return &a.ref
}

func (a *Array[E]) items() []abi.Any {
	object := a.nativeObject()
	if object == nil {
		return nil
	}
	return abi.SeqOf(object).Items()
}

// newSequence makes an Array or List (by type index) of converted copies of elems and returns an owned reference.
func newSequence[E any](index int32, elems []E) (unsafe.Pointer, error) {
	owned, err := convert.WriteAll(convert.SequenceName(index), elems)
	if err != nil {
		return nil, err
	}
	defer values.ReleaseAll(owned)
	return values.NewContainer(index, owned)
}

func (a *Array[E]) newConv() (*convert.Conv, error) {
	return convert.SequenceHandleConv(abi.IndexArray, bridge.KindArray, reflect.TypeFor[E](),
		func(src unsafe.Pointer) unsafe.Pointer { return (*(**Array[E])(src)).nativeObject() })
}
