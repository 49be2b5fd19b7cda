package bridge

// #include <stdlib.h>
// #include <string.h>
// #include "bridge.h"
import "C"

import (
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

type abiAny = abi.Any

// Kind is what a field or an element holds.
type Kind int32

// The kinds of storage.
const (
	KindAny      = Kind(C.SS_FRONT_ANY)
	KindI8       = Kind(C.SS_FRONT_I8)
	KindI16      = Kind(C.SS_FRONT_I16)
	KindI32      = Kind(C.SS_FRONT_I32)
	KindI64      = Kind(C.SS_FRONT_I64)
	KindU8       = Kind(C.SS_FRONT_U8)
	KindU16      = Kind(C.SS_FRONT_U16)
	KindU32      = Kind(C.SS_FRONT_U32)
	KindU64      = Kind(C.SS_FRONT_U64)
	KindF32      = Kind(C.SS_FRONT_F32)
	KindF64      = Kind(C.SS_FRONT_F64)
	KindBool     = Kind(C.SS_FRONT_BOOL)
	KindString   = Kind(C.SS_FRONT_STRING)
	KindBytes    = Kind(C.SS_FRONT_BYTES)
	KindObject   = Kind(C.SS_FRONT_OBJECT)
	KindArray    = Kind(C.SS_FRONT_ARRAY)
	KindOptional = Kind(C.SS_FRONT_OPTIONAL)
	KindList     = Kind(C.SS_FRONT_LIST)
	KindMap      = Kind(C.SS_FRONT_MAP)
	KindDict     = Kind(C.SS_FRONT_DICT)
	KindDType    = Kind(C.SS_FRONT_DTYPE)
	KindDevice   = Kind(C.SS_FRONT_DEVICE)
	KindPointer  = Kind(C.SS_FRONT_POINTER)
	kindValue    = Kind(C.SS_FRONT_VALUE)
	kindTuple    = Kind(C.SS_FRONT_TUPLE)
)

// Class is a class known to the frontend, in C memory. It is never freed.
type Class C.ss_front_class

// NewClass makes an entry for a class that is not registered yet.
func NewClass() *Class {
	c := (*Class)(C.calloc(1, C.sizeof_ss_front_class))
	c.type_index = -1
	return c
}

// SetRegistered fills the entry in. From now on setters accept objects of the class.
func (c *Class) SetRegistered(key string, depth, index int32) {
	c.key = C.CString(key)
	c.depth = C.int32_t(depth)
	atomic.StoreInt32((*int32)(&c.type_index), index)
}

// Index is the type index, -1 until the class is registered.
func (c *Class) Index() int32 { return atomic.LoadInt32((*int32)(&c.type_index)) }

// Depth is the number of ancestors of a registered class.
func (c *Class) Depth() int32 { return int32(c.depth) }

// Type says what a field may hold, in C memory. It is never freed.
type Type C.ss_front_type

// NewValueType makes the type of storage that holds a value, whatever the type of the value is.
func NewValueType(inner *Type) *Type { return NewType(kindValue, nil, inner, C.GoString(inner.name)) }

// NewTupleType makes the type of an Array with exactly these elements.
func NewTupleType(parts []*Type, name string) *Type {
	t := NewType(kindTuple, nil, nil, name)
	table := (**C.ss_front_type)(C.calloc(C.size_t(len(parts)), C.size_t(unsafe.Sizeof(uintptr(0)))))
	for i, part := range parts {
		unsafe.Slice(table, len(parts))[i] = (*C.ss_front_type)(part)
	}
	t.parts = table
	t.num_parts = C.int64_t(len(parts))
	return t
}

// NewMapType makes a type of KindMap or KindDict.
func NewMapType(kind Kind, key, value *Type, name string) *Type {
	t := NewType(kind, nil, value, name)
	t.key = (*C.ss_front_type)(key)
	return t
}

// NewType makes a type; class is for KindObject, inner for KindArray, KindList and KindOptional.
func NewType(kind Kind, class *Class, inner *Type, name string) *Type {
	t := (*Type)(C.calloc(1, C.sizeof_ss_front_type))
	t.kind = C.ss_front_kind(kind)
	t.class_info = (*C.ss_front_class)(class)
	t.inner = (*C.ss_front_type)(inner)
	t.name = C.CString(name)
	return t
}

// Field is what RegisterField needs to know.
type Field struct {
	Name, Doc, Metadata string
	Where               string // the field in messages
	Flags               int64
	Size, Align, Offset uintptr
	Type                *Type
	Default             abi.Any // borrowed
	StaticTypeIndex     int32
}

// RegisterField registers a field with the getter and the setter of its type.
func RegisterField(typeIndex int32, f *Field) unsafe.Pointer {
	field := (*C.ss_front_field)(C.calloc(1, C.sizeof_ss_front_field)) // kept by the setter
	field._type = (*C.ss_front_type)(f.Type)
	field.where = C.CString(f.Where)
	info := (*C.TVMFFIFieldInfo)(C.calloc(1, C.sizeof_TVMFFIFieldInfo))
	defer C.free(unsafe.Pointer(info))
	info.name = textOf(f.Name)
	info.doc = textOf(f.Doc)
	info.metadata = textOf(f.Metadata)
	defer freeTexts(info.name, info.doc, info.metadata)
	info.flags = C.int64_t(f.Flags)
	info.size = C.int64_t(f.Size)
	info.alignment = C.int64_t(f.Align)
	info.offset = C.int64_t(f.Offset)
	*(*abi.Any)(unsafe.Pointer(&info.default_value_or_factory)) = f.Default
	info.field_static_type_index = C.int32_t(f.StaticTypeIndex)
	var failed unsafe.Pointer
	C.ss_front_register_field(C.int32_t(typeIndex), info, field, at(&failed))
	return failed
}

// RegisterType takes a type index for a new class key. No class can derive from a final one.
func RegisterType(key string, depth, parent int32, final bool) (index int32, failed unsafe.Pointer) {
	text := cText(key)
	defer freeText(text)
	var out C.int32_t
	var raised unsafe.Pointer
	C.ss_front_register_type(text, C.int32_t(depth), C.int32_t(parent), cbool(final), &out, at(&raised))
	return int32(out), raised
}

// OpaqueClass is the type index of a class without fields that several libraries of one process share; -1: none.
func OpaqueClass(key string) int32 {
	text := cText(key)
	defer freeText(text)
	return int32(C.TVMFFITypeGetOrAllocIndex(text, -1, 1, 0, 1, C.int32_t(abi.IndexObject)))
}

// Convert converts a borrowed value to an owned one of a type. got says what came when it is not of the type.
func Convert(value abi.Any, t *Type) (owned abi.Any, got string, failed unsafe.Pointer) {
	var text [384]C.char
	rc := C.ss_front_convert_from_go((*C.TVMFFIAny)(unsafe.Pointer(&value)), (*C.ss_front_type)(t),
		(*C.TVMFFIAny)(unsafe.Pointer(&owned)), &text[0], C.size_t(len(text)), at(&failed))
	if rc == 1 {
		got = C.GoString(&text[0])
	}
	return owned, got, failed
}

// RegisterMetadata registers the doc and size of a class, and if it has a layout the ways to
// make and to copy its instances.
func RegisterMetadata(index int32, doc string, size uintptr, layout *Layout, structural int32) unsafe.Pointer {
	info := (*C.TVMFFITypeMetadata)(C.calloc(1, C.sizeof_TVMFFITypeMetadata))
	defer C.free(unsafe.Pointer(info))
	info.doc = textOf(doc)
	defer freeTexts(info.doc)
	info.total_size = C.int32_t(size)
	info.structural_eq_hash_kind = C.int32_t(structural)
	if layout != nil {
		info.creator = C.ss_front_creator((*C.ss_front_layout)(layout))
	}
	var failed unsafe.Pointer
	if C.ss_front_register_metadata(C.int32_t(index), info, at(&failed)) == 0 && layout != nil {
		C.ss_front_register_makers((*C.ss_front_layout)(layout), cbool(info.creator != nil), at(&failed))
	}
	return failed
}

// RegisterMethod registers a method of a class.
func RegisterMethod(index int32, name, doc, metadata string, flags int64, function unsafe.Pointer) unsafe.Pointer {
	info := newMethod(name, doc, metadata, flags, function)
	defer freeMethod(info)
	var failed unsafe.Pointer
	C.ss_front_register_method(C.int32_t(index), info, at(&failed))
	return failed
}

// RegisterAttr sets a type attribute of a class. The value is borrowed.
func RegisterAttr(index int32, name string, value abi.Any) unsafe.Pointer {
	text := cText(name)
	defer freeText(text)
	var failed unsafe.Pointer
	C.ss_front_register_attr(C.int32_t(index), text, (*C.TVMFFIAny)(unsafe.Pointer(&value)), at(&failed))
	return failed
}

// SetGlobal registers a global function.
func SetGlobal(name, doc, metadata string, function unsafe.Pointer, override bool) unsafe.Pointer {
	info := newMethod(name, doc, metadata, abi.FlagIsStaticMethod, function)
	defer freeMethod(info)
	var failed unsafe.Pointer
	C.ss_front_set_global(info, cbool(override), at(&failed))
	return failed
}

func newMethod(name, doc, metadata string, flags int64, function unsafe.Pointer) *C.TVMFFIMethodInfo {
	info := (*C.TVMFFIMethodInfo)(C.calloc(1, C.sizeof_TVMFFIMethodInfo))
	info.name = textOf(name)
	info.doc = textOf(doc)
	info.metadata = textOf(metadata)
	info.flags = C.int64_t(flags)
	*(*abi.Any)(unsafe.Pointer(&info.method)) = abi.ObjectValue(function)
	return info
}

func freeMethod(info *C.TVMFFIMethodInfo) {
	freeTexts(info.name, info.doc, info.metadata)
	C.free(unsafe.Pointer(info))
}

func textOf(s string) C.TVMFFIByteArray {
	if s == "" {
		return C.TVMFFIByteArray{}
	}
	return C.TVMFFIByteArray{data: C.CString(s), size: C.size_t(len(s))}
}

func freeTexts(texts ...C.TVMFFIByteArray) {
	for _, t := range texts {
		C.free(unsafe.Pointer(t.data))
	}
}

func cText(s string) *C.TVMFFIByteArray {
	t := (*C.TVMFFIByteArray)(C.calloc(1, C.sizeof_TVMFFIByteArray))
	*t = textOf(s)
	return t
}

func freeText(t *C.TVMFFIByteArray) {
	freeTexts(*t)
	C.free(unsafe.Pointer(t))
}

// TypeIndex is the type index of a class key, -1 when there is none.
func TypeIndex(key string) int32 {
	text := cText(key)
	defer freeText(text)
	return int32(C.ss_front_type_index(text))
}
