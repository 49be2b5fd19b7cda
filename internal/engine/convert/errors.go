package selfsame

import (
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

func errorObjectConv() *conv {
	class := errorClass()
	name, schema := constant("ffi.Error", "ffi.Error")
	check := func(v *abi.Any) error {
		if v.TypeIndex != abi.IndexError {
			return mismatched(v)
		}
		return nil
	}
	return &conv{
		name: name, schema: schema, check: check,
		typ: typeOnce(func() *bridge.Type { return bridge.NewType(bridge.KindObject, class.native, nil, "ffi.Error") }),
		from: func(v *abi.Any, dst unsafe.Pointer) error {
			if err := check(v); err != nil {
				return err
			}
			*(**Error)(dst) = errorOf(handles.Fetch(v.Pointer()))
			return nil
		},
		to: func(src unsafe.Pointer, v *abi.Any) error {
			*v = abi.None()
			if e := *(**Error)(src); e != nil {
				*v = abi.ObjectValue(newErrorObject(e, ""))
			}
			return nil
		},
	}
}

// errorClass returns the class of Error objects.
var errorClass = sync.OnceValue(func() *class {
	return builtinClass("ffi.Error", abi.IndexError, func(c *handles.State) any { return errorOf(c) })
})

// errorConv makes the conversion of type error, whose nil is None.
func errorConv() *conv {
	check := func(v *abi.Any) error {
		if v.TypeIndex != abi.IndexError && v.TypeIndex != abi.IndexNone {
			return mismatched(v)
		}
		return nil
	}
	return &conv{
		name:   func() string { return "Optional<ffi.Error>" },
		schema: func() string { return nestedSchema("Optional", leafSchema("ffi.Error")) },
		check:  check,
		typ: typeOnce(func() *bridge.Type {
			inner := bridge.NewType(bridge.KindObject, errorClass().native, nil, "ffi.Error")
			return bridge.NewType(bridge.KindOptional, nil, inner, "Optional<ffi.Error>")
		}),
		from: func(v *abi.Any, dst unsafe.Pointer) error {
			if err := check(v); err != nil {
				return err
			}
			*(*error)(dst) = nil
			if v.TypeIndex == abi.IndexError {
				*(*error)(dst) = errorOf(handles.Fetch(v.Pointer()))
			}
			return nil
		},
		to: func(src unsafe.Pointer, v *abi.Any) error {
			*v = abi.None()
			if err := *(*error)(src); err != nil {
				*v = abi.ObjectValue(newErrorObject(err, ""))
			}
			return nil
		},
	}
}
