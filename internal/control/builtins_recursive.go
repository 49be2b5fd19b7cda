package control

// #include <stdlib.h>
import "C"

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/control/recursive"
)

// recursiveBuiltins copy, print, hash and compare values with their contents. Package recursive implements them.
func recursiveBuiltins() []builtin {
	recursive.Missing, recursive.Kwargs = invalidObject.Pointer(), kwargsObject.Pointer()
	ordering := func(name string, holds func(order int) bool) builtin {
		return typed(name, returnsBool, func(args []abi.Any) (abi.Any, error) {
			return withOwnedPair(&args[0], &args[1], func(a, b *abi.Any) (abi.Any, error) {
				order, err := recursive.Compare(a, b)
				return boolResult(holds(order), err)
			})
		}, anyParam, anyParam)
	}
	return []builtin{
		typed("ffi.DeepCopy", returnsAny, func(args []abi.Any) (abi.Any, error) {
			return withOwned(&args[0], recursive.DeepCopy)
		}, anyParam),
		typed("ffi.ReprPrint", returnsStr, func(args []abi.Any) (abi.Any, error) {
			return withOwned(&args[0], func(value *abi.Any) (abi.Any, error) {
				text, err := recursive.Repr(value, environment("TVM_FFI_REPR_WITH_ADDR") == "1")
				if err != nil {
					return abi.Any{}, err
				}
				return graph.NewText(text)
			})
		}, anyParam),
		typed("ffi.RecursiveHash", returnsInt, func(args []abi.Any) (abi.Any, error) {
			return withOwned(&args[0], func(value *abi.Any) (abi.Any, error) {
				hash, err := recursive.Hash(value)
				return abi.Int(int64(hash)), err
			})
		}, anyParam),
		typed("ffi.RecursiveEq", returnsBool, func(args []abi.Any) (abi.Any, error) {
			return withOwnedPair(&args[0], &args[1], func(a, b *abi.Any) (abi.Any, error) {
				return boolResult(recursive.Equal(a, b))
			})
		}, anyParam, anyParam),
		ordering("ffi.RecursiveLt", func(order int) bool { return order < 0 }),
		ordering("ffi.RecursiveLe", func(order int) bool { return order <= 0 }),
		ordering("ffi.RecursiveGt", func(order int) bool { return order > 0 }),
		ordering("ffi.RecursiveGe", func(order int) bool { return order >= 0 }),
	}
}

// environment reads the current value of an environment variable with getenv. os.Getenv would use the copy that Go made
// when the library was loaded.
func environment(name string) string {
	c := C.CString(name)
	defer C.free(unsafe.Pointer(c))
	value := C.getenv(c)
	if value == nil {
		return ""
	}
	return C.GoString(value)
}
