package plane

// #include <stdlib.h>
// #include "plane.h"
import "C"

import (
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// TypeLimit is one more than the highest possible type index.
const TypeLimit = C.SS_TYPE_LIMIT

// Type is an entry of the type table: a TypeInfo, and data that only registration uses. It never moves and is never
// freed. The caller of a method that changes it must hold package control's lock `registry`.
type Type C.SsType

// Info returns the public part of the entry.
func (t *Type) Info() *abi.TypeInfo { return (*abi.TypeInfo)(unsafe.Pointer(&t.info)) }

// Key returns the type's key.
func (t *Type) Key() string { return t.Info().Key.String() }

// Slots returns how many child slots the type reserves, its own index included, and how many of them are in use.
func (t *Type) Slots() (total, allocated int32) { return int32(t.num_slots), int32(t.allocated_slots) }

// TakeSlots marks n more of the type's child slots as used.
func (t *Type) TakeSlots(n int32) { t.allocated_slots += C.int32_t(n) }

// ReachSlots marks the type's child slots below an index as used, if the index is one of them or the end of them.
func (t *Type) ReachSlots(end int32) {
	if used := C.int32_t(end - t.Info().TypeIndex); used > t.allocated_slots && used <= t.num_slots {
		t.allocated_slots = used
	}
}

// CanOverflow says whether children may have indices outside of the type's child slots.
func (t *Type) CanOverflow() bool { return t.can_overflow != 0 }

// TypeAt returns the entry of an index, nil when there is none. Any thread.
func TypeAt(index int32) *Type { return (*Type)(C.ss_type_at(C.int32_t(index))) }

// TypeEnd returns one more than the highest type index in use. Any thread.
func TypeEnd() int32 { return int32(C.SelfsameTypeIndexEnd()) }

// TypeByKey returns the index of a key, -1 when there is none. Any thread.
func TypeByKey(key string) int32 {
	return int32(C.ss_type_by_text((*C.char)(unsafe.Pointer(unsafe.StringData(key))), C.size_t(len(key))))
}

// AddType publishes a type. parent is needed when depth is not 0. Returns nil with MemoryError raised.
func AddType(key string, index, depth int32, parent *Type, slots int32, canOverflow bool) *Type {
	var pin runtime.Pinner
	defer pin.Unpin()
	b := bytesOf(key, &pin)
	overflow := C.int32_t(0)
	if canOverflow {
		overflow = 1
	}
	return (*Type)(C.ss_type_add(&b, C.int32_t(index), C.int32_t(depth), (*C.SsType)(parent), C.int32_t(slots), overflow))
}

// HasField reports whether the type itself has a field of a name.
func (t *Type) HasField(name string) bool {
	for _, f := range t.Info().OwnFields() {
		if f.Name.String() == name {
			return true
		}
	}
	return false
}

// HasMethod reports whether the type itself has a method of a name.
func (t *Type) HasMethod(name string) bool {
	for _, m := range t.Info().OwnMethods() {
		if m.Name.String() == name {
			return true
		}
	}
	return false
}

// AddField appends a field; the entry is copied as it is. False: MemoryError is raised.
func (t *Type) AddField(f *abi.FieldInfo) bool {
	return C.ss_type_add_field((*C.SsType)(t), (*C.TVMFFIFieldInfo)(unsafe.Pointer(f))) == 0
}

// AddMethod appends a method; the entry is copied as it is. False: MemoryError is raised.
func (t *Type) AddMethod(m *abi.MethodInfo) bool {
	return C.ss_type_add_method((*C.SsType)(t), (*C.TVMFFIMethodInfo)(unsafe.Pointer(m))) == 0
}

// SetMetadata publishes the type's metadata; it is copied as it is.
func (t *Type) SetMetadata(m *abi.TypeMetadata) {
	C.ss_type_set_metadata((*C.SsType)(t), (*C.TVMFFITypeMetadata)(unsafe.Pointer(m)))
}

// CopyText copies bytes into C memory, NUL-terminated; FreeText frees it. Empty text needs no memory. False:
// MemoryError is raised.
func CopyText(from *abi.ByteArray, to *abi.ByteArray) bool {
	return C.ss_copy_text((*C.TVMFFIByteArray)(unsafe.Pointer(from)), (*C.TVMFFIByteArray)(unsafe.Pointer(to))) == 0
}

// FreeText frees a copy made by CopyText and leaves empty text.
func FreeText(t *abi.ByteArray) {
	C.free(t.Data)
	*t = abi.ByteArray{}
}

// Column is a type attribute.
type Column C.SsAttributeColumn

// FindColumn returns the column of a name, nil when there is none. Any thread.
func FindColumn(name string) *Column {
	return (*Column)(C.ss_column_by_text((*C.char)(unsafe.Pointer(unsafe.StringData(name))), C.size_t(len(name))))
}

// AddColumn makes a column. nil: MemoryError is raised.
func AddColumn(name string) *Column {
	var pin runtime.Pinner
	defer pin.Unpin()
	b := bytesOf(name, &pin)
	return (*Column)(C.ss_column_add(&b))
}

// Lookup returns the value of one type, borrowed from the column.
func (c *Column) Lookup(index int32) abi.Any {
	return (*abi.TypeAttrColumn)(unsafe.Pointer(&c.column)).Lookup(index)
}

// Fill moves an owned value into the column for a type whose value is None. False: MemoryError is raised.
func (c *Column) Fill(index int32, owned abi.Any) bool {
	value := C.ss_column_reach((*C.SsAttributeColumn)(c), C.int32_t(index))
	if value == nil {
		return false
	}
	C.ss_column_fill(value, (*C.TVMFFIAny)(unsafe.Pointer(&owned)))
	return true
}

// Name is an entry of the table of global functions. It never moves and is never freed. The caller of a method must hold
// package control's lock `registry`.
type Name C.SsGlobalName

// FindName returns the entry of a name, nil when it was never registered. Any thread.
func FindName(name string) *Name {
	var pin runtime.Pinner
	defer pin.Unpin()
	b := bytesOf(name, &pin)
	return (*Name)(C.ss_name_find(&b))
}

// InUse says whether the name has a function now.
func (n *Name) InUse() bool { return n.order != 0 }

// Info returns doc, metadata and flags that were registered with the function.
func (n *Name) Info() *abi.MethodInfo { return (*abi.MethodInfo)(unsafe.Pointer(&n.info)) }

// PutName registers a function (borrowed, retained); texts of info are copied. The caller must hold `registry`, and
// releases old, the function that was replaced, after unlocking it. ok false: MemoryError is raised.
func PutName(name string, function unsafe.Pointer, info *abi.MethodInfo) (old unsafe.Pointer, ok bool) {
	var pin runtime.Pinner
	defer pin.Unpin()
	b := bytesOf(name, &pin)
	var was *C.TVMFFIObject
	rc := C.ss_name_put(&b, (*C.TVMFFIObject)(function), (*C.TVMFFIMethodInfo)(unsafe.Pointer(info)), &was)
	return unsafe.Pointer(was), rc == 0
}

// Remove removes the function from the name. The caller owns the returned reference; nil when there was none.
func (n *Name) Remove() unsafe.Pointer { return unsafe.Pointer(C.ss_name_remove((*C.SsGlobalName)(n))) }

// CreateObject makes an object of a type through its creator or __ffi_new__; the caller owns the reference. False: the error is raised.
func CreateObject(t *abi.TypeInfo) (unsafe.Pointer, bool) {
	var h C.TVMFFIObjectHandle
	rc := C.ss_go_object_create((*C.TVMFFITypeInfo)(unsafe.Pointer(t)), &h)
	return unsafe.Pointer(h), rc == 0
}

// SetField sets a field to the (borrowed) value at a C address. False: the error is raised.
func SetField(f *abi.FieldInfo, obj, value unsafe.Pointer) bool {
	return C.ss_go_field_set((*C.TVMFFIFieldInfo)(unsafe.Pointer(f)), obj, (*C.TVMFFIAny)(value)) == 0
}

// SetFieldDefault sets a field to its default. False: the error is raised.
func SetFieldDefault(f *abi.FieldInfo, obj unsafe.Pointer) bool {
	return C.ss_go_field_set_default((*C.TVMFFIFieldInfo)(unsafe.Pointer(f)), obj) == 0
}

// NewPlainObject makes an object of type ffi.Object: a header without data. False: the error is raised.
func NewPlainObject() (unsafe.Pointer, bool) {
	handle := C.ss_plain_object_new()
	return unsafe.Pointer(handle), handle != nil
}

// Global returns a new reference to a global function, nil when there is none of that name. Waits for the runtime's
// start.
func Global(name string) unsafe.Pointer {
	var pin runtime.Pinner
	defer pin.Unpin()
	b := bytesOf(name, &pin)
	var h C.TVMFFIObjectHandle
	C.TVMFFIFunctionGetGlobal(&b, &h)
	return unsafe.Pointer(h)
}

// LiveObjects counts the live objects of a type that the builtin allocator made. Any thread.
func LiveObjects(index int32) int64 { return int64(C.SelfsameLiveObjects(C.int32_t(index))) }
