package control

import (
	"slices"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// graphBuiltins returns the functions over a value and all values that it contains (JSON, structural and recursive
// operations), and those that make classes from fields.
func graphBuiltins() []builtin {
	return slices.Concat(jsonBuiltins(), structuralBuiltins(), recursiveBuiltins(), pyclassBuiltins(), visitBuiltins(), mutateBuiltins())
}

var boolParam = param{"bool", `{"type":"bool"}`, oneOf(abi.IndexInt, abi.IndexBool)}

// viewParam accepts any value; the function works on the view without making an owned value.
var viewParam = param{"AnyView", anySchema, func(int32) bool { return true }}

// objectParam accepts objects of the class with this type key, and of its descendants. The key is looked up at each
// call, so the class may be registered later.
func objectParam(key string) param {
	return param{key, `{"type":"` + key + `"}`, func(index int32) bool {
		base := plane.TypeByKey(key)
		return base >= 0 && index >= abi.IndexStaticObjectBegin && isA(index, plane.TypeAt(base).Info())
	}}
}

// optional accepts what p accepts, and None.
func optional(p param) param {
	return param{"Optional<" + p.text + ">", `{"type":"Optional","args":[` + p.schema + `]}`, func(index int32) bool {
		return index == abi.IndexNone || p.accepts(index)
	}}
}

// withOwned converts an argument to an owned value and calls f, which borrows it.
func withOwned(view *abi.Any, f func(*abi.Any) (abi.Any, error)) (abi.Any, error) {
	value, err := owned(view)
	if err != nil {
		return abi.Any{}, err
	}
	defer plane.Reset(&value)
	return f(&value)
}

// withOwnedPair does withOwned's work for two arguments.
func withOwnedPair(a, b *abi.Any, f func(a, b *abi.Any) (abi.Any, error)) (abi.Any, error) {
	return withOwned(a, func(x *abi.Any) (abi.Any, error) {
		return withOwned(b, func(y *abi.Any) (abi.Any, error) { return f(x, y) })
	})
}
