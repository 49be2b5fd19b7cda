package control

// #include "builtin_classes.h"
import "C"

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/structural"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// structuralKeyKey is the type key of StructuralKey.
const structuralKeyKey = "ffi.StructuralKey"

var returnsPathPair = returns{"Optional<Tuple<" + pathKey + ", " + pathKey + ">>",
	`{"type":"Optional","args":[{"type":"Tuple","args":[{"type":"` + pathKey + `"},{"type":"` + pathKey + `"}]}]}`}

// structuralBuiltins compare and hash values by their structure (internal/plane/structural.h). builtins_fast_structural.c
// serves most calls of all but StructuralKeyEqual without entering Go.
func structuralBuiltins() []builtin {
	return []builtin{
		typed("ffi.StructuralEqual", returnsBool, func(args []abi.Any) (abi.Any, error) {
			return withOwnedPair(&args[0], &args[1], func(a, b *abi.Any) (abi.Any, error) {
				return boolResult(structural.Equal(a, b, args[2].Bits != 0, args[3].Bits != 0))
			})
		}, anyParam, anyParam, boolParam, boolParam),
		typed("ffi.GetFirstStructuralMismatch", returnsPathPair, func(args []abi.Any) (abi.Any, error) {
			return withOwnedPair(&args[0], &args[1], func(a, b *abi.Any) (abi.Any, error) {
				return structural.FirstMismatch(a, b, args[2].Bits != 0, args[3].Bits != 0)
			})
		}, anyParam, anyParam, boolParam, boolParam),
		typed("ffi.StructuralHash", returnsInt, func(args []abi.Any) (abi.Any, error) {
			return withOwned(&args[0], func(value *abi.Any) (abi.Any, error) {
				hash, err := structural.Hash(value, args[1].Bits != 0, args[2].Bits != 0)
				return abi.Int(int64(hash)), err
			})
		}, anyParam, boolParam, boolParam),
		typed("ffi.StructuralKey", returns{structuralKeyKey, `{"type":"` + structuralKeyKey + `"}`}, newStructuralKey, anyParam),
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
				return boolResult(structuralKeysEqual(a.Pointer(), b.Pointer()))
			})
		}, anyParam, anyParam),
	}
}

// structuralKey is the data of a StructuralKey behind its header.
type structuralKey struct {
	key  abi.Any // owned
	hash int64
}

// keyOf returns the data of the StructuralKey at h.
func keyOf(h unsafe.Pointer) *structuralKey { return (*structuralKey)(unsafe.Add(h, abi.BodyOffset)) }

// newStructuralKey makes a StructuralKey of a value (args[0]) and its structural hash.
func newStructuralKey(args []abi.Any) (abi.Any, error) {
	value, err := owned(&args[0])
	if err != nil {
		return abi.Any{}, err
	}
	hash, err := structural.Hash(&value, false, false)
	if err != nil {
		plane.Reset(&value)
		return abi.Any{}, err
	}
	h := plane.NewLayout(builtinType(C.SS_STRUCTURAL_KEY), 48)
	if h == nil {
		plane.Reset(&value)
		return abi.Any{}, errRaised
	}
	*keyOf(h) = structuralKey{value, int64(hash)}
	return abi.ObjectValue(h), nil
}

// structuralKeysEqual compares two StructuralKeys by their values.
func structuralKeysEqual(a, b unsafe.Pointer) (bool, error) {
	x, y := keyOf(a), keyOf(b)
	if a == b || x.hash != y.hash {
		return a == b, nil
	}
	return structural.Equal(&x.key, &y.key, false, false)
}

// registerStructuralKey registers the constructor of StructuralKey, and its hash and equality as a key of Maps. The
// latter are Functions, because the result type of C functions in these attributes has changed between versions of the
// ABI.
func registerStructuralKey() error {
	index := builtinIndices[C.SS_STRUCTURAL_KEY]
	const doc = "Makes a key of any value and computes its structural hash"
	construct := typed(structuralKeyKey+".__ffi_init__", returnsObject, newStructuralKey, anyParam)
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
