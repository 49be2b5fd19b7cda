package recursive

import (
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/failure"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// Equal reports whether two values (borrowed) are equal. Objects of different classes are different, and NaN equals NaN.
// Where the walk meets a pair of objects inside itself (a cycle), the pair counts as equal.
//
// Errors: ValueError (nested too deep), RecursionError, and those of hooks, all as failure.ErrRaised.
func Equal(a, b *abi.Any) (bool, error) {
	same, ok := plane.RecursiveEqual(a, b)
	if !ok {
		return false, failure.ErrRaised
	}
	return same, nil
}

// Compare returns the order of two values (borrowed): negative, 0 or positive.
//
// Errors: TypeError (values that have no order), ValueError (a cycle, nested too deep), RecursionError, and those of
// hooks, all as failure.ErrRaised.
func Compare(a, b *abi.Any) (int, error) {
	order, ok := plane.RecursiveCompare(a, b)
	if !ok {
		return 0, failure.ErrRaised
	}
	return order, nil
}

// Hash returns the hash of a value (borrowed), which is equal for values that Equal finds equal.
//
// Errors: ValueError (a class with a hook for comparisons but none for hashes, nested too deep), RecursionError, and
// those of hooks, all as failure.ErrRaised.
func Hash(value *abi.Any) (uint64, error) {
	hash, ok := plane.RecursiveHash(value)
	if !ok {
		return 0, failure.ErrRaised
	}
	return hash, nil
}
