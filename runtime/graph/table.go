package graph

import "unsafe"

// Table maps objects to words. It keeps no reference of its own.
type Table struct {
	keys []uintptr
	vals []uint64
	used int
}

func (t *Table) slot(key uintptr) int {
	mask := len(t.keys) - 1
	i := int((uint64(key)>>4)*0x9e3779b97f4a7c15>>32) & mask
	for t.keys[i] != 0 && t.keys[i] != key {
		i = (i + 1) & mask
	}
	return i
}

// Get is the word of an object.
func (t *Table) Get(obj unsafe.Pointer) (uint64, bool) {
	if t.used == 0 {
		return 0, false
	}
	i := t.slot(uintptr(obj))
	return t.vals[i], t.keys[i] != 0
}

// Set stores an object's word.
func (t *Table) Set(obj unsafe.Pointer, word uint64) {
	if 2*(t.used+1) > len(t.keys) {
		t.grow()
	}
	i := t.slot(uintptr(obj))
	if t.keys[i] == 0 {
		t.keys[i] = uintptr(obj)
		t.used++
	}
	t.vals[i] = word
}

func (t *Table) grow() {
	n := 2 * len(t.keys)
	if n == 0 {
		n = 64
	}
	keys, vals := t.keys, t.vals
	t.keys, t.vals = make([]uintptr, n), make([]uint64, n)
	for i, key := range keys {
		if key != 0 {
			j := t.slot(key)
			t.keys[j], t.vals[j] = key, vals[i]
		}
	}
}

// Len is the number of objects.
func (t *Table) Len() int { return t.used }

// All calls yield with each object and its word, in no order. The table must not change meanwhile.
func (t *Table) All(yield func(unsafe.Pointer, uint64) bool) {
	for i, key := range t.keys {
		if key != 0 && !yield(pointer(key), t.vals[i]) {
			return
		}
	}
}

// pointer is a C address kept as a number.
func pointer(address uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }
