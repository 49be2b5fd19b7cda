package selfsame

import (
	"hash/maphash"
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Wrapped is the second part of a class whose objects stand for Go values of another package, behind [Object]:
//
//	type Bitmap struct {
//		selfsame.Object
//		selfsame.Wrapped[*roaring.Bitmap]
//	}
//
// [Wrap] and [WrapInterface] tie such a class to the Go type, which may then stand in every signature. The object keeps the Go
// value alive. `selfsame-ffi wrap` writes such classes. Objects cannot be pickled or copied into JSON graphs; in a forked child
// those of the parent have no value.
type Wrapped[T any] struct {
	_      values.NoCopy
	_      [0]*T
	object uintptr // of the class selfsame.GoValue
}

// wrappedOffset is where a class struct has its Wrapped.
const wrappedOffset = unsafe.Sizeof(Object{})

// box is what a Wrapped keeps in the table of Go values.
type box struct {
	value  any
	gate   *gate // nil: calls on the object need no lock
	key    identity
	native uintptr // the object, while identities has the box
}

// Go returns the value. It panics with a NotImplementedError when the object is of a Python class that has not the method in
// question, and with a RuntimeError in a forked child for a value of the parent.
func (f *Wrapped[T]) Go() T {
	b, err := boxIn(f.object)
	switch {
	case err != nil:
		panic(err)
	case b == nil:
		panic(fault.New("NotImplementedError", "selfsame: the object has no value of type %s; its Python class must call "+
			"__init__ of the class that it derives from, and define the methods of an interface", reflect.TypeFor[T]()))
	}
	return b.value.(T)
}

// Set gives a new object its value. For a constructor only: an object never changes its value.
func (f *Wrapped[T]) Set(value T) {
	w := wrappingOf(f.native())
	if w == nil {
		panic(fault.New("RuntimeError", "selfsame: Wrapped[%s]: the class was not given to selfsame.Wrap", reflect.TypeFor[T]()))
	}
	if f.object != 0 {
		panic(fault.New("RuntimeError", "selfsame: Wrapped[%s]: the object has a value already", reflect.TypeFor[T]()))
	}
	if v := reflect.ValueOf(&value).Elem(); v.Kind() == reflect.Pointer && v.IsNil() {
		panic(fault.New("ValueError", "selfsame: Wrapped[%s]: a constructor returned a nil pointer", reflect.TypeFor[T]()))
	}
	b := w.newBox(value)
	w.fill(f.native(), b)
	identities.enter(b, f.native())
}

func (f *Wrapped[T]) native() unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(f), -int(wrappedOffset))
}

// boxIn returns the box behind a Wrapped's word, nil when it is unset.
func boxIn(word uintptr) (*box, error) {
	if word == 0 {
		return nil, nil
	}
	id := bridge.ValueID(handles.Pointer(word))
	if id == 0 {
		return nil, fault.New("RuntimeError", "selfsame: Wrapped: the object was made by another library")
	}
	b, ok := handles.Kept(id).(*box)
	if !ok {
		return nil, fault.New("RuntimeError", "selfsame: Wrapped: the object was made before the process forked, and its Go value "+
			"does not exist in the forked child")
	}
	return b, nil
}

// boxOf returns the box of an object of a class with a Wrapped.
func boxOf(object unsafe.Pointer) (*box, error) {
	return boxIn(*(*uintptr)(unsafe.Add(object, wrappedOffset)))
}

func (f *Wrapped[T]) fieldConv() (*convert.Conv, error) { return (*Value[T])(nil).fieldConv() }
func (f *Wrapped[T]) initial() (abi.Any, error)         { return abi.None(), nil }
func (f *Wrapped[T]) storage() (int32, bool)            { return abi.IndexObject, false }
func (f *Wrapped[T]) holdsGo() reflect.Type             { return reflect.TypeFor[T]() }

func (f *Wrapped[T]) anyHeld() (any, error) { return valueOf(f.native()) }

// valueOf returns the Go value for which an object of a wrapping class stands, as code that takes any gets it.
func valueOf(object unsafe.Pointer) (any, error) {
	w := wrappingOf(object)
	b, err := boxOf(object)
	switch {
	case err != nil || w == nil:
		return nil, err
	case b == nil && w.implement != nil:
		return w.implement(Implementation{(*Handle[Object])(unsafe.Pointer(handles.Fetch(object)))}), nil
	case b == nil:
		return nil, fault.New("RuntimeError", "selfsame: an object of `%s` has no Go value; its Python class must call __init__ of "+
			"the class that it derives from", w.class.TypeKey())
	case w.byValue:
		return w.element(b.value), nil
	}
	return b.value, nil
}

// wrappingOf returns the wrapping of an object's class or its nearest ancestor in Go, nil for other objects.
func wrappingOf(object unsafe.Pointer) *wrapping {
	w, _ := wrappings.Load(typetable.Nearest(abi.TypeIndexOf(object)))
	found, _ := w.(*wrapping)
	return found
}

var hashSeed = maphash.MakeSeed()

// HashOf returns a number that is the same for equal values, in one process. It panics for an interface that holds a value
// which is not comparable. Generated code makes hash() of it.
func HashOf[T comparable](value T) int64 { return int64(maphash.Comparable(hashSeed, value) >> 2) }
