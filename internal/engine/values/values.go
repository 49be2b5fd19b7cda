package selfsame

import (
	"sync/atomic"
	"unicode/utf8"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// swapObject stores an owned reference in a field and releases the previous one.
func swapObject(field *uintptr, object unsafe.Pointer) {
	old := *field
	atomic.StoreUintptr(field, uintptr(object))
	handles.DecRef(handles.Pointer(old))
}

// newContainer makes a container (by type index) of the borrowed views, takes a reference to each, and returns an owned
// reference to the container.
func newContainer(index int32, views []abi.Any) (unsafe.Pointer, error) {
	if err := runtimeBound(); err != nil {
		return nil, err
	}
	const maxViews = 1<<31 - 1
	if len(views) > maxViews {
		return nil, newError("ValueError", "selfsame: a container of %d values is too large", len(views))
	}
	object, failed := bridge.Container(index, views)
	handles.TraceNative(object)
	return object, takeError(failed)
}

// mustContainer makes a container as newContainer does, for code that cannot return an error: it panics.
func mustContainer(index int32, views []abi.Any) unsafe.Pointer {
	object, err := newContainer(index, views)
	if err != nil {
		panic(err)
	}
	return object
}

// copiedBytes copies the content of a bytes value; ok is false for any other.
func copiedBytes(v *abi.Any) (b []byte, ok bool) {
	content, isBytes, ok := v.Content()
	if !ok || !isBytes {
		return nil, false
	}
	return append([]byte{}, content...), true
}

// putText makes *v an owned String value.
func putText(s string, v *abi.Any) error {
	if err := checkUTF8(s); err != nil {
		return err
	}
	if small, ok := abi.SmallStr(s); ok {
		*v = small
		return nil
	}
	return takeError(bridge.Text(s, false, v))
}

// putBytes makes *v an owned Bytes value.
func putBytes(b []byte, v *abi.Any) error {
	if small, ok := abi.SmallBytes(b); ok {
		*v = small
		return nil
	}
	return takeError(bridge.Text(unsafe.String(unsafe.SliceData(b), len(b)), true, v))
}

// newText returns an owned String value.
func newText(s string) (v abi.Any, err error) {
	err = putText(s, &v)
	return v, err
}

// newBytes returns an owned Bytes value.
func newBytes(b []byte) (v abi.Any, err error) {
	err = putBytes(b, &v)
	return v, err
}

// checkUTF8 fails for a string that is not UTF-8, as the ABI's String must be.
func checkUTF8(s string) error {
	if utf8.ValidString(s) {
		return nil
	}
	for i, r := range s {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				return newError("ValueError", "The string is not UTF-8 at byte %d", i)
			}
		}
	}
	return newError("ValueError", "The string is not UTF-8")
}

// objectIn returns the object of a value, nil for a value that is none.
func objectIn(v abi.Any) unsafe.Pointer {
	if !v.IsObject() {
		return nil
	}
	return v.Pointer()
}

// releaseAll releases owned values.
func releaseAll(owned []abi.Any) {
	for _, v := range owned {
		releaseValue(v)
	}
}

func emptyContainer(index int32) (abi.Any, error) {
	object, err := newContainer(index, nil)
	return abi.ObjectValue(object), err
}

// swapValue moves an owned value into a field and releases the value before. The field is changed first: the release may run
// foreign code that reads it.
func swapValue(field *abi.Any, v abi.Any) {
	old := *field
	*field = v
	releaseValue(old)
}

// incRef adds a strong reference; nil is allowed.
func incRef(object unsafe.Pointer) {
	if object != nil {
		abi.IncRef(object)
	}
}

// releaseValue releases the reference that an owned value owns, if any.
func releaseValue(v abi.Any) {
	if v.IsObject() {
		handles.DecRef(v.Pointer())
	}
}

// retained returns an owned copy of a value. The type index must not be one of the views 7 to 10, which no reference can
// own.
func retained(v abi.Any) abi.Any {
	if v.IsObject() {
		abi.IncRef(v.Pointer())
	}
	return v
}

// noCopy makes go vet report copies of field types: the copy would own the same reference.
type noCopy struct{}

func (*noCopy) Lock() {}

func (*noCopy) Unlock() {}
