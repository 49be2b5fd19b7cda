package selfsame

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Handle refers to a native object of class T, or of a class derived from T. There is one per native object: as long as a
// handle is reachable, every fetch of the object returns the same pointer, so handles compare with == and can be map keys.
// Handles of one object under several classes (see [As]) are the same pointer under several types; [Same] compares those.
//
// A handle owns one strong reference. It is released after the garbage collector has found the handle unreachable, or by
// [Handle.Release]. Its methods may be called from any goroutine; the object's fields have no lock. A handle comes from
// [Class.New], a call or a field; the zero Handle is not usable. RATIONALE.md, "Why every handle in Go is the same type
// underneath"
type Handle[T any] struct {
	state handles.State
}

// AnyHandle is a handle of any class: a *Handle[T] or a *Function.
type AnyHandle interface {
	// TypeKey returns the key of the object's own class.
	TypeKey() string
	// Release releases the handle's reference now.
	Release()
	// Released reports whether the handle was released.
	Released() bool

	nativeObject() unsafe.Pointer
	handleState() *handles.State
}

// Get borrows the object, for an expression such as h.Get().X. The pointer does not keep the handle alive: it is valid
// while the handle is reachable and not released, and a handle in a local variable is reachable only until its last
// use. To use the pointer for longer, call [Handle.Do] or [With], which keep the handle alive, or runtime.KeepAlive(h)
// after the last use of the pointer. Get panics when the handle is nil or was released. RATIONALE.md, "Why `Get` lends
// a bare pointer"
func (h *Handle[T]) Get() (object *T) {
	// Small enough to be inlined. The object's address is the first word of a handle. It is read as a number, because the
	// compiler takes a pointer that is read from a handle for a part of it: a func that kept the object's field would seem
	// to keep the handle.
	if h != nil {
		object = (*T)(handles.Pointer(atomic.LoadUintptr((*uintptr)(unsafe.Pointer(h)))))
	}
	if object == nil {
		unusable(h)
	}
	return
}

// With calls f as [Handle.Do] does and returns f's result: copies of parts of the object, never a pointer into it.
func With[T, R any](h *Handle[T], f func(*T) R) R {
	r := f(h.Get())
	runtime.KeepAlive(h)
	return r
}

// Do calls f with the object and keeps the handle alive until f returns. It panics like Get.
func (h *Handle[T]) Do(f func(*T)) {
	f(h.Get())
	runtime.KeepAlive(h)
}

// Release releases the handle's reference now, instead of when the garbage collector finds the handle. Any later use
// of the handle panics, except a second Release, which does nothing. Other owners keep the object alive.
func (h *Handle[T]) Release() {
	if h != nil {
		h.state.Release()
	}
}

// Released reports whether the handle is nil or was released.
func (h *Handle[T]) Released() bool { return h == nil || h.state.Address() == nil }

// TypeKey returns the key of the object's own class, which may be derived from T's.
func (h *Handle[T]) TypeKey() string { return keyOf(h.nativeObject(), h.handleState()) }

// keyOf returns the type key of the object of a handle.
func keyOf(object unsafe.Pointer, k *handles.State) string {
	key := typetable.TypeInfo(abi.TypeIndexOf(object)).Key.String()
	runtime.KeepAlive(k)
	return key
}

// UseCount returns the number of strong references to the object, the handle's own included.
func (h *Handle[T]) UseCount() int {
	n := int(abi.StrongCount(h.nativeObject()))
	runtime.KeepAlive(h)
	return n
}

// String names the object's class and address.
func (h *Handle[T]) String() string { return handleText(h.handleState(), reflect.TypeFor[T]()) }

// handleText does the work of Handle.String. Like the other funcs here that take a reflect.Type, it is none for each T.
func handleText(k *handles.State, t reflect.Type) string {
	if k != nil {
		if object := k.Address(); object != nil {
			return fmt.Sprintf("%s(%p)", keyOf(object, k), object)
		}
	}
	return fmt.Sprintf("Handle[%s](released)", t.Name())
}

func (h *Handle[T]) nativeObject() unsafe.Pointer { return unsafe.Pointer(h.Get()) }

// unusable panics: the handle is nil or released.
//
//go:noinline
func unusable[T any](h *Handle[T]) { panic(whyUnusable(unsafe.Pointer(h), reflect.TypeFor[T]())) }

func whyUnusable(handle unsafe.Pointer, t reflect.Type) error {
	if handle == nil {
		return fault.New("ValueError", "selfsame: Handle[%s]: a nil handle was used", t)
	}
	return fault.New("RuntimeError", "selfsame: Handle[%s]: used after Release%s", t, fault.StoryOf(handle))
}

// handleState returns the handle's state, nil for a nil handle.
func (h *Handle[T]) handleState() *handles.State { return (*handles.State)(unsafe.Pointer(h)) }

// As returns the handle as a *Handle[T], the same pointer under another type, if the object is of class T or of a class
// derived from it. It reports false for a nil handle and panics for a released one.
func As[T any](h AnyHandle) (*Handle[T], bool) {
	k := asOf(h, typetable.Of(reflect.TypeFor[T]()))
	return (*Handle[T])(unsafe.Pointer(k)), k != nil
}

// asOf returns the state of a handle if the object is of a class, otherwise nil.
func asOf(h AnyHandle, c *typetable.Class) *handles.State {
	if stateOf(h) == nil || !c.IsInstance(abi.TypeIndexOf(h.nativeObject())) {
		return nil
	}
	return h.handleState()
}

// Cast converts the handle of an object that is known to be of class T, as [As] does. It panics with a TypeError when
// the object is not.
func Cast[T any](h AnyHandle) *Handle[T] {
	return (*Handle[T])(unsafe.Pointer(castTo(h, typetable.Of(reflect.TypeFor[T]()))))
}

// castTo does the work of Cast.
func castTo(h AnyHandle, c *typetable.Class) *handles.State {
	k := asOf(h, c)
	if k == nil {
		got := "None"
		if stateOf(h) != nil {
			got = h.TypeKey()
		}
		panic(fault.New("TypeError", "Cannot convert from type `%s` to `%s`", got, c.TypeKey()))
	}
	return k
}

// HandleOf returns the handle of an object that the caller borrows; the handle takes a reference of its own. nil gives nil.
// It panics with a ValueError for a struct that Go made itself, as a variable or a literal.
func HandleOf[T any](object *T) *Handle[T] {
	if object == nil {
		return nil
	}
	p := unsafe.Pointer(object)
	if !typetable.Of(reflect.TypeFor[T]()).IsLive(p) {
		panic(fault.New("ValueError", "selfsame: HandleOf: expected an object made by its class, got a Go value of type %s",
			reflect.TypeFor[T]()))
	}
	return (*Handle[T])(unsafe.Pointer(handles.Fetch(p)))
}

// Same reports whether two handles refer to the same native object. Nil handles of all types are the same.
func Same(a, b AnyHandle) bool {
	var first, second *handles.State
	if a != nil {
		first = stateOf(unseen(a))
	}
	if b != nil {
		second = stateOf(unseen(b))
	}
	same := first == second
	runtime.KeepAlive(a)
	runtime.KeepAlive(b)
	return same
}

// unseen returns h so that the compiler does not see what is done with it. It takes every argument of an interface's methods for
// kept, and a func that only compares two handles would seem to keep them.
func unseen(h AnyHandle) AnyHandle {
	words := *(*[2]uintptr)(unsafe.Pointer(&h))
	return *(*AnyHandle)(unsafe.Pointer(&words))
}

// stateOf returns the handle's state, nil for a nil interface and for a nil pointer in one. A method of such a pointer must not
// be called: a type that embeds ObjectHandle has it through a wrapper, which reads the pointer.
func stateOf(h AnyHandle) *handles.State {
	if h == nil || (*[2]uintptr)(unsafe.Pointer(&h))[1] == 0 {
		return nil
	}
	return h.handleState()
}

func (h *Handle[T]) newConv() (*convert.Conv, error) { return convOfHandles(reflect.TypeFor[T]()) }

// convOfHandles returns the conversion of the handles of a class struct.
func convOfHandles(t reflect.Type) (*convert.Conv, error) {
	if !typetable.IsClassStruct(t) {
		return nil, fault.New("TypeError", "%s is not a class struct; embed selfsame.Object or another class struct as its "+
			"first field", t)
	}
	c := typetable.Of(t)
	made := convert.ObjectConv(c,
		func(dst, object unsafe.Pointer) {
			*(**handles.State)(dst) = handles.Fetch(object)
		},
		func(src unsafe.Pointer) (unsafe.Pointer, error) {
			k := *(**handles.State)(src)
			if k == nil {
				return nil, nil
			}
			object := k.Address()
			if object == nil {
				panic(whyUnusable(unsafe.Pointer(k), t))
			}
			return object, nil
		})
	made.HandleOf = c
	return made, nil
}

// Moved is a result or argument that hands over the reference that a handle owns, and releases the handle. A func that
// returns a *Handle keeps the object alive until the handle is released or collected; one that returns a Moved does not:
//
//	func parse(text string) selfsame.Moved[Document] {
//		return selfsame.Move(DocumentClass.New(func(d *Document) { ... }))
//	}
//
// A Moved can be used once; a second use panics like any use of a released handle.
type Moved[T any] struct {
	handle *Handle[T]
}

// Move makes a Moved of a handle; nil becomes None. The handle is released when the Moved is passed or returned, not before.
func Move[T any](h *Handle[T]) Moved[T] { return Moved[T]{h} }

func (Moved[T]) newConv() (*convert.Conv, error) {
	c, err := convert.For(reflect.TypeFor[*Handle[T]]())
	if err != nil {
		return nil, err
	}
	return &convert.Conv{
		Traits: convert.Traits{Classes: c.Classes}, Name: c.Name, Schema: c.Schema, Type: c.Type, Check: c.Check,
		From: func(*abi.Any, unsafe.Pointer) error {
			return fault.New("TypeError", "selfsame: Moved[%s]: expected a result or an argument of a call, got a parameter; "+
				"take a *Handle",
				reflect.TypeFor[T]())
		},
		To: func(src unsafe.Pointer, v *abi.Any) error {
			*v = abi.None()
			h := (*Moved[T])(src).handle
			if h == nil {
				return nil
			}
			object := h.state.HandOver()
			if object == nil {
				unusable(h)
			}
			*v = abi.ObjectValue(object)
			return nil
		},
	}, nil
}

// Native is a Go value that refers to a native object, such as *T of a class struct, *Handle[T], *Function or *Array[E].
// Functions with a Native parameter borrow the object from it.
type Native interface {
	nativeObject() unsafe.Pointer
}

// PtrAs does for a borrowed object what [As] does for a handle: it returns the object as a *T, if it is of class T or
// of a class derived from it. The pointer is valid as long as the argument is. PtrAs reports false for nil.
func PtrAs[T any](object Native) (*T, bool) {
	p := addressOf(object)
	if p == nil || !typetable.Of(reflect.TypeFor[T]()).IsInstance(abi.TypeIndexOf(p)) {
		return nil, false
	}
	return (*T)(p), true
}

// TypeKeyOf returns the key of an object's own class, such as "geo.Point"; "None" for nil.
func TypeKeyOf(object Native) string {
	p := addressOf(object)
	if p == nil {
		return "None"
	}
	key := strings.Clone(typetable.TypeInfo(abi.TypeIndexOf(p)).Key.String())
	runtime.KeepAlive(object)
	return key
}

// addressOf returns the address of the native object, nil for a nil interface and for a nil pointer in one.
func addressOf(object Native) unsafe.Pointer {
	if object == nil || isNilPointer(object) {
		return nil
	}
	return object.nativeObject()
}

// isNilPointer must not call IsNil on values that are no pointers: a struct that embeds a handle is a Native, too.
func isNilPointer(object any) bool {
	v := reflect.ValueOf(object)
	return v.Kind() == reflect.Pointer && v.IsNil()
}
