package selfsame

import (
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// containerRef is the container reference that Array, List, Map, Dict, Tensor and Shape begin with: the address of a native
// object. In a field of a class struct it owns a reference to the object; in a handle it is the first word of a
// [handles.State], which owns one.
//
// RATIONALE.md, "Why a container's address is a field and a handle"
type containerRef struct {
	_      noCopy
	object uintptr // 0: empty
}

// address returns the native object, which the caller borrows. It panics when there is none: after Release, or in a struct
// that Go code made by itself. typeName stands in messages.
func (r *containerRef) address(typeName string) unsafe.Pointer {
	object := handles.Pointer(atomic.LoadUintptr(&r.object))
	if object == nil {
		panic(newError("RuntimeError", "selfsame: %s: used after Release, or not a field of an object%s", typeName,
			storyOf(unsafe.Pointer(r))))
	}
	return object
}

// addressOrNil returns the native object as address does, but nil when there is none.
func (r *containerRef) addressOrNil() unsafe.Pointer {
	return handles.Pointer(atomic.LoadUintptr(&r.object))
}

// release drops the reference of a handle, once. It panics for a field.
func (r *containerRef) release(typeName string) {
	object := r.addressOrNil()
	if object == nil {
		return
	}
	c, ok := r.heldBy(object)
	if !ok {
		panic(newError("RuntimeError", "selfsame: %s.Release: expected a handle, got a field; use Set", typeName))
	}
	c.Release()
}

// checkField panics when r is a handle, as New functions and calls return them, instead of a field of an object.
func (r *containerRef) checkField(typeName string) {
	if object := r.addressOrNil(); object != nil {
		if _, ok := r.heldBy(object); ok {
			panic(newError("RuntimeError", "selfsame: %s: expected a field of an object, got a handle, which cannot be set",
				typeName))
		}
	}
}

// heldBy returns the handle state of r and true if r is the handle of the object, false if r is a field.
func (r *containerRef) heldBy(object unsafe.Pointer) (*handles.State, bool) {
	c := handles.Current(object)
	return c, unsafe.Pointer(c) == unsafe.Pointer(r)
}

// replace stores an object in the field r, which takes over the caller's reference, and releases the previous one.
func (r *containerRef) replace(object unsafe.Pointer) { swapObject(&r.object, object) }

// assign converts the container `from`, which it borrows, to the type of the field r and stores it there; nil becomes an
// empty container. It panics with the error of the conversion.
func (r *containerRef) assign(typeName string, fieldType reflect.Type, index int32, from unsafe.Pointer) {
	r.checkField(typeName)
	if from == nil {
		r.replace(mustContainer(index, nil))
		return
	}
	c := mustConv(fieldType)
	owned, got, failed := bridge.Convert(abi.ObjectValue(from), c.typ())
	if got != "" {
		panic(newError("TypeError", "Cannot convert from type `%s` to `%s`", got, c.name()))
	}
	if err := takeError(failed); err != nil {
		panic(err)
	}
	r.replace(owned.Pointer())
}

// containerConv makes the conversion of handles of a builtin class. get returns the native object of the handle at src,
// which the caller borrows.
func containerConv(c *class, get func(src unsafe.Pointer) unsafe.Pointer) *conv {
	made := objectConv(c,
		func(dst, object unsafe.Pointer) { *(**handles.State)(dst) = handles.Fetch(object) },
		func(src unsafe.Pointer) (unsafe.Pointer, error) { return get(src), nil })
	made.classes = nil // a builtin class is registered: no registration waits for it
	made.handleOf = c
	return made
}
