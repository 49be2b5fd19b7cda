package selfsame

import (
	"reflect"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Value is a field that holds any Go value: a pointer, an interface, a map, a func, a type of another package. In a new
// object it is unset. The object keeps the value alive, and lets go of it when its last reference in any language is gone.
//
// Other languages see an opaque object that prints the value's Go type; in Python the field reads as such an object,
// and cannot be set. Comparisons and hashes leave the field out. A copy of the object, shallow or deep, shares the
// value. An object with a Value cannot be pickled or written as JSON, unless its class has the option [JSON] or the
// field has the tag `ffi:"transient"`. With the tag the field is not visible at all, and unset in the object that is
// read back. In a forked child the values of the parent's objects do not exist: see docs/threads-fork-signals.md.
//
// A value that refers to a handle of the object it is in keeps that object alive for ever: Go's collector cannot know that
// nothing else does. Such a value should refer to *T, or the loop should be broken in Go code.
//
// Like other fields, a Value may be read on many goroutines, and by none while one sets it. Get costs no call into C.
type Value[T any] struct {
	_      values.NoCopy
	_      [0]*T
	object uintptr // of the class selfsame.GoValue
}

// heldValue is what a Value keeps in the table of Go values.
type heldValue[T any] struct{ value T }

// Set stores a Go value and lets go of the one before. It panics with a MemoryError when there is no memory.
func (f *Value[T]) Set(value T) {
	object := fault.Must(typetable.NewGoValue(&heldValue[T]{value}, reflect.TypeFor[T]()))
	values.SwapObject(&f.object, object)
}

// Clear makes the field unset and lets go of its value.
func (f *Value[T]) Clear() { values.SwapObject(&f.object, nil) }

// IsSet reports whether the field has a value.
func (f *Value[T]) IsSet() bool { return f.object != 0 }

// Get returns the value, the zero T when the field is unset. It panics with a RuntimeError in a forked child, for a value
// of the parent.
func (f *Value[T]) Get() T {
	held := fault.Must(f.held())
	if held == nil {
		return *new(T)
	}
	return held.value
}

// Load returns the value as Get does, with an error instead of a panic: a ValueError when the field is unset.
func (f *Value[T]) Load() (T, error) {
	held, err := f.held()
	if err == nil && held == nil {
		err = fault.New("ValueError", "selfsame: Value[%s]: the field is not set", reflect.TypeFor[T]())
	}
	if err != nil {
		return *new(T), err
	}
	return held.value, nil
}

// held returns the field's value, nil when it is unset.
func (f *Value[T]) held() (*heldValue[T], error) {
	if f.object == 0 {
		return nil, nil
	}
	id := bridge.ValueID(handles.Pointer(f.object))
	if id == 0 {
		return nil, fault.New("RuntimeError", "selfsame: Value[%s]: the value was set by another library", reflect.TypeFor[T]())
	}
	switch kept := handles.Kept(id).(type) {
	case *heldValue[T]:
		return kept, nil
	case nil:
		return nil, fault.New("RuntimeError", "selfsame: Value[%s]: the value was set before the process forked, and does not "+
			"exist in the forked child; set it again there, or make the object there", reflect.TypeFor[T]())
	default:
		return nil, fault.New("TypeError", "selfsame: Value[%s]: the field has a value of another type, a %T",
			reflect.TypeFor[T](), kept)
	}
}

func (f *Value[T]) fieldConv() (*convert.Conv, error) { return convert.GoValueConv() }
func (f *Value[T]) initial() (abi.Any, error)         { return abi.None(), nil }
func (f *Value[T]) storage() (int32, bool)            { return abi.IndexObject, false }

// holdsGo returns the type of the Go value that the field holds, for messages.
func (f *Value[T]) holdsGo() reflect.Type { return reflect.TypeFor[T]() }

// anyHeld returns the value, nil when the field is unset.
func (f *Value[T]) anyHeld() (any, error) {
	held, err := f.held()
	if held == nil {
		return nil, err
	}
	return held.value, nil
}

// goHolder is implemented by pointers to fields that hold Go values.
type goHolder interface {
	holdsGo() reflect.Type
	anyHeld() (any, error)
}
