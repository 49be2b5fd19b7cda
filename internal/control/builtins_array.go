package control

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// arrayBuiltins returns the functions over Array. builtins_fast_sequence.c has fast paths for all of them.
func arrayBuiltins() []builtin {
	return []builtin{
		packed("ffi.Array", func(args []abi.Any) (abi.Any, error) {
			handle, ok := plane.NewArray(unsafe.Pointer(unsafe.SliceData(args)), len(args))
			if !ok {
				return abi.Any{}, errRaised
			}
			return abi.ObjectValue(handle), nil
		}),
		typed("ffi.ArrayGetItem", returnsAny, arrayGetItem, arrayParam, intParam),
		typed("ffi.ArraySize", returnsInt, func(args []abi.Any) (abi.Any, error) {
			return abi.Int(abi.SeqOf(args[0].Pointer()).Size), nil
		}, arrayParam),
		typed("ffi.ArrayContains", returnsBool, sequenceContains, arrayParam, anyParam),
	}
}

// arrayGetItem returns element args[1] of an Array or List.
func arrayGetItem(args []abi.Any) (abi.Any, error) {
	items := abi.SeqOf(args[0].Pointer()).Items()
	i := args[1].Int64()
	if i < 0 || i >= int64(len(items)) {
		return abi.Any{}, errorf("IndexError", "Index %d out of bounds %d", i, len(items))
	}
	return owned(&items[i])
}
