package selfsame

import (
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// place is what Array, List, Map, Dict and Shape have in common: an address of a native object. As a field of a class
// struct it owns the object; otherwise it is the beginning of a core, which does.
type place struct {
	_      noCopy
	object uintptr // 0: empty
}

// noCopy makes go vet report copies of cells, which would own what they do not own.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// address is the native object. It panics when there is none: after Release, or outside of an object.
func (p *place) address(what string) unsafe.Pointer {
	object := handles.Pointer(atomic.LoadUintptr(&p.object))
	if object == nil {
		panic(newError("RuntimeError", "selfsame: %s was used after Release, or is not a field of an object%s", what,
			storyOf(unsafe.Pointer(p))))
	}
	return object
}

// addressOrNil is the native object, nil when there is none.
func (p *place) addressOrNil() unsafe.Pointer { return handles.Pointer(atomic.LoadUintptr(&p.object)) }

// release ends a handle. It panics for a field.
func (p *place) release(what string) {
	object := p.addressOrNil()
	if object == nil {
		return
	}
	c, ok := p.heldBy(object)
	if !ok {
		panic(newError("RuntimeError", "selfsame: Release of %s field; use Set", what))
	}
	c.Release()
}

// checkField panics when the place is a handle: what New functions and calls return, as opposed to a field of an object.
func (p *place) checkField(what string) {
	if object := p.addressOrNil(); object != nil {
		if _, ok := p.heldBy(object); ok {
			panic(newError("RuntimeError", "selfsame: %s that is not a field cannot be changed", what))
		}
	}
}

// heldBy is the core that the place is, if it is a handle and not a field.
func (p *place) heldBy(object unsafe.Pointer) (*handles.State, bool) {
	c := handles.Current(object)
	return c, unsafe.Pointer(c) == unsafe.Pointer(p)
}

// replace puts an owned object into the place, which is a field.
func (p *place) replace(object unsafe.Pointer) { swapObject(&p.object, object) }

// assign puts the object that is in another place into a field, converted to the field's Go type: nil leaves an empty
// container. It panics with the conversion's error.
func (p *place) assign(what string, fieldType reflect.Type, index int32, from unsafe.Pointer) {
	p.checkField(what)
	if from == nil {
		p.replace(mustContainer(index, nil))
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
	p.replace(owned.Pointer())
}

// swapObject puts an owned reference into a cell and drops the one that was there.
func swapObject(cell *uintptr, object unsafe.Pointer) {
	old := *cell
	atomic.StoreUintptr(cell, uintptr(object))
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

// placeConv is for handles of a builtin class; get borrows the native object of the one at src.
func placeConv(c *class, get func(src unsafe.Pointer) unsafe.Pointer) *conv {
	made := objectConv(c,
		func(dst, object unsafe.Pointer) { *(**handles.State)(dst) = handles.Fetch(object) },
		func(src unsafe.Pointer) (unsafe.Pointer, error) { return get(src), nil })
	made.classes = nil // there is nothing to wait for
	made.handleOf = c
	return made
}
