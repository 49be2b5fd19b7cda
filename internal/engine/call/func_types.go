package selfsame

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// funcConv makes the conversion of a func type: a Go func becomes a new Function, and a Function becomes a func of the type,
// as [Bind] makes it.
func funcConv(t reflect.Type) (*conv, error) {
	return namedFuncConv(t, func() string { return "a callback" })
}

// namedFuncConv makes the conversion that funcConv makes, for an argument that messages give a name.
func namedFuncConv(t reflect.Type, what func() string) (*conv, error) {
	sig, err := signatureOf("", t, signatureOptions{})
	if err != nil {
		return nil, err
	}
	function := nearestClass(abi.IndexFunction)
	bound := sync.OnceValues(func() (*signature, error) {
		sig, err := bindable(t)
		if err == nil {
			sig.callback = what // what errors about the function's result call the function
		}
		return sig, err
	})
	check := func(v *abi.Any) error {
		if v.TypeIndex != abi.IndexFunction {
			return mismatched(v)
		}
		return nil
	}
	return &conv{
		traits: traits{classes: sig.classes()},
		named:  func(what func() string) *conv { return renamed(t, what) },
		name:   function.typeKey,
		schema: func() string { return sig.schema("") },
		typ: typeOnce(func() *bridge.Type {
			return bridge.NewType(bridge.KindObject, function.native, nil, function.typeKey())
		}),
		check: check,
		from: func(v *abi.Any, dst unsafe.Pointer) error {
			if err := check(v); err != nil {
				return err
			}
			sig, err := bound()
			if err != nil {
				return err
			}
			bindAt(handles.Fetch(v.Pointer()), t, sig, dst)
			return nil
		},
		to: func(src unsafe.Pointer, v *abi.Any) error {
			fn := reflect.NewAt(t, src).Elem()
			if fn.IsNil() {
				*v = abi.None()
				return nil
			}
			c, err := newClosure("", fn.Interface(), signatureOptions{})
			if err != nil {
				return err
			}
			object, err := c.function()
			if err != nil {
				return err
			}
			*v = abi.ObjectValue(object)
			return nil
		},
	}, nil
}

// renamed makes the conversion of a func type that has one already.
func renamed(t reflect.Type, what func() string) *conv {
	known := mustConv(t)
	made, err := namedFuncConv(t, what)
	if err != nil {
		return known
	}
	made.goType, made.fast, made.plain = t, known.fast, known.plain
	return made
}
