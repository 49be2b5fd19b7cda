package control

import (
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

var (
	listParam = param{"ffi.List", `{"type":"ffi.List"}`, oneOf(abi.IndexList)}
	// listAnyParam also accepts an Array, of which the function changes a copy.
	listAnyParam = param{"List<Any>", `{"type":"ffi.List","args":[{"type":"Any"}]}`, oneOf(abi.IndexList, abi.IndexArray)}
)

// arrayBuiltins returns the functions over Array: builtins_fast_sequence.c.
func arrayBuiltins() []builtin {
	return []builtin{
		packedInC("ffi.Array"),
		typedInC("ffi.ArrayGetItem", returnsAny, arrayParam, intParam),
		typedInC("ffi.ArraySize", returnsInt, arrayParam),
		typedInC("ffi.ArrayContains", returnsBool, arrayParam, anyParam),
	}
}

// listBuiltins returns the functions over List: builtins_fast_sequence.c.
func listBuiltins() []builtin {
	return []builtin{
		packedInC("ffi.List"),
		typedInC("ffi.ListGetItem", returnsAny, listParam, intParam),
		typedInC("ffi.ListSetItem", returnsVoid, listAnyParam, intParam, anyParam),
		typedInC("ffi.ListSize", returnsInt, listParam),
		typedInC("ffi.ListContains", returnsBool, listParam, anyParam),
		typedInC("ffi.ListAppend", returnsVoid, listAnyParam, anyParam),
		typedInC("ffi.ListInsert", returnsVoid, listAnyParam, intParam, anyParam),
		typedInC("ffi.ListPop", returnsAny, listAnyParam, intParam),
		typedInC("ffi.ListErase", returnsVoid, listAnyParam, intParam),
		typedInC("ffi.ListEraseRange", returnsVoid, listAnyParam, intParam, intParam),
		typedInC("ffi.ListReplaceSlice", returnsVoid, listAnyParam, intParam, intParam, listAnyParam),
		typedInC("ffi.ListReverse", returnsVoid, listAnyParam),
		typedInC("ffi.ListClear", returnsVoid, listAnyParam),
		typedInC("ffi.ListReserve", returnsVoid, listAnyParam, intParam),
	}
}

// changes says whether a function changes a copy of an argument of this type, because its parameter is a container that
// can change.
func changes(first param, index int32) bool {
	return index == abi.IndexArray && first.accepts(abi.IndexList) || index == abi.IndexMap && first.accepts(abi.IndexDict)
}

// changeable makes a List of the elements of an Array, or a Dict of the entries of a Map. The caller owns it.
func changeable(container abi.Any) (abi.Any, error) {
	if container.TypeIndex == abi.IndexMap {
		dict, ok := plane.CopyMap(container.Pointer(), abi.IndexDict)
		return owner(dict, ok)
	}
	return newList(ownedItems(container.Pointer()))
}
