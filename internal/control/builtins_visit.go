package control

// #include "builtin_classes.h"
// #include "builtins_fast_walk.h"
// #include "walks/structural_callbacks.h"
import "C"

import (
	"fmt"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/control/structural"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

const interruptKey = "ffi.VisitInterrupt"

var (
	returnsInterrupt = returns{"Optional<" + interruptKey + ">", `{"type":"Optional","args":[{"type":"` + interruptKey + `"}]}`}
	functionParam    = param{"ffi.Function", `{"type":"ffi.Function"}`, oneOf(abi.IndexFunction, abi.IndexNone)}
	linksParam       = param{"Array<Tuple<int, ffi.Function>>",
		`{"type":"ffi.Array","args":[{"type":"Tuple","args":[{"type":"int"},{"type":"ffi.Function"}]}]}`,
		oneOf(abi.IndexArray, abi.IndexList)}
)

// inC returns a body that makes owned values of its arguments, which were checked, and passes them to a function in C.
// The fast path of the builtin has served calls that need neither (builtins_fast_walk.c).
func inC(which C.int) body {
	return func(args []abi.Any) (abi.Any, error) {
		values, err := ownedAll(args)
		if err != nil {
			return abi.Any{}, err
		}
		defer graph.ReleaseAll(values)
		var result abi.Any
		first, out := (*C.TVMFFIAny)(unsafe.Pointer(unsafe.SliceData(values))), (*C.TVMFFIAny)(unsafe.Pointer(&result))
		rc := C.ss_walk_builtin(which, first, out)
		return orRaised(result, rc == 0)
	}
}

// withFunction does inC's work for a function whose last argument functionParam accepts. None, a null reference, is a
// TypeError.
func withFunction(which C.int) body {
	run := inC(which)
	return func(args []abi.Any) (abi.Any, error) {
		if args[len(args)-1].TypeIndex == abi.IndexNone {
			return abi.Any{}, errorf("TypeError", "Cannot convert from type `None` to `ffi.Function`")
		}
		return run(args)
	}
}

// withLinks makes a builtin of a function in C whose arguments from the second on include callbacks. Callbacks are
// Arrays of tuples of `size` values: a type index, a Function and, as a third value if there is one, a bool. lists are
// the numbers of these arguments.
func withLinks(which C.int, b builtin, size int, lists ...int) builtin {
	run := inC(which)
	b.run = func(args []abi.Any) (abi.Any, error) {
		for _, i := range lists {
			if err := b.checkLinks(args, i, size); err != nil {
				return abi.Any{}, err
			}
		}
		return run(args)
	}
	return b
}

// visitBuiltins returns the functions that visit values with callbacks: internal/plane/walks/structural_callbacks.h.
func visitBuiltins() []builtin {
	visitor := objectParam("ffi.StructuralVisitor")
	return []builtin{
		typed(interruptKey, returns{interruptKey, `{"type":"` + interruptKey + `"}`}, newVisitInterrupt, anyParam),
		typed("ffi.StructuralVisitorVisit", returnsInterrupt, inC(C.SS_VISITOR_VISIT), visitor, viewParam),
		typed("ffi.StructuralVisitorDefaultVisit", returnsInterrupt, inC(C.SS_VISITOR_PARTS), visitor, viewParam),
		typed("ffi.StructuralVisitorDefRegionKind", returnsInt, inC(C.SS_REGION), visitor),
		typed("ffi.StructuralVisitorWithDefRegionKind", returnsAny, withFunction(C.SS_WITH_REGION), visitor, intParam, functionParam),
		typed("ffi.VisitErrorContext.FindAccessPaths", returns{"Array<" + pathKey + ">",
			`{"type":"ffi.Array","args":[{"type":"` + pathKey + `"}]}`}, func(args []abi.Any) (abi.Any, error) {
			return structural.FindAccessPaths(args[0], args[1].Pointer(), args[2].Bits != 0)
		}, param{"ffi.Object", objectSchema, func(i int32) bool { return i >= abi.IndexStaticObjectBegin || i == abi.IndexNone }},
			objectParam("ffi.VisitErrorContext"), boolParam),
		withLinks(C.SS_WALK, typed("ffi.StructuralWalk", returnsInterrupt, nil, viewParam, linksParam, linksParam, intParam), 2, 1, 2),
		withLinks(C.SS_VISIT, typed("ffi.StructuralVisit", returnsInterrupt, nil, viewParam, linksParam), 2, 1),
	}
}

// checkLinks checks argument i, an Array of tuples of `size` values (withLinks).
func (b *builtin) checkLinks(args []abi.Any, i, size int) error {
	for at, item := range abi.SeqOf(args[i].Pointer()).Items() {
		if wrong := wrongLink(item, size); wrong != "" {
			return errorf("TypeError", "Mismatched type on argument #%d when calling: `%s`. Expected `%s` but got `Array[index %d: %s]`",
				i, &b.signature, b.params[i].text, at, wrong)
		}
	}
	return nil
}

// wrongLink describes what is wrong with a tuple; "" when nothing is.
func wrongLink(tuple abi.Any, size int) string {
	if tuple.TypeIndex != abi.IndexArray {
		return typeKeyOf(tuple.TypeIndex)
	}
	element := abi.SeqOf(tuple.Pointer()).Items()
	if len(element) != size {
		return fmt.Sprintf("Array[size=%d]", len(element))
	}
	for i, want := range []func(int32) bool{intParam.accepts, oneOf(abi.IndexFunction), oneOf(abi.IndexBool, abi.IndexInt)}[:size] {
		if !want(element[i].TypeIndex) {
			return fmt.Sprintf("Array[index %d: %s]", i, typeKeyOf(element[i].TypeIndex))
		}
	}
	return ""
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

// registerVisiting registers the hook __s_visit__ of the builtin containers.
func registerVisiting() error {
	sequence, mapping := C.ss_visit_sequence_hook(), C.ss_visit_map_hook()
	for index, function := range map[int32]unsafe.Pointer{
		abi.IndexArray: sequence, abi.IndexList: sequence, abi.IndexMap: mapping, abi.IndexDict: mapping,
	} {
		if err := registerAttr(index, "__s_visit__", abi.OpaquePtr(function)); err != nil {
			return err
		}
	}
	return nil
}
