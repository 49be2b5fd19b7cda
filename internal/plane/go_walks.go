package plane

// #include "plane.h"
import "C"

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// ReadFields reads fields of objects through their getters: out has room for len(fields)*len(objs) values, which the
// caller owns afterwards. False: the error is raised and out holds nothing.
func ReadFields(fields []*abi.FieldInfo, objs []unsafe.Pointer, out []abi.Any) bool {
	if len(fields) == 0 || len(objs) == 0 {
		return true
	}
	return C.ss_go_fields_read((**C.TVMFFIFieldInfo)(unsafe.Pointer(unsafe.SliceData(fields))), C.int32_t(len(fields)),
		(*unsafe.Pointer)(unsafe.Pointer(unsafe.SliceData(objs))), C.int32_t(len(objs)),
		(*C.TVMFFIAny)(unsafe.Pointer(unsafe.SliceData(out)))) == 0
}

// BuildObject makes an object of a type and sets fields of it to borrowed values; a value of type index -1 stands for
// the field's default. False: the error is raised.
func BuildObject(t *abi.TypeInfo, fields []*abi.FieldInfo, values []abi.Any) (unsafe.Pointer, bool) {
	var h unsafe.Pointer
	rc := C.ss_go_object_build((*C.TVMFFITypeInfo)(unsafe.Pointer(t)),
		(**C.TVMFFIFieldInfo)(unsafe.Pointer(unsafe.SliceData(fields))),
		(*C.TVMFFIAny)(unsafe.Pointer(unsafe.SliceData(values))), C.int32_t(len(values)), &h)
	return h, rc == 0
}

// Call calls a Function with borrowed arguments. The caller owns the result. False: the error is raised, unless the
// callee raised none.
func Call(function unsafe.Pointer, args []abi.Any) (abi.Any, bool) {
	var result abi.Any
	rc := C.ss_go_function_call(function, (*C.TVMFFIAny)(unsafe.Pointer(unsafe.SliceData(args))), C.int32_t(len(args)),
		(*C.TVMFFIAny)(unsafe.Pointer(&result)))
	return result, rc == 0
}

// Make is an object that NewObjects makes. C addresses stand in it as numbers.
type Make struct {
	TypeIndex int64   // abi.IndexStr, abi.IndexArray, abi.IndexMap or abi.IndexDict
	Size      int64   // bytes of a String, capacity of an Array, number of entries of a Map or Dict
	object    uintptr // filled in: a new reference
}

// Object returns the object that was made. The caller owns the reference.
func (m *Make) Object() unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&m.object)) }

// NewObjects makes Strings on the heap whatever their length, without content, and empty Arrays, Maps and Dicts with
// room. False: the error is raised and nothing was made.
func NewObjects(make []Make) bool {
	if len(make) == 0 {
		return true
	}
	return C.ss_objects_new((*C.SsNewObject)(unsafe.Pointer(unsafe.SliceData(make))), C.int64_t(len(make))) == 0
}

// LayoutGetter returns the C getter for a field of a storage kind, 0 when there is none for it.
func LayoutGetter(index int32) uintptr {
	return uintptr(unsafe.Pointer(C.ss_reflected_getter(C.int32_t(index))))
}

// LayoutGetterKnown says whether a getter is one of the plane's and only reads the storage of a plain field.
func LayoutGetterKnown(getter uintptr) bool {
	return C.ss_reflected_getter_known(*(*C.TVMFFIFieldGetter)(unsafe.Pointer(&getter))) != 0
}

// NewLayout makes an object of zero bytes whose deleter releases what its reflected fields own. nil: the error is
// raised.
func NewLayout(t *abi.TypeInfo, size int64) unsafe.Pointer {
	return C.ss_reflected_new((*C.TVMFFITypeInfo)(unsafe.Pointer(t)), C.int64_t(size))
}

// CopyLayout copies the fields of an object into a new one of the same class.
func CopyLayout(obj, from unsafe.Pointer, t *abi.TypeInfo) {
	C.ss_reflected_copy(obj, from, (*C.TVMFFITypeInfo)(unsafe.Pointer(t)))
}

// LayoutSetter makes a Function (field address, value) that converts values through a C callback. False: the error is
// raised.
func LayoutSetter(index int32, converter, convert uintptr) (unsafe.Pointer, bool) {
	var h C.TVMFFIObjectHandle
	rc := C.ss_reflected_setter(C.int32_t(index), *(*unsafe.Pointer)(unsafe.Pointer(&converter)),
		*(*C.SsConvert)(unsafe.Pointer(&convert)), &h)
	return unsafe.Pointer(h), rc == 0
}

// LayoutFunction makes a Function that makes an object of a class, or with copies one that copies an object. False: the
// error is raised.
func LayoutFunction(t *abi.TypeInfo, size int64, copies bool) (unsafe.Pointer, bool) {
	var h C.TVMFFIObjectHandle
	c := C.int(0)
	if copies {
		c = 1
	}
	rc := C.ss_reflected_function((*C.TVMFFITypeInfo)(unsafe.Pointer(t)), C.int64_t(size), c, &h)
	return unsafe.Pointer(h), rc == 0
}

// DecRefFast releases a strong reference, without a call into C when it is not the last one. Any thread.
func DecRefFast(handle unsafe.Pointer) {
	if !abi.DropShared(handle) {
		DecRef(handle)
	}
}
