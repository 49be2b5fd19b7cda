package bridge

// #include <stdlib.h>
// #include "calls.h"
import "C"

import (
	"reflect"
	"sync"
	"unsafe"
)

// ValueClass does OpaqueClass's work for objects of NewValue.
func ValueClass(key string) int32 {
	text := cText(key)
	defer freeText(text)
	return int32(C.ss_out_value_class(text))
}

var typeNames sync.Map // reflect.Type -> *C.char, never freed: objects outlive the Go that made them

// NewValue does NewOpaque's work for the class of ValueClass. The object knows the name of its value's type.
func NewValue(typeIndex int32, id uint64, t reflect.Type) (handle, failed unsafe.Pointer) {
	var out, raised unsafe.Pointer
	C.ss_out_new_value(C.int32_t(typeIndex), C.uint64_t(id), nameOf(t), at(&out), at(&raised))
	return out, raised
}

func nameOf(t reflect.Type) *C.char {
	name, ok := typeNames.Load(t)
	if !ok {
		made := C.CString(t.String())
		if name, ok = typeNames.LoadOrStore(t, made); ok {
			C.free(unsafe.Pointer(made))
		}
	}
	return name.(*C.char)
}

// NewKeeping makes an object of a class whose one owned field keeps a Go value, and in it what NewValue makes.
func (l *Layout) NewKeeping(valueType int32, id uint64, t reflect.Type) (handle, failed unsafe.Pointer) {
	layout, name := uintptr(unsafe.Pointer(l)), uintptr(unsafe.Pointer(nameOf(t)))
	made := uint64(C.ss_out_new_keeping(C.uint64_t(layout), C.int32_t(valueType), C.uint64_t(id), C.uint64_t(name)))
	if made&1 != 0 { // the address of an Error plus 1
		return nil, address(made - 1)
	}
	return address(made), nil
}

// ValueID returns the id of an object of the class of ValueClass, 0 when another library made the object. It makes no call
// into C.
func ValueID(object unsafe.Pointer) uint64 {
	o := (*C.SsOpaque)(object)
	if unsafe.Pointer(o.owner) != unsafe.Pointer(goRefs()) {
		return 0
	}
	return uint64(o.ref.id)
}

// NewRefusal makes a Function that raises a TypeError with the text. It returns a new reference.
func NewRefusal(text string) (handle, failed unsafe.Pointer) {
	t := cText(text)
	defer freeText(t)
	var out, raised unsafe.Pointer
	C.ss_out_new_refusal(t, at(&out), at(&raised))
	return out, raised
}
