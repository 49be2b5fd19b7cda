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

// Hooks are the type attributes __any_hash__ and __any_equal__ of a process.
type Hooks struct {
	Hash, Equal *abi.TypeAttrColumn
}

// NoneFor says whether a key's class has neither a hash hook nor an equality hook.
func (h *Hooks) NoneFor(key *abi.Any) bool {
	i := key.TypeIndex
	if i < abi.IndexStaticObjectBegin || i == abi.IndexStr || i == abi.IndexBytes { // these never have any
		return true
	}
	return h.Hash.Lookup(i).TypeIndex == abi.IndexNone && h.Equal.Lookup(i).TypeIndex == abi.IndexNone
}
