package container

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Looking up keys whose types have no hash and no equality of their own: nothing is called, so nothing can fail or change
// the map meanwhile, and none of the care that Find takes is needed.

// IsPlain says whether a key's type leaves hash and equality to this package.
func (h *Host) IsPlain(key *abi.Any) bool {
	return hook(h.HashColumn, key.TypeIndex).TypeIndex == abi.IndexNone &&
		hook(h.EqualColumn, key.TypeIndex).TypeIndex == abi.IndexNone
}

// FindPlain looks up a key for which IsPlain holds. nil: there is none.
func FindPlain(handle unsafe.Pointer, key *abi.Any) *Pair {
	c := MapOf(handle)
	if c.IsSmall() {
		pairs := c.pairs()
		for i := range pairs {
			if Equal(&pairs[i].Key, key) {
				return &pairs[i]
			}
		}
		return nil
	}
	if c.Size == 0 || c.Slots == 0 {
		return nil
	}
	t := c.table()
	if key.TypeIndex < abi.IndexSmallStr {
		return t.findBits(key)
	}
	slot := t.home(Hash(key))
	if *t.state(slot)&memberBit != 0 { // empty, or of another chain
		return nil
	}
	for ok := true; ok; slot, ok = t.follow(slot) {
		if pair := &t.item(slot).Pair; Equal(&pair.Key, key) {
			return pair
		}
	}
	return nil
}

// findBits looks up a key that equals none but those with the same bits.
func (t *table) findBits(key *abi.Any) *Pair {
	slot := t.home(Combine(uint64(int64(key.TypeIndex)), key.Bits))
	if *t.state(slot)&memberBit != 0 {
		return nil
	}
	for ok := true; ok; slot, ok = t.follow(slot) {
		if pair := &t.item(slot).Pair; pair.Key.Bits == key.Bits && pair.Key.TypeIndex == key.TypeIndex && pair.Key.Len == key.Len {
			return pair
		}
	}
	return nil
}

// FindContent looks up the String, or Bytes, with a content; family is abi.IndexStr or abi.IndexBytes. No key object is
// needed for it. nil: there is none.
func FindContent(handle unsafe.Pointer, family int32, content []byte) *Pair {
	c := MapOf(handle)
	if c.IsSmall() {
		pairs := c.pairs()
		for i := range pairs {
			if hasContent(&pairs[i].Key, family, content) {
				return &pairs[i]
			}
		}
		return nil
	}
	if c.Size == 0 || c.Slots == 0 {
		return nil
	}
	t := c.table()
	slot := t.home(Combine(uint64(family), HashBytes(content)))
	if *t.state(slot)&memberBit != 0 {
		return nil
	}
	for ok := true; ok; slot, ok = t.follow(slot) {
		if pair := &t.item(slot).Pair; hasContent(&pair.Key, family, content) {
			return pair
		}
	}
	return nil
}

func hasContent(key *abi.Any, family int32, content []byte) bool {
	if key.TypeIndex == family {
		body := (*abi.ByteArray)(unsafe.Add(key.Pointer(), abi.BodyOffset))
		return body.Size == uintptr(len(content)) && string(unsafe.Slice((*byte)(body.Data), body.Size)) == string(content)
	}
	if stringFamily(key.TypeIndex) != family {
		return false
	}
	stored, _, _ := key.Content()
	return string(stored) == string(content)
}

// Holds says whether a position that was valid earlier is so still, with the same key: what is found there and by Next
// is then as good as it was. It is for loops whose body may change the map; key is compared by its bits.
func (c *Cell) Holds(position uint64, key *abi.Any) bool {
	if c.IsSmall() {
		return position < c.Size && c.pairs()[position].Key == *key
	}
	if position >= c.Slots {
		return false
	}
	t := c.table()
	return *t.state(position) != slotEmpty && t.item(position).Key == *key
}
