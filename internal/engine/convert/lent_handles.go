package convert

import (
	"slices"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// A func that is known not to keep an argument gets handles that end with the call, instead of handles that Go's collector
// must find. So conversions that make handles have a second way to make a Go value: with the handles.Lent of the call.
//
// RATIONALE.md, "Why a build looks at which handles a func keeps"

// Fetch returns the State of a native object, which is lent's unless that is nil.
func Fetch(object unsafe.Pointer, lent *handles.Lent) *handles.State {
	if lent == nil {
		return handles.Fetch(object)
	}
	return lent.Fetch(object)
}

// LendsHandles reports whether Lend differs from From: whether the Go value has handles.
func (c *Conv) LendsHandles() bool { return c.HandleOf != nil || c.lend != nil }

// Lend stores the Go value of a borrowed value at dst, as From does. Its handles are those of lent, which end with the call;
// with nil they are ordinary ones.
func (c *Conv) Lend(v *abi.Any, dst unsafe.Pointer, lent *handles.Lent) error {
	switch {
	case lent == nil:
	case c.HandleOf != nil:
		if err := c.Check(v); err != nil || v.TypeIndex == abi.IndexNone {
			return err
		}
		*(**handles.State)(dst) = lent.Fetch(v.Pointer())
		return nil
	case c.lend != nil:
		return c.lend(v, dst, lent)
	}
	return c.From(v, dst)
}

// SetFrom sets the conversion from values, of which read is both From and Lend: its handles are those that Fetch returns. With
// parts, read has no handles but those that it makes with the Lend of parts.
func (c *Conv) SetFrom(read func(v *abi.Any, dst unsafe.Pointer, lent *handles.Lent) error, parts ...*Conv) {
	c.From = func(v *abi.Any, dst unsafe.Pointer) error { return read(v, dst, nil) }
	c.lend = nil // of what c is a copy of
	if len(parts) == 0 || slices.ContainsFunc(parts, (*Conv).LendsHandles) {
		c.lend = read
	}
}

// LoadFast stores the Go value of a borrowed value at dst if there is a way to it without memory for it; otherwise done is false, and Lend
// does it. Handles are those of lent, ordinary ones with nil.
func (c *Conv) LoadFast(v *abi.Any, dst unsafe.Pointer, lent *handles.Lent) (done bool, err error) {
	if lent == nil {
		return c.loadFast(v, dst)
	}
	if c.Fast == FastHandle && v.IsObject() && c.HandleOf.IsInstance(v.TypeIndex) {
		*(*unsafe.Pointer)(dst) = unsafe.Pointer(lent.Fetch(v.Pointer()))
		return true, nil
	}
	return false, nil
}
