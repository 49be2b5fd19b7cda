package graph

import "unsafe"

// Table maps the addresses of objects to 64-bit words, in an open-addressed hash table. It owns no references: the walk
// must keep the objects alive, so that no other object gets such an address.
type Table struct {
	keys []uintptr
	vals []uint64
	used int
}

// bucket returns the position of a key, or the empty one where it belongs.
func (t *Table) bucket(key uintptr) int {
	mask := len(t.keys) - 1
	i := int((uint64(key)>>4)*0x9e3779b97f4a7c15>>32) & mask
	for t.keys[i] != 0 && t.keys[i] != key {
		i = (i + 1) & mask
	}
	return i
}

// Get returns the word of an object, and whether it has one.
func (t *Table) Get(obj unsafe.Pointer) (uint64, bool) {
	if t.used == 0 {
		return 0, false
	}
	i := t.bucket(uintptr(obj))
	return t.vals[i], t.keys[i] != 0
}

// Set stores the word of an object.
func (t *Table) Set(obj unsafe.Pointer, word uint64) {
	if 2*(t.used+1) > len(t.keys) {
		t.grow()
	}
	i := t.bucket(uintptr(obj))
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
			j := t.bucket(key)
			t.keys[j], t.vals[j] = key, vals[i]
		}
	}
}
