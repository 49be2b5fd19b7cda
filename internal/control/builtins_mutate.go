package control

// #include "builtins_fast_walk.h"
// #include "walks/structural_callbacks.h"
import "C"

import (
	"github.com/selfsame-ffi/selfsame/abi"
)

var linksWithModeParam = param{"Array<Tuple<int, ffi.Function, bool>>",
	`{"type":"ffi.Array","args":[{"type":"Tuple","args":[{"type":"int"},{"type":"ffi.Function"},{"type":"bool"}]}]}`,
	oneOf(abi.IndexArray, abi.IndexList)}

// mutateBuiltins returns the functions that change values by callbacks: internal/plane/walks/structural_callbacks.h.
func mutateBuiltins() []builtin {
	mutator := objectParam("ffi.StructuralMutator")
	return []builtin{
		typed("ffi.StructuralMutatorMutate", returnsAny, inC(C.SS_MUTATOR_MUTATE), mutator, viewParam),
		typed("ffi.StructuralMutatorDefaultMutate", returnsAny, inC(C.SS_MUTATOR_PARTS), mutator, viewParam),
		typed("ffi.StructuralMutatorVarRemapGet", returnsAny, inC(C.SS_REMAP_GET), mutator, viewParam),
		typed("ffi.StructuralMutatorVarRemapSet", returnsVoid, inC(C.SS_REMAP_SET), mutator, viewParam, viewParam),
		typed("ffi.StructuralMutatorDefRegionKind", returnsInt, inC(C.SS_REGION), mutator),
		typed("ffi.StructuralMutatorWithDefRegionKind", returnsAny, withFunction(C.SS_WITH_REGION), mutator, intParam, functionParam),
		withLinks(C.SS_MAP, typed("ffi.StructuralMap", returnsAny, nil, anyParam, linksParam, linksParam, intParam), 2, 1, 2),
		withLinks(C.SS_MUTATE, typed("ffi.StructuralMutate", returnsAny, nil, anyParam, linksWithModeParam), 3, 1),
	}
}

// registerMutating registers the hooks __s_mutate__ and __s_maybe_inplace_mutate__ of the builtin types.
func registerMutating() error {
	copying, inPlace := C.ss_mutate_container_hook(), C.ss_mutate_container_in_place_hook()
	leaf := C.ss_mutate_leaf_hook()
	for _, index := range []int32{abi.IndexStr, abi.IndexBytes, abi.IndexBigInt, abi.IndexArray, abi.IndexList, abi.IndexMap, abi.IndexDict} {
		first, second := copying, inPlace
		if index < abi.IndexArray || index == abi.IndexBigInt {
			first, second = leaf, leaf
		}
		if err := registerAttr(index, "__s_mutate__", abi.OpaquePtr(first)); err != nil {
			return err
		}
		if err := registerAttr(index, "__s_maybe_inplace_mutate__", abi.OpaquePtr(second)); err != nil {
			return err
		}
	}
	return nil
}
