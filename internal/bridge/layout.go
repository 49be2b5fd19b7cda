package bridge

// #include <stdlib.h>
// #include "calls.h"
import "C"

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

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
