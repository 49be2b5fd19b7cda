package container

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Looking up keys whose classes have no hash or equality hook: no foreign code runs, so nothing can fail or change the
// map.

// FindWithoutHooks looks up a key for which [Hooks.NoneFor] is true. Borrowed; nil: there is none.
func FindWithoutHooks(handle unsafe.Pointer, key *abi.Any) *Pair {
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
	if c.Size == 0 || c.Capacity == 0 {
		return nil
	}
	t := c.table()
	if key.TypeIndex < abi.IndexSmallStr {
		return t.findBits(key)
	}
	bucket := t.home(Hash(key))
	if *t.control(bucket)&controlMember != 0 { // empty, or of another chain
		return nil
	}
	for ok := true; ok; bucket, ok = t.follow(bucket) {
		if pair := &t.at(bucket).Pair; Equal(&pair.Key, key) {
			return pair
		}
	}
	return nil
}

// findBits looks up a key that only equals keys with the same bits.
func (t *table) findBits(key *abi.Any) *Pair {
	bucket := t.home(Combine(uint64(int64(key.TypeIndex)), key.Bits))
	if *t.control(bucket)&controlMember != 0 {
		return nil
	}
	for ok := true; ok; bucket, ok = t.follow(bucket) {
		if pair := &t.at(bucket).Pair; pair.Key.Bits == key.Bits && pair.Key.TypeIndex == key.TypeIndex && pair.Key.Len == key.Len {
			return pair
		}
	}
	return nil
}

// FindContent looks up the string or bytes key with a content, without a key object; family is abi.IndexStr or
// abi.IndexBytes. Borrowed; nil: there is none.
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
	if c.Size == 0 || c.Capacity == 0 {
		return nil
	}
	t := c.table()
	bucket := t.home(Combine(uint64(family), HashBytes(content)))
	if *t.control(bucket)&controlMember != 0 {
		return nil
	}
	for ok := true; ok; bucket, ok = t.follow(bucket) {
		if pair := &t.at(bucket).Pair; hasContent(&pair.Key, family, content) {
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

// Holds says whether a position that was valid earlier still has the same key, compared by its bits. Then At and Next
// may be used with it. For loops whose body may change the map.
func (c *Cell) Holds(position uint64, key *abi.Any) bool {
	if c.IsSmall() {
		return position < c.Size && c.pairs()[position].Key == *key
	}
	if position >= c.Capacity {
		return false
	}
	t := c.table()
	return *t.control(position) != controlEmpty && t.at(position).Key == *key
}
