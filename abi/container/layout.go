package container

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Cell is the body of Map and Dict. There are two layouts: up to four pairs in a row, or a hash table. A small Dict
// becomes a hash table in place, so every object has room for the whole Cell.
type Cell struct {
	Data        uintptr // small: Pair[]; dense: blocks
	Size        uint64  // number of entries
	Slots       uint64  // number of slots; the top bit says small
	DataDeleter uintptr // C function void (*)(void*); 0: the pairs lie inside the object

	// The rest is for the dense layout alone; in a small object the first pair lies here.
	Shift      uint32 // the home slot is the top 64-Shift bits of the scrambled hash
	_          uint32
	Head, Tail uint64 // first and last slot in order of insertion
}

// Pair is an entry.
type Pair struct {
	Key, Value abi.Any
}

// NoSlot ends the chain of insertion order.
const NoSlot = ^uint64(0)

const (
	smallTag   = uint64(1) << 63
	smallFirst = 2 // slots of an empty map
	smallMax   = 4 // slots of the largest small map

	pairSize  = unsafe.Sizeof(Pair{})
	cellStart = abi.BodyOffset
	// smallPairs is where the pairs of a small object begin, smallSize the size of the objects made here: room for
	// smallMax pairs, whatever Slots says, so that a small map grows without memory.
	smallPairs = abi.BodyOffset + unsafe.Offsetof(Cell{}.Shift)
	smallSize  = smallPairs + smallMax*pairSize
	denseSize  = abi.BodyOffset + unsafe.Sizeof(Cell{})
)

// MapOf is the body of a Map or Dict.
func MapOf(handle unsafe.Pointer) *Cell { return (*Cell)(unsafe.Add(handle, cellStart)) }

// IsSmall tells the two layouts apart.
func (c *Cell) IsSmall() bool { return c.Slots&smallTag != 0 }

// pairs views the entries of a small map.
func (c *Cell) pairs() []Pair {
	if c.Size == 0 {
		return nil
	}
	return unsafe.Slice((*Pair)(pointerIn(&c.Data)), c.Size)
}

func (c *Cell) smallSlots() uint64 { return c.Slots &^ smallTag }

// table loads the dense layout.
func (c *Cell) table() table {
	return table{data: pointerIn(&c.Data), slots: c.Slots, shift: c.Shift, size: c.Size, head: c.Head, tail: c.Tail}
}

// store writes a changed table back.
func (c *Cell) store(t *table) {
	c.Data, c.Slots, c.Shift, c.Size, c.Head, c.Tail = uintptr(t.data), t.slots, t.shift, t.size, t.head, t.tail
}

// First is the position of the oldest entry; see Next.
func (c *Cell) First() uint64 {
	if !c.IsSmall() {
		if c.Size == 0 {
			return NoSlot // in an emptied shell, Head is stale
		}
		return c.Head
	}
	if c.Size == 0 {
		return NoSlot
	}
	return 0
}

// Next is the position after a valid one, in order of insertion; NoSlot after the last. It holds until the map changes.
func (c *Cell) Next(position uint64) uint64 {
	if !c.IsSmall() {
		t := c.table()
		return t.item(position).next
	}
	if position+1 < c.Size {
		return position + 1
	}
	return NoSlot
}

// At is the entry at a valid position, borrowed.
func (c *Cell) At(position uint64) *Pair {
	if !c.IsSmall() {
		t := c.table()
		return &t.item(position).Pair
	}
	return (*Pair)(unsafe.Add(pointerIn(&c.Data), uintptr(position)*pairSize))
}

// All calls yield with each entry in order of insertion. The map must not change meanwhile.
func (c *Cell) All(yield func(*Pair) bool) {
	for i := c.First(); i != NoSlot; i = c.Next(i) {
		if !yield(c.At(i)) {
			return
		}
	}
}

// Pairs copies the entries in order of insertion, without taking references: they are borrowed from the map.
func (c *Cell) Pairs() []Pair {
	out := make([]Pair, 0, c.Size)
	for i := c.First(); i != NoSlot; i = c.Next(i) {
		out = append(out, *c.At(i))
	}
	return out
}
