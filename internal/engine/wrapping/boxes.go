package wrapping

import (
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Box is what an object of a wrapping class keeps in the table of Go values.
type Box struct {
	value  any
	gate   *Gate // nil: calls on the object need no lock
	key    identity
	native uintptr // the object, while identities has the box
	copied Copied  // nil: the value is at its place
	seen   atomic.Pointer[any]
	own    Gate // what gate leads to, unless the box shares one; here, so that a box is one allocation
	kept   any  // the box itself, as the table of Go values has it
}

// Copied is the value of a box that Go has at a place without an address, such as a struct in a map. It is loaded before a call on
// the object, and stored after it.
type Copied interface {
	Load()
	Store()
}

// Value returns the Go value.
func (b *Box) Value() any { return b.value }

// IsValue reports whether the object stands for all values that are equal to its own.
func (b *Box) IsValue() bool { return b.key.value != nil }

// Copied returns what loads and stores the value, nil where it is at its place.
func (b *Box) Copied() Copied { return b.copied }

// Seen returns what make made at the first call, another view of the value. Any goroutine may call it.
func (b *Box) Seen(make func() any) any {
	if known := b.seen.Load(); known != nil {
		return *known
	}
	made := make()
	if b.seen.CompareAndSwap(nil, &made) {
		return made
	}
	return *b.seen.Load()
}

// BoxIn returns the box to which the word of an object refers, nil when the word is unset. It fails for a word that another
// library, or the parent of a forked child, has set.
func BoxIn(word uintptr) (*Box, error) {
	if word == 0 {
		return nil, nil
	}
	id := bridge.ValueID(handles.Pointer(word))
	if id == 0 {
		return nil, fault.New("RuntimeError", "selfsame: Wrapped: the object was made by another library")
	}
	b, ok := handles.Kept(id).(*Box)
	if !ok {
		return nil, fault.New("RuntimeError", "selfsame: Wrapped: the object was made before the process forked, and its Go value "+
			"does not exist in the forked child")
	}
	return b, nil
}

// Of returns the box of an object of a wrapping class.
func Of(object unsafe.Pointer) (*Box, error) {
	return BoxIn(*(*uintptr)(unsafe.Add(object, offset)))
}

// of returns the wrapping of an object's class or its nearest ancestor in Go, nil for other objects.
func of(object unsafe.Pointer) *wrapping {
	w, _ := wrappings.Load(typetable.Nearest(abi.TypeIndexOf(object)))
	found, _ := w.(*wrapping)
	return found
}

// ValueOf returns the Go value for which an object of a wrapping class stands, as code that takes any gets it.
func ValueOf(object unsafe.Pointer) (any, error) {
	w := of(object)
	b, err := Of(object)
	switch {
	case err != nil || w == nil:
		return nil, err
	case b == nil && w.implement != nil:
		v := abi.ObjectValue(object)
		return w.implemented(&v), nil
	case b == nil:
		return nil, w.noValue()
	case w.ByValue:
		return w.element(b.value), nil
	}
	if place, ok := b.value.(placed); ok {
		return place.SelfsamePointer(), nil
	}
	return b.value, nil
}

// placed is a type of generated code that stands for a pointer without a class.
type placed interface{ SelfsamePointer() any }

// noValue returns the error of an object without a Go value.
func (w *wrapping) noValue() error {
	return fault.New("RuntimeError", "selfsame: an object of `%s` has no Go value; its Python class must call __init__ of the "+
		"class that it derives from", w.class.TypeKey())
}
