package structural

import (
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/failure"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// options returns those of internal/plane/structural.h.
func options(mapFreeVars, skipTensorContent bool) int {
	n := 0
	if mapFreeVars {
		n |= 1
	}
	if skipTensorContent {
		n |= 2
	}
	return n
}

// Equal reports whether two values (borrowed) have the same structure. Variables that are defined inside
// the values are equal if they correspond to each other; other variables are equal only to themselves, unless
// mapFreeVars counts them as defined. With skipTensorContent, Tensors are equal if their shapes and data types are.
//
// Errors: TypeError (a class that cannot be compared), ValueError (nested too deep), InternalError (a Tensor whose
// content cannot be read), and those of hooks, all as failure.ErrRaised.
func Equal(a, b *abi.Any, mapFreeVars, skipTensorContent bool) (bool, error) {
	same, ok := plane.StructuralEqual(a, b, options(mapFreeVars, skipTensorContent))
	if !ok {
		return false, failure.ErrRaised
	}
	return same, nil
}

// Hash returns the hash of a value (borrowed), which is equal for values that Equal finds equal with the same
// arguments. It is the same in every process, unless a free variable is used that is defined elsewhere.
//
// Errors: those of Equal.
func Hash(value *abi.Any, mapFreeVars, skipTensorContent bool) (uint64, error) {
	hash, ok := plane.StructuralHash(value, options(mapFreeVars, skipTensorContent))
	if !ok {
		return 0, failure.ErrRaised
	}
	return hash, nil
}

// FirstMismatch returns where two values (borrowed) differ first: an Array of two AccessPaths, one per value, owned by
// the caller; None when they are equal. The other arguments and the errors are those of Equal.
func FirstMismatch(a, b *abi.Any, mapFreeVars, skipTensorContent bool) (abi.Any, error) {
	where, ok := plane.StructuralMismatch(a, b, options(mapFreeVars, skipTensorContent))
	if !ok {
		return abi.None(), failure.ErrRaised
	}
	return where, nil
}
