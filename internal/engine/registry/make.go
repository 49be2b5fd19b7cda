package registry

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/link"
)

// newObject makes an object whose fields have their defaults and returns an owned reference.
func newObject(c *typetable.Class) (unsafe.Pointer, error) {
	if c.Objects.Layout == nil {
		return nil, fault.New("RuntimeError", "selfsame: class %s is not registered%s", c.GoType, link.FailureBefore())
	}
	FinishRegistrations()
	object, failed := c.Objects.Layout.New(nil, 0)
	handles.TraceNative(object)
	return object, fault.Take(failed)
}

// NewState makes an object whose fields have their defaults and returns its handle state, which owns the reference.
func NewState(c *typetable.Class) (*handles.State, error) {
	if c.Objects.Layout == nil {
		return nil, fault.New("RuntimeError", "selfsame: class %s is not registered%s", c.GoType, link.FailureBefore())
	}
	FinishRegistrations()
	k, failed := c.Objects.New()
	if k == nil {
		return nil, fault.Take(failed)
	}
	handles.TraceNative(k.Address())
	return k, nil
}

// NewKeeping makes an object of a class whose one field of its own keeps the Go value at a place, which nobody changes, in one call into C.
// It returns an owned reference. name is that of the value's type in messages.
func NewKeeping(c *typetable.Class, kept *any, name *bridge.TypeName) (unsafe.Pointer, error) {
	if c.Objects.Layout == nil {
		return nil, fault.New("RuntimeError", "selfsame: class %s is not registered%s", c.GoType, link.FailureBefore())
	}
	FinishRegistrations()
	id, dead := handles.KeepAt(kept)
	if id == 0 {
		if dead != nil {
			bridge.WeakDecRef(dead)
		}
		return nil, typetable.TooManyValues()
	}
	object, failed := c.Objects.Layout.NewKeeping(typetable.GoValueClass().Native.Index(), id, name, dead)
	return typetable.Kept(id, object, failed)
}

// Discard keeps OnDrop from running for an object that was not completed.
func Discard(c *typetable.Class, object unsafe.Pointer) {
	if len(c.Drops) > 0 {
		handles.Discard(object)
	}
}
