package wrapping

import (
	"reflect"
	"slices"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Why a constant is an enum's member and no object of the wrapping's class. Python's json and its operators take an int or a str only,
// which no class of native objects can derive from. So the class in Python is one of enum's, its members give native code the object of
// their value, and what leaves Go is the member. The members of constants are kept: there are few.

// member returns an owned reference to the opaque object of Python's enum member for a value, nil where there is none. A type that is
// no enum has none, nor has a process without Python, or one in which no module has made the class.
func (w *wrapping) member(value any) unsafe.Pointer {
	if len(w.Constants) == 0 || value == nil {
		return nil
	}
	if known, ok := w.members.Load(value); ok {
		object := known.(*handles.State).Address()
		abi.IncRef(object)
		return object
	}
	made, err := w.newMember(value)
	if err != nil {
		return nil
	}
	if made.TypeIndex != abi.IndexOpaquePyObject {
		values.Release(made)
		return nil
	}
	if slices.Contains(w.Constants, value) {
		abi.IncRef(made.Pointer())
		w.members.Store(value, handles.FetchOwnedForGood(made.Pointer()))
	}
	return made.Pointer()
}

// newMember asks Python for the member of a value.
func (w *wrapping) newMember(value any) (made abi.Any, err error) {
	memory := reflect.New(reflect.TypeOf(value))
	memory.Elem().Set(reflect.ValueOf(value))
	if err := w.plain().To(memory.UnsafePointer(), &made); err != nil {
		return made, err
	}
	key, err := values.NewText(w.key)
	if err != nil {
		values.Release(made)
		return made, err
	}
	defer values.Release(key)
	err = convert.Repack(&made, "member", key) // which releases the plain value
	return made, err
}

// memberValue returns an owned plain value of the object for a member of an enum, ok false for another object.
func memberValue(object unsafe.Pointer) (plain abi.Any, ok bool) {
	w := of(object)
	if w == nil || len(w.Constants) == 0 {
		return plain, false
	}
	b, err := Of(object)
	if err != nil || b == nil {
		return plain, false
	}
	err = w.plain().To(reflect.ValueOf(b.value).UnsafePointer(), &plain)
	return plain, err == nil
}
