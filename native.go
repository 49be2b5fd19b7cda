package selfsame

import (
	"reflect"
	"runtime"
	"strings"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Native is a Go value that stands for a native object, which is borrowed from it: *T of a class struct, *Handle[T],
// *Function, *Array[E].
type Native interface {
	nativeObject() unsafe.Pointer
}

// PtrAs is [As] for a borrowed object: the object as a *T, if it is of class T or of a class derived from it. The pointer
// is borrowed as the argument is. It reports false for nil.
func PtrAs[T any](object Native) (*T, bool) {
	p := addressOf(object)
	if p == nil || !classOf(reflect.TypeFor[T]()).isInstance(abi.TypeIndexOf(p)) {
		return nil, false
	}
	return (*T)(p), true
}

// TypeKeyOf is the key of an object's own class, such as "geo.Point"; "None" for nil.
func TypeKeyOf(object Native) string {
	p := addressOf(object)
	if p == nil {
		return "None"
	}
	key := strings.Clone(typeInfo(abi.TypeIndexOf(p)).Key.String())
	runtime.KeepAlive(object)
	return key
}

// addressOf allows for a nil interface and for a nil pointer in one.
func addressOf(object Native) unsafe.Pointer {
	if object == nil || isNilPointer(object) {
		return nil
	}
	return object.nativeObject()
}

// isNilPointer allows for values that are no pointers: a struct that embeds a handle stands for an object, too.
func isNilPointer(object any) bool {
	v := reflect.ValueOf(object)
	return v.Kind() == reflect.Pointer && v.IsNil()
}
