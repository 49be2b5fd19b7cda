package registry

import (
	"reflect"
	"unsafe"

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

// NewKeeping makes an object of a class whose one field of its own keeps a Go value, in one call into C. It returns an owned reference.
// Messages call kept a value of the type t.
func NewKeeping(c *typetable.Class, kept any, t reflect.Type) (unsafe.Pointer, error) {
	if c.Objects.Layout == nil {
		return nil, fault.New("RuntimeError", "selfsame: class %s is not registered%s", c.GoType, link.FailureBefore())
	}
	FinishRegistrations()
	return typetable.Keeping(kept, func(valueType int32, id uint64) (unsafe.Pointer, unsafe.Pointer) {
		return c.Objects.Layout.NewKeeping(valueType, id, t)
	})
}

// Discard keeps OnDrop from running for an object that was not completed.
func Discard(c *typetable.Class, object unsafe.Pointer) {
	if len(c.Drops) > 0 {
		handles.Discard(object)
	}
}
