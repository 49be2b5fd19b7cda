package container

import (
	"bytes"
	"encoding/binary"

	"github.com/selfsame-ffi/selfsame/abi"
)

const (
	hashPrime   = 1099511628211
	hashModulus = 2147483647
)

// Combine folds a value into a hash.
func Combine(hash, value uint64) uint64 {
	return hash ^ (value + 0x9e3779b9 + hash<<6 + hash>>2)
}

// HashBytes returns the hash of a content without its type.
func HashBytes(content []byte) uint64 {
	hash, rest := uint64(0), content
	for len(rest) >= 8 {
		hash = reduce(hash*hashPrime + binary.LittleEndian.Uint64(rest))
		rest = rest[8:]
	}
	if len(rest) != 0 {
		hash = reduce(hash*hashPrime + lastWord(content, len(rest)))
	}
	return hash
}

// reduce returns x modulo hashModulus. That is 2^31-1, so the parts above and below bit 31 may be added.
func reduce(x uint64) uint64 {
	x = x&hashModulus + x>>31
	x = x&hashModulus + x>>31
	if x >= hashModulus {
		x -= hashModulus
	}
	return x
}

// lastWord returns the last n bytes of a content, 1 to 7 of them.
func lastWord(content []byte, n int) uint64 {
	if len(content) >= 8 {
		return binary.LittleEndian.Uint64(content[len(content)-8:]) >> (64 - 8*n)
	}
	word := uint64(0)
	for i := n; i > 0; i-- {
		word = word<<8 | uint64(content[i-1])
	}
	return word
}

// Hash returns the hash of an owned value whose class has no hash hook. A string or bytes has the same hash small and
// on the heap.
func Hash(key *abi.Any) uint64 {
	switch key.TypeIndex {
	case abi.IndexSmallStr:
		return Combine(uint64(abi.IndexStr), reduce(key.Bits))
	case abi.IndexSmallBytes:
		return Combine(uint64(abi.IndexBytes), reduce(key.Bits))
	case abi.IndexStr, abi.IndexBytes:
		content, _, _ := key.Content()
		return Combine(uint64(key.TypeIndex), HashBytes(content))
	}
	return Combine(uint64(int64(key.TypeIndex)), key.Bits)
}

// Equal compares two owned values whose classes have no equality hook: strings and bytes by content, all others by type
// and bits.
func Equal(a, b *abi.Any) bool {
	if *a == *b {
		return true
	}
	family := stringFamily(a.TypeIndex)
	if family == 0 || family != stringFamily(b.TypeIndex) {
		return false
	}
	if a.TypeIndex < abi.IndexStaticObjectBegin && a.TypeIndex == b.TypeIndex {
		return false // two small ones with different bits
	}
	x, _, _ := a.Content()
	y, _, _ := b.Content()
	return bytes.Equal(x, y)
}

// stringFamily returns abi.IndexStr for strings, abi.IndexBytes for bytes, else 0.
func stringFamily(typeIndex int32) int32 {
	switch typeIndex {
	case abi.IndexSmallStr, abi.IndexStr:
		return abi.IndexStr
	case abi.IndexSmallBytes, abi.IndexBytes:
		return abi.IndexBytes
	}
	return 0
}

// hook returns the hook of a class in a column, None when it has none. Strings never have one.
func hook(column *abi.TypeAttrColumn, typeIndex int32) abi.Any {
	if typeIndex < abi.IndexStaticObjectBegin || typeIndex == abi.IndexStr || typeIndex == abi.IndexBytes {
		return abi.Any{}
	}
	return column.Lookup(typeIndex)
}

// Hash returns the hash of an owned value, by its class's hook if there is one.
func (h *Host) Hash(key *abi.Any) (uint64, error) {
	if function := hook(h.HashColumn, key.TypeIndex); function.TypeIndex != abi.IndexNone {
		return h.ownHash(function, *key)
	}
	return Hash(key), nil
}

// Equal compares two owned values, by their class's hook if there is one.
func (h *Host) Equal(a, b *abi.Any) (bool, error) {
	if a.TypeIndex == b.TypeIndex && *a != *b {
		if function := hook(h.EqualColumn, a.TypeIndex); function.TypeIndex != abi.IndexNone {
			return h.ownEqual(function, *a, *b)
		}
	}
	return Equal(a, b), nil
}

// ownHash and ownEqual call a class's hook. They are separate functions so that their callers' values do not escape to
// the heap.

//go:noinline
func (h *Host) ownHash(function, key abi.Any) (uint64, error) {
	own, err := h.HashHook(&function, &key)
	return Combine(uint64(int64(key.TypeIndex)), own), err
}

//go:noinline
func (h *Host) ownEqual(function, a, b abi.Any) (bool, error) { return h.EqualHook(&function, &a, &b) }
