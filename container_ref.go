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

// noCopy makes go vet report copies of field types: the copy would own the same reference.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// address is the native object. It panics when there is none: after Release, or in a struct that Go code made by itself.
// what names the type in messages, with its article.
func (r *containerRef) address(what string) unsafe.Pointer {
	object := handles.Pointer(atomic.LoadUintptr(&r.object))
	if object == nil {
		panic(newError("RuntimeError", "selfsame: %s was used after Release, or is not a field of an object%s", what,
			storyOf(unsafe.Pointer(r))))
	}
	return object
}

// addressOrNil is the native object, nil when there is none.
func (r *containerRef) addressOrNil() unsafe.Pointer {
	return handles.Pointer(atomic.LoadUintptr(&r.object))
}

// release ends a handle. It panics for a field.
func (r *containerRef) release(what string) {
	object := r.addressOrNil()
	if object == nil {
		return
	}
	c, ok := r.heldBy(object)
	if !ok {
		panic(newError("RuntimeError", "selfsame: Release of %s field; use Set", what))
	}
	c.Release()
}

// checkField panics when r is a handle, which New functions and calls return, and not a field of an object.
func (r *containerRef) checkField(what string) {
	if object := r.addressOrNil(); object != nil {
		if _, ok := r.heldBy(object); ok {
			panic(newError("RuntimeError", "selfsame: %s that is not a field cannot be changed", what))
		}
	}
}

// heldBy is the handle state that r is; ok is false if r is a field.
func (r *containerRef) heldBy(object unsafe.Pointer) (*handles.State, bool) {
	c := handles.Current(object)
	return c, unsafe.Pointer(c) == unsafe.Pointer(r)
}

// replace puts an object, whose reference it takes over, into r, which is a field.
func (r *containerRef) replace(object unsafe.Pointer) { swapObject(&r.object, object) }

// assign converts a container, which the caller lends, to the type of the field r and puts it there; nil becomes an empty
// container. It panics with the error of the conversion.
func (r *containerRef) assign(what string, fieldType reflect.Type, index int32, from unsafe.Pointer) {
	r.checkField(what)
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

// swapObject puts an owned reference into a field and drops the one that was there.
func swapObject(field *uintptr, object unsafe.Pointer) {
	old := *field
	atomic.StoreUintptr(field, uintptr(object))
	handles.DecRef(handles.Pointer(old))
}

// newContainer makes a container with owned copies of the views and returns an owned reference.
func newContainer(index int32, views []abi.Any) (unsafe.Pointer, error) {
	if err := runtimeBound(); err != nil {
		return nil, err
	}
	const maxViews = 1<<31 - 1
	if len(views) > maxViews {
		return nil, newError("ValueError", "A container of %d values is too large", len(views))
	}
	object, failed := bridge.Container(index, views)
	handles.TraceNative(object)
	return object, takeError(failed)
}

func mustContainer(index int32, views []abi.Any) unsafe.Pointer {
	object, err := newContainer(index, views)
	if err != nil {
		panic(err)
	}
	return object
}

// Containers that arrive as values of any type have elements of any type.
func init() {
	for index, wrap := range map[int32]func(*handles.State) any{
		abi.IndexArray: func(c *handles.State) any { return (*Array[any])(unsafe.Pointer(c)) },
		abi.IndexList:  func(c *handles.State) any { return (*List[any])(unsafe.Pointer(c)) },
		abi.IndexMap:   func(c *handles.State) any { return (*Map[any, any])(unsafe.Pointer(c)) },
		abi.IndexDict:  func(c *handles.State) any { return (*Dict[any, any])(unsafe.Pointer(c)) },
	} {
		byIndex.Store(index, &class{native: bridge.NewClass(), wrap: wrap})
	}
}

// builtinClass stands for a class of the ABI that has no class struct.
func builtinClass(key string, index int32, wrap func(*handles.State) any) *class {
	c := &class{native: bridge.NewClass(), key: key, wrap: wrap}
	c.native.SetRegistered(key, 1, index)
	return c
}

// containerConv is for handles of a builtin class; get borrows the native object of the one at src.
func containerConv(c *class, get func(src unsafe.Pointer) unsafe.Pointer) *conv {
	made := objectConv(c,
		func(dst, object unsafe.Pointer) { *(**handles.State)(dst) = handles.Fetch(object) },
		func(src unsafe.Pointer) (unsafe.Pointer, error) { return get(src), nil })
	made.classes = nil // there is nothing to wait for
	made.handleOf = c
	return made
}
