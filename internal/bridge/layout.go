package bridge

// #include <stdlib.h>
// #include "bridge.h"
import "C"

import "unsafe"

// Cell is a part of an instance that owns a reference: 16 bytes for a value, 8 for an object pointer.
type Cell struct {
	Offset, Size int32
	Fresh        int32 // abi.IndexList, abi.IndexDict: each new instance gets an empty container of its own; 0: a copy
}

// Layout says how instances of a class are made and unmade, in C memory. It is never freed.
type Layout C.ss_front_layout

// NewLayout makes the layout of a class known; nil: out of memory. The prototype is zero; fill it in through Prototype before the first
// instance is made.
func NewLayout(typeIndex int32, size, align uintptr, cells []Cell) *Layout {
	l := (*Layout)(C.calloc(1, C.sizeof_ss_front_layout))
	l.type_index = C.int32_t(typeIndex)
	l.size = C.int32_t(size)
	l.alignment = C.int32_t(align)
	l.prototype = C.calloc(1, C.size_t(size))
	if len(cells) > 0 {
		table := (*C.ss_front_cell)(C.calloc(C.size_t(len(cells)), C.sizeof_ss_front_cell))
		copy(unsafe.Slice((*Cell)(unsafe.Pointer(table)), len(cells)), cells)
		l.cells = table
		l.num_cells = C.int32_t(len(cells))
	}
	if C.ss_front_add_layout((*C.ss_front_layout)(l)) != 0 {
		return nil
	}
	return l
}

// Prototype is the memory that a new instance is a copy of, header aside. Its cells own what they hold.
func (l *Layout) Prototype() unsafe.Pointer { return l.prototype }

// TypeIndex and Size are those of the class's instances.
func (l *Layout) TypeIndex() int32 { return int32(l.type_index) }
func (l *Layout) Size() uintptr    { return uintptr(l.size) }

// Cells are the parts of an instance that own a reference.
func (l *Layout) Cells() []Cell {
	return unsafe.Slice((*Cell)(unsafe.Pointer(l.cells)), int(l.num_cells))
}

// New makes an instance and returns a new reference. If goWord is not 0, the instance gets a record with that go word, if
// there is memory for one.
func (l *Layout) New(table *TieTable, goWord uint64) (handle, failed unsafe.Pointer) {
	made := uint64(C.ss_front_new_or_error((*C.ss_front_layout)(l), (*C.SelfsameTieTable)(unsafe.Pointer(table)), C.uint64_t(goWord)))
	if made&1 != 0 {
		return nil, address(made - 1)
	}
	return address(made), nil
}
