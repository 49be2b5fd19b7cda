package selfsame

import (
	"iter"
	"reflect"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// Array is a place that holds an Array of the ABI whose elements are of Go type E: a type that may stand in a function's
// signature, such as int64, string, any or *Handle[Node].
//
// As a field of a class struct it owns the array it holds; a new object's field is empty. A *Array[E] that comes from
// [NewArray] or from a call is a handle: one per native array, released like a [Handle].
// Arrays do not change; Set puts another array into a field.
type Array[E any] struct {
	_      noCopy
	_      [0]*E
	object uintptr // 0: empty
}

// noCopy makes go vet report copies of cells, which would own what they do not own.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// NewArray makes an array with converted copies of the elements.
// It fails with an *Error that names the element that cannot be converted.
func NewArray[E any](elems []E) (*Array[E], error) {
	c, err := convFor(reflect.TypeFor[[]E]())
	if err != nil {
		return nil, err
	}
	var v abi.Any
	if err := c.to(unsafe.Pointer(&elems), &v); err != nil {
		return nil, err
	}
	return (*Array[E])(unsafe.Pointer(adopt(v.Pointer()))), nil
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
	if i < 0 || i >= len(items) {
		panic(newError("IndexError", "Index %d out of bounds %d", i, len(items)))
	}
	e := elementAt[E](items, i)
	runtime.KeepAlive(a)
	return e
}

// All ranges over index and element. It goes on with the array it began with when the field is set meanwhile.
func (a *Array[E]) All() iter.Seq2[int, E] {
	return func(yield func(int, E) bool) {
		held := a.nativeObject()
		if held == nil {
			return
		}
		abi.IncRef(held)
		runtime.KeepAlive(a)
		defer decRef(held)
		for i := range abi.SeqOf(held).Items() {
			if !yield(i, elementAt[E](abi.SeqOf(held).Items(), i)) {
				return
			}
		}
	}
}

// Slice copies the elements into a new slice.
func (a *Array[E]) Slice() []E {
	out := make([]E, 0, a.Len())
	for _, e := range a.All() {
		out = append(out, e)
	}
	return out
}

// Set puts a new array with the elements into the field. It panics with an *Error when an element cannot be converted,
// and when a is not a field.
func (a *Array[E]) Set(elems ...E) {
	a.checkField()
	var v abi.Any
	if err := mustConv(reflect.TypeFor[[]E]()).to(unsafe.Pointer(&elems), &v); err != nil {
		panic(err)
	}
	swapObject(&a.object, v.Pointer())
}

// Assign puts the array of b into the field; both then hold the same native array. It panics with a TypeError when an
// element is not an E, and when a is not a field.
func (a *Array[E]) Assign(b *Array[E]) {
	a.checkField()
	view := abi.ObjectValue(b.nativeObject())
	if view.TypeIndex == abi.IndexNone {
		a.Set()
		return
	}
	t := mustConv(reflect.TypeFor[*Array[E]]()).typ()
	owned, text, failed := bridge.Convert(view, t)
	runtime.KeepAlive(b)
	if text != "" {
		panic(newError("TypeError", "Cannot convert from type `%s` to `%s`", text, mustConv(reflect.TypeFor[*Array[E]]()).name()))
	}
	if err := takeError(failed); err != nil {
		panic(err)
	}
	swapObject(&a.object, owned.Pointer())
}

// Release gives the reference of a handle back now. It panics when a is a field.
func (a *Array[E]) Release() {
	object := a.nativeObject()
	if object == nil {
		return
	}
	c, ok := a.heldBy(object)
	if !ok {
		panic(newError("RuntimeError", "selfsame: Release of an Array field; use Set"))
	}
	c.release()
}

// checkField panics when a is a handle: what NewArray and calls return, as opposed to a field of an object.
func (a *Array[E]) checkField() {
	if object := a.nativeObject(); object != nil {
		if _, ok := a.heldBy(object); ok {
			panic(newError("RuntimeError", "selfsame: an Array that is not a field cannot be changed"))
		}
	}
}

// heldBy is the core that a is, if a is a handle and not a field.
func (a *Array[E]) heldBy(object unsafe.Pointer) (*core, bool) {
	s := findSlot(object)
	if s == nil {
		return nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.currentLocked()
	return c, s.object == uintptr(object) && unsafe.Pointer(c) == unsafe.Pointer(a)
}

func (a *Array[E]) nativeObject() unsafe.Pointer {
	if a == nil {
		return nil
	}
	return pointer(atomic.LoadUintptr(&a.object))
}

func (a *Array[E]) items() []abi.Any {
	object := a.nativeObject()
	if object == nil {
		return nil
	}
	return abi.SeqOf(object).Items()
}

func elementAt[E any](items []abi.Any, i int) (e E) {
	c := mustConv(reflect.TypeFor[E]())
	if err := c.from(&items[i], unsafe.Pointer(&e)); err != nil {
		if m, ok := err.(*mismatch); ok {
			err = newError("TypeError", "Cannot convert from type `Array[index %d: %s]` to `Array<%s>`", i, m.got, c.name())
		}
		panic(err)
	}
	return e
}

// swapObject puts an owned reference into a cell and drops the one that was there.
func swapObject(cell *uintptr, object unsafe.Pointer) {
	old := *cell
	atomic.StoreUintptr(cell, uintptr(object))
	decRef(pointer(old))
}

// mustConv is for types that were accepted when the class or function was registered.
func mustConv(t reflect.Type) *conv {
	c, err := convFor(t)
	if err != nil {
		panic(err)
	}
	return c
}
