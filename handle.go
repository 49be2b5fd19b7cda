package selfsame

import (
	"fmt"
	"reflect"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Handle refers to a native object of class T, or of a class derived from T. There is one per native object: as long as a
// handle is reachable, every fetch of the object gives the same pointer, so handles compare with == and can be map keys. Handles of one object under several classes (see [As]) are the same pointer under several types;
// [Same] compares those.
//
// A handle owns one strong reference. It gives it back when the garbage collector finds the handle unreachable, or in
// [Handle.Release]. Only *Handle[T] is of use; the zero Handle is not.
type Handle[T any] struct {
	state handles.State
}

// AnyHandle is a handle of any class.
type AnyHandle interface {
	// TypeKey is the key of the object's own class.
	TypeKey() string
	// Release gives the reference back now.
	Release()
	// Released says whether the handle was released.
	Released() bool

	nativeObject() unsafe.Pointer
	handleState() *handles.State
}

// Get borrows the object, for an expression such as h.Get().X. The pointer does not keep the handle alive: it is valid
// while the handle is reachable and not released, and a handle in a local variable is reachable only until its last use.
// To work with the pointer for longer, use [Handle.Do] or [With], which keep the handle alive, or runtime.KeepAlive(h)
// after the last use of the pointer. A func that native code calls with a *T may use it until it returns. Get panics when
// the handle was released or is nil.
func (h *Handle[T]) Get() (object *T) {
	// Small enough to be inlined. The object's address is the first word of a handle.
	if h != nil {
		object = (*T)(atomic.LoadPointer((*unsafe.Pointer)(unsafe.Pointer(h))))
	}
	if object == nil {
		unusable(h)
	}
	return
}

// With is [Handle.Do] for an f that returns something: copies of parts of the object, never a pointer into it.
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

// Release gives the handle's reference back now, instead of when the garbage collector finds the handle. Any later use
// of the handle panics, except a second Release, which does nothing. Other owners of the object are not concerned.
func (h *Handle[T]) Release() {
	if h != nil {
		h.state.Release()
	}
}

// Released says whether the handle was released.
func (h *Handle[T]) Released() bool { return h == nil || h.state.Address() == nil }

// TypeKey is the key of the object's own class, which may be derived from T's.
func (h *Handle[T]) TypeKey() string {
	key := typeInfo(abi.TypeIndexOf(h.nativeObject())).Key.String()
	runtime.KeepAlive(h)
	return key
}

// UseCount is the number of strong references to the object, the handle's own included.
func (h *Handle[T]) UseCount() int {
	n := int(abi.StrongCount(h.nativeObject()))
	runtime.KeepAlive(h)
	return n
}

// String names the object's class and address.
func (h *Handle[T]) String() string {
	if h.Released() {
		return fmt.Sprintf("Handle[%s](released)", reflect.TypeFor[T]().Name())
	}
	return fmt.Sprintf("%s(%p)", h.TypeKey(), h.state.Address())
}

func (h *Handle[T]) nativeObject() unsafe.Pointer { return unsafe.Pointer(h.Get()) }

// unusable panics: the handle is nil or released.
func unusable[T any](h *Handle[T]) {
	name := reflect.TypeFor[T]().String()
	if h == nil {
		panic(newError("ValueError", "selfsame: Handle[%s]: a nil handle was used", name))
	}
	panic(newError("RuntimeError", "selfsame: Handle[%s]: used after Release%s", name, storyOf(unsafe.Pointer(h))))
}

// handleState is nil for a nil handle.
func (h *Handle[T]) handleState() *handles.State { return (*handles.State)(unsafe.Pointer(h)) }

// As is the handle under class T, if the object is of class T or of a class derived from it. It is the same pointer
// under another type. It reports false for a nil handle and panics for a released one.
func As[T any](h AnyHandle) (*Handle[T], bool) {
	if h == nil || h.handleState() == nil {
		return nil, false
	}
	if !classOf(reflect.TypeFor[T]()).isInstance(abi.TypeIndexOf(h.nativeObject())) {
		return nil, false
	}
	return (*Handle[T])(unsafe.Pointer(h.handleState())), true
}

// Cast is As for an object that is known to be of class T. It panics with a TypeError when it is not.
func Cast[T any](h AnyHandle) *Handle[T] {
	c, ok := As[T](h)
	if !ok {
		got := "None"
		if h != nil && h.handleState() != nil {
			got = h.TypeKey()
		}
		panic(newError("TypeError", "Cannot convert from type `%s` to `%s`", got, classOf(reflect.TypeFor[T]()).typeKey()))
	}
	return c
}

// HandleOf is the handle of an object that the caller has borrowed.
func HandleOf[T any](object *T) *Handle[T] {
	if object == nil {
		return nil
	}
	p := unsafe.Pointer(object)
	if !classOf(reflect.TypeFor[T]()).isLive(p) {
		panic(newError("ValueError", "selfsame: HandleOf: expected an object made by its class, got a Go value of type %s", reflect.TypeFor[T]()))
	}
	return (*Handle[T])(unsafe.Pointer(handles.Fetch(p)))
}

// Same says whether two handles stand for the same native object. Nil handles of all types are the same.
func Same(a, b AnyHandle) bool {
	var first, second *handles.State
	if a != nil {
		first = a.handleState()
	}
	if b != nil {
		second = b.handleState()
	}
	return first == second
}

// typeInfo describes the type index of an object.
func typeInfo(index int32) *abi.TypeInfo {
	if known, ok := typeInfos.Load(index); ok {
		return known.(*abi.TypeInfo)
	}
	info := bridge.TypeInfo(index)
	typeInfos.Store(index, info)
	return info
}
