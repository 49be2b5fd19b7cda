package control

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/accesspath"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/control/recursive"
)

const (
	pathKey = "ffi.reflection.AccessPath"
	stepKey = "ffi.reflection.AccessStep"
)

var (
	returnsPath  = returns{pathKey, `{"type":"` + pathKey + `"}`}
	returnsSteps = returns{"Array<" + stepKey + ">", `{"type":"ffi.Array","args":[{"type":"` + stepKey + `"}]}`}
)

// boolResult returns a bool as the result of a builtin.
func boolResult(b bool, err error) (abi.Any, error) {
	if err != nil {
		return abi.Any{}, err
	}
	return abi.Bool(b), nil
}

// registerPathMethods registers the methods of AccessPath, and __ffi_repr__ of AccessPath and AccessStep.
func registerPathMethods() error {
	path, step := accesspath.PathType.TypeIndex, accesspath.StepType.TypeIndex
	self, other := objectParam(pathKey), objectParam(stepKey)
	extend := func(name string, kind accesspath.Kind, key param) builtin {
		return typed(pathKey+"."+name, returnsPath, func(args []abi.Any) (abi.Any, error) {
			value, err := owned(&args[1])
			if err != nil {
				return abi.Any{}, err
			}
			if key.text == intParam.text {
				value = abi.Int(value.Int64())
			}
			next, err := accesspath.NewStep(kind, value)
			if err != nil {
				return abi.Any{}, err
			}
			return graph.ObjectResult(accesspath.Extend(args[0].Pointer(), next))
		}, self, key)
	}
	methods := []builtin{
		typed(pathKey+"._root", returnsPath, func([]abi.Any) (abi.Any, error) { return graph.ObjectResult(accesspath.Root()) }),
		typed(pathKey+"._extend", returnsPath, func(args []abi.Any) (abi.Any, error) {
			abi.IncRef(args[1].Pointer())
			return graph.ObjectResult(accesspath.Extend(args[0].Pointer(), args[1].Pointer()))
		}, self, other),
		extend("_attr", accesspath.Attr, strParam),
		extend("_array_item", accesspath.ArrayItem, intParam),
		extend("_map_item", accesspath.MapItem, anyParam),
		extend("_attr_missing", accesspath.AttrMissing, strParam),
		extend("_array_item_missing", accesspath.ArrayItemMissing, intParam),
		extend("_map_item_missing", accesspath.MapItemMissing, anyParam),
		typed(pathKey+"._is_prefix_of", returnsBool, func(args []abi.Any) (abi.Any, error) {
			return boolResult(accesspath.IsPrefix(args[0].Pointer(), args[1].Pointer(), false))
		}, self, self),
		typed(pathKey+"._to_steps", returnsSteps, func(args []abi.Any) (abi.Any, error) {
			return graph.ObjectResult(accesspath.ToSteps(args[0].Pointer()))
		}, self),
		typed(pathKey+"._path_equal", returnsBool, func(args []abi.Any) (abi.Any, error) {
			return boolResult(accesspath.IsPrefix(args[0].Pointer(), args[1].Pointer(), true))
		}, self, self),
	}
	for i, m := range methods {
		flags := int64(0)
		if i == 0 {
			flags = abi.FlagIsStaticMethod
		}
		if err := registerBuiltinMethod(path, m, flags, ""); err != nil {
			return err
		}
	}
	function := param{"ffi.Function", `{"type":"ffi.Function"}`, oneOf(abi.IndexFunction)}
	self.text, other.text = "ffi.Object", "ffi.Object"
	if err := registerRepr(step, stepKey, accesspath.StepText, other, function); err != nil {
		return err
	}
	return registerRepr(path, pathKey, accesspath.Text, self, function)
}

// registerRepr registers a function that formats objects of a builtin class as the class's hook.
func registerRepr(index int32, key string, format recursive.OwnHook, object, function param) error {
	hook := typed(key+".__ffi_repr__", returnsStr, func(args []abi.Any) (abi.Any, error) {
		text, err := format(args[0].Pointer(), reprThrough(args[1].Pointer()))
		if err != nil {
			return abi.Any{}, err
		}
		return newString(text)
	}, object, function)
	if err := registerAttrFunction(index, hook); err != nil {
		return err
	}
	if registered := graph.Attr("__ffi_repr__", index); registered.TypeIndex == abi.IndexFunction {
		recursive.OwnHooks[registered.Pointer()] = format
	}
	return nil
}

// reprThrough returns a function that formats values with the callback that a __ffi_repr__ hook receives.
func reprThrough(function unsafe.Pointer) func(*abi.Any) (string, error) {
	return func(value *abi.Any) (string, error) {
		result, err := graph.Call(function, *value)
		if err != nil {
			return "", err
		}
		defer graph.Release(result)
		text, ok := result.Text()
		if !ok {
			return "", errorf("TypeError", "Cannot convert from type `%s` to `str`", typeKeyOf(result.TypeIndex))
		}
		return text, nil
	}
}
