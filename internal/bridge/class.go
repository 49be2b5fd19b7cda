package bridge

// #include <stdlib.h>
// #include <string.h>
// #include "calls.h"
import "C"

import (
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Kind says how a field is stored and what it accepts.
type Kind int32

// The kinds of fields and elements: scalars of a C type, texts, references, and containers.
const (
	KindAny      = Kind(C.SS_KIND_ANY)
	KindI8       = Kind(C.SS_KIND_I8)
	KindI16      = Kind(C.SS_KIND_I16)
	KindI32      = Kind(C.SS_KIND_I32)
	KindI64      = Kind(C.SS_KIND_I64)
	KindU8       = Kind(C.SS_KIND_U8)
	KindU16      = Kind(C.SS_KIND_U16)
	KindU32      = Kind(C.SS_KIND_U32)
	KindU64      = Kind(C.SS_KIND_U64)
	KindF32      = Kind(C.SS_KIND_F32)
	KindF64      = Kind(C.SS_KIND_F64)
	KindBool     = Kind(C.SS_KIND_BOOL)
	KindString   = Kind(C.SS_KIND_STRING)
	KindBytes    = Kind(C.SS_KIND_BYTES)
	KindObject   = Kind(C.SS_KIND_OBJECT)
	KindArray    = Kind(C.SS_KIND_ARRAY)
	KindOptional = Kind(C.SS_KIND_OPTIONAL)
	KindList     = Kind(C.SS_KIND_LIST)
	KindMap      = Kind(C.SS_KIND_MAP)
	KindDict     = Kind(C.SS_KIND_DICT)
	KindDType    = Kind(C.SS_KIND_DTYPE)
	KindDevice   = Kind(C.SS_KIND_DEVICE)
	KindPointer  = Kind(C.SS_KIND_POINTER)
	kindValue    = Kind(C.SS_KIND_VALUE)
	kindTuple    = Kind(C.SS_KIND_TUPLE)
)

// Class is a class that Go code has mentioned, before or after its registration. It is C memory and never freed.
type Class C.SsClass

// NewClass describes a class that is not registered yet.
func NewClass() *Class {
	c := (*Class)(C.calloc(1, C.sizeof_SsClass))
	c.type_index = -1
	return c
}

// SetRegistered stores the class's type key, number of ancestors and type index. From then on setters on every thread
// accept objects of the class.
func (c *Class) SetRegistered(key string, depth, index int32) {
	c.key = C.CString(key)
	c.depth = C.int32_t(depth)
	atomic.StoreInt32((*int32)(&c.type_index), index)
}

// Index returns the type index, -1 until the class is registered.
func (c *Class) Index() int32 { return atomic.LoadInt32((*int32)(&c.type_index)) }

// Depth returns the number of ancestors of a registered class.
func (c *Class) Depth() int32 { return int32(c.depth) }

// Type is the declared type of a field or element. It is C memory and never freed.
type Type C.SsType

// NewValueType makes the type of a field that stores a whole value and accepts what inner accepts.
func NewValueType(inner *Type) *Type { return NewType(kindValue, nil, inner, C.GoString(inner.name)) }

// NewTupleType makes the type of an Array with one element of each of these types.
func NewTupleType(parts []*Type, name string) *Type {
	t := NewType(kindTuple, nil, nil, name)
	table := (**C.SsType)(C.calloc(C.size_t(len(parts)), C.size_t(unsafe.Sizeof(uintptr(0)))))
	for i, part := range parts {
		unsafe.Slice(table, len(parts))[i] = (*C.SsType)(part)
	}
	t.parts = table
	t.num_parts = C.int64_t(len(parts))
	return t
}

// NewMapType makes a type of KindMap or KindDict.
func NewMapType(kind Kind, key, value *Type, name string) *Type {
	t := NewType(kind, nil, value, name)
	t.key = (*C.SsType)(key)
	return t
}

// NewType makes a type of another kind. class is for KindObject, inner for KindArray, KindList and KindOptional; name
// is for messages.
func NewType(kind Kind, class *Class, inner *Type, name string) *Type {
	t := (*Type)(C.calloc(1, C.sizeof_SsType))
	t.kind = C.SsKind(kind)
	t.class_info = (*C.SsClass)(class)
	t.inner = (*C.SsType)(inner)
	t.name = C.CString(name)
	return t
}

// Field describes a field for RegisterField.
type Field struct {
	Name, Doc, Metadata string
	Where               string // for messages, such as "geo.Point.x"
	Flags               int64
	Size, Align, Offset uintptr // in bytes
	Type                *Type
	Default             abi.Any // borrowed
	StaticTypeIndex     int32
}

// RegisterField registers a field with the getter and the setter of its type.
func RegisterField(typeIndex int32, f *Field) (failed unsafe.Pointer) {
	field := (*C.SsField)(C.calloc(1, C.sizeof_SsField)) // kept by the setter
	field._type = (*C.SsType)(f.Type)
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
	C.ss_out_register_field(C.int32_t(typeIndex), info, field, at(&failed))
	return failed
}

// RegisterType takes a type index for a new type key. depth is the number of ancestors. No class can derive from a
// final one.
func RegisterType(key string, depth, parent int32, final bool) (index int32, failed unsafe.Pointer) {
	text := cText(key)
	defer freeText(text)
	var out C.int32_t
	var raised unsafe.Pointer
	C.ss_out_register_type(text, C.int32_t(depth), C.int32_t(parent), cbool(final), &out, at(&raised))
	return int32(out), raised
}

// OpaqueClass returns the type index of a class without fields, which all Go libraries of the process share; the first
// call registers it. -1: there was no type index left.
func OpaqueClass(key string) int32 {
	text := cText(key)
	defer freeText(text)
	return int32(C.ss_out_opaque_class(text))
}

// Convert converts a borrowed value to an owned value of the type. If the value is of another type, got names that.
func Convert(value abi.Any, t *Type) (owned abi.Any, got string, failed unsafe.Pointer) {
	var text [384]C.char
	rc := C.ss_out_convert_from_go((*C.TVMFFIAny)(unsafe.Pointer(&value)), (*C.SsType)(t),
		(*C.TVMFFIAny)(unsafe.Pointer(&owned)), &text[0], C.size_t(len(text)), at(&failed))
	if rc == 1 {
		got = C.GoString(&text[0])
	}
	return owned, got, failed
}

// RegisterMetadata registers the doc string and size of a class. If layout is not nil, it also registers how other
// frontends create and copy instances. structural is the class's TVMFFISEqHashKind.
func RegisterMetadata(index int32, doc string, size uintptr, layout *Layout, structural int32) (failed unsafe.Pointer) {
	info := (*C.TVMFFITypeMetadata)(C.calloc(1, C.sizeof_TVMFFITypeMetadata))
	defer C.free(unsafe.Pointer(info))
	info.doc = textOf(doc)
	defer freeTexts(info.doc)
	info.total_size = C.int32_t(size)
	info.structural_eq_hash_kind = C.int32_t(structural)
	if layout != nil {
		info.creator = C.ss_out_creator((*C.SsLayout)(layout))
	}
	if C.ss_out_register_metadata(C.int32_t(index), info, at(&failed)) == 0 && layout != nil {
		C.ss_out_register_makers((*C.SsLayout)(layout), cbool(info.creator != nil), at(&failed))
	}
	return failed
}

// RegisterMethod registers a method of a class. function is a Function.
func RegisterMethod(index int32, name, doc, metadata string, flags int64, function unsafe.Pointer) (failed unsafe.Pointer) {
	info := newMethod(name, doc, metadata, flags, function)
	defer freeMethod(info)
	C.ss_out_register_method(C.int32_t(index), info, at(&failed))
	return failed
}

// RegisterAttr registers a type attribute of a class.
func RegisterAttr(index int32, name string, value abi.Any) (failed unsafe.Pointer) {
	text := cText(name)
	defer freeText(text)
	C.ss_out_register_attr(C.int32_t(index), text, (*C.TVMFFIAny)(unsafe.Pointer(&value)), at(&failed))
	return failed
}

// SetGlobal registers a global function. It fails if the name is taken and override is false.
func SetGlobal(name, doc, metadata string, function unsafe.Pointer, override bool) (failed unsafe.Pointer) {
	info := newMethod(name, doc, metadata, abi.FlagIsStaticMethod, function)
	defer freeMethod(info)
	C.ss_out_set_global(info, cbool(override), at(&failed))
	return failed
}

// newMethod makes a description in C memory, which freeMethod frees.
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

// textOf copies a string into C memory, which freeTexts frees.
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

// cText does textOf's work for functions that take the address of the description, which is C memory too; freeText
// frees both.
func cText(s string) *C.TVMFFIByteArray {
	t := (*C.TVMFFIByteArray)(C.calloc(1, C.sizeof_TVMFFIByteArray))
	*t = textOf(s)
	return t
}

func freeText(t *C.TVMFFIByteArray) {
	freeTexts(*t)
	C.free(unsafe.Pointer(t))
}

// TypeIndex returns the type index of a type key, -1 when there is none.
func TypeIndex(key string) int32 {
	text := cText(key)
	defer freeText(text)
	return int32(C.ss_out_type_index(text))
}

// OwnedField is a place in an instance that owns what it refers to: a value (16 bytes) or an object pointer (8 bytes).
type OwnedField struct {
	Offset, Size int32 // in bytes
	// Fresh is abi.IndexList or abi.IndexDict if each new instance gets an empty container, 0 if it gets a copy of the
	// prototype's value.
	Fresh int32
}

// Layout says how instances of a Go class are created and deleted. It is C memory and never freed.
type Layout C.SsLayout

// NewLayout makes the layout of a class and puts it into the table for deleters; nil: out of memory. Its
// prototype is zeroed memory, which the caller fills in through Prototype before the first instance is created. drops: the
// class has OnDrop.
func NewLayout(typeIndex int32, size, align uintptr, owned []OwnedField, drops bool) *Layout {
	l := (*Layout)(C.calloc(1, C.sizeof_SsLayout))
	l.type_index = C.int32_t(typeIndex)
	l.size = C.int32_t(size)
	l.alignment = C.int32_t(align)
	l.prototype = C.calloc(1, C.size_t(size))
	l.drops = C.int32_t(cbool(drops))
	if len(owned) > 0 {
		table := (*C.SsOwnedField)(C.calloc(C.size_t(len(owned)), C.sizeof_SsOwnedField))
		copy(unsafe.Slice((*OwnedField)(unsafe.Pointer(table)), len(owned)), owned)
		l.owned_fields = table
		l.num_owned_fields = C.int32_t(len(owned))
	}
	if C.ss_out_add_layout((*C.SsLayout)(l)) != 0 {
		return nil
	}
	return l
}

// Prototype returns the memory that is copied into each new instance, except for the header. Its fields own what they
// refer to.
func (l *Layout) Prototype() unsafe.Pointer { return l.prototype }

// TypeIndex returns the type index of instances.
func (l *Layout) TypeIndex() int32 { return int32(l.type_index) }

// Size returns the size of an instance in bytes, header included.
func (l *Layout) Size() uintptr { return uintptr(l.size) }

// Drops reports whether the class has OnDrop.
func (l *Layout) Drops() bool { return l.drops != 0 }

// OwnedFields returns the places in an instance that own what they refer to. The slice is C memory: read it only.
func (l *Layout) OwnedFields() []OwnedField {
	return unsafe.Slice((*OwnedField)(unsafe.Pointer(l.owned_fields)), int(l.num_owned_fields))
}

// New creates an instance and returns a new reference. If goID is not 0, the instance gets a tie record with that Go
// handle id; if there is no memory for a record, it has none.
func (l *Layout) New(table *TieTable, goID uint64) (handle, failed unsafe.Pointer) {
	// Addresses as numbers: cgo looks at each pointer that it passes, and these are to C memory.
	layout, records := uintptr(unsafe.Pointer(l)), uintptr(unsafe.Pointer(table))
	made := uint64(C.ss_out_new_or_error(C.uint64_t(layout), C.uint64_t(records), C.uint64_t(goID)))
	if made&1 != 0 { // the address of an Error plus 1
		return nil, address(made - 1)
	}
	return address(made), nil
}

// Create makes an object by the creator of its class, which the class must have, and returns a new reference.
func Create(info *abi.TypeInfo) (handle, failed unsafe.Pointer) {
	made := uint64(C.ss_out_create((*C.TVMFFITypeInfo)(unsafe.Pointer(info))))
	if made&1 != 0 { // the address of an Error plus 1
		return nil, address(made - 1)
	}
	return address(made), nil
}

// GetField reads a field of an object of any class, through the getter of its reflection. The value is owned.
func GetField(info *abi.FieldInfo, object unsafe.Pointer) (value abi.Any, failed unsafe.Pointer) {
	C.ss_out_get_field((*C.TVMFFIFieldInfo)(unsafe.Pointer(info)), (*C.TVMFFIObject)(object),
		(*C.TVMFFIAny)(unsafe.Pointer(&value)), at(&failed))
	return value, failed
}

// GetFieldWords does GetField's work without memory for the value. If the getter failed, the type index of the result is Failed
// and its Bits are the address of the Error, a new reference.
func GetFieldWords(info *abi.FieldInfo, object unsafe.Pointer) abi.Any {
	return valueOf(C.ss_out_get_field_words(C.uint64_t(uintptr(unsafe.Pointer(info))), C.uint64_t(uintptr(object))))
}

// SetField sets a field of an object of any class, through its setter, which the field must have.
func SetField(info *abi.FieldInfo, object unsafe.Pointer, value abi.Any) (failed unsafe.Pointer) {
	C.ss_out_set_field((*C.TVMFFIFieldInfo)(unsafe.Pointer(info)), (*C.TVMFFIObject)(object),
		(*C.TVMFFIAny)(unsafe.Pointer(&value)), at(&failed))
	return failed
}

// TypeAttr returns a type attribute of a type index, None when there is none. The value is borrowed from the runtime,
// which keeps it for the life of the process.
func TypeAttr(index int32, name string) abi.Any {
	text := cText(name)
	defer freeText(text)
	column := (*abi.TypeAttrColumn)(unsafe.Pointer(C.ss_out_attr_column(text)))
	return column.Lookup(index)
}
