package selfsame

import (
	"fmt"
	"iter"
	"reflect"
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Array refers to an Array of the ABI with elements of Go type E: a type that may stand in a function's signature, such as int64, string, any or *Handle[Node].
//
// As a field of a class struct it owns the array it holds; a new object's field is empty. A *Array[E] that comes from
// [NewArray] or from a call is a handle: one per native array, released like a [Handle].
// Arrays do not change; Set puts another array into a field. A nil *Array[E] is None, and has no elements.
type Array[E any] struct {
	_ [0]*E
	containerRef
}

// NewArray makes an array with converted copies of the elements.
// It fails with an *Error that names the element that cannot be converted.
func NewArray[E any](elems []E) (*Array[E], error) {
	if _, err := convFor(reflect.TypeFor[E]()); err != nil {
		return nil, err
	}
	object, err := newSequence(abi.IndexArray, elems)
	if err != nil {
		return nil, err
	}
	return (*Array[E])(unsafe.Pointer(handles.Adopt(object))), nil
}

// CollectArray makes an array of the values of an iterator, as slices.Collect makes a slice.
func CollectArray[E any](values iter.Seq[E]) (*Array[E], error) {
	var elems []E
	for e := range values {
		elems = append(elems, e)
	}
	return NewArray(elems)
}

// Len is the number of elements.
func (a *Array[E]) Len() int {
	n := len(a.items())
	runtime.KeepAlive(a)
	return n
}

// At is element i. It panics with an IndexError when there is no such element, and with a TypeError when the element,
// put there by another language, is not an E.
func (a *Array[E]) At(i int) E {
	items := a.items()
	if uint(i) >= uint(len(items)) {
		panic(newError("IndexError", "Index %d out of bounds %d", i, len(items)))
	}
	var r reader[E]
	e, err := r.read(&items[i])
	if err != nil {
		panic(wrongElement[E]("Array", i, err))
	}
	runtime.KeepAlive(a)
	return e
}

// All ranges over index and element, as slices.All. When the loop body sets the field, the
// loop continues with the array it began with. It panics like [Array.At].
func (a *Array[E]) All() iter.Seq2[int, E] {
	return func(yield func(int, E) bool) {
		l := beginLoop[E]("Array", a.nativeObject(), a)
		for i := 0; i < l.size(); i++ {
			e, ok := l.plainAt(i)
			if !ok {
				e = l.read(i)
			}
			if !yield(i, e) {
				break
			}
		}
		l.end()
	}
}

// Values ranges over the elements, as slices.Values. See [Array.All].
func (a *Array[E]) Values() iter.Seq[E] {
	return func(yield func(E) bool) {
		l := beginLoop[E]("Array", a.nativeObject(), a)
		for i := 0; i < l.size(); i++ {
			e, ok := l.plainAt(i)
			if !ok {
				e = l.read(i)
			}
			if !yield(e) {
				break
			}
		}
		l.end()
	}
}

// Backward ranges over index and element, the last one first, as slices.Backward. See [Array.All].
func (a *Array[E]) Backward() iter.Seq2[int, E] {
	return func(yield func(int, E) bool) {
		l := beginLoop[E]("Array", a.nativeObject(), a)
		for i := l.size() - 1; i >= 0; i-- {
			if i = min(i, l.size()-1); i < 0 { // the body may have removed some
				break
			}
			e, ok := l.plainAt(i)
			if !ok {
				e = l.read(i)
			}
			if !yield(i, e) {
				break
			}
		}
		l.end()
	}
}

// Slice copies the elements into a new slice. It panics like [Array.At].
func (a *Array[E]) Slice() []E {
	out := sliceOf[E]("Array", a.items())
	runtime.KeepAlive(a)
	return out
}

// Set puts a new array with the elements into the field. It panics with an *Error when an element cannot be converted,
// and when a is not a field.
func (a *Array[E]) Set(elems ...E) {
	a.checkField("an Array")
	object, err := newSequence(abi.IndexArray, elems)
	if err != nil {
		panic(err)
	}
	a.replace(object)
}

// Assign puts the array of b into the field; both then hold the same native array. A nil b leaves an empty one. It panics
// with a TypeError when an element is not an E, and when a is not a field.
func (a *Array[E]) Assign(b *Array[E]) {
	a.assign("an Array", reflect.TypeFor[*Array[E]](), abi.IndexArray, b.nativeObject())
	runtime.KeepAlive(b)
}

// Release gives the reference of a handle back now; the array must not be used afterwards. It panics when a is a field.
func (a *Array[E]) Release() {
	if a != nil {
		a.release("an Array")
	}
}

func (a *Array[E]) nativeObject() unsafe.Pointer {
	if a == nil {
		return nil
	}
	return a.address("an Array")
}

func (a *Array[E]) items() []abi.Any {
	object := a.nativeObject()
	if object == nil {
		return nil
	}
	return abi.SeqOf(object).Items()
}

// newSequence makes an Array or List of converted copies and returns an owned reference.
func newSequence[E any](index int32, elems []E) (unsafe.Pointer, error) {
	owned, err := writeAll(sequenceName(index), elems)
	if err != nil {
		return nil, err
	}
	defer releaseAll(owned)
	return newContainer(index, owned)
}

func sequenceName(index int32) string {
	if index == abi.IndexList {
		return "List"
	}
	return "Array"
}

// wrongElement is the error of an element that is not an E.
func wrongElement[E any](what string, i int, err error) error {
	if m, ok := err.(*mismatch); ok {
		return newError("TypeError", "Cannot convert from type `%s[index %d: %s]` to `%s<%s>`", what, i, m.got, what,
			mustConv(reflect.TypeFor[E]()).name())
	}
	return inElement(fmt.Sprintf("%s[index %d]", what, i), err)
}

// mustConv is for types that were accepted when the class or function was registered.
func mustConv(t reflect.Type) *conv {
	c, err := convFor(t)
	if err != nil {
		panic(err)
	}
	return c
}
