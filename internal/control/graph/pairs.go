package graph

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/container"
)

// Pairs returns the entries of a Map or Dict, in order, with a reference to each key and value, so that a walk can go
// through them while foreign code changes the Dict. ReleasePairs drops the references.
func Pairs(m unsafe.Pointer) []container.Pair {
	pairs := container.MapOf(m).Pairs()
	for i := range pairs {
		Retain(pairs[i].Key)
		Retain(pairs[i].Value)
	}
	return pairs
}

// ReleasePairs drops the references that Pairs took.
func ReleasePairs(pairs []container.Pair) {
	for i := range pairs {
		Release(pairs[i].Key)
		Release(pairs[i].Value)
	}
}
