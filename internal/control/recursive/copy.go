package recursive

import (
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/failure"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// DeepCopy copies a value (borrowed) and all objects that it refers to; the caller owns the copy. An object that is
// shared in the value, or part of a cycle, is so in the copy. Strings, bytes, Shapes, BigInts and members of enums are
// not copied: the copy refers to the same objects.
//
// Errors: InternalError (a class that cannot be copied), TypeError (a hook that returns another type), ValueError (nested
// too deep), MemoryError, and those of hooks and setters, all as failure.ErrRaised.
func DeepCopy(value *abi.Any) (abi.Any, error) {
	made, ok := plane.DeepCopy(value)
	if !ok {
		return abi.None(), failure.ErrRaised
	}
	return made, nil
}
