package selfsame

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// newObject makes an object whose fields have their defaults and returns an owned reference.
func newObject(c *class) (unsafe.Pointer, error) {
	if c.objects.Layout == nil {
		return nil, newError("RuntimeError", "selfsame: class %s is not registered%s", c.goType, failureBefore())
	}
	finishRegistrations()
	object, failed := c.objects.Layout.New(nil, 0)
	handles.TraceNative(object)
	return object, takeError(failed)
}

// newState makes an object whose fields have their defaults and returns its handle state, which owns the reference.
func newState(c *class) (*handles.State, error) {
	if c.objects.Layout == nil {
		return nil, newError("RuntimeError", "selfsame: class %s is not registered%s", c.goType, failureBefore())
	}
	finishRegistrations()
	k, failed := c.objects.New()
	if k == nil {
		return nil, takeError(failed)
	}
	handles.TraceNative(k.Address())
	return k, nil
}

// discard keeps OnDrop from running for an object that was not completed.
func discard(c *class, object unsafe.Pointer) {
	if len(c.drops) > 0 {
		handles.Discard(object)
	}
}
