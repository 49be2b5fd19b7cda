package container

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Cell is the cell of Map and Dict. A small map has up to four entries in a row, a dense one is a hash table. A small Dict
// becomes dense in place, so every object has room for the whole Cell.
type Cell struct {
	Data        uintptr // small: Pair[]; dense: blocks
	Size        uint64  // number of entries
	Capacity    uint64  // small: smallTag | room for entries; dense: number of buckets
	DataDeleter uintptr // C function void (*)(void*); 0: the entries lie inside the object

	// Dense maps alone; in a small object the first entry lies here.
	Shift      uint32 // the home bucket is the top 64-Shift bits of hash*hashFactor
	_          uint32
	Head, Tail uint64 // first and last bucket in order of insertion
}

// Pair is an entry: a key with its value.
type Pair struct {
	Key, Value abi.Any
}

// NoBucket is the position after the last entry.
const NoBucket = ^uint64(0)

const (
	smallTag  = uint64(1) << 63
	pairSize  = unsafe.Sizeof(Pair{})
	cellStart = abi.BodyOffset
)

// MapOf returns the cell of a Map or Dict.
func MapOf(handle unsafe.Pointer) *Cell { return (*Cell)(unsafe.Add(handle, cellStart)) }

// IsSmall says which of the two layouts the map has.
func (c *Cell) IsSmall() bool { return c.Capacity&smallTag != 0 }

// pairs views the entries of a small map.
func (c *Cell) pairs() []Pair {
	if c.Size == 0 {
		return nil
	}
	return unsafe.Slice((*Pair)(pointerIn(&c.Data)), c.Size)
}

// table loads the fields of a dense map.
func (c *Cell) table() table {
	return table{data: pointerIn(&c.Data), buckets: c.Capacity, shift: c.Shift}
}

// pointerIn reads a C address from a cell. Cells declare addresses as integers, so that Go's collector does not look at
// them.
func pointerIn(address *uintptr) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(address))
}

// First returns the position of the oldest entry, NoBucket when there is none; see Next.
func (c *Cell) First() uint64 {
	if !c.IsSmall() {
		if c.Size == 0 {
			return NoBucket // Head is stale when C++ moved the entries out
		}
		return c.Head
	}
	if c.Size == 0 {
		return NoBucket
	}
	return 0
}

// Next returns the position after a valid one, in order of insertion; NoBucket after the last. It holds until the map
// changes.
func (c *Cell) Next(position uint64) uint64 {
	if !c.IsSmall() {
		t := c.table()
		return t.at(position).next
	}
	if position+1 < c.Size {
		return position + 1
	}
	return NoBucket
}

// At returns the entry at a valid position, borrowed.
func (c *Cell) At(position uint64) *Pair {
	if !c.IsSmall() {
		t := c.table()
		return &t.at(position).Pair
	}
	return (*Pair)(unsafe.Add(pointerIn(&c.Data), uintptr(position)*pairSize))
}

// All calls yield with each entry in order of insertion. The map must not change during the iteration.
func (c *Cell) All(yield func(*Pair) bool) {
	for i := c.First(); i != NoBucket; i = c.Next(i) {
		if !yield(c.At(i)) {
			return
		}
	}
}

// Pairs copies the entries in order of insertion, without taking references: the map still owns them.
func (c *Cell) Pairs() []Pair {
	out := make([]Pair, 0, c.Size)
	for i := c.First(); i != NoBucket; i = c.Next(i) {
		out = append(out, *c.At(i))
	}
	return out
}
