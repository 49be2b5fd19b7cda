package control

// #include "builtin_classes.h"
import "C"

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// structuralKeyKey is the type key of StructuralKey.
const structuralKeyKey = "ffi.StructuralKey"

var returnsPathPair = returns{"Optional<Tuple<" + pathKey + ", " + pathKey + ">>",
	`{"type":"Optional","args":[{"type":"Tuple","args":[{"type":"` + pathKey + `"},{"type":"` + pathKey + `"}]}]}`}

// structuralBuiltins compare and hash values by their structure (internal/plane/walks/structural.h). builtins_fast_structural.c
// serves most calls without entering Go.
func structuralBuiltins() []builtin {
	return []builtin{
		typed("ffi.StructuralEqual", returnsBool, ofValues("ffi.StructuralEqual"), anyParam, anyParam, boolParam, boolParam),
		typed("ffi.GetFirstStructuralMismatch", returnsPathPair, ofValues("ffi.GetFirstStructuralMismatch"),
			anyParam, anyParam, boolParam, boolParam),
		typed("ffi.StructuralHash", returnsInt, ofValues("ffi.StructuralHash"), anyParam, boolParam, boolParam),
		typed("ffi.StructuralKey", returns{structuralKeyKey, `{"type":"` + structuralKeyKey + `"}`}, ofValues("ffi.StructuralKey"), anyParam),
		typed("ffi.StructuralKeyEqual", returnsBool, func(args []abi.Any) (abi.Any, error) {
			return withOwnedPair(&args[0], &args[1], func(a, b *abi.Any) (abi.Any, error) {
				if *a == *b {
					return abi.Bool(true), nil
				}
				index := builtinIndices[C.SS_STRUCTURAL_KEY]
				if a.TypeIndex != index {
					return abi.Any{}, errorf("InternalError", "Check not null: lhs_obj ")
				}
				if b.TypeIndex != index {
					return abi.Any{}, errorf("InternalError", "Check not null: rhs_obj ")
				}
				return callInC("ffi.StructuralKeyEqual", []abi.Any{*a, *b})
			})
		}, anyParam, anyParam),
	}
}

// registerStructuralKey registers the constructor of StructuralKey, and its hash and equality as a key of Maps. The
// latter are Functions, because the result type of C functions in these attributes has changed between versions of the
// ABI.
func registerStructuralKey() error {
	index := builtinIndices[C.SS_STRUCTURAL_KEY]
	const doc = "Makes a key of any value and computes its structural hash"
	construct := typed(structuralKeyKey+".__ffi_init__", returnsObject, ofValues("ffi.StructuralKey"), anyParam)
	if err := registerBuiltinMethod(index, construct, abi.FlagIsStaticMethod, doc); err != nil {
		return err
	}
	if err := registerAttrFunction(index, construct); err != nil {
		return err
	}
	err := registerMade(index, "__any_hash__", unsafe.Pointer(C.ss_structural_key_hasher()))
	if err != nil {
		return err
	}
	return registerMade(index, "__any_equal__", unsafe.Pointer(C.ss_structural_key_comparer()))
}

// registerMade registers a Function (owned; nil: the error is raised) as a type attribute.
func registerMade(index int32, name string, function unsafe.Pointer) error {
	if function == nil {
		return errRaised
	}
	defer plane.DecRef(function)
	return registerAttr(index, name, abi.ObjectValue(function))
}

// registerEnumState registers the constructor of EnumState.
func registerEnumState() error {
	const key = "ffi.EnumState"
	index := builtinIndices[C.SS_ENUM_STATE]
	construct := typed(key+".__ffi_init__", returnsObject, func([]abi.Any) (abi.Any, error) {
		return owner(plane.CreateObject(builtinType(C.SS_ENUM_STATE)))
	})
	if err := registerBuiltinMethod(index, construct, abi.FlagIsStaticMethod, ""); err != nil {
		return err
	}
	return registerAttrFunction(index, construct)
}
