package graph

import (
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/container"
	"github.com/selfsame-ffi/selfsame/internal/control/failure"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// Keys of Map and Dict. Go reads those without hooks itself; foreign code runs for others, so the caller must own
// references to the values and the map. Errors: those of a key's hash or equality.

var keyHooks = sync.OnceValue(func() container.Hooks {
	return container.Hooks{Hash: plane.FindColumn("__any_hash__").Attr(), Equal: plane.FindColumn("__any_equal__").Attr()}
})

// Hash returns the hash of a value as a key.
func Hash(key *abi.Any) (uint64, error) {
	if hooks := keyHooks(); hooks.NoneFor(key) {
		return container.Hash(key), nil
	}
	hash, ok := plane.HashKey(key)
	if !ok {
		return 0, failure.ErrRaised
	}
	return hash, nil
}

// Equal compares two values as keys.
func Equal(a, b *abi.Any) (bool, error) {
	if hooks := keyHooks(); hooks.NoneFor(b) {
		return container.Equal(a, b), nil
	}
	equal, ok := plane.EqualKeys(a, b)
	if !ok {
		return false, failure.ErrRaised
	}
	return equal, nil
}

// Find looks up a key in a Map or Dict. Borrowed; nil: there is none.
func Find(m unsafe.Pointer, key *abi.Any) (*container.Pair, error) {
	if hooks := keyHooks(); hooks.NoneFor(key) {
		return container.FindWithoutHooks(m, key), nil
	}
	entry, ok := plane.FindInMap(m, key)
	if !ok {
		return nil, failure.ErrRaised
	}
	return (*container.Pair)(entry), nil
}
