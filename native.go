package selfsame

import (
	"reflect"
	"runtime"
	"strings"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Native is a Go value that refers to a native object, such as *T of a class struct, *Handle[T], *Function or *Array[E].
// Functions with a Native parameter borrow the object from it.
type Native interface {
	nativeObject() unsafe.Pointer
}

// PtrAs does for a borrowed object what [As] does for a handle: it returns the object as a *T, if it is of class T or
// of a class derived from it. The pointer is valid as long as the argument is. PtrAs reports false for nil.
func PtrAs[T any](object Native) (*T, bool) {
	p := addressOf(object)
	if p == nil || !classOf(reflect.TypeFor[T]()).isInstance(abi.TypeIndexOf(p)) {
		return nil, false
	}
	return (*T)(p), true
}

// TypeKeyOf returns the key of an object's own class, such as "geo.Point"; "None" for nil.
func TypeKeyOf(object Native) string {
	p := addressOf(object)
	if p == nil {
		return "None"
	}
	key := strings.Clone(typeInfo(abi.TypeIndexOf(p)).Key.String())
	runtime.KeepAlive(object)
	return key
}

// addressOf returns the address of the native object, nil for a nil interface and for a nil pointer in one.
func addressOf(object Native) unsafe.Pointer {
	if object == nil || isNilPointer(object) {
		return nil
	}
	return object.nativeObject()
}

// isNilPointer must not call IsNil on values that are no pointers: a struct that embeds a handle is a Native, too.
func isNilPointer(object any) bool {
	v := reflect.ValueOf(object)
	return v.Kind() == reflect.Pointer && v.IsNil()
}
