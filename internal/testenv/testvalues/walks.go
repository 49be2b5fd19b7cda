package testvalues

import (
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// CallGlobal calls a global function with borrowed arguments. The caller owns the result.
func CallGlobal(name string, args ...abi.Any) (abi.Any, error) {
	function := plane.Global(name)
	defer plane.DecRef(function)
	return graph.Call(function, args...)
}

func is(name string, args ...abi.Any) (bool, error) {
	result, err := CallGlobal(name, args...)
	return err == nil && result.Bits != 0, err
}

func number(name string, args ...abi.Any) (uint64, error) {
	result, err := CallGlobal(name, args...)
	return result.Bits, err
}

// RecursiveEqual calls ffi.RecursiveEq with two values (borrowed).
func RecursiveEqual(a, b *abi.Any) (bool, error) { return is("ffi.RecursiveEq", *a, *b) }

// RecursiveCompare returns the order of two values (borrowed), -1, 0 or 1, by ffi.RecursiveLt and ffi.RecursiveGt.
func RecursiveCompare(a, b *abi.Any) (int, error) {
	if less, err := is("ffi.RecursiveLt", *a, *b); less || err != nil {
		return -1, err
	}
	greater, err := is("ffi.RecursiveGt", *a, *b)
	if greater {
		return 1, err
	}
	return 0, err
}

// RecursiveHash calls ffi.RecursiveHash with a value (borrowed).
func RecursiveHash(value *abi.Any) (uint64, error) { return number("ffi.RecursiveHash", *value) }

// DeepCopy calls ffi.DeepCopy with a value (borrowed). The caller owns the copy.
func DeepCopy(value *abi.Any) (abi.Any, error) { return CallGlobal("ffi.DeepCopy", *value) }

// StructuralEqual calls ffi.StructuralEqual with two values (borrowed).
func StructuralEqual(a, b *abi.Any, mapFreeVars, skipTensorContent bool) (bool, error) {
	return is("ffi.StructuralEqual", *a, *b, abi.Bool(mapFreeVars), abi.Bool(skipTensorContent))
}

// StructuralHash calls ffi.StructuralHash with a value (borrowed).
func StructuralHash(value *abi.Any, mapFreeVars, skipTensorContent bool) (uint64, error) {
	return number("ffi.StructuralHash", *value, abi.Bool(mapFreeVars), abi.Bool(skipTensorContent))
}

// FirstMismatch calls ffi.GetFirstStructuralMismatch with two values (borrowed). The caller owns the result.
func FirstMismatch(a, b *abi.Any, mapFreeVars, skipTensorContent bool) (abi.Any, error) {
	return CallGlobal("ffi.GetFirstStructuralMismatch", *a, *b, abi.Bool(mapFreeVars), abi.Bool(skipTensorContent))
}
