package runtime

// #include "mutator.h"
// #include "builtin_classes.h"
import "C"

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/runtime/structural"
)

// mutateBuiltins are the functions that change values by callbacks. Package structural implements them.
func mutateBuiltins() []builtin {
	mutator := objectParam("ffi.StructuralMutator")
	all := []builtin{
		typed("ffi.StructuralMutatorMutate", returnsAny, func(args []abi.Any) (abi.Any, error) {
			outcome := mutateThrough(args[0].Pointer(), args[1], false)
			if outcome.TypeIndex == abi.IndexUnchanged {
				return owned(&args[1])
			}
			return structural.Outcome(outcome)
		}, mutator, viewParam),
		typed("ffi.StructuralMutatorDefaultMutate", returnsAny, func(args []abi.Any) (abi.Any, error) {
			return structural.MutateParts(args[0].Pointer(), args[1])
		}, mutator, viewParam),
		typed("ffi.StructuralMutatorVarRemapGet", returnsAny, func(args []abi.Any) (abi.Any, error) {
			return structural.Outcome(remapGet(args[0].Pointer(), args[1]))
		}, mutator, viewParam),
		typed("ffi.StructuralMutatorVarRemapSet", returnsVoid, func(args []abi.Any) (abi.Any, error) {
			return structural.Outcome(remapSet(args[0].Pointer(), args[1], args[2]))
		}, mutator, viewParam, viewParam),
		typed("ffi.StructuralMutatorDefRegionKind", returnsInt, func(args []abi.Any) (abi.Any, error) {
			return abi.Int(int64(structural.VisitorRegion(args[0].Pointer()))), nil
		}, mutator),
		typed("ffi.StructuralMutatorWithDefRegionKind", returnsAny, func(args []abi.Any) (abi.Any, error) {
			return structural.WithRegion(args[0].Pointer(), structural.Region(args[1].Int64()), func() (abi.Any, error) {
				return callBack(&args[2])
			})
		}, mutator, intParam, functionParam),
	}
	return append(all, structuralMap(), structuralMutate())
}

// structuralMap is ffi.StructuralMap: callbacks for types, in pre-order or post-order.
func structuralMap() builtin {
	b := typed("ffi.StructuralMap", returnsAny, nil, anyParam, linksParam, linksParam, intParam)
	b.run = func(args []abi.Any) (abi.Any, error) {
		links, err := b.links(args, 1, false)
		if err != nil {
			return abi.Any{}, err
		}
		withRegion, err := b.links(args, 2, true)
		if err != nil {
			return abi.Any{}, err
		}
		order := structural.PostOrder
		if args[3].Int64() == int64(structural.PreOrder) {
			order = structural.PreOrder
		}
		var all []structural.MutatorLink
		for _, l := range append(links, withRegion...) {
			all = append(all, structural.MutatorLink{Link: l})
		}
		root, err := owned(&args[0])
		if err != nil {
			return abi.Any{}, err
		}
		return structural.Map(root, all, order)
	}
	return b
}

// structuralMutate is ffi.StructuralMutate: callbacks that continue the walk themselves.
func structuralMutate() builtin {
	linksWithMode := param{"Array<Tuple<int, ffi.Function, bool>>",
		`{"type":"ffi.Array","args":[{"type":"Tuple","args":[{"type":"int"},{"type":"ffi.Function"},{"type":"bool"}]}]}`,
		oneOf(abi.IndexArray, abi.IndexList)}
	b := typed("ffi.StructuralMutate", returnsAny, nil, anyParam, linksWithMode)
	b.run = func(args []abi.Any) (abi.Any, error) {
		var links []structural.MutatorLink
		err := b.tuples(args, 1, 3, func(element []abi.Any) string {
			if element[2].TypeIndex != abi.IndexBool && element[2].TypeIndex != abi.IndexInt {
				return "Array[index 2: " + typeKeyOf(element[2].TypeIndex) + "]"
			}
			links = append(links, structural.MutatorLink{
				Link: structural.Link{Index: int32(element[0].Int64()), Function: element[1].Pointer()},
				Mode: element[2].Bits != 0,
			})
			return ""
		})
		if err != nil {
			return abi.Any{}, err
		}
		root, err := owned(&args[0])
		if err != nil {
			return abi.Any{}, err
		}
		return structural.MutateFreely(root, links)
	}
	return b
}

// mutateThrough lets any mutator, made here or elsewhere, mutate a value (borrowed). The result is owned: a value, the
// unchanged marker or an Error.
func mutateThrough(mutator unsafe.Pointer, v abi.Any, inPlace bool) (out abi.Any) {
	mode := C.int32_t(0)
	if inPlace {
		mode = 1
	}
	C.ss_mutator_mutate(mutator, (*C.TVMFFIAny)(unsafe.Pointer(&v)), mode, (*C.TVMFFIAny)(unsafe.Pointer(&out)))
	return out
}

// remapGet asks any mutator for the replacement of a variable. The result is as in mutateThrough.
func remapGet(mutator unsafe.Pointer, variable abi.Any) (out abi.Any) {
	C.ss_mutator_remap_get(mutator, (*C.TVMFFIAny)(unsafe.Pointer(&variable)), (*C.TVMFFIAny)(unsafe.Pointer(&out)))
	return out
}

// remapSet tells any mutator the replacement of a variable. The result is as in mutateThrough.
func remapSet(mutator unsafe.Pointer, variable, value abi.Any) (out abi.Any) {
	C.ss_mutator_remap_set(mutator, (*C.TVMFFIAny)(unsafe.Pointer(&variable)), (*C.TVMFFIAny)(unsafe.Pointer(&value)),
		(*C.TVMFFIAny)(unsafe.Pointer(&out)))
	return out
}

// registerMutating gives package structural the functions that make and call mutators, and registers the hooks
// __s_mutate__ and __s_maybe_inplace_mutate__ of the builtin types.
func registerMutating() error {
	copying, inPlace := C.ss_mutate_container_hook(), C.ss_mutate_container_in_place_hook()
	leaf := C.ss_mutate_leaf_hook()
	structural.Mutators = structural.MutatorHost{
		New: func() (unsafe.Pointer, error) {
			var h C.TVMFFIObjectHandle
			if C.ss_mutator_new(C.int32_t(builtinIndices[C.SS_STRUCTURAL_MUTATOR]), &h) != 0 {
				return nil, errRaised
			}
			return unsafe.Pointer(h), nil
		},
		Through:  mutateThrough,
		RemapGet: remapGet,
		RemapSet: remapSet,
		Native: func(function, mutator unsafe.Pointer, v abi.Any) (out abi.Any) {
			C.ss_mutate_hook(function, mutator, (*C.TVMFFIAny)(unsafe.Pointer(&v)), (*C.TVMFFIAny)(unsafe.Pointer(&out)))
			return out
		},
		IsContainer: func(function unsafe.Pointer) bool { return function == copying || function == inPlace },
	}
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

//export ssgo_mutator
func ssgo_mutator(mutator unsafe.Pointer, request int32, args, result unsafe.Pointer) int32 {
	return guarded(func() (err error) {
		in := unsafe.Slice((*abi.Any)(args), 2)
		out := (*abi.Any)(result)
		switch request {
		case C.SSGO_MUTATE_CONTAINER, C.SSGO_MUTATE_CONTAINER_IN_PLACE:
			*out = structural.MutateElements(mutator, in[0], request == C.SSGO_MUTATE_CONTAINER_IN_PLACE)
			return nil
		}
		*out, err = structural.MutatorAsk(mutator, func(m structural.Asked) abi.Any {
			switch request {
			case C.SSGO_REMAP_GET:
				return m.RemapGet(in[0])
			case C.SSGO_REMAP_SET:
				return m.RemapSet(in[0], in[1])
			}
			return m.Mutate(in[0], request == C.SSGO_MUTATE_IN_PLACE)
		})
		return err
	})
}
