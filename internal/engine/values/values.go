package values

import (
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/link"
)

// SwapObject stores an owned reference in a field and releases the previous one.
func SwapObject(field *uintptr, object unsafe.Pointer) {
	old := *field
	atomic.StoreUintptr(field, uintptr(object))
	handles.DecRef(handles.Pointer(old))
}

// NewContainer makes a container (by type index) of the borrowed views, takes a reference to each, and returns an owned
// reference to the container.
func NewContainer(index int32, views []abi.Any) (unsafe.Pointer, error) {
	if err := link.Bound(); err != nil {
		return nil, err
	}
	const maxViews = 1<<31 - 1
	if len(views) > maxViews {
		return nil, fault.New("ValueError", "selfsame: a container of %d values is too large", len(views))
	}
	object, failed := bridge.Container(index, views)
	handles.TraceNative(object)
	return object, fault.Take(failed)
}

// PutContainer makes a container as NewContainer does, and stores it in *v as an owned value. *v stays as it is on an error.
func PutContainer(index int32, views []abi.Any, v *abi.Any) error {
	object, err := NewContainer(index, views)
	if err == nil {
		*v = abi.ObjectValue(object)
	}
	return err
}

// Container makes a container as NewContainer does, and returns it as an owned value.
func Container(index int32, views []abi.Any) (v abi.Any, err error) {
	err = PutContainer(index, views, &v)
	return v, err
}

// MustContainer makes a container as NewContainer does, for code that cannot return an error: it panics.
func MustContainer(index int32, views []abi.Any) unsafe.Pointer {
	object, err := NewContainer(index, views)
	if err != nil {
		panic(err)
	}
	return object
}

// CopiedBytes copies the content of a bytes value; ok is false for any other.
func CopiedBytes(v *abi.Any) (b []byte, ok bool) {
	content, isBytes, ok := v.Content()
	if !ok || !isBytes {
		return nil, false
	}
	return append([]byte{}, content...), true
}

// PutText makes *v an owned String value.
func PutText(s string, v *abi.Any) error {
	if err := CheckUTF8(s); err != nil {
		return err
	}
	if small, ok := abi.SmallStr(s); ok {
		*v = small
		return nil
	}
	return fault.Take(bridge.Text(s, false, v))
}

// PutBytes makes *v an owned Bytes value.
func PutBytes(b []byte, v *abi.Any) error {
	if small, ok := abi.SmallBytes(b); ok {
		*v = small
		return nil
	}
	return fault.Take(bridge.Text(unsafe.String(unsafe.SliceData(b), len(b)), true, v))
}

// NewText returns an owned String value.
func NewText(s string) (v abi.Any, err error) {
	err = PutText(s, &v)
	return v, err
}

// NewBytes returns an owned Bytes value.
func NewBytes(b []byte) (v abi.Any, err error) {
	err = PutBytes(b, &v)
	return v, err
}

// ReleaseAll releases owned values.
func ReleaseAll(owned []abi.Any) {
	for _, v := range owned {
		Release(v)
	}
}

// SwapValue moves an owned value into a field and releases the value before. The field is changed first: the release may run
// foreign code that reads it.
func SwapValue(field *abi.Any, v abi.Any) {
	old := *field
	*field = v
	Release(old)
}

// IncRef adds a strong reference; nil is allowed.
func IncRef(object unsafe.Pointer) {
	if object != nil {
		abi.IncRef(object)
	}
}

// Release releases the reference that an owned value owns, if any.
func Release(v abi.Any) {
	if v.IsObject() {
		handles.DecRef(v.Pointer())
	}
}

// Retained returns an owned copy of a value. The type index must not be one of the views 7 to 10, which no reference can
// own.
func Retained(v abi.Any) abi.Any {
	if v.IsObject() {
		abi.IncRef(v.Pointer())
	}
	return v
}

// NoCopy makes go vet report copies of field types: the copy would own the same reference.
type NoCopy struct{}

func (*NoCopy) Lock() {}

func (*NoCopy) Unlock() {}
