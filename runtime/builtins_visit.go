package runtime

// #include "builtin_classes.h"
// #include "visitor.h"
import "C"

import (
	"fmt"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/plane"
	"github.com/selfsame-ffi/selfsame/runtime/graph"
	"github.com/selfsame-ffi/selfsame/runtime/structural"
)

const interruptKey = "ffi.VisitInterrupt"

var (
	returnsInterrupt = returns{"Optional<" + interruptKey + ">", `{"type":"Optional","args":[{"type":"` + interruptKey + `"}]}`}
	functionParam    = param{"ffi.Function", `{"type":"ffi.Function"}`, oneOf(abi.IndexFunction, abi.IndexNone)}
	linksParam       = param{"Array<Tuple<int, ffi.Function>>",
		`{"type":"ffi.Array","args":[{"type":"Tuple","args":[{"type":"int"},{"type":"ffi.Function"}]}]}`,
		oneOf(abi.IndexArray, abi.IndexList)}
)

// callBack calls the Function in an argument that functionParam accepts. None, a null reference, is a TypeError.
func callBack(function *abi.Any) (abi.Any, error) {
	if function.TypeIndex == abi.IndexNone {
		return abi.Any{}, errorf("TypeError", "Cannot convert from type `None` to `ffi.Function`")
	}
	return graph.Call(function.Pointer())
}

// visitBuiltins are the functions that visit values with callbacks. Package structural implements them.
func visitBuiltins() []builtin {
	visitor := objectParam("ffi.StructuralVisitor")
	all := []builtin{
		typed(interruptKey, returns{interruptKey, `{"type":"` + interruptKey + `"}`}, newVisitInterrupt, anyParam),
		typed("ffi.StructuralVisitorVisit", returnsInterrupt, func(args []abi.Any) (abi.Any, error) {
			return structural.Outcome(visitThrough(args[0].Pointer(), args[1]))
		}, visitor, viewParam),
		typed("ffi.StructuralVisitorDefaultVisit", returnsInterrupt, func(args []abi.Any) (abi.Any, error) {
			return structural.Outcome(structural.VisitParts(args[0].Pointer(), args[1]))
		}, visitor, viewParam),
		typed("ffi.StructuralVisitorDefRegionKind", returnsInt, func(args []abi.Any) (abi.Any, error) {
			return abi.Int(int64(structural.VisitorRegion(args[0].Pointer()))), nil
		}, visitor),
		typed("ffi.StructuralVisitorWithDefRegionKind", returnsAny, func(args []abi.Any) (abi.Any, error) {
			return structural.WithRegion(args[0].Pointer(), structural.Region(args[1].Int64()), func() (abi.Any, error) {
				return callBack(&args[2])
			})
		}, visitor, intParam, functionParam),
		typed("ffi.VisitErrorContext.FindAccessPaths", returns{"Array<" + pathKey + ">",
			`{"type":"ffi.Array","args":[{"type":"` + pathKey + `"}]}`}, func(args []abi.Any) (abi.Any, error) {
			return structural.FindAccessPaths(args[0], args[1].Pointer(), args[2].Bits != 0)
		}, param{"ffi.Object", objectSchema, func(i int32) bool { return i >= abi.IndexStaticObjectBegin || i == abi.IndexNone }},
			objectParam("ffi.VisitErrorContext"), boolParam),
	}
	walk := typed("ffi.StructuralWalk", returnsInterrupt, nil, viewParam, linksParam, linksParam, intParam)
	walk.run = func(args []abi.Any) (abi.Any, error) {
		links, err := walk.links(args, 1, false)
		if err != nil {
			return abi.Any{}, err
		}
		withRegion, err := walk.links(args, 2, true)
		if err != nil {
			return abi.Any{}, err
		}
		order := structural.PostOrder
		if args[3].Int64() == int64(structural.PreOrder) {
			order = structural.PreOrder
		}
		return structural.Walk(args[0], append(links, withRegion...), order)
	}
	visit := typed("ffi.StructuralVisit", returnsInterrupt, nil, viewParam, linksParam)
	visit.run = func(args []abi.Any) (abi.Any, error) {
		links, err := visit.links(args, 1, false)
		if err != nil {
			return abi.Any{}, err
		}
		return structural.VisitFreely(args[0], links)
	}
	return append(all, walk, visit)
}

// links reads argument i, an Array of pairs of a type index and a Function (borrowed). region is stored in each Link.
func (b *builtin) links(args []abi.Any, i int, region bool) ([]structural.Link, error) {
	var links []structural.Link
	err := b.tuples(args, i, 2, func(element []abi.Any) string {
		links = append(links, structural.Link{Index: int32(element[0].Int64()), Function: element[1].Pointer(), Region: region})
		return ""
	})
	return links, err
}

// tuples reads argument i, an Array of tuples of n values, the first a type index and the second a Function. take is
// called for each tuple and returns a description of what is wrong with its other values, or "".
func (b *builtin) tuples(args []abi.Any, i, n int, take func(element []abi.Any) (wrong string)) error {
	for at, item := range abi.SeqOf(args[i].Pointer()).Items() {
		wrong := typeKeyOf(item.TypeIndex)
		if item.TypeIndex == abi.IndexArray {
			element := abi.SeqOf(item.Pointer()).Items()
			switch {
			case len(element) != n:
				wrong = fmt.Sprintf("Array[size=%d]", len(element))
			case !intParam.accepts(element[0].TypeIndex):
				wrong = fmt.Sprintf("Array[index 0: %s]", typeKeyOf(element[0].TypeIndex))
			case element[1].TypeIndex != abi.IndexFunction:
				wrong = fmt.Sprintf("Array[index 1: %s]", typeKeyOf(element[1].TypeIndex))
			default:
				wrong = take(element)
			}
		}
		if wrong != "" {
			return errorf("TypeError", "Mismatched type on argument #%d when calling: `%s`. Expected `%s` but got `Array[index %d: %s]`",
				i, &b.signature, b.params[i].text, at, wrong)
		}
	}
	return nil
}

// newVisitInterrupt makes a VisitInterrupt with a value (args[0]).
func newVisitInterrupt(args []abi.Any) (abi.Any, error) {
	value, err := owned(&args[0])
	if err != nil {
		return abi.Any{}, err
	}
	h := plane.NewLayout(builtinType(C.SS_VISIT_INTERRUPT), 40)
	if h == nil {
		plane.Reset(&value)
		return abi.Any{}, errRaised
	}
	*(*abi.Any)(unsafe.Add(h, abi.BodyOffset)) = value
	return abi.ObjectValue(h), nil
}

// visitThrough lets any visitor, made here or elsewhere, visit a value (borrowed). The result is owned: None, a
// VisitInterrupt or an Error.
func visitThrough(visitor unsafe.Pointer, v abi.Any) (out abi.Any) {
	C.ss_visitor_visit(visitor, (*C.TVMFFIAny)(unsafe.Pointer(&v)), (*C.TVMFFIAny)(unsafe.Pointer(&out)))
	return out
}

// errorValue returns an error as an owned Error object. It replaces the thread's raised error.
func errorValue(err error) abi.Any {
	raise(err)
	handle := plane.TakeRaised()
	if handle == nil {
		raise(errorf("InternalError", "an error could not be raised"))
		handle = plane.TakeRaised()
	}
	return abi.ObjectValue(handle)
}

// registerVisiting gives package structural the functions that make and call visitors, and registers the hook
// __s_visit__ of the builtin containers.
func registerVisiting() error {
	sequence, mapping := C.ss_visit_sequence_hook(), C.ss_visit_map_hook()
	structural.ErrorContextType = builtinType(C.SS_VISIT_ERROR_CONTEXT)
	structural.ErrorValue = errorValue
	structural.Visitors = structural.VisitorHost{
		New: func() (unsafe.Pointer, error) {
			var h C.TVMFFIObjectHandle
			if C.ss_visitor_new(C.int32_t(builtinIndices[C.SS_STRUCTURAL_VISITOR]), &h) != 0 {
				return nil, errRaised
			}
			return unsafe.Pointer(h), nil
		},
		Through: visitThrough,
		Native: func(function, visitor unsafe.Pointer, v abi.Any) (out abi.Any) {
			C.ss_visit_hook(function, visitor, (*C.TVMFFIAny)(unsafe.Pointer(&v)), (*C.TVMFFIAny)(unsafe.Pointer(&out)))
			return out
		},
		IsBuiltin: func(function unsafe.Pointer) bool { return function == sequence || function == mapping },
		Interrupt: builtinIndices[C.SS_VISIT_INTERRUPT],
	}
	for index, function := range map[int32]unsafe.Pointer{
		abi.IndexArray: sequence, abi.IndexList: sequence, abi.IndexMap: mapping, abi.IndexDict: mapping,
	} {
		if err := registerAttr(index, "__s_visit__", abi.OpaquePtr(function)); err != nil {
			return err
		}
	}
	return nil
}

//export ssgo_visitor_visit
func ssgo_visitor_visit(visitor, value, result unsafe.Pointer) int32 {
	return guarded(func() (err error) {
		*(*abi.Any)(result), err = structural.Visit(visitor, *(*abi.Any)(value))
		return err
	})
}
