package runtime

import (
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/plane"
)

// graphBuiltins are the functions over whole values: JSON, structural and recursive operations, classes from fields.
func graphBuiltins() []builtin {
	all := jsonBuiltins()
	all = append(all, jsonGraphBuiltins()...)
	all = append(all, structuralBuiltins()...)
	all = append(all, recursiveBuiltins()...)
	all = append(all, pyclassBuiltins()...)
	all = append(all, visitBuiltins()...)
	return append(all, mutateBuiltins()...)
}

var boolParam = param{"bool", `{"type":"bool"}`, oneOf(abi.IndexInt, abi.IndexBool)}

// viewParam is an argument of which no owned value is made.
var viewParam = param{"AnyView", anySchema, func(int32) bool { return true }}

// objectParam is an argument of a class or one below it. It knows the class by its key when it is called.
func objectParam(key string) param {
	return param{key, `{"type":"` + key + `"}`, func(index int32) bool {
		base := plane.TypeByKey(key)
		return base >= 0 && index >= abi.IndexStaticObjectBegin && isA(index, plane.TypeAt(base).Info())
	}}
}

// optional also accepts None.
func optional(p param) param {
	return param{"Optional<" + p.text + ">", `{"type":"Optional","args":[` + p.schema + `]}`, func(index int32) bool {
		return index == abi.IndexNone || p.accepts(index)
	}}
}

// withOwned runs a function on the owned form of an argument, which it borrows.
func withOwned(view *abi.Any, f func(*abi.Any) (abi.Any, error)) (abi.Any, error) {
	value, err := owned(view)
	if err != nil {
		return abi.Any{}, err
	}
	defer plane.Reset(&value)
	return f(&value)
}

// withOwnedPair does the same with two arguments.
func withOwnedPair(a, b *abi.Any, f func(a, b *abi.Any) (abi.Any, error)) (abi.Any, error) {
	return withOwned(a, func(x *abi.Any) (abi.Any, error) {
		return withOwned(b, func(y *abi.Any) (abi.Any, error) { return f(x, y) })
	})
}
