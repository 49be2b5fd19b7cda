package containers

import (
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Ref is the container reference that Array, List, Map, Dict, Tensor and Shape begin with: the address of a native
// object. In a field of a class struct it owns a reference to the object; in a handle it is the first word of a
// [handles.State], which owns one.
//
// Why a container's address is a field and a handle. List[string] is the type of a struct field, *List[string] that of
// a handle. Both begin with the native object's address, so one set of methods serves both, and &object.Tags is as good
// an argument as the result of a call. Only Set and Release need to know which it is, and ask the handle table. Two
// types would double the API without telling users anything that they could get wrong.
type Ref struct {
	_      values.NoCopy
	object uintptr // 0: empty
}

// Address returns the native object, which the caller borrows. It panics when there is none: after Release, or in a struct
// that Go code made by itself. typeName stands in messages.
func (r *Ref) Address(typeName string) unsafe.Pointer {
	object := handles.Pointer(atomic.LoadUintptr(&r.object))
	if object == nil {
		panic(fault.New("RuntimeError", "selfsame: %s: used after Release, or not a field of an object%s", typeName,
			fault.StoryOf(unsafe.Pointer(r))))
	}
	return object
}

// AddressOrNil returns the native object, which the caller borrows, or nil when there is none.
func (r *Ref) AddressOrNil() unsafe.Pointer {
	return handles.Pointer(atomic.LoadUintptr(&r.object))
}

// Release drops the reference of a handle, once. It panics for a field.
func (r *Ref) Release(typeName string) {
	object := r.AddressOrNil()
	if object == nil {
		return
	}
	c, ok := r.heldBy(object)
	if !ok {
		panic(fault.New("RuntimeError", "selfsame: %s.Release: expected a handle, got a field; use Set", typeName))
	}
	c.Release()
}

// CheckField panics when r is a handle, as New functions and calls return them, instead of a field of an object.
func (r *Ref) CheckField(typeName string) {
	if object := r.AddressOrNil(); object != nil {
		if _, ok := r.heldBy(object); ok {
			panic(fault.New("RuntimeError", "selfsame: %s: expected a field of an object, got a handle, which cannot be set",
				typeName))
		}
	}
}

// heldBy returns the handle state of r and true if r is the handle of the object, false if r is a field.
func (r *Ref) heldBy(object unsafe.Pointer) (*handles.State, bool) {
	c := handles.Current(object)
	return c, unsafe.Pointer(c) == unsafe.Pointer(r)
}

// Replace stores an object in the field r, which takes over the caller's reference, and releases the previous one.
func (r *Ref) Replace(object unsafe.Pointer) { values.SwapObject(&r.object, object) }

// Assign converts the container `from`, which it borrows, to the type of the field r and stores it there; nil becomes an
// empty container. It panics with the error of the conversion.
func (r *Ref) Assign(typeName string, fieldType reflect.Type, index int32, from unsafe.Pointer) {
	r.CheckField(typeName)
	if from == nil {
		r.Replace(values.MustContainer(index, nil))
		return
	}
	c := convert.MustFor(fieldType)
	owned, got, failed := bridge.Convert(abi.ObjectValue(from), c.Type())
	if got != "" {
		panic(fault.New("TypeError", "Cannot convert from type `%s` to `%s`", got, c.Name()))
	}
	if err := fault.Take(failed); err != nil {
		panic(err)
	}
	r.Replace(owned.Pointer())
}

// HandleConv makes the conversion of handles of a builtin class. get returns the native object of the handle at src,
// which the caller borrows.
func HandleConv(c *typetable.Class, get func(src unsafe.Pointer) unsafe.Pointer) *convert.Conv {
	made := convert.ObjectConv(c,
		func(dst, object unsafe.Pointer) { *(**handles.State)(dst) = handles.Fetch(object) },
		func(src unsafe.Pointer) (unsafe.Pointer, error) { return get(src), nil })
	made.Classes = nil // a builtin class is registered: no registration waits for it
	made.HandleOf = c
	return made
}
